//! `POST /v2/workspace/advancedwebhookconfig/get`: the stored configuration.

use model::configuration::AdvancedWebhookConfig;
use service::{Body, prelude::*};

pub enum GetAdvancedWebhookConfig {}

#[derive(Deserialize, JsonSchema)]
pub struct Request {}

impl Operation for GetAdvancedWebhookConfig {
    const PATHS: &'static [&'static str] = &["/v2/workspace/advancedwebhookconfig/get"];
    const EFFECT: Effect = Effect::Reads;
    const BODY: Body = Body::Optional;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<AdvancedWebhookConfig>;

    async fn handle(cx: Cx<ApiKey>, _: Request) -> Result<Success<Self::Response>> {
        let config =
            cx.tenant().configuration().advanced_webhook().find().await?.unwrap_or_default();
        Ok(success("Advanced webhook configuration retrieved.", Data(config)))
    }
}
