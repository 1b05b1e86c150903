//! Compaction: the log is merged into a snapshot, and kept for the history. A crash may follow each
//! step, and each step is idempotent.

use std::collections::BTreeMap;

use aws::{BatchWrite, Condition, Item, Update, Value, Write};
use error::Result;
use model::Millis;
use tenancy::{
    layout::{Key, Table, item, pack},
    prelude::*,
    writing::{Unit, new_id},
};

use super::{
    EditorStore,
    bounds::{Full, MAX_COMPRESSED, MAX_FOOTPRINT, MAX_WAITING, data_of},
    edits::{ContentType, Edits, HistoryUsers, time_of},
    head::{FULL, KEPT_AT, PREVIOUS, REPLACED_AT, SINCE_KEPT, Snapshot, UPDATED_AT, UPDATED_BY},
    log::PutAside,
    n,
    read::{DATA, StoredEditor},
};

/// A snapshot up to this size is stored in the head: each replacement pays for the size of the
/// head.
const INLINE_BYTES: usize = 4 * 1024;
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

/// The snapshot and the log of an editor, merged.
#[derive(Clone, Copy)]
pub struct MergedState<'a> {
    /// The users of the log, by number.
    pub users: &'a HistoryUsers,
    /// The document without what waits.
    pub state: &'a [u8],
    /// The authors of what is in it.
    pub authors: &'a [u8],
    /// Size of the document in memory, in bytes.
    pub footprint: usize,
    /// Updates of the log that wait for missing dependencies: positions, and the memory of each.
    pub waiting: &'a BTreeMap<usize, usize>,
}

/// A snapshot that is ready to be written, with what was merged into it.
pub struct Prepared {
    pub(super) snapshot: Snapshot,
    rows: Vec<Item>,
    full: Option<Full>,
    /// The snapshot before, and whether it stays for the history.
    pub(super) before: Option<Snapshot>,
    pub(super) keeps: bool,
}

impl EditorStore {
    /// Prepares a snapshot of `merged`, made of `editor`. Above the limit for peers, they can only make
    /// it smaller.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when it is too large.
    pub fn prepare(&self, editor: &StoredEditor, merged: &MergedState<'_>) -> Result<Prepared> {
        let MergedState { users, state, authors, footprint, waiting } = *merged;
        let (head, now) = (&editor.head, self.db().clock().now());
        let before = head.snapshot.as_ref();
        // The names of snapshots tell their order, whatever the clocks of their writers say.
        let at = before.map_or(0, |before| time_of(&before.version) + 1).max(now);
        let packed = pack::pack(state)?;
        let mut stored = packed.clone();
        stored.extend(pack::pack(authors)?);
        let parts: Vec<&[u8]> = match stored.len() {
            0..=INLINE_BYTES => vec![],
            // Authors without room are lost.
            _ => match pack::parts("", &stored) {
                Ok(parts) => parts.collect(),
                Err(_) => pack::parts(&data_of(&head.id), &packed)?.collect(),
            },
        };
        let snapshot = Snapshot {
            version: new_id(at)?,
            parts: parts.len(),
            bytes: state.len(),
            packed: packed.len(),
            footprint,
            inline: parts.is_empty().then(|| stored.clone()),
        };
        let waiting_bytes: usize = waiting.values().sum();
        if waiting_bytes > 0 {
            let tenant = self.organization.tenant().api_key().id.as_str();
            let waiting = waiting_bytes;
            tracing::warn!(tenant, waiting, "Updates of an editor wait for missing dependencies.");
        }
        let full = match waiting_bytes {
            _ if editor.more => Some(Full::Unmerged),
            _ if footprint > MAX_FOOTPRINT || packed.len() > MAX_COMPRESSED => Some(Full::Large),
            0..=MAX_WAITING => None,
            _ => Some(Full::Waiting),
        };
        let row = |(key, part): (Key, &&[u8])| {
            let mut row = self.key(&key);
            row.insert(DATA.to_owned(), Value::B(aws::Blob::new(*part)));
            row.insert(item::WRITTEN.to_owned(), n(now));
            row
        };
        let keys = self.snapshot_keys(head, &snapshot).into_iter();
        let mut rows: Vec<Item> = keys.zip(&parts).map(row).collect();
        let edits = editor.merged_edits(users, waiting);
        rows.extend(self.merged_rows(head, &snapshot.version, &edits)?);
        let (before, keeps) = (before.cloned(), before.is_some() && head.keeps_at(now));
        Ok(Prepared { snapshot, rows, full, before, keeps })
    }

    /// Makes a prepared snapshot that of its editor.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn keep_snapshot(
        &self,
        editor: &StoredEditor,
        prepared: Prepared,
    ) -> Result<SnapshotWrite> {
        let keys: Vec<Item> = prepared.rows.iter().map(item::key_of).collect();
        let puts = prepared.rows.into_iter().map(BatchWrite::Put).collect();
        self.write_all(puts).await?;
        let now = self.db().clock().now();
        let Prepared { snapshot, full, before, keeps, .. } = prepared;
        let mut writes = vec![self.made_current(editor, &snapshot, full, keeps, now)];
        let kept = before.filter(|_| keeps);
        writes.extend(kept.map(|kept| self.kept_version(&editor.head, &kept)));
        if self.db().commit(Unit::new(writes)).await.was_executed()? {
            return Ok(SnapshotWrite::Current);
        }
        self.write_all(keys.into_iter().map(BatchWrite::Delete).collect()).await?;
        Ok(SnapshotWrite::Outdated)
    }

    /// The change of the head, if its snapshot did not change since the read.
    fn made_current(
        &self,
        editor: &StoredEditor,
        snapshot: &Snapshot,
        full: Option<Full>,
        keeps: bool,
        now: Millis,
    ) -> Write {
        let head = &editor.head;
        let Condition { expression: condition, mut names, mut values } = head.of_snapshot();
        let (updated_at, updated_by) = editor.updated();
        let previous = head.snapshot.as_ref().map(|seen| Value::S(seen.version.clone()));
        let (mut set, mut remove) = (Vec::new(), Vec::new());
        let replaced_at = previous.as_ref().map(|_| n(now));
        let full = full.map(|full| Value::S(full.name().to_owned()));
        // The first content of an editor needs no snapshot before it.
        let (kept_at, since) = match head.kept_at.filter(|_| !keeps) {
            Some(at) => (at, head.since_kept + 1),
            None => (now, 1),
        };
        let own = [
            (UPDATED_AT, Some(n(updated_at))),
            (UPDATED_BY, updated_by.map(|user| Value::S(user.as_str().to_owned()))),
            (PREVIOUS, previous),
            (REPLACED_AT, replaced_at),
            (FULL, full),
            (KEPT_AT, Some(n(kept_at))),
            (SINCE_KEPT, Some(n(since))),
        ];
        for (name, value) in snapshot.members().into_iter().chain(own) {
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
        Write::Update { table: Table::Crdt.name(), key, update }
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
        let (mut gone, mut aside) = (Vec::new(), Vec::new());
        for (from, entry, updates) in editor.log.each() {
            if entry.stays(from, waiting) {
                continue;
            }
            let own = waiting.range(from..from + updates.len());
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

    pub(super) async fn write_all(&self, writes: Vec<BatchWrite>) -> Result<()> {
        self.db().write_all(Table::Crdt, writes).await.into_iter().collect()
    }
}
