//! Workspaces, with their first keys.

mod api_keys;

use aws::{Item, Write};
use error::{Error, Result};
use model::{
    ApiKeyId, Email, TokenId, WorkspaceId,
    api_key::{ApiKey, AuthToken, KeyType},
    configuration::{EmailConfig, NotificationConfig, Usable, WebhookConfig},
    permissions::AccessType,
    workspace::{Plan, Workspace},
};
use tenancy::{
    layout::{Entity, Key, Table, item},
    prelude::*,
    reading::Collection,
    scopes::{AdminStore, Db, TenantRef, TenantStore, WorkspaceStore, place_of},
    writing::{Unit, settle},
};

use api_keys::all_keys;

tenancy::features! {
    /// Entry from the scope of the operator.
    OfAdmin for AdminStore:
    /// Workspaces, and their keys.
    workspace: Workspaces,
}

tenancy::features! {
    /// Entry from the scope of a workspace.
    OfWorkspace for WorkspaceStore:
    /// API keys of the workspace.
    api_keys: ApiKeys,
}

tenancy::features! {
    /// Entry from the scope of a tenant.
    OfTenant for TenantStore:
    /// The record of the API key, read again.
    own_key: OwnKey,
}

/// Configurations a key is created with (contract `workspace.api_key_create`).
#[derive(Default)]
pub struct InitialConfigs {
    /// Written when present.
    pub email: Option<Usable<EmailConfig>>,
    /// Written when present.
    pub webhook: Option<Usable<WebhookConfig>>,
    /// Written when present.
    pub notification: Option<Usable<NotificationConfig>>,
}

/// The partition of a key, for its management.
pub(super) fn at_key<E: Entity>(db: &Db, id: &ApiKeyId) -> Collection<E> {
    Collection::new(db, TenantRef::from(id.clone()), Key::pair("key", id.as_str()))
}

/// A placeholder tenant: workspaces emit no events.
pub(super) fn nobody() -> Result<ApiKeyId> {
    ApiKeyId::try_from("-".to_owned()).map_err(|e| Error::internal(e.to_string()))
}

pub(super) fn at_workspace(db: &Db, id: &WorkspaceId) -> Result<Collection<Workspace>> {
    // Workspaces emit no events, so this tenant is never used.
    Ok(Collection::new(db, TenantRef::from(nobody()?), Key::pair("workspace", id.as_str())))
}

pub(super) fn key_unit(db: &Db, key: &ApiKey) -> Result<Unit> {
    at_key::<ApiKey>(db, &key.id).rows().inserted(key, None)
}

/// The record of a key, for a read that spans partitions.
pub(super) fn key_item(id: &ApiKeyId) -> Item {
    item::key(&Key::pair("key", id.as_str()), &ApiKey::place(&()).into_key())
}

pub(super) fn config_write<E: Entity>(
    db: &Db,
    key: &ApiKey,
    config: Option<&Usable<E>>,
) -> Result<Option<Write>> {
    let write = |config: &Usable<E>| {
        Ok(at_key::<E>(db, &key.id).rows().inserted(config, None)?.into_writes().pop())
    };
    config.map(write).transpose().map(Option::flatten)
}

impl Workspaces<'_> {
    /// Adds a workspace with its first key.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL. The ids are random, so there is no conflict.
    pub async fn create(self, workspace: &Workspace, key: &ApiKey) -> Result<()> {
        let mut unit =
            at_workspace(self.0.db(), &workspace.id)?.rows().inserted(workspace, None)?;
        unit.writes_mut().extend(key_unit(self.0.db(), key)?.into_writes());
        settle(self.0.db().commit(unit).await, |_| Error::internal("a random id occurred twice"))
    }

    /// Changes a workspace.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn change(
        self,
        id: &WorkspaceId,
        mut change: impl FnMut(&mut Workspace) + Send,
    ) -> Result<Workspace> {
        let workspace = at_workspace(self.0.db(), id)?;
        let changed = workspace.change(&(), |workspace| {
            change(workspace);
            Ok(None)
        });
        changed.await.map_err(|error| match error.status {
            error::Status::NotFound => Error::not_found(format!("There is no workspace {id}.")),
            _ => error,
        })
    }

    /// The keys of a workspace.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn keys(self, workspace: &WorkspaceId) -> Result<Vec<ApiKey>> {
        all_keys(self.0.db(), workspace).await
    }

    /// A new record of an auth token.
    ///
    /// # Errors
    /// INTERNAL without system randomness.
    pub fn new_token(self) -> Result<AuthToken> {
        new_token(self.0.db())
    }

    /// A new record of an API key of a workspace, without tokens.
    ///
    /// # Errors
    /// INTERNAL without system randomness.
    pub fn new_key(
        self,
        workspace: WorkspaceId,
        owner: Email,
        kind: KeyType,
        access: AccessType,
    ) -> Result<ApiKey> {
        new_key(self.0.db(), workspace, owner, kind, access)
    }
}

pub(super) fn new_key(
    db: &Db,
    workspace: WorkspaceId,
    owner: Email,
    kind: KeyType,
    access: AccessType,
) -> Result<ApiKey> {
    let id = format!("rt_{}", keyring::random_text::<16>()?);
    let id = ApiKeyId::try_from(id).map_err(|e| Error::internal(e.to_string()))?;
    Ok(ApiKey::new(id, workspace, owner, kind, access, db.clock().now()))
}

pub(super) fn new_token(db: &Db) -> Result<AuthToken> {
    let id = format!("tk_{}", keyring::random_text::<16>()?);
    Ok(AuthToken {
        id: TokenId::try_from(id).map_err(|e| Error::internal(e.to_string()))?,
        name: "Default Auth Token".to_owned(),
        domains: vec![],
        issued_at: db.clock().now(),
        kid: db.keyring().current_kid().to_owned(),
        expires_at: None,
    })
}

impl OwnKey<'_> {
    /// The current record of the API key.
    ///
    /// # Errors
    /// NOT_FOUND when it does not exist.
    pub async fn get(self) -> Result<ApiKey> {
        at_key::<ApiKey>(self.0.db(), &self.0.api_key().id).get(&()).await
    }

    /// The current record of the API key and the plan of its workspace, in one read.
    ///
    /// # Errors
    /// NOT_FOUND when either does not exist.
    pub async fn with_plan(self) -> Result<(ApiKey, Plan)> {
        let place = Workspace::place(&()).into_key();
        let workspace = Key::pair("workspace", self.0.api_key().workspace_id.as_str());
        let wanted = vec![key_item(&self.0.api_key().id), item::key(&workspace, &place)];
        let found = self.0.db().get_chunk(Table::Resources, wanted).await?;
        let (mut workspaces, mut keys): (Vec<Item>, Vec<Item>) =
            found.into_iter().partition(|item| place_of(item).1 == place.as_str());
        let key = keys.pop().ok_or_else(|| no_key(&self.0.api_key().id))?;
        let no_workspace = || Error::not_found("The workspace of the API key does not exist.");
        let workspace: Workspace =
            item::decode(self.0.db().keyring(), workspaces.pop().ok_or_else(no_workspace)?)?;
        Ok((item::decode(self.0.db().keyring(), key)?, workspace.plan))
    }
}

pub(super) fn no_key(id: &ApiKeyId) -> Error {
    Error::not_found(format!("There is no API key {id}."))
}
