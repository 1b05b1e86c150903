//! `POST /v2/workspace/webhookconfig/update`: merges the request into the stored configuration.
//!
//! When the service is enabled and no triggers are stored, the standard triggers are switched on;
//! members of the request take precedence. `encryptData` needs a `publicKey`.

use model::configuration::{WebhookConfig, WebhookService};
use service::{Encryption, prelude::*, usable};

pub enum UpdateWebhookConfig {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// Service switch.
    use_webhook_service: Option<bool>,
    /// Omitted members keep their values.
    webhook_service_config: Option<WebhookService>,
}

impl Operation for UpdateWebhookConfig {
    const PATHS: &'static [&'static str] = &["/v2/workspace/webhookconfig/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<WebhookConfig>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let (enable, sent) = (request.use_webhook_service, request.webhook_service_config);
        if enable.is_none() && sent.is_none() {
            return Err(Error::invalid(
                "At least one of useWebhookService or webhookServiceConfig must be provided.",
            ));
        }
        let sent = sent.unwrap_or_default();
        for (member, url) in sent.urls() {
            cx.check_webhook_url(&["webhookServiceConfig", member], url)?;
        }
        let configs = cx.tenant().configuration().webhook();
        let saved = configs.save(|stored| {
            let mut config = stored.unwrap_or_default();
            config.update(enable, sent.clone());
            usable::<Encryption, _>(config)
        });
        Ok(success("Webhook configuration updated.", Data(saved.await?.shown())))
    }
}
