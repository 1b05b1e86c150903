//! The levels of credentials (contract `conventions.levels`). Only a level turns headers into a
//! scope.

#![warn(missing_docs)]

use std::future::Future;

use aws::HeaderMap;
use error::{Error, Result};
use model::Millis;
use store::{Account, AdminStore, Naming, Store, TenantStore, WorkspaceStore};

/// Credentials of an operation, and the scope they open.
pub trait Level: sealed::Sealed + Send + Sync + 'static {
    /// The name in the OpenAPI document.
    const NAME: &'static str;
    /// The headers with the credentials; all are required.
    const HEADERS: &'static [&'static str];
    /// Alternative headers.
    const OR_HEADERS: &'static [&'static str] = &[];
    /// The scope of a call at this level.
    type Scope: Naming + Send + Sync;

    /// Exchanges credentials for a scope.
    ///
    /// # Errors
    /// PERMISSION_DENIED, with the same body for every cause.
    fn admit(
        headers: &HeaderMap,
        store: &Store,
    ) -> impl Future<Output = Result<Self::Scope>> + Send;

    /// The tenant of the scope, for the log.
    fn tenant(scope: &Self::Scope) -> &str;

    /// The accounts whose rate limits apply to a call, the smallest first.
    fn payers(_: &Self::Scope) -> Vec<Account> {
        vec![]
    }

    /// Exchanges the token of an end user for a scope, for operations that accept it.
    ///
    /// # Errors
    /// PERMISSION_DENIED.
    fn admit_end_user(
        _token: &str,
        _headers: &HeaderMap,
        _store: &Store,
    ) -> impl Future<Output = Result<Self::Scope>> + Send {
        std::future::ready(Err(Error::denied("End users may not call this operation.")))
    }

    /// The tenant of the call, if any.
    fn in_tenant(_: &Self::Scope) -> Option<&TenantStore> {
        None
    }

    /// The time in the scope, in epoch milliseconds.
    fn now(_: &Self::Scope, store: &Store) -> Millis {
        store.clock().now()
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// An origin that is not ASCII cannot be allowed, but is not absent.
fn origin(headers: &HeaderMap) -> Option<&str> {
    headers.get("origin").map(|origin| origin.to_str().unwrap_or_default())
}

/// The token of an end user, if sent.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = header(headers, "authorization")?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// The operator of the deployment.
pub enum Admin {}

impl Level for Admin {
    const NAME: &'static str = "admin";
    const HEADERS: &'static [&'static str] = &["x-service-admin-token"];
    type Scope = AdminStore;

    async fn admit(headers: &HeaderMap, store: &Store) -> Result<AdminStore> {
        store.open_admin(header(headers, Self::HEADERS[0]))
    }

    fn tenant(_: &AdminStore) -> &str {
        "admin"
    }
}

/// The holder of a workspace.
pub enum Workspace {}

impl Level for Workspace {
    const NAME: &'static str = "workspace";
    const HEADERS: &'static [&'static str] =
        &["x-service-workspace-id", "x-service-workspace-auth-token"];
    type Scope = WorkspaceStore;

    async fn admit(headers: &HeaderMap, store: &Store) -> Result<WorkspaceStore> {
        let [id, token] = [Self::HEADERS[0], Self::HEADERS[1]].map(|name| header(headers, name));
        store.open_workspace(id, token).await
    }

    fn tenant(scope: &WorkspaceStore) -> &str {
        scope.workspace().id.as_str()
    }

    fn payers(scope: &WorkspaceStore) -> Vec<Account> {
        scope.account().into_iter().collect()
    }
}

/// The holder of a workspace, or the operator of the deployment, who names the workspace.
pub enum WorkspaceOrAdmin {}

impl Level for WorkspaceOrAdmin {
    const NAME: &'static str = "workspaceOrAdmin";
    const HEADERS: &'static [&'static str] = Workspace::HEADERS;
    const OR_HEADERS: &'static [&'static str] = &[Workspace::HEADERS[0], Admin::HEADERS[0]];
    type Scope = WorkspaceStore;

    async fn admit(headers: &HeaderMap, store: &Store) -> Result<WorkspaceStore> {
        let [id, token] =
            [Self::OR_HEADERS[0], Self::OR_HEADERS[1]].map(|name| header(headers, name));
        match token {
            Some(_) => store.open_workspace_as_admin(id, token).await,
            None => Workspace::admit(headers, store).await,
        }
    }

    fn tenant(scope: &WorkspaceStore) -> &str {
        Workspace::tenant(scope)
    }

    fn payers(scope: &WorkspaceStore) -> Vec<Account> {
        scope.account().into_iter().collect()
    }
}

/// The holder of an API key and one of its auth tokens.
pub enum ApiKey {}

impl Level for ApiKey {
    const NAME: &'static str = "apiKey";
    const HEADERS: &'static [&'static str] = &["x-service-api-key", "x-service-auth-token"];
    type Scope = TenantStore;

    async fn admit(headers: &HeaderMap, store: &Store) -> Result<TenantStore> {
        let [key, token] = [Self::HEADERS[0], Self::HEADERS[1]].map(|name| header(headers, name));
        store.open_tenant(key, token, origin(headers)).await
    }

    fn tenant(scope: &TenantStore) -> &str {
        scope.api_key().id.as_str()
    }

    fn payers(scope: &TenantStore) -> Vec<Account> {
        scope.payers()
    }

    async fn admit_end_user(
        token: &str,
        headers: &HeaderMap,
        store: &Store,
    ) -> Result<TenantStore> {
        store.open_end_user(token, origin(headers)).await
    }

    fn in_tenant(scope: &TenantStore) -> Option<&TenantStore> {
        Some(scope)
    }

    fn now(scope: &TenantStore, _: &Store) -> Millis {
        scope.now()
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Admin {}
    impl Sealed for super::Workspace {}
    impl Sealed for super::WorkspaceOrAdmin {}
    impl Sealed for super::ApiKey {}
}
