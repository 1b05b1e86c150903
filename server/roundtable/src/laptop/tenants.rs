//! The tenants of a deployment: their API keys, and the credentials of these.

use axum::http::{HeaderMap, HeaderValue};
use embedded::EmbeddedServices;
use serde_json::{Value, json};
use service::{Environment, Error, Table, WorkspaceStore, prelude::*};

use crate::host::table_name;

/// The tenants, for who has the operator's token.
#[derive(Clone)]
pub(crate) struct Tenants {
    embedded: EmbeddedServices,
    owner: Environment,
    admin_token: String,
}

impl Tenants {
    /// The tenants of the deployment whose owner has this environment.
    pub(crate) fn new(embedded: EmbeddedServices, owner: Environment, admin_token: String) -> Self {
        Self { embedded, owner, admin_token }
    }

    pub(super) fn embedded(&self) -> &EmbeddedServices {
        &self.embedded
    }

    /// The environment of the owner of the deployment.
    pub(super) fn owner(&self) -> &Environment {
        &self.owner
    }

    /// The token of the operator.
    pub(super) fn admin_token(&self) -> &str {
        &self.admin_token
    }

    /// Every workspace with its keys.
    pub(super) async fn list(&self) -> Result<Value, String> {
        let mut keys = Vec::new();
        for workspace in self.workspaces().await? {
            for key in workspace.api_keys().all().await.map_err(text)? {
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
    pub(super) async fn credentials(&self, id: &str) -> Result<HeaderMap, String> {
        let (store, admin) = (self.owner.store(), Some(self.admin_token.as_str()));
        let key_id = id.to_owned().try_into().map_err(|_| "There is no such API key.")?;
        let key =
            store.open_admin(admin).map_err(text)?.workspace().key(&key_id).await.map_err(text)?;
        let workspace = store.open_workspace_as_admin(Some(key.workspace_id.as_str()), admin);
        let workspace = workspace.await.map_err(text)?;
        let token = key.tokens_at(self.owner.now()).next();
        let token = token.ok_or("The API key has no auth token; authtoken/reset issues one.")?;
        let header = |text: &str| HeaderValue::from_str(text).map_err(|error| error.to_string());
        let mut headers = HeaderMap::new();
        headers.insert("x-service-api-key", header(id)?);
        headers.insert("x-service-auth-token", header(&workspace.token_text(&key, token))?);
        Ok(headers)
    }

    async fn workspaces(&self) -> Result<Vec<WorkspaceStore>, String> {
        let embedded = self.embedded.clone();
        let read = tokio::task::spawn_blocking(move || {
            embedded.in_partitions(&table_name(Table::Resources), "workspace#")
        });
        let items =
            read.await.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
        let mut workspaces = Vec::new();
        for item in items {
            let partition = item["PK"]["S"].as_str().and_then(|key| key.strip_prefix("workspace#"));
            if let Some(id) = partition.filter(|_| item["SK"]["S"] == "workspace") {
                let (store, token) = (self.owner.store(), Some(self.admin_token.as_str()));
                let opened = store.open_workspace_as_admin(Some(id), token).await;
                workspaces.push(opened.map_err(text)?);
            }
        }
        Ok(workspaces)
    }
}

fn text(error: Error) -> String {
    error.message.into_owned()
}
