//! `POST /v2/workspace/webhookconfig/get`: the stored configuration.

use model::configuration::WebhookConfig;
use service::{Body, prelude::*};

pub enum GetWebhookConfig {}

#[derive(Deserialize, JsonSchema)]
pub struct Request {}

impl Operation for GetWebhookConfig {
    const PATHS: &'static [&'static str] = &["/v2/workspace/webhookconfig/get"];
    const EFFECT: Effect = Effect::Reads;
    const BODY: Body = Body::Optional;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<WebhookConfig>;

    async fn handle(cx: Cx<ApiKey>, _: Request) -> Result<Success<Self::Response>> {
        let config = cx.tenant().configuration().webhook().find().await?.unwrap_or_default();
        Ok(success("Webhook configuration retrieved.", Data(config.shown())))
    }
}
