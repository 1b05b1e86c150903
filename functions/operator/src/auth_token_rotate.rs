//! `POST /v2/workspace/authtoken/rotate`: replies with the new token.
//!
//! The holder of the workspace token makes the call, or the operator of the deployment with
//! `x-service-admin-token`. Only this reply has the token: the service stores its hash.
//!
//! # Errors
//! - RESOURCE_EXHAUSTED: five old tokens are still valid.

use model::{Bounded, WorkspaceId};
use service::{WorkspaceOrAdmin, prelude::*, sha256_hex};

pub enum RotateWorkspaceToken {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// How long the old token stays valid, in seconds. Required, so that an empty call cannot
    /// revoke it.
    grace_period_seconds: Bounded<0, 604_800>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WorkspaceTokenRotated")]
pub struct Rotated {
    id: WorkspaceId,
    /// Shown only once.
    auth_token: String,
}

impl Operation for RotateWorkspaceToken {
    const PATHS: &'static [&'static str] = &["/v2/workspace/authtoken/rotate"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = WorkspaceOrAdmin;
    type Request = Request;
    type Response = Data<Rotated>;

    async fn handle(cx: Cx<WorkspaceOrAdmin>, request: Request) -> Result<Success<Self::Response>> {
        let auth_token = crate::new_token()?;
        let grace = request.grace_period_seconds.get() * 1000;
        cx.scope().api_keys().rotate_token(&sha256_hex(&auth_token), grace).await?;
        let rotated = Rotated { id: cx.scope().workspace().id.clone(), auth_token };
        Ok(success("Workspace auth token rotated.", Data(rotated)))
    }
}
