//! Scopes as proofs of authorization. A scope exists only after its credentials were checked, and
//! every narrower one is derived from it: no handler can name a partition it was not given.

use std::sync::Arc;

use aws::{Dynamo, Usage};
use error::{Error, Result};
use keyring::Keyring;
use model::{
    Millis, OrganizationId, PageSize, PageToken,
    api_key::{ApiKey, KeyType},
    clock::{ClockOffset, WallTime},
    event::Event,
    workspace::Workspace,
};
use serde::Serialize;
use serde_json::json;

use super::{
    caches::timed::Admitted,
    clock::{Clock, Deadline},
    db::Db,
    tenant_ref::TenantRef,
};
use crate::{
    layout::{Entity, Key},
    reading::{Collection, Page},
};

/// The entry point of a function. It can read only with credentials.
#[derive(Clone)]
pub struct Store {
    pub(crate) db: Db,
    pub(crate) admin_token_hash: Option<Arc<str>>,
}

impl Store {
    /// A store over the tables of a deployment. Without an admin token, admin calls are refused.
    pub fn new(dynamo: Dynamo, keyring: Keyring, clock: Clock, admin_token: Option<&str>) -> Self {
        let admitted: Arc<Admitted> = Arc::default();
        let keyring = Arc::new(keyring);
        let (caches, seen, viewer) = (Arc::default(), None, None);
        let db = Db { dynamo, keyring, clock, admitted, caches, seen, viewer };
        Self { db, admin_token_hash: hash(admin_token) }
    }

    /// The store with other secrets.
    #[must_use]
    pub fn with_secrets(&self, keyring: Keyring, admin_token: Option<&str>) -> Self {
        let db = Db { keyring: Arc::new(keyring), ..self.db.clone() };
        Self { db, admin_token_hash: hash(admin_token) }
    }

    /// The store with a new meter.
    #[must_use]
    pub fn metered(&self) -> Self {
        let db = Db { dynamo: self.db.dynamo.metered(), ..self.db.clone() };
        Self { db, ..self.clone() }
    }

    /// The store, reached through another client.
    #[must_use]
    pub fn through(&self, dynamo: Dynamo) -> Self {
        let db = Db { dynamo, ..self.db.clone() };
        Self { db, ..self.clone() }
    }

    /// Requests to DynamoDB through this store.
    pub fn usage(&self) -> Usage {
        self.db.dynamo.meter().usage()
    }

    /// Opens the connection in advance of the first call.
    pub async fn warm_up(dynamo: &Dynamo) {
        let nothing = Key::pair("warm-up", "");
        let key = crate::layout::item::key(&nothing, &nothing);
        dynamo.warm_up(crate::layout::Table::Resources.name(), key).await;
    }

    /// The time of the process.
    pub fn clock(&self) -> &Clock {
        &self.db.clock
    }
}

fn hash(admin_token: Option<&str>) -> Option<Arc<str>> {
    admin_token.map(|token| keyring::sha256_hex(token).into())
}

/// A scope whose lists have pages.
pub trait Paging {
    /// The requested page. `filters` are all parameters of the list besides the tenant: a token is
    /// valid only for the same operation and filters.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when the token is altered, foreign, or of another list.
    fn page(
        &self,
        operation: &str,
        filters: &str,
        size: Option<PageSize>,
        token: Option<&PageToken>,
    ) -> Result<Page>;
}

fn page(
    db: &Db,
    scope: &Key,
    operation: &str,
    filters: &str,
    size: Option<PageSize>,
    token: Option<&PageToken>,
) -> Result<Page> {
    let binding = format!("{}\n{operation}\n{filters}", scope.as_str());
    Page::new(Arc::clone(&db.keyring), binding, size, token)
}

/// The scope of the operator: workspaces.
pub struct AdminStore {
    pub(crate) db: Db,
}

/// The scope of a workspace: the workspace and its keys.
pub struct WorkspaceStore {
    pub(crate) db: Db,
    pub(crate) workspace: Workspace,
    /// Whether the operator acts in its name.
    pub(crate) by_operator: bool,
}

impl WorkspaceStore {
    /// The workspace, as read at admission.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Partition of the workspace.
    pub fn partition(&self) -> Key {
        Key::pair("workspace", self.workspace.id.as_str())
    }
}

impl Paging for WorkspaceStore {
    fn page(
        &self,
        operation: &str,
        filters: &str,
        size: Option<PageSize>,
        token: Option<&PageToken>,
    ) -> Result<Page> {
        page(&self.db, &self.partition(), operation, filters, size, token)
    }
}

/// The scope of an API key: the data of one tenant.
#[derive(Clone)]
pub struct TenantStore {
    pub(crate) db: Db,
    pub(crate) key: Arc<ApiKey>,
    partition: Key,
}

/// Maximum offset of a key's clock: 100 years. Times are sorted by 13 digits.
const MAX_AHEAD: ClockOffset = ClockOffset::from_millis(100 * 365 * 24 * 60 * 60 * 1000);

impl TenantStore {
    /// `ahead`: the known offset of the tenant's clock; the record may be older.
    pub(crate) fn new(db: Db, key: Arc<ApiKey>, ahead: ClockOffset) -> Self {
        let clock = db.clock.of_tenant(key.clock_ahead.max(ahead));
        let partition = Key::pair("key", key.id.as_str());
        Self { db: Db { clock, seen: Some(Arc::default()), ..db }, key, partition }
    }

    /// The time of the tenant, in epoch milliseconds.
    pub fn now(&self) -> Millis {
        self.db.clock.now()
    }

    /// Real time.
    pub fn real_now(&self) -> WallTime {
        self.db.clock.real()
    }

    /// Whether a deadline by the clock of the tenant has passed.
    pub fn is_past(&self, deadline: Deadline) -> bool {
        self.db.clock.is_past(deadline)
    }

    /// Offset of the tenant's clock from real time.
    pub fn clock_ahead(&self) -> ClockOffset {
        self.db.clock.tenant_ahead()
    }

    /// The API key, as read at admission; at most 10 s old.
    pub fn api_key(&self) -> &ApiKey {
        &self.key
    }

    /// A ULID: unique, and increasing with time.
    pub fn unique_id(&self) -> String {
        crate::writing::unique_id(&self.db.clock)
    }

    /// The reference to the tenant on our own queues.
    pub fn to_ref(&self) -> TenantRef {
        TenantRef { api_key: self.key.id.clone() }
    }

    /// A message in the name of the tenant, as our own queues carry it.
    ///
    /// # Errors
    /// INTERNAL when it has no JSON.
    pub fn envelope<M: Serialize>(&self, message: &M) -> Result<String> {
        let (tenant, ahead) = (self.to_ref(), self.clock_ahead());
        let envelope = json!({ "tenant": tenant, "ahead": ahead, "message": message });
        serde_json::to_string(&envelope).map_err(Error::internal)
    }

    /// The scope of an organization. Free; one that was never added is empty.
    pub fn organization(&self, id: &OrganizationId) -> OrganizationStore {
        let partition = self.partition.and("organization", id.as_str());
        OrganizationStore { tenant: self.clone(), id: id.clone(), partition }
    }

    /// Changes the record of the API key.
    ///
    /// # Errors
    /// ABORTED; the errors of `change`.
    pub async fn change_key(
        &self,
        mut change: impl FnMut(&mut ApiKey) -> Result<()> + Send,
    ) -> Result<ApiKey> {
        let changed =
            self.collection::<ApiKey>().change(&(), |key| change(key).map(|()| None)).await;
        self.db.admitted.forget(&self.key.id);
        changed
    }

    /// Advances the clock of the tenant, by milliseconds; returns the new time. Due work is woken in the background.
    ///
    /// # Errors
    /// FAILED_PRECONDITION unless the key is for testing; ABORTED.
    pub async fn advance_clock(&self, by: Millis) -> Result<Millis> {
        let keys = self.collection::<ApiKey>();
        let advanced = keys.change(&(), |key| {
            if key.kind != KeyType::Testing {
                return Err(Error::precondition("The clock of a production key cannot be moved."));
            }
            let ahead = key.clock_ahead.saturating_add(by);
            if ahead > MAX_AHEAD {
                let message = "The clock of a key can be moved by at most 100 years in total.";
                return Err(Error::exhausted(message));
            }
            key.clock_ahead = ahead;
            Ok(Some(Event::ClockAdvanced { ahead: key.clock_ahead }))
        });
        let advanced = advanced.await;
        self.db.admitted.forget(&self.key.id);
        Ok(self.real_now().shown_to_tenant(advanced?.clock_ahead))
    }
}

impl Paging for TenantStore {
    fn page(
        &self,
        operation: &str,
        filters: &str,
        size: Option<PageSize>,
        token: Option<&PageToken>,
    ) -> Result<Page> {
        page(&self.db, &self.partition, operation, filters, size, token)
    }
}

/// The scope of one organization of a tenant.
#[derive(Clone)]
pub struct OrganizationStore {
    tenant: TenantStore,
    id: OrganizationId,
    partition: Key,
}

impl OrganizationStore {
    /// Id of the organization.
    pub fn id(&self) -> &OrganizationId {
        &self.id
    }

    /// The tenant, as its end user sees the organization.
    pub fn tenant(&self) -> &TenantStore {
        &self.tenant
    }
}

/// A scope with tables. Only features import it, so that nothing else reaches them.
pub trait Tables {
    /// The tables.
    fn db(&self) -> &Db;
}

/// A scope with a partition and collections.
pub trait Scoped: Tables {
    /// Partition of the scope.
    fn partition(&self) -> &Key;

    /// All entities of one kind in it.
    fn collection<E: Entity>(&self) -> Collection<E>;
}

/// Declares that scopes have tables.
macro_rules! tables {
    ($($scope:ty),+) => {$(
        impl Tables for $scope {
            fn db(&self) -> &Db {
                &self.db
            }
        }
    )+};
}

tables!(Store, AdminStore, WorkspaceStore, TenantStore);

impl Tables for OrganizationStore {
    fn db(&self) -> &Db {
        &self.tenant.db
    }
}

impl Scoped for TenantStore {
    fn partition(&self) -> &Key {
        &self.partition
    }

    fn collection<E: Entity>(&self) -> Collection<E> {
        Collection::new(&self.db, self.to_ref(), self.partition.clone())
    }
}

impl Scoped for OrganizationStore {
    fn partition(&self) -> &Key {
        &self.partition
    }

    fn collection<E: Entity>(&self) -> Collection<E> {
        Collection::new(&self.tenant.db, self.tenant.to_ref(), self.partition.clone())
    }
}
