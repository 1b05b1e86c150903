//! Workspaces and their API keys.

use std::{collections::BTreeSet, marker::PhantomData};

use aws::{Item, Query, Update, Value, Write};
use error::{Error, Result};
use model::{
    ApiKeyId, TokenId, WorkspaceId,
    api_key::{ApiKey, AuthToken, KeyType},
    config::{EmailConfig, NotificationConfig, WebhookConfig},
    workspace::{Plan, Workspace},
};

use crate::{
    layout::{Entity, Index, Key, Table, item},
    reading::{Collection, Page, Paged, new_version},
    scopes::{AdminStore, Db, TenantRef, TenantStore, WorkspaceStore, place_of},
    writing::{Fate, Unit, settle},
};

/// Configurations a key is created with (spec 4.1).
#[derive(Default)]
pub struct InitialConfigs {
    /// Written when present.
    pub email: Option<EmailConfig>,
    /// Written when present.
    pub webhook: Option<WebhookConfig>,
    /// Written when present.
    pub notification: Option<NotificationConfig>,
}

/// The partition of a key, for those who manage it rather than use it.
fn at_key<E: Entity>(db: &Db, id: &ApiKeyId) -> Collection<E> {
    Collection {
        db: db.clone(),
        tenant: TenantRef { api_key: id.clone() },
        partition: Key::of("key", id.as_str()),
        entity: PhantomData,
    }
}

/// In place of a tenant where there is none: this raises no event.
fn nobody() -> Result<ApiKeyId> {
    ApiKeyId::try_from("-".to_owned()).map_err(|e| Error::internal(e.to_string()))
}

fn at_workspace(db: &Db, id: &WorkspaceId) -> Result<Collection<Workspace>> {
    // Workspaces raise no events, so the tenant of their events is never used.
    Ok(Collection {
        db: db.clone(),
        tenant: TenantRef { api_key: nobody()? },
        partition: Key::of("workspace", id.as_str()),
        entity: PhantomData,
    })
}

fn key_unit(db: &Db, key: &ApiKey) -> Result<Unit> {
    at_key::<ApiKey>(db, &key.id).inserted(key, None)
}

/// The record of a key, for a read that spans partitions.
fn key_item(id: &ApiKeyId) -> Item {
    item::key(&Key::of("key", id.as_str()), &ApiKey::place(&()).0)
}

fn config_write<E: Entity>(db: &Db, key: &ApiKey, config: Option<&E>) -> Result<Option<Write>> {
    let write = |config| Ok(at_key::<E>(db, &key.id).inserted(config, None)?.writes.pop());
    config.map(write).transpose().map(Option::flatten)
}

impl AdminStore {
    /// Adds a workspace with its first key.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL: the ids are random.
    pub async fn create_workspace(&self, workspace: &Workspace, key: &ApiKey) -> Result<()> {
        let mut unit = at_workspace(&self.db, &workspace.id)?.inserted(workspace, None)?;
        unit.writes.extend(key_unit(&self.db, key)?.writes);
        settle(self.db.commit(unit).await, |_| Error::internal("a random id occurred twice"))
    }

    /// Changes a workspace.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn change_workspace(
        &self,
        id: &WorkspaceId,
        mut change: impl FnMut(&mut Workspace) + Send,
    ) -> Result<Workspace> {
        let workspace = at_workspace(&self.db, id)?;
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
    pub async fn keys(&self, workspace: &WorkspaceId) -> Result<Vec<ApiKey>> {
        all_keys(&self.db, workspace).await
    }

    /// A new record of an auth token.
    ///
    /// # Errors
    /// INTERNAL when the system has no randomness to give.
    pub fn new_token(&self) -> Result<AuthToken> {
        new_token(&self.db)
    }
}

fn new_token(db: &Db) -> Result<AuthToken> {
    let id = format!("tk_{}", keyring::random_text::<16>()?);
    Ok(AuthToken {
        id: TokenId::try_from(id).map_err(|e| Error::internal(e.to_string()))?,
        name: "Default Auth Token".to_owned(),
        domains: vec![],
        issued_at: db.clock.now(),
        kid: db.keyring.current_kid().to_owned(),
    })
}

fn keys_query(workspace: &WorkspaceId) -> Query {
    Query {
        table: Table::Resources.name(),
        index: Some(Index::Container.names()[0]),
        partition: (item::INDEX_PK, Key::of("workspace", workspace.as_str()).into()),
        prefix: Some((item::INDEX_SK, format!("{}#", ApiKey::KIND))),
        up_to: None,
        between: None,
        start: None,
        limit: 0,
        ascending: true,
        only: vec![],
    }
}

/// Most keys that are listed with their workspace.
const MAX_LISTED: usize = 5000;

async fn all_keys(db: &Db, workspace: &WorkspaceId) -> Result<Vec<ApiKey>> {
    at_key::<ApiKey>(db, &nobody()?).all(keys_query(workspace), MAX_LISTED).await
}

impl WorkspaceStore {
    /// The keys of the workspace.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when there are too many for one reply.
    pub async fn keys(&self) -> Result<Vec<ApiKey>> {
        all_keys(&self.db, &self.workspace.id).await
    }

    /// One page of the keys of the workspace.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_keys(&self, page: &Page) -> Result<Paged<ApiKey>> {
        at_key::<ApiKey>(&self.db, &nobody()?).page(keys_query(&self.workspace.id), page).await
    }

    /// One page of those of the keys that exist in the workspace, in the order of their ids.
    /// `ids` are at most 100.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_keys_of(
        &self,
        ids: &BTreeSet<ApiKeyId>,
        page: &Page,
    ) -> Result<Paged<ApiKey>> {
        let after = match page.cursor.as_deref() {
            None => None,
            Some([id]) => Some(id.as_str()),
            Some(_) => return Err(Error::internal("a page token of another shape")),
        };
        let left = ids.iter().filter(|id| after.is_none_or(|after| id.as_str() > after));
        let wanted: Vec<Item> = left.map(key_item).collect();
        if wanted.is_empty() {
            return Ok(Paged { items: vec![], next: None });
        }
        let found = self.db.get_chunk(Table::Resources, wanted).await?.into_iter();
        let mut items: Vec<ApiKey> =
            found.map(|item| item::decode(&self.db.keyring, item)).collect::<Result<_>>()?;
        items.retain(|key| key.workspace_id == self.workspace.id);
        items.sort_by(|a, b| a.id.cmp(&b.id));
        let more = items.len() > page.limit;
        items.truncate(page.limit);
        let next = match items.last() {
            Some(last) if more => Some(page.token(&[last.id.as_str()])?),
            _ => None,
        };
        Ok(Paged { items, next })
    }

    /// A key of this workspace; one of another workspace does not exist here.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn key(&self, id: &ApiKeyId) -> Result<ApiKey> {
        let found = at_key::<ApiKey>(&self.db, id).find(&()).await?;
        found.filter(|key| key.workspace_id == self.workspace.id).ok_or_else(|| no_key(id))
    }

    /// Changes a key of this workspace.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn change_key(
        &self,
        id: &ApiKeyId,
        mut change: impl FnMut(&mut ApiKey) -> Result<()> + Send,
    ) -> Result<ApiKey> {
        let keys = at_key::<ApiKey>(&self.db, id);
        let changed = keys.change(&(), |key| {
            if key.workspace_id != self.workspace.id {
                return Err(no_key(id));
            }
            change(key).map(|()| None)
        });
        let changed = changed.await.map_err(|error| match error.status {
            error::Status::NotFound => no_key(id),
            _ => error,
        });
        self.db.admitted.forget(id);
        changed
    }

    /// Adds a key with its configurations. A production key is counted in the same transaction,
    /// so the limit holds however many are created at once.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when the workspace has all the production keys it may have.
    pub async fn create_key(&self, key: &ApiKey, configs: &InitialConfigs) -> Result<()> {
        let mut unit = key_unit(&self.db, key)?;
        unit.writes.extend(config_write(&self.db, key, configs.email.as_ref())?);
        unit.writes.extend(config_write(&self.db, key, configs.webhook.as_ref())?);
        unit.writes.extend(config_write(&self.db, key, configs.notification.as_ref())?);
        let counted = unit.writes.len();
        if key.kind == KeyType::Production {
            unit.writes.push(self.count_production_key()?);
        }
        match self.db.commit(unit).await {
            Fate::Refused(position) if position == counted => Err(Error::exhausted(
                "The workspace has the maximum number of production API keys already.",
            )),
            fate => settle(fate, |_| Error::internal("a random id occurred twice")),
        }
    }

    fn count_production_key(&self) -> Result<Write> {
        let place = Workspace::place(&()).0;
        let values = [(":one", Value::N("1".to_owned())), (":version", Value::S(new_version()?))];
        Ok(Write::Update {
            table: Workspace::TABLE.name(),
            key: item::key(&self.partition(), &place),
            update: Update {
                expression: "SET #version = :version ADD productionKeys :one".to_owned(),
                condition: Some("productionKeys < maxProductionKeys".to_owned()),
                names: [("#version".to_owned(), item::VERSION.to_owned())].into(),
                values: values.map(|(name, value)| (name.to_owned(), value)).into(),
            },
        })
    }

    /// A new record of an auth token.
    ///
    /// # Errors
    /// INTERNAL when the system has no randomness to give.
    pub fn new_token(&self) -> Result<AuthToken> {
        new_token(&self.db)
    }
}

impl TenantStore {
    /// The API key as it is now.
    ///
    /// # Errors
    /// NOT_FOUND when it is gone.
    pub async fn current_key(&self) -> Result<ApiKey> {
        at_key::<ApiKey>(&self.db, &self.key.id).get(&()).await
    }

    /// The API key as it is now, and what its workspace has bought; in one read.
    ///
    /// # Errors
    /// NOT_FOUND when either is gone.
    pub async fn current_key_and_plan(&self) -> Result<(ApiKey, Plan)> {
        let place = Workspace::place(&()).0;
        let workspace = Key::of("workspace", self.key.workspace_id.as_str());
        let wanted = vec![key_item(&self.key.id), item::key(&workspace, &place)];
        let found = self.db.get_chunk(Table::Resources, wanted).await?;
        let (mut workspaces, mut keys): (Vec<Item>, Vec<Item>) =
            found.into_iter().partition(|item| place_of(item).1 == place.as_str());
        let key = keys.pop().ok_or_else(|| no_key(&self.key.id))?;
        let no_workspace = || Error::not_found("The workspace of the API key is gone.");
        let workspace: Workspace =
            item::decode(&self.db.keyring, workspaces.pop().ok_or_else(no_workspace)?)?;
        Ok((item::decode(&self.db.keyring, key)?, workspace.plan))
    }
}

fn no_key(id: &ApiKeyId) -> Error {
    Error::not_found(format!("There is no API key {id}."))
}
