//! `POST /v2/workspace/apikey/delete`: an API key and all of its tenant (decision 22).
//!
//! The key is listed no more; calls with it are refused within ten seconds. Everything below it goes
//! in the background, its own record a day later.

use model::ApiKeyId;
use schemars::JsonSchema;
use serde::Deserialize;
use service::{Cx, Data, Effect, Operation, Result, Success, Workspace, success};

/// The operation.
pub enum DeleteApiKey {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    api_key: ApiKeyId,
}

impl Operation for DeleteApiKey {
    const PATHS: &'static [&'static str] = &["/v2/workspace/apikey/delete"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = Workspace;
    type Request = Request;
    type Response = Data<()>;

    async fn handle(cx: Cx<Workspace>, request: Request) -> Result<Success<Self::Response>> {
        cx.delete_key(&request.api_key).await?;
        Ok(success("API key deletion initiated.", Data(())))
    }
}
