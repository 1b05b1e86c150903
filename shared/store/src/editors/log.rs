//! The log of an editor: one entry for each accepted write, in one or more rows.

use std::collections::BTreeMap;

use aws::{Item, Query, Value, Write};
use error::{Error, Result};
use model::{EditorId, Millis, UserId, editor::VersionKind};
use tenancy::{
    layout::{Table, item, pack},
    scopes::place_of,
    writing::new_id,
};

use super::{
    EditorStore,
    bounds::{MAX_PACKED, MAX_ROWS},
    bytes,
    edits::{EditId, Edits, Reverts},
    head::{FOOTPRINT, Head},
    n, part_of, text, user,
};

const DATA: &str = "data";
pub(super) const PARTS: &str = "parts";
pub(super) const BY: &str = "by";
/// Stored size of an entry, in its first row.
pub(super) const SIZE: &str = "size";
/// Unpacked size of an entry, in its first row.
pub(super) const UNPACKED: &str = "unpacked";
const ASIDE: &str = "aside";
/// The kind of an entry, in its first row, unless it is an edit.
const KIND: &str = "kind";
/// The edits that an entry takes back: user, and first and last time.
const REVERTS: &str = "reverts";

/// Maximum size of put-aside updates in one entry.
const ASIDE_BYTES: usize = 2 * 1024 * 1024;

/// Rows of logs, in the order of their sort keys.
pub(super) struct Rows {
    pub(super) items: Vec<Item>,
    /// Whether the read was incomplete.
    pub(super) more: bool,
}

/// An accepted write, or updates put aside because of missing dependencies.
#[derive(Debug)]
pub(super) struct LogEntry {
    pub(super) id: EditId,
    pub(super) by: Option<UserId>,
    pub(super) kind: VersionKind,
    pub(super) reverts: Option<Reverts>,
    pub(super) rows: Vec<String>,
    /// Number of updates.
    pub(super) updates: usize,
    pub(super) is_aside: bool,
}

impl LogEntry {
    /// Whether a merge leaves it where it is, because all of it waits. Its updates begin at `from`.
    pub(super) fn stays(&self, from: usize, waiting: &BTreeMap<usize, usize>) -> bool {
        self.is_aside && waiting.range(from..from + self.updates).count() == self.updates
    }
}

/// An update that is put aside.
pub(super) struct PutAside {
    pub(super) update: Vec<u8>,
    pub(super) footprint: usize,
}

/// The log of one epoch.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) updates: Vec<Vec<u8>>,
    /// Transport of `updates`.
    pub(super) entries: Vec<LogEntry>,
    /// The sort keys of orphaned rows, with their write times.
    pub(super) stray: Vec<(String, Millis)>,
    /// Numbers of entries and bytes, and memory, without put-aside updates.
    pub(super) count: usize,
    pub(super) bytes: usize,
    pub(super) footprint: usize,
    /// Whether there is more behind the unpacked part.
    pub(super) more: bool,
    /// Time and author of the newest entry.
    pub(super) newest: Option<(Millis, Option<UserId>)>,
}

/// The rows of one entry. Without the first one, the others are nothing: they are written before it.
#[derive(Default)]
pub(super) struct Entry {
    /// None without updates.
    pub(super) id: Option<EditId>,
    pub(super) first: Option<Write>,
    pub(super) others: Vec<Item>,
}

/// Concatenated updates, each behind its length.
fn join(updates: &[Vec<u8>]) -> Result<Vec<u8>> {
    let mut joined = Vec::new();
    for update in updates {
        let len = u32::try_from(update.len()).map_err(Error::internal)?;
        joined.extend_from_slice(&len.to_be_bytes());
        joined.extend_from_slice(update);
    }
    Ok(joined)
}

fn split(mut joined: &[u8]) -> Result<Vec<Vec<u8>>> {
    let broken = || Error::internal("an entry of a log ends too early");
    let mut updates = Vec::new();
    while let Some((len, rest)) = joined.split_first_chunk::<4>() {
        let len = usize::try_from(u32::from_be_bytes(*len)).map_err(Error::internal)?;
        let (update, rest) = rest.split_at_checked(len).ok_or_else(broken)?;
        updates.push(update.to_vec());
        joined = rest;
    }
    if joined.is_empty() { Ok(updates) } else { Err(broken()) }
}

impl EditorStore {
    /// The rows that store one entry with that time.
    pub(super) fn entry(
        &self,
        editor: &EditorId,
        epoch: &str,
        Edits { updates, footprint, kind, reverts, .. }: &Edits,
        by: Option<&UserId>,
        now: Millis,
    ) -> Result<Entry> {
        if updates.is_empty() {
            return Ok(Entry::default());
        }
        let id = new_id(now)?;
        let place = self.rows_key("log", editor).and("epoch", epoch).and("update", &id);
        let joined = join(updates)?;
        let packed = pack::pack(&joined)?;
        let noun = format!("The update of editor {editor}");
        let parts: Vec<&[u8]> = pack::parts(&noun, &packed)?.collect();
        let count = parts.len() as u64;
        let row = |(at, part): (usize, &[u8])| {
            let mut row = self.key(&place.and("part", &format!("{at:02}")));
            row.insert(DATA.to_owned(), Value::B(aws::Blob::new(part)));
            row.insert(PARTS.to_owned(), n(count));
            if at == 0 {
                row.insert(SIZE.to_owned(), n(packed.len() as u64));
                row.insert(UNPACKED.to_owned(), n(joined.len() as u64));
                row.insert(FOOTPRINT.to_owned(), n(*footprint as u64));
                if *kind != VersionKind::Edited {
                    row.insert(KIND.to_owned(), Value::S(kind.as_str().to_owned()));
                }
                if let Some(Reverts { user, from, to }) = reverts {
                    row.insert(REVERTS.to_owned(), Value::S(format!("{user},{from},{to}")));
                }
            }
            row.insert(item::WRITTEN.to_owned(), n(now));
            if let Some(user) = by {
                row.insert(BY.to_owned(), Value::S(user.as_str().to_owned()));
            }
            row
        };
        let mut rows = parts.into_iter().enumerate().map(row);
        let first = |item| Write::Put { table: Table::Crdt.name(), item, condition: None };
        let id = Some(EditId::of_row(&id)?);
        Ok(Entry { id, first: rows.next().map(first), others: rows.collect() })
    }

    /// The updates of one entry, by its key; none when it was merged since.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn updates_of(&self, editor: &EditorId, entry: &str) -> Result<Vec<Vec<u8>>> {
        // The key is from a message: it has to belong to this editor.
        if !entry.starts_with(&self.rows_key("log", editor).prefix()) {
            return Err(Error::internal("an entry of another editor"));
        }
        let rows = self.rows(self.under(format!("{entry}#part#"), vec![])).await?.items;
        if rows.first().and_then(|row| item::number(row, PARTS)) != Some(rows.len() as u64) {
            return Ok(vec![]);
        }
        let packed = rows.iter().filter_map(|row| bytes(row, DATA)).flatten().copied();
        split(&pack::unpack(&packed.collect::<Vec<u8>>())?)
    }

    /// The rows of updates that are put aside.
    pub(super) fn aside(&self, head: &Head, updates: Vec<PutAside>) -> Result<Vec<Item>> {
        let mut entries: Vec<Edits> = Vec::new();
        for PutAside { update, footprint } in updates {
            match entries.last_mut() {
                Some(last) if last.bytes() + update.len() <= ASIDE_BYTES => {
                    last.updates.push(update);
                    last.footprint += footprint;
                }
                _ => entries.push(Edits { updates: vec![update], footprint, ..Edits::default() }),
            }
        }
        let now = self.db().clock().now();
        let mut rows = Vec::new();
        for entry in entries {
            let Entry { first, others, .. } =
                self.entry(&head.id, &head.epoch, &entry, None, now)?;
            if let Some(Write::Put { mut item, .. }) = first {
                item.insert(ASIDE.to_owned(), Value::Bool(true));
                rows.push(item);
            }
            rows.extend(others);
        }
        Ok(rows)
    }

    /// Rows of logs, in the order of their sort keys.
    pub(super) async fn rows(&self, mut query: Query) -> Result<Rows> {
        let (mut items, mut size) = (Vec::new(), 0);
        loop {
            let found = self.db().query(query.clone()).await?;
            size += found.items.iter().map(item::size).sum::<usize>();
            items.extend(found.items);
            match found.next {
                None => return Ok(Rows { items, more: false }),
                Some(_) if items.len() >= MAX_ROWS || size >= MAX_PACKED => {
                    return Ok(Rows { items, more: true });
                }
                next => query.start = next,
            }
        }
    }
}

impl Log {
    /// Reads rows of one editor. An entry with a missing row was being written or removed during
    /// the read: in the first case it is not accepted yet, in the second it is in the snapshot.
    /// Stops when `memory` is used up.
    pub(super) fn read(
        rows: &[Item],
        epoch: &str,
        is_whole: bool,
        memory: &mut usize,
    ) -> Result<Self> {
        let mut log = Self::default();
        let mut from = 0;
        while from < rows.len() {
            let sort = place_of(&rows[from]).1;
            let entry = sort.rsplit_once("#part#").map_or(sort.as_str(), |(entry, _)| entry);
            let is_of = |row: &&Item| {
                let sort = place_of(row).1;
                sort.strip_prefix(entry).is_some_and(|rest| rest.starts_with("#part#"))
            };
            let len = rows[from..].iter().take_while(is_of).count().max(1);
            let own = &rows[from..from + len];
            from += len;
            let count = item::number(&own[0], PARTS).unwrap_or(1);
            let is_current = part_of(&sort, "epoch") == Some(epoch);
            if is_current && len as u64 == count {
                *memory = memory.saturating_sub(log.add(own)?);
            } else if is_whole || from < rows.len() {
                let at = |row: &Item| item::number(row, item::WRITTEN).unwrap_or(Millis::MAX);
                log.stray.extend(own.iter().map(|row| (place_of(row).1, at(row))));
            }
            if *memory == 0 && from < rows.len() {
                log.more = true;
                break;
            }
        }
        Ok(log)
    }

    /// Each entry with its updates, and the position of the first of them.
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, &LogEntry, &[Vec<u8>])> {
        let mut from = 0;
        self.entries.iter().map(move |entry| {
            let at = from;
            from += entry.updates;
            (at, entry, &self.updates[at..from])
        })
    }

    /// The users of its entries.
    pub(super) fn users(&self) -> impl Iterator<Item = &UserId> {
        self.entries.iter().filter_map(|entry| entry.by.as_ref())
    }

    /// Returns the memory of the updates.
    fn add(&mut self, rows: &[Item]) -> Result<usize> {
        let packed: Vec<u8> =
            rows.iter().filter_map(|row| bytes(row, DATA)).flatten().copied().collect();
        let joined = pack::unpack(&packed)?;
        let updates = split(&joined)?;
        let footprint =
            item::number(&rows[0], FOOTPRINT).and_then(|bytes| usize::try_from(bytes).ok());
        let footprint = footprint.unwrap_or(0).max(joined.len());
        let is_aside = rows[0].contains_key(ASIDE);
        let by = user(&rows[0], BY)?;
        let ulid = place_of(&rows[0]).1;
        self.entries.push(LogEntry {
            id: EditId::of_row(part_of(&ulid, "update").unwrap_or_default())?,
            by: by.clone(),
            reverts: reverts(&rows[0]),
            kind: text(&rows[0], KIND)
                .and_then(|kind| VersionKind::parse(&kind))
                .unwrap_or_default(),
            rows: rows.iter().map(|row| place_of(row).1).collect(),
            updates: updates.len(),
            is_aside,
        });
        self.updates.extend(updates);
        if is_aside {
            return Ok(footprint);
        }
        self.count += 1;
        self.bytes += joined.len();
        self.footprint += footprint;
        let at = item::number(&rows[0], item::WRITTEN).unwrap_or(0);
        if self.newest.as_ref().is_none_or(|(newest, _)| *newest <= at) {
            self.newest = Some((at, by));
        }
        Ok(footprint)
    }
}

/// The edits that an entry takes back.
fn reverts(first: &Item) -> Option<Reverts> {
    let text = text(first, REVERTS)?;
    let mut numbers = text.split(',').map(|number| number.parse().ok());
    let mut next = || numbers.next().flatten();
    Some(Reverts { user: next()?, from: next()?, to: next()? })
}

#[cfg(test)]
mod tests {
    use super::{join, split};

    #[test]
    fn updates_come_back_as_they_were() {
        for updates in [vec![], vec![vec![]], vec![vec![1, 2], vec![], vec![3; 70_000]]] {
            assert_eq!(split(&join(&updates).unwrap()).unwrap(), updates);
        }
        assert!(split(&[0, 0, 0, 2, 1]).is_err() && split(&[0]).is_err());
    }
}
