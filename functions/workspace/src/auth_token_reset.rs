//! `POST /v2/workspace/authtoken/reset`: a new auth token in place of all others (siblings 3.7).
//!
//! The others stop working within ten seconds: for so long a function believes what it has read.

use model::ApiKeyId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use service::{Cx, Data, Effect, Operation, Result, Success, Workspace, success};

use crate::views::TokenView;

/// The operation.
pub enum ResetAuthToken {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    api_key: ApiKeyId,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
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
        let token = cx.new_token()?;
        let changed = cx.change_key(&request.api_key, |key| {
            key.tokens = vec![token.clone()];
            Ok(())
        });
        let key = changed.await?;
        let new_auth_token = TokenView::new(cx.token_text(&key, &token), &token);
        let reset = Reset { api_key: request.api_key, new_auth_token };
        Ok(success("Auth token reset.", Data(reset)))
    }
}
