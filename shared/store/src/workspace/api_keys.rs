//! The API keys of a workspace, and its auth token.

use std::collections::BTreeSet;

use aws::{Item, Query, Update, Value, Write};
use error::{Error, Result};
use model::{
    ApiKeyId, Email, Millis, WorkspaceId,
    api_key::{ApiKey, AuthToken, KeyType},
    event::Event,
    permissions::AccessType,
    workspace::{MAX_REPLACED_TOKENS, Workspace},
};
use tenancy::{
    layout::{Entity, Index, Key, Table, item},
    prelude::*,
    reading::{Page, Paged, new_version},
    scopes::{ATTEMPTS, Db, back_off},
    writing::{CommitOutcome, settle},
};

use super::{
    ApiKeys, InitialConfigs, Workspaces, at_key, at_workspace, config_write, key_item, key_unit,
    new_key, new_token, no_key, nobody,
};

fn keys_query(workspace: &WorkspaceId) -> Query {
    Query {
        table: Table::Resources.name(),
        index: Some(Index::Container.names()[0]),
        partition: (item::INDEX_PK, Key::pair("workspace", workspace.as_str()).into()),
        prefix: Some((item::INDEX_SK, format!("{}#", ApiKey::KIND))),
        up_to: None,
        between: None,
        start: None,
        limit: 0,
        ascending: true,
        only: vec![],
    }
}

/// Maximum number of keys listed with their workspace.
const MAX_LISTED: usize = 5000;

pub(super) async fn all_keys(db: &Db, workspace: &WorkspaceId) -> Result<Vec<ApiKey>> {
    at_key::<ApiKey>(db, &nobody()?).rows().all(keys_query(workspace), MAX_LISTED).await
}

impl Workspaces<'_> {
    /// A key of any workspace.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn key(self, id: &ApiKeyId) -> Result<ApiKey> {
        let found = at_key::<ApiKey>(self.0.db(), id).find(&()).await?;
        found.filter(|key| key.deleted_at.is_none()).ok_or_else(|| no_key(id))
    }

    /// Changes a key of any workspace.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn change_key(
        self,
        id: &ApiKeyId,
        mut change: impl FnMut(&mut ApiKey) + Send,
    ) -> Result<ApiKey> {
        let is_meant = |key: &ApiKey| key.deleted_at.is_none();
        let change = |key: &mut ApiKey| {
            change(key);
            Ok(())
        };
        change_key(self.0.db(), id, is_meant, change).await
    }
}

/// Changes a key that matches; any other does not exist for the caller.
async fn change_key(
    db: &Db,
    id: &ApiKeyId,
    is_meant: impl Fn(&ApiKey) -> bool + Send + Sync,
    mut change: impl FnMut(&mut ApiKey) -> Result<()> + Send,
) -> Result<ApiKey> {
    let keys = at_key::<ApiKey>(db, id);
    let changed = keys.change(&(), |key| {
        if !is_meant(key) {
            return Err(no_key(id));
        }
        change(key).map(|()| None)
    });
    let changed = changed.await.map_err(|error| match error.status {
        error::Status::NotFound => no_key(id),
        _ => error,
    });
    db.forget_key(id);
    changed
}

impl ApiKeys<'_> {
    /// The keys of the workspace.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when there are too many for one reply.
    pub async fn all(self) -> Result<Vec<ApiKey>> {
        all_keys(self.0.db(), &self.0.workspace().id).await
    }

    /// One page of the keys of the workspace.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list(self, page: &Page) -> Result<Paged<ApiKey>> {
        at_key::<ApiKey>(self.0.db(), &nobody()?)
            .rows()
            .page(keys_query(&self.0.workspace().id), page)
            .await
    }

    /// One page of the existing keys in the workspace, in the order of their ids. `ids` has at most
    /// 100.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_of(self, ids: &BTreeSet<ApiKeyId>, page: &Page) -> Result<Paged<ApiKey>> {
        let after = match page.cursor() {
            None => None,
            Some([id]) => Some(id.as_str()),
            Some(_) => return Err(Error::internal("a page token of another shape")),
        };
        let remaining = ids.iter().filter(|id| after.is_none_or(|after| id.as_str() > after));
        let wanted: Vec<Item> = remaining.map(key_item).collect();
        if wanted.is_empty() {
            return Ok(Paged { items: vec![], next: None });
        }
        let found = self.0.db().get_chunk(Table::Resources, wanted).await?.into_iter();
        let mut items: Vec<ApiKey> =
            found.map(|item| item::decode(self.0.db().keyring(), item)).collect::<Result<_>>()?;
        items.retain(|key| self.has(key));
        items.sort_by(|a, b| a.id.cmp(&b.id));
        let more = items.len() > page.limit();
        items.truncate(page.limit());
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
    pub async fn get(self, id: &ApiKeyId) -> Result<ApiKey> {
        let found = at_key::<ApiKey>(self.0.db(), id).find(&()).await?;
        found.filter(|key| self.has(key)).ok_or_else(|| no_key(id))
    }

    fn has(self, key: &ApiKey) -> bool {
        key.workspace_id == self.0.workspace().id && key.deleted_at.is_none()
    }

    /// Changes a key of this workspace.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn change(
        self,
        id: &ApiKeyId,
        change: impl FnMut(&mut ApiKey) -> Result<()> + Send,
    ) -> Result<ApiKey> {
        change_key(self.0.db(), id, |key| self.has(key), change).await
    }

    /// Adds a key with its configurations. The same transaction counts it, so the limit holds under
    /// concurrency.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED at the maximum number of keys of the type.
    pub async fn create(self, key: &ApiKey, configs: &InitialConfigs) -> Result<()> {
        let mut unit = key_unit(self.0.db(), key)?;
        unit.writes_mut().extend(config_write(self.0.db(), key, configs.email.as_ref())?);
        unit.writes_mut().extend(config_write(self.0.db(), key, configs.webhook.as_ref())?);
        unit.writes_mut().extend(config_write(self.0.db(), key, configs.notification.as_ref())?);
        let counted = unit.writes().len();
        unit.writes_mut().push(self.count_key(key.kind, true)?);
        match self.0.db().commit(unit).await {
            CommitOutcome::Refused(position) if position == counted => {
                Err(Error::exhausted(format!(
                    "The workspace has the maximum number of {} API keys already.",
                    key.kind.name()
                )))
            }
            outcome => settle(outcome, |_| Error::internal("a random id occurred twice")),
        }
    }

    /// Deletes a key: it is refused and no longer listed. Its data is deleted in the background,
    /// its record last (`removal/tenant.rs`).
    ///
    /// # Errors
    /// NOT_FOUND; ABORTED.
    pub async fn delete(self, id: &ApiKeyId) -> Result<()> {
        let keys = at_key::<ApiKey>(self.0.db(), id);
        for attempt in 0..ATTEMPTS {
            let item = self
                .0
                .db()
                .get(ApiKey::TABLE, keys.rows().partition(), &ApiKey::place(&()).into_key())
                .await?;
            let item = item.ok_or_else(|| no_key(id))?;
            let (seen, mut key) = (item::version(&item)?, keys.rows().decode(item)?);
            if !self.has(&key) {
                return Err(no_key(id));
            }
            key.deleted_at = Some(self.0.db().clock().now());
            key.tokens.clear();
            key.settings.ai_model_keys.clear();
            // The key can be deleted, whatever was written to it.
            key.allowed_domains.clear();
            let mut unit = keys.rows().changed(&key, &seen, Some(Event::KeyDeleted))?;
            unit.writes_mut().push(self.count_key(key.kind, false)?);
            if self.0.db().commit(unit).await.was_executed()? {
                self.0.db().forget_key(id);
                return Ok(());
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// Counts one key more or less.
    fn count_key(self, kind: KeyType, more: bool) -> Result<Write> {
        let place = Workspace::place(&()).into_key();
        let [has, may_have] = match kind {
            KeyType::Testing => ["testingKeys", "maxTestingKeys"],
            KeyType::Production => ["productionKeys", "maxProductionKeys"],
        };
        let difference = if more { "1" } else { "-1" };
        let values =
            [(":n", Value::N(difference.to_owned())), (":version", Value::S(new_version()?))];
        Ok(Write::Update {
            table: Workspace::TABLE.name(),
            key: item::key(&self.0.partition(), &place),
            update: Update {
                expression: format!("SET #version = :version ADD {has} :n"),
                condition: more.then(|| format!("{has} < {may_have}")),
                names: [("#version".to_owned(), item::VERSION.to_owned())].into(),
                values: values.map(|(name, value)| (name.to_owned(), value)).into(),
            },
        })
    }

    /// Rotates the auth token of the workspace; the old one stays valid for `grace` milliseconds.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when too many would be valid; ABORTED.
    pub async fn rotate_token(self, hash: &str, grace: Millis) -> Result<()> {
        let now = self.0.db().clock().now();
        let workspaces = at_workspace(self.0.db(), &self.0.workspace().id)?;
        let rotated = workspaces.change(&(), |workspace| {
            let rotated = workspace.rotate_token(hash.to_owned(), grace, now);
            rotated.then_some(None).ok_or_else(|| {
                Error::exhausted(format!(
                    "The workspace has {MAX_REPLACED_TOKENS} old auth tokens that still work \
                     already."
                ))
            })
        });
        rotated.await.map(|_| ())
    }

    /// A new record of an auth token.
    ///
    /// # Errors
    /// INTERNAL without system randomness.
    pub fn new_token(self) -> Result<AuthToken> {
        new_token(self.0.db())
    }

    /// A new record of an API key of this workspace, without tokens.
    ///
    /// # Errors
    /// INTERNAL without system randomness.
    pub fn new_key(self, owner: Email, kind: KeyType, access: AccessType) -> Result<ApiKey> {
        new_key(self.0.db(), self.0.workspace().id.clone(), owner, kind, access)
    }
}
