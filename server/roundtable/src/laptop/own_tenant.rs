//! A tenant of this machine, which its users need not make.

use std::sync::Arc;

use axum::{
    body::to_bytes,
    http::{HeaderMap, HeaderName, HeaderValue, header},
};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use super::tenants::Tenants;
use crate::host::Operations;

/// Most bytes of an answer.
const MOST: usize = 1024 * 1024;

/// A tenant that is made when it is first needed, and found by its owner from then on.
#[derive(Clone)]
pub(super) struct OwnTenant {
    tenants: Tenants,
    operations: Operations,
    /// The e-mail address of its owner, by which it is found, and its name.
    owner: &'static str,
    name: &'static str,
    key: Arc<OnceCell<String>>,
}

impl OwnTenant {
    pub(super) fn new(
        tenants: Tenants,
        operations: Operations,
        owner: &'static str,
        name: &'static str,
    ) -> Self {
        Self { tenants, operations, owner, name, key: Arc::default() }
    }

    /// The headers that admit it. It is made if it is missing; the kit shows its notifications.
    pub(super) async fn credentials(&self) -> Result<HeaderMap, String> {
        let key = self.key.get_or_try_init(|| self.find_or_make()).await?;
        self.tenants.credentials(key).await
    }

    /// The result of a call in its name; its error as text.
    pub(super) async fn call(&self, path: &str, data: Value) -> Result<Value, String> {
        self.call_as(self.credentials().await?, path, data).await
    }

    /// A token of somebody who may edit everything in an organization.
    pub(super) async fn token(&self, user: &Value, organization: &str) -> Result<Value, String> {
        let made = self.call(
            "/v2/auth/generate_token",
            json!({
                "userId": user["userId"],
                "userProperties": { "name": user["name"], "email": user["email"] },
                "permissions": { "resources": [
                    { "type": "organization", "id": organization, "accessRole": "editor" },
                ] },
            }),
        );
        Ok(made.await?["data"]["token"].take())
    }

    async fn find_or_make(&self) -> Result<String, String> {
        let found = self.tenants.list().await?;
        let known = found["keys"].as_array().into_iter().flatten();
        let known = known
            .filter(|key| key["ownerEmail"] == self.owner)
            .find_map(|key| key["apiKey"].as_str());
        let key = match known {
            Some(key) => key.to_owned(),
            None => self.make().await?,
        };
        let path = "/v2/workspace/notificationconfig/update";
        let tenant = self.tenants.credentials(&key).await?;
        self.call_as(tenant, path, json!({ "useNotificationService": true })).await?;
        Ok(key)
    }

    async fn make(&self) -> Result<String, String> {
        let operator = HeaderValue::from_str(self.tenants.admin_token());
        let operator = operator.map_err(|error| error.to_string())?;
        let headers = (HeaderName::from_static("x-service-admin-token"), operator);
        let data = json!({ "ownerEmail": self.owner, "name": self.name });
        let headers = HeaderMap::from_iter([headers]);
        let made = self.call_as(headers, "/v2/workspace/create", data).await?;
        let keys = made["data"]["apiKeyList"].as_object();
        let key = keys.and_then(|keys| keys.keys().next()).cloned();
        key.ok_or_else(|| "The workspace has no key.".to_owned())
    }

    async fn call_as(&self, headers: HeaderMap, path: &str, data: Value) -> Result<Value, String> {
        let reply = self.operations.call(path, headers, &data).await;
        let body = to_bytes(reply.into_body(), MOST).await.map_err(|error| error.to_string())?;
        let mut reply: Value = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
        match reply.get("error") {
            Some(error) => Err(error.to_string()),
            None => Ok(reply["result"].take()),
        }
    }
}

/// Whether a request is of a page of this host, or of none.
pub(super) fn is_own_page(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(HeaderValue::as_bytes);
    let page = text(header::ORIGIN).map(|page| page.strip_prefix(b"http://"));
    page.is_none_or(|page| page == text(header::HOST))
}
