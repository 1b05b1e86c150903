//! Versions: snapshots that stay.

use aws::{Condition, Item, Update, Value, Write};
use error::{Error, Result};
use model::{
    EditorId, Millis, Text, UserId, VersionId,
    editor::VersionKind,
    event::{DomainEvent, Event, EventType},
    user::Person,
};
use serde_json::json;
use tenancy::{
    layout::{EVENTS, EXPIRES, Key, Table, item},
    prelude::*,
    scopes::{ATTEMPTS, back_off, place_of},
    writing::{Unit, new_id},
};

use super::{DAY, RETENTION};
use crate::editors::{
    EditorStore,
    edits::time_of,
    head::{ADDED, Head, Snapshot},
    log::BY,
    missing, n, part_of, text, user,
};

/// A snapshot that compaction keeps, in milliseconds: as long as the edits behind it, and until the
/// next one is a day old.
pub(super) const KEPT: Millis = RETENTION + DAY;
/// Compactions from one kept snapshot to the next, unless a day passes before.
const KEPT_EVERY: u64 = 50;
/// Maximum number of versions that are added to an editor.
const MAX_ADDED: u64 = 100;

const KIND: &str = "kind";
const OF_COMPACTION: &str = "kept";
const OF_CALLERS: &str = "added";
const DELETED: &str = "deleted";
const NAME: &str = "name";
const AT: &str = "at";
/// When it ends; absent of those that were added.
const UNTIL: &str = "until";

/// A version.
#[derive(Clone, Debug)]
pub struct Version {
    /// The id of the version.
    pub id: VersionId,
    /// When it was made, in epoch milliseconds.
    pub at: Millis,
    /// The name, if it has one.
    pub name: Option<Text>,
    /// Who added it, if known.
    pub by: Option<UserId>,
    pub(super) snapshot: Snapshot,
    pub(super) is_added: bool,
    until: Option<Millis>,
}

impl Head {
    /// Whether the history needs the present snapshot when the next one is made.
    pub(in crate::editors) fn keeps_at(&self, now: Millis) -> bool {
        let is_old = self.kept_at.is_none_or(|at| now.saturating_sub(at) >= DAY);
        is_old || self.since_kept >= KEPT_EVERY
    }
}

impl Version {
    fn read(row: &Item) -> Result<Self> {
        let broken = || Error::internal("a version of an editor lacks a member");
        let sort = place_of(row).1;
        let id = part_of(&sort, "at").ok_or_else(broken)?.to_owned();
        Ok(Self {
            id: id.try_into().map_err(|_| broken())?,
            at: item::number(row, AT).ok_or_else(broken)?,
            name: text(row, NAME).map(Text::try_from).transpose().map_err(Error::internal)?,
            by: user(row, BY)?,
            snapshot: Snapshot::read(row)?.ok_or_else(broken)?,
            is_added: text(row, KIND).as_deref() == Some(OF_CALLERS),
            until: item::number(row, UNTIL),
        })
    }

    /// Whether it is neither deleted nor over.
    pub(super) fn is_there(&self, now: Millis) -> bool {
        self.is_added || self.until.is_some_and(|until| until > now)
    }

    pub(super) fn key(&self, store: &EditorStore, head: &Head) -> Key {
        store.version_key(head, self.id.as_str())
    }
}

fn unknown(id: &VersionId) -> Error {
    Error::not_found(format!("There is no version {id} that was added to this editor."))
}

impl EditorStore {
    fn version_key(&self, head: &Head, id: &str) -> Key {
        self.rows_key("version", &head.id).and("epoch", &head.epoch).and("at", id)
    }

    /// The write that keeps a snapshot which the head names no longer.
    pub(in crate::editors) fn kept_version(&self, head: &Head, snapshot: &Snapshot) -> Write {
        let now = self.db().clock().now();
        let mut row =
            self.version_row(head, &snapshot.version, snapshot, time_of(&snapshot.version));
        row.insert(KIND.to_owned(), Value::S(OF_COMPACTION.to_owned()));
        row.insert(UNTIL.to_owned(), n(now + KEPT));
        // Otherwise its snapshot has to be removed first.
        if snapshot.parts == 0 {
            row.insert(EXPIRES.to_owned(), n((now + KEPT) / 1000));
        }
        Write::Put { table: Table::Crdt.name(), item: row, condition: None }
    }

    fn version_row(&self, head: &Head, id: &str, snapshot: &Snapshot, at: Millis) -> Item {
        let mut row = self.key(&self.version_key(head, id));
        let members = snapshot.members().into_iter();
        row.extend(members.filter_map(|(name, value)| Some((name.to_owned(), value?))));
        row.insert(AT.to_owned(), n(at));
        row.insert(item::WRITTEN.to_owned(), n(self.db().clock().now()));
        row
    }

    /// The rows of versions, the oldest first; also of those that are over.
    pub(super) async fn version_rows(&self, head: &Head) -> Result<Vec<Version>> {
        let key = self.rows_key("version", &head.id).and("epoch", &head.epoch);
        let rows = self.rows(self.under(key.prefix(), vec![])).await?;
        rows.items.iter().map(Version::read).collect()
    }

    /// The versions that are there, the oldest first.
    pub(super) async fn versions(&self, head: &Head) -> Result<Vec<Version>> {
        let mut versions = self.version_rows(head).await?;
        versions.retain(|version| version.is_there(self.db().clock().now()));
        Ok(versions)
    }

    /// A version, if it is there.
    pub(super) async fn version(&self, head: &Head, id: &VersionId) -> Result<Option<Version>> {
        let key = self.version_key(head, id.as_str());
        let found = self.db().get(Table::Crdt, self.organization.partition(), &key).await?;
        let version = found.as_ref().map(Version::read).transpose()?;
        Ok(version.filter(|version| version.is_there(self.db().clock().now())))
    }

    /// Adds the present snapshot of an editor as a version, with its event.
    ///
    /// # Errors
    /// NOT_FOUND; RESOURCE_EXHAUSTED beyond the maximum number; ABORTED under contention.
    pub async fn add_version(
        &self,
        id: &EditorId,
        name: Option<&Text>,
        by: Option<&UserId>,
    ) -> Result<Version> {
        for attempt in 0..ATTEMPTS {
            let head = self.head(id).await?.ok_or_else(|| missing(id))?;
            if head.added >= MAX_ADDED {
                return Err(Error::exhausted(format!(
                    "The editor {id} has {MAX_ADDED} versions that were added; delete one first."
                )));
            }
            let snapshot = head.snapshot.as_ref().ok_or_else(Error::aborted)?;
            let now = self.db().clock().now();
            let version: VersionId = new_id(now)?.try_into().map_err(|_| Error::aborted())?;
            let mut row = self.version_row(&head, version.as_str(), snapshot, now);
            row.insert(KIND.to_owned(), Value::S(OF_CALLERS.to_owned()));
            row.extend(name.map(|name| (NAME.to_owned(), Value::S(name.as_str().to_owned()))));
            row.extend(by.map(|by| (BY.to_owned(), Value::S(by.as_str().to_owned()))));
            let put = Write::Put { table: Table::Crdt.name(), item: row.clone(), condition: None };
            let event = self.of_version(EventType::CrdtVersionAdd, id, &version, name, by);
            let unit = Unit::new(vec![put, self.counting(&head, 1)]);
            let unit = unit.emitting(self.emitted(event));
            if self.db().commit(unit).await.won_race()? {
                return Version::read(&row);
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// The change of the number of versions, unless it changed since the read, or the snapshot did.
    fn counting(&self, head: &Head, by: i64) -> Write {
        let Condition { expression, mut names, mut values } = head.of_snapshot();
        names.insert("#added".to_owned(), ADDED.to_owned());
        values.insert(":seenAdded".to_owned(), n(head.added));
        values.insert(":added".to_owned(), n(head.added.saturating_add_signed(by)));
        let is_seen = match head.added {
            0 => "(attribute_not_exists(#added) OR #added = :seenAdded)",
            _ => "#added = :seenAdded",
        };
        let update = Update {
            expression: "SET #added = :added".to_owned(),
            condition: Some(format!("{expression} AND {is_seen}")),
            names,
            values,
        };
        let key = self.key(&self.head_key(&head.id));
        Write::Update { table: Table::Crdt.name(), key, update }
    }

    /// Gives a version that was added another name.
    ///
    /// # Errors
    /// NOT_FOUND; ABORTED under contention.
    pub async fn rename_version(
        &self,
        id: &EditorId,
        version: &VersionId,
        name: &Text,
    ) -> Result<Version> {
        let head = self.head(id).await?.ok_or_else(|| missing(id))?;
        let found = self.version(&head, version).await?.filter(|version| version.is_added);
        let found = found.ok_or_else(|| unknown(version))?;
        let value = (":name".to_owned(), Value::S(name.as_str().to_owned()));
        let write = self.changed_version(&head, version, "SET #name = :name", vec![value]);
        if !self.db().commit(Unit::new(vec![write])).await.was_executed()? {
            return Err(unknown(version));
        }
        Ok(Version { name: Some(name.clone()), ..found })
    }

    /// Checks that there is a version that was added.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn check_version(&self, id: &EditorId, version: &VersionId) -> Result<()> {
        let head = self.head(id).await?.ok_or_else(|| missing(id))?;
        let found = self.version(&head, version).await?.filter(|version| version.is_added);
        found.map(drop).ok_or_else(|| unknown(version))
    }

    /// Deletes a version that was added. Its snapshot is removed by the next sweep.
    ///
    /// # Errors
    /// NOT_FOUND; ABORTED under contention.
    pub async fn delete_version(&self, id: &EditorId, version: &VersionId) -> Result<()> {
        for attempt in 0..ATTEMPTS {
            let head = self.head(id).await?.ok_or_else(|| missing(id))?;
            let found = self.version(&head, version).await?.filter(|version| version.is_added);
            if found.is_none() {
                return Err(unknown(version));
            }
            let deleted = (":deleted".to_owned(), Value::S(DELETED.to_owned()));
            let change = "SET #kind = :deleted REMOVE #name, #by, #events";
            let mut write = self.changed_version(&head, version, change, vec![deleted]);
            if let Write::Update { update, .. } = &mut write {
                let removed = [("#name", NAME), ("#by", BY), ("#events", EVENTS)];
                let removed = removed.map(|(name, of)| (name.to_owned(), of.to_owned()));
                update.names.extend(removed);
            }
            let unit = Unit::new(vec![write, self.counting(&head, -1)]);
            if self.db().commit(unit).await.won_race()? {
                return Ok(());
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// A change of a version that was added.
    fn changed_version(
        &self,
        head: &Head,
        version: &VersionId,
        expression: &str,
        values: Vec<(String, Value)>,
    ) -> Write {
        let named = (":kind".to_owned(), Value::S(OF_CALLERS.to_owned()));
        let update = Update {
            expression: expression.to_owned(),
            condition: Some("#kind = :kind".to_owned()),
            names: [("#kind", KIND), ("#name", NAME)]
                .map(|(name, attribute)| (name.to_owned(), attribute.to_owned()))
                .into(),
            values: values.into_iter().chain([named]).collect(),
        };
        let key = self.key(&self.version_key(head, version.as_str()));
        Write::Update { table: Table::Crdt.name(), key, update }
    }

    /// The event of a version.
    pub(in crate::editors) fn of_version(
        &self,
        event: EventType,
        editor: &EditorId,
        version: &VersionId,
        name: Option<&Text>,
        by: Option<&UserId>,
    ) -> Event {
        let mut event = DomainEvent::new(event, self.organization.id(), &self.document);
        event.actor = by.cloned().map(Person::from_id);
        let mut data = json!({ "id": editor, "versionId": version });
        if let Some(name) = name {
            data["name"] = json!(name);
        }
        event.data.insert("crdtData".to_owned(), data);
        event.into()
    }
}

/// The event of an edit that is a version, too.
pub(in crate::editors) const fn event_of(kind: VersionKind) -> Option<EventType> {
    match kind {
        VersionKind::Restored => Some(EventType::CrdtRestore),
        VersionKind::Reverted => Some(EventType::CrdtRevert),
        VersionKind::Edited | VersionKind::Added => None,
    }
}
