//! Reading editors: log, head, snapshot, in this order.

mod list;
mod views;

use std::collections::{BTreeMap, HashMap};

use aws::Item;
use error::{Error, Result};
use futures_util::future::try_join_all;
use model::{EditorId, Millis, UserId};
use tenancy::{
    layout::{Key, Table, pack},
    prelude::*,
    scopes::{ATTEMPTS, back_off, place_of},
};

use super::{
    EditorStore,
    bounds::{MAX_UNMERGED, too_long},
    bytes,
    edits::{ContentType, HistoryUsers, PastEdit},
    head::{Head, Snapshot},
    log::{Log, LogEntry, Rows},
};

/// A part of a snapshot, in its row.
pub(super) const DATA: &str = "data";

/// Thresholds for compaction: entries, more for a snapshot that costs more; bytes in addition to half the snapshot; memory in addition
/// to a quarter of the snapshot's.
const LONG: usize = 200;
const LARGE: usize = 64 * 1024;
const HEAVY: usize = 1024 * 1024;

/// Parts of a snapshot in one read.
const PARTS_AT_ONCE: usize = 4;

/// A stored editor.
pub struct StoredEditor {
    pub(super) head: Head,
    pub(super) snapshot: Option<Vec<u8>>,
    /// As they are stored.
    pub(super) authors: Vec<u8>,
    pub(super) log: Log,
    pub(super) more: bool,
}

/// A snapshot, as it was stored.
#[derive(Default)]
pub(super) struct Loaded {
    /// The document.
    pub(super) state: Vec<u8>,
    /// The authors of what is in it, packed; nothing of snapshots of earlier versions.
    pub(super) authors: Vec<u8>,
}

/// Authors as they were before they were stored.
pub(super) fn unpacked_authors(packed: &[u8]) -> Result<Option<Vec<u8>>> {
    if packed.is_empty() { Ok(None) } else { pack::unpack(packed).map(Some) }
}

impl StoredEditor {
    /// Id of the editor.
    pub fn id(&self) -> &EditorId {
        &self.head.id
    }

    /// The stored type of its content.
    pub fn content_type(&self) -> ContentType {
        ContentType { kind: self.head.kind, key: self.head.content_key.clone() }
    }

    /// Whether the first text or a caller still decides the type.
    pub fn is_open(&self) -> bool {
        self.head.is_open
    }

    /// The Yjs client of the service.
    pub fn client(&self) -> u32 {
        self.head.client
    }

    /// Creation time.
    pub fn created_at(&self) -> Millis {
        self.head.created_at
    }

    /// Time and author of the last update.
    pub fn updated(&self) -> (Millis, Option<&UserId>) {
        match &self.log.newest {
            Some((at, by)) => (*at, by.as_ref()),
            None => (self.head.updated_at, self.head.updated_by.as_ref()),
        }
    }

    /// The merged snapshot.
    pub fn snapshot(&self) -> Option<&[u8]> {
        self.snapshot.as_deref()
    }

    /// Updates that are not merged yet, the oldest first.
    pub fn updates(&self) -> impl Iterator<Item = &[u8]> {
        self.log.updates.iter().map(Vec::as_slice)
    }

    /// The authors of what is in the snapshot; none where nobody noted them.
    ///
    /// # Errors
    /// INTERNAL when they cannot be read.
    pub fn authors(&self) -> Result<Option<Vec<u8>>> {
        unpacked_authors(&self.authors)
    }

    /// The edits that are not merged yet, the oldest first.
    pub fn edits(&self, users: &HistoryUsers) -> Vec<PastEdit> {
        let edits = self.log.each();
        edits.map(|(_, entry, updates)| entry.edit(users, updates)).collect()
    }

    /// The edits that leave the log with a merge.
    pub(super) fn merged_edits(
        &self,
        users: &HistoryUsers,
        waiting: &BTreeMap<usize, usize>,
    ) -> Vec<PastEdit> {
        let edits = self.log.each().filter(|(from, entry, _)| !entry.stays(*from, waiting));
        edits.map(|(_, entry, updates)| entry.edit(users, updates)).collect()
    }

    /// Whether it has edits that are not in its snapshot, besides those that wait for others.
    pub fn has_unmerged(&self) -> bool {
        self.head.snapshot.is_none() || self.log.count > 0
    }

    /// Size of its stored data in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.snapshot.as_ref().map_or(0, Vec::len) + self.log.bytes
    }

    /// Whether the log is long enough to be merged.
    pub fn is_long(&self) -> bool {
        let snapshot = self.head.snapshot.as_ref();
        let (parts, bytes, footprint) = snapshot
            .map_or((0, 0, 0), |snapshot| (snapshot.parts, snapshot.bytes, snapshot.footprint));
        self.more
            || self.log.count > LONG.max(parts * LONG / 2)
            || self.log.bytes > LARGE.max(bytes / 2)
            || self.log.footprint > HEAVY.max(footprint / 4)
            // Only a merge lets peers write again.
            || self.head.full.is_some()
    }

    /// Whether the read was incomplete.
    pub fn is_part(&self) -> bool {
        self.more
    }
}

impl LogEntry {
    fn edit(&self, users: &HistoryUsers, updates: &[Vec<u8>]) -> PastEdit {
        let user = users.number(self.by.as_ref());
        let (id, kind, reverts) = (self.id, self.kind, self.reverts);
        PastEdit { id, user, kind, reverts, updates: updates.to_vec() }
    }
}

impl EditorStore {
    /// An editor, if there is one.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when too much of it waits to be merged.
    pub async fn find(&self, id: &EditorId) -> Result<Option<StoredEditor>> {
        match self.find_oldest(id).await? {
            Some(editor) if editor.more => Err(too_long()),
            found => Ok(found),
        }
    }

    /// An editor, if it exists, with as many of its oldest updates as one read holds.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn find_oldest(&self, id: &EditorId) -> Result<Option<StoredEditor>> {
        self.find_if(id, |_, _| Ok(true)).await
    }

    /// Like [`EditorStore::find_oldest`], if its log is long enough to be merged; otherwise its
    /// snapshot is not read.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn find_long(&self, id: &EditorId) -> Result<Option<StoredEditor>> {
        let is_long = |head: &Head, rows: &Rows| {
            let mut memory = MAX_UNMERGED;
            let log = Log::read(&rows.items, &head.epoch, !rows.more, &mut memory)?;
            let more = rows.more || log.more;
            let (head, authors) = (head.clone(), vec![]);
            Ok(StoredEditor { head, snapshot: None, authors, log, more }.is_long())
        };
        self.find_if(id, is_long).await
    }

    async fn find_if(
        &self,
        id: &EditorId,
        mut is_wanted: impl FnMut(&Head, &Rows) -> Result<bool> + Send,
    ) -> Result<Option<StoredEditor>> {
        for attempt in 0..ATTEMPTS {
            let log = self.rows(self.under(self.rows_key("log", id).prefix(), vec![])).await?;
            let Some(head) = self.head(id).await? else { return Ok(None) };
            if !is_wanted(&head, &log)? {
                return Ok(None);
            }
            if let Some(mut found) = self.assemble(vec![head], log).await? {
                return Ok(found.pop());
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// Assembles editors; none when the snapshot of one was replaced and removed meanwhile.
    pub(super) async fn assemble(
        &self,
        heads: Vec<Head>,
        rows: Rows,
    ) -> Result<Option<Vec<StoredEditor>>> {
        let named = heads.iter().filter_map(|head| Some((head, head.snapshot.as_ref()?)));
        let keys: Vec<Key> =
            named.flat_map(|(head, snapshot)| self.snapshot_keys(head, snapshot)).collect();
        let mut parts = match keys.is_empty() {
            true => HashMap::new(),
            false => {
                // Of one large snapshot, some parts at a time: an attempt has a second. The parts
                // of a list are small together.
                let at_once = if heads.len() > 1 { keys.len() } else { PARTS_AT_ONCE };
                let reads = keys.chunks(at_once).map(|keys| {
                    self.db().get_all(Table::Crdt, self.organization.partition(), keys.to_vec())
                });
                try_join_all(reads).await?.into_iter().flatten().collect()
            }
        };
        let Rows { items, more } = rows;
        let mut by_editor = by_editor(items);
        let mut memory = MAX_UNMERGED;
        let mut editors = Vec::with_capacity(heads.len());
        for head in heads {
            let (snapshot, authors) = match &head.snapshot {
                None => (None, vec![]),
                Some(snapshot) => match self.unpacked(&head, snapshot, &mut parts)? {
                    None => return Ok(None),
                    Some(Loaded { state, authors }) => (Some(state), authors),
                },
            };
            let own = by_editor.remove(&self.rows_key("log", &head.id).prefix());
            let log = Log::read(&own.unwrap_or_default(), &head.epoch, !more, &mut memory)?;
            let more = more || log.more;
            editors.push(StoredEditor { head, snapshot, authors, log, more });
        }
        Ok(Some(editors))
    }

    /// The rows of a snapshot.
    pub(super) fn snapshot_keys(&self, head: &Head, snapshot: &Snapshot) -> Vec<Key> {
        let version = self.rows_key("snapshot", &head.id).and("epoch", &head.epoch);
        let version = version.and("version", &snapshot.version);
        (0..snapshot.parts).map(|part| version.and("part", &part.to_string())).collect()
    }

    fn unpacked(
        &self,
        head: &Head,
        snapshot: &Snapshot,
        parts: &mut HashMap<String, Item>,
    ) -> Result<Option<Loaded>> {
        let mut stored = snapshot.inline.clone().unwrap_or_default();
        if snapshot.inline.is_none() {
            for key in self.snapshot_keys(head, snapshot) {
                let Some(row) = parts.remove(key.as_str()) else { return Ok(None) };
                stored.extend_from_slice(bytes(&row, DATA).unwrap_or_default());
            }
        }
        let (packed, authors) =
            stored.split_at_checked(snapshot.packed).unwrap_or((stored.as_slice(), &[]));
        Ok(Some(Loaded { state: pack::unpack(packed)?, authors: authors.to_vec() }))
    }

    /// A snapshot, if it is still stored.
    pub(super) async fn loaded(&self, head: &Head, snapshot: &Snapshot) -> Result<Option<Loaded>> {
        let keys = self.snapshot_keys(head, snapshot);
        let reads = keys.chunks(PARTS_AT_ONCE).map(|keys| {
            self.db().get_all(Table::Crdt, self.organization.partition(), keys.to_vec())
        });
        let mut parts = try_join_all(reads).await?.into_iter().flatten().collect();
        self.unpacked(head, snapshot, &mut parts)
    }
}

/// Rows of logs by a prefix of their sort keys.
fn by_editor(rows: Vec<Item>) -> BTreeMap<String, Vec<Item>> {
    let mut by_editor: BTreeMap<String, Vec<Item>> = BTreeMap::new();
    for row in rows {
        let sort = place_of(&row).1;
        let log = sort.match_indices('#').nth(3).map_or(sort.as_str(), |(at, _)| &sort[..=at]);
        by_editor.entry(log.to_owned()).or_default().push(row);
    }
    by_editor
}
