//! Compaction: the log is merged into a snapshot. A crash may follow each step, and each step is
//! idempotent.

use std::collections::BTreeMap;

use aws::{BatchWrite, Condition, Item, Update, Value, Write};
use error::Result;
use model::{EditorId, Millis};
use tenancy::{
    layout::{Table, item, pack},
    prelude::*,
    scopes::place_of,
    writing::{Unit, new_id},
};

use super::{
    EditorStore,
    bounds::{Full, MAX_COMPRESSED, MAX_FOOTPRINT, MAX_WAITING, data_of},
    edits::Edits,
    head::{
        BYTES, ContentType, FOOTPRINT, FULL, INLINE, PACKED, PARTS, PREVIOUS, REPLACED_AT,
        SNAPSHOT, Snapshot, UPDATED_AT, UPDATED_BY,
    },
    log::PutAside,
    n, part_of,
    read::{DATA, StoredEditor},
};

/// A snapshot up to this size is stored in the head: each replacement pays for the size of the
/// head.
const INLINE_BYTES: usize = 4 * 1024;
/// Retention of a replaced or stray snapshot: longer than any call.
const RETENTION: Millis = 15 * 60 * 1000;
/// How long orphaned rows are left alone.
const STRAY: Millis = 60 * 60 * 1000;

/// Outcome of storing a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotWrite {
    /// The snapshot became that of its editor.
    Current,
    /// The snapshot was dropped: another process made one meanwhile, or the editor was deleted.
    Outdated,
}

impl EditorStore {
    /// Stores `state`, built from `editor` without the updates in `waiting`, as its snapshot;
    /// `footprint` is its size in memory. Above the limit for peers, they can only make it smaller.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when it is too large.
    pub async fn keep_snapshot(
        &self,
        editor: &StoredEditor,
        state: &[u8],
        footprint: usize,
        waiting: &BTreeMap<usize, usize>,
    ) -> Result<SnapshotWrite> {
        let now = self.db().clock().now();
        let packed = pack::pack(state)?;
        let parts: Vec<&[u8]> = match packed.len() {
            0..=INLINE_BYTES => vec![],
            _ => pack::parts(&data_of(&editor.head.id), &packed)?.collect(),
        };
        let snapshot = Snapshot {
            version: new_id(now)?,
            parts: parts.len(),
            bytes: state.len(),
            packed: packed.len(),
            footprint,
            inline: parts.is_empty().then(|| packed.clone()),
        };
        let waiting: usize = waiting.values().sum();
        if waiting > 0 {
            let tenant = self.organization.tenant().api_key().id.as_str();
            tracing::warn!(tenant, waiting, "Updates of an editor wait for missing dependencies.");
        }
        let full = match waiting {
            _ if editor.more => Some(Full::Unmerged),
            _ if footprint > MAX_FOOTPRINT || packed.len() > MAX_COMPRESSED => Some(Full::Large),
            0..=MAX_WAITING => None,
            _ => Some(Full::Waiting),
        };
        let keys: Vec<Item> =
            self.snapshot_keys(&editor.head, &snapshot).iter().map(|key| self.key(key)).collect();
        let row = |(key, part): (&Item, &&[u8])| {
            let mut row = key.clone();
            row.insert(DATA.to_owned(), Value::B(aws::Blob::new(*part)));
            row.insert(item::WRITTEN.to_owned(), n(now));
            BatchWrite::Put(row)
        };
        let puts = keys.iter().zip(&parts).map(row).collect();
        self.write_all(puts).await?;
        if self.db().commit(self.made_current(editor, snapshot, full, now)).await.was_executed()? {
            return Ok(SnapshotWrite::Current);
        }
        self.write_all(keys.into_iter().map(BatchWrite::Delete).collect()).await?;
        Ok(SnapshotWrite::Outdated)
    }

    /// The change of the head, if its snapshot did not change since the read.
    fn made_current(
        &self,
        editor: &StoredEditor,
        snapshot: Snapshot,
        full: Option<Full>,
        now: Millis,
    ) -> Unit {
        let head = &editor.head;
        let Condition { expression: condition, mut names, mut values } = head.of_snapshot();
        let (updated_at, updated_by) = editor.updated();
        let previous = head.snapshot.as_ref().map(|seen| Value::S(seen.version.clone()));
        let (mut set, mut remove) = (Vec::new(), Vec::new());
        let replaced_at = previous.as_ref().map(|_| n(now));
        let full = full.map(|full| Value::S(full.name().to_owned()));
        for (name, value) in [
            (SNAPSHOT, Some(Value::S(snapshot.version))),
            (PARTS, Some(n(snapshot.parts as u64))),
            (BYTES, Some(n(snapshot.bytes as u64))),
            (PACKED, Some(n(snapshot.packed as u64))),
            (FOOTPRINT, Some(n(snapshot.footprint as u64))),
            (INLINE, snapshot.inline.map(|bytes| Value::B(aws::Blob::new(bytes)))),
            (UPDATED_AT, Some(n(updated_at))),
            (UPDATED_BY, updated_by.map(|user| Value::S(user.as_str().to_owned()))),
            (PREVIOUS, previous),
            (REPLACED_AT, replaced_at),
            (FULL, full),
        ] {
            names.insert(format!("#{name}"), name.to_owned());
            match value {
                Some(value) => {
                    set.push(format!("#{name} = :{name}"));
                    values.insert(format!(":{name}"), value);
                }
                None => remove.push(format!("#{name}")),
            }
        }
        let mut expression = format!("SET {}", set.join(", "));
        if !remove.is_empty() {
            expression.push_str(&format!(" REMOVE {}", remove.join(", ")));
        }
        let update = Update { expression, condition: Some(condition), names, values };
        let key = self.key(&self.head_key(&head.id));
        let write = Write::Update { table: Table::Crdt.name(), key, update };
        Unit::new(vec![write])
    }

    /// Blocks updates of peers, unless the snapshot was replaced since the read: until the next
    /// merge if too much waits to be merged, otherwise until the editor is smaller.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn mark_full(&self, editor: &StoredEditor) -> Result<()> {
        let full = if editor.more { Full::Unmerged } else { Full::Large };
        let Condition { expression: condition, mut names, mut values } = editor.head.of_snapshot();
        names.insert("#full".to_owned(), FULL.to_owned());
        values.insert(":full".to_owned(), Value::S(full.name().to_owned()));
        let expression = "SET #full = :full".to_owned();
        let update = Update { expression, condition: Some(condition), names, values };
        let key = self.key(&self.head_key(&editor.head.id));
        let write = Write::Update { table: Table::Crdt.name(), key, update };
        // A deleted editor is not full, and one with another snapshot was judged again.
        self.db().commit(Unit::new(vec![write])).await.was_executed().map(drop)
    }

    /// Stores the type that the content decided, unless somebody decided it since the read.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn keep_type(&self, editor: &StoredEditor, decided: ContentType) -> Result<()> {
        let Some(write) = self.head_after(&editor.head, Some(decided), &Edits::default(), None)
        else {
            return Ok(());
        };
        self.db().commit(Unit::new(vec![write])).await.was_executed().map(drop)
    }

    /// Removes the updates that `editor` was read with from the log, once they are in the snapshot,
    /// and old orphaned rows. Updates in `waiting`, by their keys and with their footprints, are
    /// first put aside into few rows, which are not read for a merge until there is other work.
    ///
    /// # Errors
    /// UNAVAILABLE: another run does the rest.
    pub async fn forget_merged(
        &self,
        editor: &StoredEditor,
        waiting: &BTreeMap<usize, usize>,
    ) -> Result<()> {
        let (mut gone, mut aside, mut at) = (Vec::new(), Vec::new(), 0);
        for entry in &editor.log.entries {
            let from = at;
            at += entry.updates;
            let own = waiting.range(from..at);
            if entry.is_aside && own.clone().count() == entry.updates {
                continue;
            }
            aside.extend(own.map(|(at, footprint)| PutAside {
                update: editor.log.updates[*at].clone(),
                footprint: *footprint,
            }));
            gone.extend(&entry.rows);
        }
        let aside = self.aside(&editor.head, aside)?;
        self.write_all(aside.into_iter().map(BatchWrite::Put).collect()).await?;
        let before = self.db().clock().now().saturating_sub(STRAY);
        let stray = editor.log.stray.iter().filter(|(_, at)| *at < before);
        let rows = gone.into_iter().chain(stray.map(|(row, _)| row));
        let key = |sort: &String| item::named_key(self.organization.partition(), sort);
        self.write_all(rows.map(|sort| BatchWrite::Delete(key(sort))).collect()).await
    }

    /// Removes snapshots of an editor that no reader can still use.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn sweep(&self, id: &EditorId) -> Result<()> {
        let now = self.db().clock().now();
        let keys = vec![item::PK, item::SK, item::WRITTEN];
        let mut query = self.under(self.rows_key("snapshot", id).prefix(), keys);
        let mut rows: BTreeMap<String, Millis> = BTreeMap::new();
        loop {
            let found = self.db().query(query.clone()).await?;
            let at = |row: &Item| item::number(row, item::WRITTEN).unwrap_or(Millis::MAX);
            rows.extend(found.items.iter().map(|row| (place_of(row).1, at(row))));
            match found.next {
                None => break,
                next => query.start = next,
            }
        }
        // Read after the rows: a snapshot that the head does not name now never becomes current
        // again.
        let Some(head) = self.head(id).await? else { return Ok(()) };
        let current = head.snapshot.as_ref().map(|snapshot| snapshot.version.as_str());
        let is_kept = |sort: &str, written: Millis| {
            let version = part_of(sort, "version");
            let was_current = head.previous.as_ref().is_some_and(|(previous, until)| {
                version == Some(previous) && until + RETENTION > now
            });
            version == current || was_current || written.saturating_add(RETENTION) > now
        };
        let gone = rows.iter().filter(|(sort, written)| !is_kept(sort, **written));
        let key = |sort: &str| item::named_key(self.organization.partition(), sort);
        self.write_all(gone.map(|(sort, _)| BatchWrite::Delete(key(sort))).collect()).await
    }

    async fn write_all(&self, writes: Vec<BatchWrite>) -> Result<()> {
        self.db().write_all(Table::Crdt, writes).await.into_iter().collect()
    }
}
