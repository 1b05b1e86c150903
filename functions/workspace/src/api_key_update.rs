//! `POST /v2/workspace/apikey/update`: changes the name of the key, and whether it may be used.
//!
//! Calls with a disabled key are refused within ten seconds, the time for which a function caches
//! keys. Background work that has started continues.
//!
//! # Errors
//! - NOT_FOUND: the workspace has no such API key.

use model::{ApiKeyId, Text};
use service::{Workspace, prelude::*};

pub enum UpdateApiKey {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    api_key: ApiKeyId,
    api_key_name: Option<Text>,
    /// Whether calls with it are refused.
    disabled: Option<bool>,
}

impl Operation for UpdateApiKey {
    const PATHS: &'static [&'static str] = &["/v2/workspace/apikey/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = Workspace;
    type Request = Request;
    type Response = Data<()>;

    async fn handle(cx: Cx<Workspace>, request: Request) -> Result<Success<Self::Response>> {
        if request.api_key_name.is_none() && request.disabled.is_none() {
            return Err(Error::invalid("Either apiKeyName or disabled must be provided."));
        }
        let changed = cx.scope().api_keys().change(&request.api_key, |key| {
            model::set(&mut key.name, request.api_key_name.clone().map(String::from));
            model::set(&mut key.disabled, request.disabled);
            Ok(())
        });
        changed.await?;
        Ok(success("API key updated.", Data(())))
    }
}
