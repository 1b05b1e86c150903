//! `POST /v2/workspace/authtoken/reset`: replies with the new token.
//!
//! Other tokens stay valid for `gracePeriodSeconds`. Without a grace period they are refused within
//! ten seconds, the time for which a function caches tokens, and so are all tokens of end users that
//! were issued with them, also within these seconds, because whoever has an auth token can issue them.
//!
//! # Errors
//! - NOT_FOUND: the workspace has no such API key.
//! - RESOURCE_EXHAUSTED: five old tokens are still valid.

use model::{ApiKeyId, Bounded, workspace::MAX_REPLACED_TOKENS};
use service::{Workspace, prelude::*};

use crate::views::TokenView;

pub enum ResetAuthToken {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    api_key: ApiKeyId,
    /// How long old tokens stay valid, in seconds; 0 when absent, 604800 at most.
    grace_period_seconds: Option<Bounded<0, 604_800>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AuthTokenReset")]
pub struct Reset {
    api_key: ApiKeyId,
    new_auth_token: TokenView,
}

impl Operation for ResetAuthToken {
    const PATHS: &'static [&'static str] = &["/v2/workspace/authtoken/reset"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = Workspace;
    type Request = Request;
    type Response = Data<Reset>;

    async fn handle(cx: Cx<Workspace>, request: Request) -> Result<Success<Self::Response>> {
        let token = cx.scope().api_keys().new_token()?;
        let (grace, now) = (request.grace_period_seconds.map_or(0, Bounded::get) * 1000, cx.now());
        let changed = cx.scope().api_keys().change(&request.api_key, |key| {
            let replaced = key.replace_tokens(token.clone(), grace, now);
            replaced.then_some(()).ok_or_else(|| {
                Error::exhausted(format!(
                    "The API key already has {MAX_REPLACED_TOKENS} old auth tokens that are still valid."
                ))
            })
        });
        let key = changed.await?;
        let new_auth_token = TokenView::new(cx.scope().token_text(&key, &token), &token);
        let reset = Reset { api_key: request.api_key, new_auth_token };
        Ok(success("Auth token reset.", Data(reset)))
    }
}
