//! The API keys of a deployment, and their credentials.

use axum::http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};
use service::{Error, Table, WorkspaceStore, prelude::*};

use crate::{Stack, table_name};

/// Every workspace with its keys.
pub(crate) async fn list(stack: &Stack) -> Result<Value, String> {
    let mut keys = Vec::new();
    for workspace in workspaces(stack).await? {
        for key in workspace.api_keys().all().await.map_err(|error| error.message.into_owned())? {
            keys.push(json!({
                "workspaceId": workspace.workspace().id,
                "apiKey": key.id,
                "name": key.name,
                "type": key.kind,
                "ownerEmail": key.owner_email,
                "createdAt": key.created_at,
                "clockAhead": key.clock_ahead,
                "disabled": key.disabled,
            }));
        }
    }
    keys.sort_by_key(|key| std::cmp::Reverse(key["createdAt"].as_u64()));
    Ok(json!({ "keys": keys }))
}

/// The headers that admit a tenant.
pub(crate) async fn credentials(stack: &Stack, id: &str) -> Result<HeaderMap, String> {
    let (store, admin) = (stack.environment().store(), Some(stack.inner.admin_token.as_str()));
    let text = |error: Error| error.message.into_owned();
    let key_id = id.to_owned().try_into().map_err(|_| "There is no such API key.")?;
    let key =
        store.open_admin(admin).map_err(text)?.workspaces().key(&key_id).await.map_err(text)?;
    let workspace = store.open_workspace_as_admin(Some(key.workspace_id.as_str()), admin);
    let workspace = workspace.await.map_err(text)?;
    let token = key.tokens_at(stack.environment().now()).next();
    let token = token.ok_or("The API key has no auth token; authtoken/reset issues one.")?;
    let header = |text: &str| HeaderValue::from_str(text).map_err(|error| error.to_string());
    let mut headers = HeaderMap::new();
    headers.insert("x-service-api-key", header(id)?);
    headers.insert("x-service-auth-token", header(&workspace.token_text(&key, token))?);
    Ok(headers)
}

async fn workspaces(stack: &Stack) -> Result<Vec<WorkspaceStore>, String> {
    let emulator = stack.emulator().clone();
    let read = tokio::task::spawn_blocking(move || {
        emulator.in_partitions(&table_name(Table::Resources), "workspace#")
    });
    let items =
        read.await.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
    let (store, token) = (stack.environment().store(), stack.inner.admin_token.as_str());
    let mut workspaces = Vec::new();
    for item in items {
        let partition = item["PK"]["S"].as_str().and_then(|key| key.strip_prefix("workspace#"));
        if let Some(id) = partition.filter(|_| item["SK"]["S"] == "workspace") {
            let opened = store.open_workspace_as_admin(Some(id), Some(token)).await;
            workspaces.push(opened.map_err(|error| error.message.into_owned())?);
        }
    }
    Ok(workspaces)
}
