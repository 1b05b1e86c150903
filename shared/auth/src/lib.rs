//! The levels of spec 5. A level turns headers into a scope; nothing else does.

use std::future::Future;

use aws::HeaderMap;
use error::Result;
use model::Millis;
use store::{Account, AdminStore, Naming, Store, TenantStore, WorkspaceStore};

/// Who may call an operation, and what the call may then reach.
pub trait Level: sealed::Sealed + Send + Sync + 'static {
    /// The name in the OpenAPI document.
    const NAME: &'static str;
    /// The headers that carry the credentials; all are required.
    const HEADERS: &'static [&'static str];
    /// Headers that are taken instead.
    const OR_HEADERS: &'static [&'static str] = &[];
    /// What a call of this level may reach.
    type Scope: Naming + Send + Sync;

    /// Exchanges credentials for a scope.
    ///
    /// # Errors
    /// PERMISSION_DENIED, with one body whatever is wrong.
    fn admit(
        headers: &HeaderMap,
        store: &Store,
    ) -> impl Future<Output = Result<Self::Scope>> + Send;

    /// Whose scope it is, for the log.
    fn tenant(scope: &Self::Scope) -> &str;

    /// The account that its calls are counted in, if they are limited.
    fn account(_: &Self::Scope) -> Option<Account> {
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

/// The operator of the deployment (decisions 2).
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

    fn account(scope: &WorkspaceStore) -> Option<Account> {
        scope.account()
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

    fn account(scope: &WorkspaceStore) -> Option<Account> {
        scope.account()
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
        // One that is not ASCII is none that could be allowed; it is not absent.
        let origin = headers.get("origin").map(|origin| origin.to_str().unwrap_or_default());
        store.open_tenant(key, token, origin).await
    }

    fn tenant(scope: &TenantStore) -> &str {
        scope.api_key().id.as_str()
    }

    fn account(scope: &TenantStore) -> Option<Account> {
        Some(scope.account())
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
