//! A workspace and its API keys in replies.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Owner, Workspace};
use crate::{
    ApiKeyId, WorkspaceId,
    api_key::{ApiKey, KeyType},
};

/// A workspace.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Workspace")]
pub struct WorkspaceView {
    id: WorkspaceId,
    name: String,
    owner: Owner,
    /// By id.
    api_key_list: BTreeMap<ApiKeyId, KeyView>,
}

impl WorkspaceView {
    /// The workspace with its keys.
    pub fn new(workspace: &Workspace, keys: impl IntoIterator<Item = ApiKey>) -> Self {
        let keys = keys.into_iter().map(|key| (key.id.clone(), KeyView::from(key)));
        Self {
            id: workspace.id.clone(),
            name: workspace.name.clone(),
            owner: workspace.owner.clone(),
            api_key_list: keys.collect(),
        }
    }
}

/// An API key in a list.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ApiKey")]
pub struct KeyView {
    id: ApiKeyId,
    api_key_name: String,
    #[serde(rename = "type")]
    kind: KeyType,
    /// Whether calls with the key are refused; absent when they are not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    disabled: bool,
}

impl From<ApiKey> for KeyView {
    fn from(key: ApiKey) -> Self {
        Self { id: key.id, api_key_name: key.name, kind: key.kind, disabled: key.disabled }
    }
}
