//! Operations of the operator of the deployment: workspaces and limits, the keyring, and lost
//! events (contract `operator`). Only this family has the admin token, and reads across tenants
//! (decision 76).

service::operations! {
    /// Creates a workspace with its first API key.
    workspace_create::CreateWorkspace,
    /// Changes the plan and limits of a workspace.
    workspace_update::UpdateWorkspace,
    /// Replaces the auth token of the workspace by a new one.
    auth_token_rotate::RotateWorkspaceToken,
    /// Sets the rate limits of an API key.
    api_key_limits_update::UpdateApiKeyLimits,
    /// Seals the secrets of all tenants with the current key.
    secrets_reseal::ResealSecrets,
    /// Repeats deletions of earlier versions that left something.
    deletions_repair::RepairDeletions,
}

service::workers! {
    /// Dispatches events that expired in the stream.
    events_repair::RepairEvents,
}

mod access;

pub use access::ACCESS;
use service::{prelude::*, random_text};

/// A new auth token of a workspace.
fn new_token() -> Result<String> {
    Ok(format!("wst_{}", random_text::<32>()?))
}
