//! `POST /v2/workspace/authtokens/get`: the tokens of one API key.
//!
//! # Errors
//! - NOT_FOUND: the workspace has no such API key.

use model::ApiKeyId;
use service::{Workspace, prelude::*};

use crate::views::TokenView;

pub enum GetAuthTokens {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    api_key: ApiKeyId,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AuthTokens")]
pub struct Tokens {
    api_key: ApiKeyId,
    /// Empty for a key without tokens.
    auth_tokens: Vec<TokenView>,
}

impl Operation for GetAuthTokens {
    const PATHS: &'static [&'static str] = &["/v2/workspace/authtokens/get"];
    const EFFECT: Effect = Effect::Reads;
    type Auth = Workspace;
    type Request = Request;
    type Response = Data<Tokens>;

    async fn handle(cx: Cx<Workspace>, request: Request) -> Result<Success<Self::Response>> {
        let key = cx.scope().api_keys().get(&request.api_key).await?;
        let view = |token| TokenView::new(cx.scope().token_text(&key, token), token);
        let auth_tokens = key.tokens_at(cx.now()).map(view).collect();
        let tokens = Tokens { api_key: request.api_key, auth_tokens };
        Ok(success("Auth tokens retrieved.", Data(tokens)))
    }
}
