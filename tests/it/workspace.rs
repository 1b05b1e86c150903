//! Workspaces, their API keys, and the settings of a key.

mod api_key_config_get;
mod api_key_config_update;
mod api_key_create;
mod api_key_update;
mod api_keys_get;
mod auth_token_reset;
mod auth_tokens_get;
mod domains_add;
mod domains_delete;
mod domains_get;
mod get;

use serde_json::Value;

/// The field in an error, as the end of its path.
pub(crate) fn field(error: &Value) -> String {
    let path = error["details"]["issues"][0]["path"].as_array().expect("a path");
    let steps = path.iter().map(|step| step.as_str().map_or(step.to_string(), str::to_owned));
    steps.collect::<Vec<_>>().join(".")
}
mod api_key_delete;
