//! `POST /v2/workspace/apikey/update`: a new name (siblings 3.4).

use model::{ApiKeyId, Text};
use schemars::JsonSchema;
use serde::Deserialize;
use service::{Cx, Data, Effect, Operation, Result, Success, Workspace, success};

/// The operation.
pub enum UpdateApiKey {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    api_key: ApiKeyId,
    api_key_name: Text,
}

impl Operation for UpdateApiKey {
    const PATHS: &'static [&'static str] = &["/v2/workspace/apikey/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = Workspace;
    type Request = Request;
    type Response = Data<()>;

    async fn handle(cx: Cx<Workspace>, request: Request) -> Result<Success<Self::Response>> {
        let changed = cx.change_key(&request.api_key, |key| {
            key.name = request.api_key_name.to_string();
            Ok(())
        });
        changed.await?;
        Ok(success("API key updated.", Data(())))
    }
}
