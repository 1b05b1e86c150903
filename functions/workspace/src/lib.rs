//! A workspace, its API keys, and the settings of a key (contract `workspace`).

mod access;
mod views;

pub use access::ACCESS;

service::operations! {
    /// Shows the workspace and its API keys.
    get::GetWorkspace,
    /// Creates an API key.
    api_key_create::CreateApiKey,
    /// Renames an API key.
    api_key_update::UpdateApiKey,
    /// Lists the API keys of the workspace.
    api_keys_get::GetApiKeys,
    /// Lists the auth tokens of an API key.
    auth_tokens_get::GetAuthTokens,
    /// Replaces every auth token of an API key by a new one.
    auth_token_reset::ResetAuthToken,
    /// Shows the settings of the API key.
    api_key_config_get::GetApiKeyConfig,
    /// Changes settings of the API key.
    api_key_config_update::UpdateApiKeyConfig,
    /// Allows domains to use the API key.
    domains_add::AddDomains,
    /// Removes allowed domains of the API key.
    domains_delete::DeleteDomains,
    /// Lists the allowed domains of the API key.
    domains_get::GetDomains,
    /// Deletes an API key with all data of its tenant.
    api_key_delete::DeleteApiKey,
}
