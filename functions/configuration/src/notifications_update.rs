//! `POST /v2/workspace/notificationconfig/update`: merges the request into the stored
//! configuration.
//!
//! When the service is enabled and no triggers are stored, the standard triggers are switched on;
//! members of the request take precedence. Delay and batching stay off.

use model::configuration::{NotificationConfig, NotificationService};
use service::{prelude::*, usable};

pub enum UpdateNotificationConfig {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// Service switch.
    use_notification_service: Option<bool>,
    /// Omitted members keep their values.
    notification_service_config: Option<NotificationService>,
}

impl Operation for UpdateNotificationConfig {
    const PATHS: &'static [&'static str] = &["/v2/workspace/notificationconfig/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<NotificationConfig>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let (enable, sent) =
            (request.use_notification_service, request.notification_service_config);
        if enable.is_none() && sent.is_none() {
            return Err(Error::invalid(
                "At least one of useNotificationService or notificationServiceConfig must be provided.",
            ));
        }
        let sent = sent.unwrap_or_default();
        let configs = cx.tenant().configuration().notification();
        let saved = configs.save(|stored| {
            let mut config = stored.unwrap_or_default();
            config.update(enable, sent.clone());
            usable::<NotificationConfig, _>(config)
        });
        Ok(success("Notification configuration updated.", Data(saved.await?.written())))
    }
}
