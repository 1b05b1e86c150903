//! `POST /v2/workspace/notificationconfig/get`: the stored configuration.
//!
//! A number that was never set is shown as the minimum.

use model::configuration::NotificationConfig;
use service::{Body, prelude::*};

pub enum GetNotificationConfig {}

#[derive(Deserialize, JsonSchema)]
pub struct Request {}

impl Operation for GetNotificationConfig {
    const PATHS: &'static [&'static str] = &["/v2/workspace/notificationconfig/get"];
    const EFFECT: Effect = Effect::Reads;
    const BODY: Body = Body::Optional;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<NotificationConfig>;

    async fn handle(cx: Cx<ApiKey>, _: Request) -> Result<Success<Self::Response>> {
        let config = cx.tenant().configuration().notification().find().await?.unwrap_or_default();
        Ok(success("Notification configuration retrieved.", Data(config.shown())))
    }
}
