//! `POST /v2/workspace/apikey/delete`: deletes the key and all data of its tenant.
//!
//! The key leaves the list at once. Calls with it are refused within ten seconds, the time for
//! which a function caches keys. A background job deletes its data, and its own record a day later.
//!
//! # Errors
//! - NOT_FOUND: the workspace has no such API key.

use model::ApiKeyId;
use service::{Workspace, prelude::*};

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
        cx.scope().api_keys().delete(&request.api_key).await?;
        Ok(success("API key deletion initiated.", Data(())))
    }
}
