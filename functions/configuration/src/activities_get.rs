//! `POST /v2/workspace/activityconfig/get`: the stored configuration.
//!
//! Before the first update it is `{ isEnabled: false }`.

use model::configuration::ActivityConfig;
use service::{Body, prelude::*};

pub enum GetActivityConfig {}

#[derive(Deserialize, JsonSchema)]
pub struct Request {}

impl Operation for GetActivityConfig {
    const PATHS: &'static [&'static str] = &["/v2/workspace/activityconfig/get"];
    const EFFECT: Effect = Effect::Reads;
    const BODY: Body = Body::Optional;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<ActivityConfig>;

    async fn handle(cx: Cx<ApiKey>, _: Request) -> Result<Success<Self::Response>> {
        let config = cx.tenant().configuration().activity().find().await?.unwrap_or_default();
        Ok(success("Activity configuration retrieved.", Data(config.shown())))
    }
}
