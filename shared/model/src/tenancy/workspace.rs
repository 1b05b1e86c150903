//! Workspaces: who runs the keys and pays for them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Email, Millis, WorkspaceId};

/// What a workspace has bought; production keys need `paid` (spec 4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Plan {
    /// Testing keys only.
    Free,
    /// Production keys, too.
    #[default]
    Paid,
}

/// A workspace.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Workspace {
    /// Generated id.
    pub id: WorkspaceId,
    /// Display name.
    pub name: String,
    /// Who owns it.
    pub owner: Owner,
    /// SHA-256 of the auth token; the token itself is not kept.
    pub token_hash: String,
    /// What it may do.
    pub plan: Plan,
    /// Whether it may create production keys itself.
    pub self_serve_production_keys: bool,
    /// How many production keys it may have.
    pub max_production_keys: u64,
    /// How many production keys it has.
    pub production_keys: u64,
    /// When it was created.
    pub created_at: Millis,
    /// How many webhook endpoints each of its keys may have.
    #[serde(default = "max_webhook_endpoints")]
    pub max_webhook_endpoints: u64,
}

/// Webhook endpoints of a key unless the operator says otherwise.
pub const MAX_WEBHOOK_ENDPOINTS: u64 = 500;

const fn max_webhook_endpoints() -> u64 {
    MAX_WEBHOOK_ENDPOINTS
}

/// The owner of a workspace, as callers see them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Owner {
    /// E-mail address.
    pub email: Email,
    /// Generated id.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Picture; empty when unset.
    pub avatar: String,
}
