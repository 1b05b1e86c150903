//! `POST /v2/workspace/emailconfig/update`: merges the request into the stored configuration.
//!
//! When the service is enabled and no triggers are stored, the standard triggers are switched on;
//! members of the request take precedence. While it is on with the type `thirdparty`, it needs
//! `apiKey` and `fromEmail`.

use model::configuration::{EmailConfig, EmailService, Mailer};
use service::{prelude::*, usable};

pub enum UpdateEmailConfig {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// Service switch.
    use_email_service: Option<bool>,
    /// Omitted members keep their values.
    email_service_config: Option<EmailService>,
}

impl Operation for UpdateEmailConfig {
    const PATHS: &'static [&'static str] = &["/v2/workspace/emailconfig/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<EmailConfig>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let (enable, sent) = (request.use_email_service, request.email_service_config);
        if enable.is_none() && sent.is_none() {
            return Err(Error::invalid(
                "At least one of useEmailService or emailServiceConfig must be provided.",
            ));
        }
        let sent = sent.unwrap_or_default();
        let configs = cx.tenant().configuration().email();
        let saved = configs.save(|stored| {
            let mut config = stored.unwrap_or_default();
            config.update(enable, sent.clone());
            usable::<Mailer, _>(config)
        });
        Ok(success("Email configuration updated.", Data(saved.await?.shown())))
    }
}
