//! `POST /v2/workspace/emailconfig/get`: the stored configuration.

use model::configuration::EmailConfig;
use service::{Body, prelude::*};

pub enum GetEmailConfig {}

#[derive(Deserialize, JsonSchema)]
pub struct Request {}

impl Operation for GetEmailConfig {
    const PATHS: &'static [&'static str] = &["/v2/workspace/emailconfig/get"];
    const EFFECT: Effect = Effect::Reads;
    const BODY: Body = Body::Optional;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<EmailConfig>;

    async fn handle(cx: Cx<ApiKey>, _: Request) -> Result<Success<Self::Response>> {
        let config = cx.tenant().configuration().email().find().await?.unwrap_or_default();
        Ok(success("Email configuration retrieved.", Data(config.shown())))
    }
}
