//! Rows of merged entries: written before the head names their snapshot, never changed.

use std::collections::VecDeque;

use aws::{Item, Query, Value};
use error::{Error, Result};
use tenancy::{
    layout::{EXPIRES, Key, item, pack},
    scopes::place_of,
};

use super::RETENTION;
use crate::editors::{
    EditorStore,
    bounds::MIB,
    bytes,
    edits::{PastEdit, decode, encode},
    head::Head,
    log::PARTS,
    n, part_of, text,
};

const DATA: &str = "data";
/// The snapshot before, in the first row; absent of the first one of an editor.
const AFTER: &str = "after";

/// Entries are packed together up to this size.
const GROUP: usize = 4 * MIB;
/// Rows in one read.
const ROWS_AT_ONCE: i32 = 20;

/// The entries that one compaction merged.
pub(super) struct Merged {
    /// The snapshot that it made.
    pub(super) version: String,
    /// In the order of the log.
    pub(super) edits: Vec<PastEdit>,
}

/// A way through merged entries, from a snapshot to those before it.
pub(super) struct Back {
    /// The snapshot whose entries come next; none at the first content of the editor.
    pub(super) snapshot: Option<String>,
    /// Rows that were read, the newest first.
    rows: VecDeque<Item>,
    /// None after the last read.
    query: Option<Query>,
    /// Size of the rows that were read, and of the entries in them, in bytes.
    pub(super) stored: usize,
    pub(super) unpacked: usize,
}

/// Groups of packed entries, each behind its length.
fn joined(edits: &[PastEdit]) -> Result<Vec<u8>> {
    let (mut joined, mut from, mut size) = (Vec::new(), 0, 0);
    let mut close = |group: &[PastEdit]| -> Result<()> {
        let packed = pack::pack(&encode(group))?;
        let len = u32::try_from(packed.len()).map_err(Error::internal)?;
        joined.extend_from_slice(&len.to_be_bytes());
        joined.extend_from_slice(&packed);
        Ok(())
    };
    for (at, edit) in edits.iter().enumerate() {
        let own: usize = edit.updates.iter().map(Vec::len).sum();
        if size + own > GROUP && at > from {
            close(&edits[from..at])?;
            (from, size) = (at, 0);
        }
        size += own;
    }
    close(&edits[from..])?;
    Ok(joined)
}

/// The entries, and their unpacked size.
fn split(mut joined: &[u8]) -> Result<(Vec<PastEdit>, usize)> {
    let broken = || Error::internal("merged entries end too early");
    let (mut edits, mut size) = (Vec::new(), 0);
    while let Some((len, rest)) = joined.split_first_chunk::<4>() {
        let len = usize::try_from(u32::from_be_bytes(*len)).map_err(Error::internal)?;
        let (packed, rest) = rest.split_at_checked(len).ok_or_else(broken)?;
        let group = pack::unpack(packed)?;
        size += group.len();
        edits.extend(decode(&group)?);
        joined = rest;
    }
    if joined.is_empty() { Ok((edits, size)) } else { Err(broken()) }
}

impl EditorStore {
    fn history_key(&self, head: &Head) -> Key {
        self.rows_key("history", &head.id).and("epoch", &head.epoch)
    }

    /// The rows that keep what was merged into a snapshot.
    pub(in crate::editors) fn merged_rows(
        &self,
        head: &Head,
        version: &str,
        edits: &[PastEdit],
    ) -> Result<Vec<Item>> {
        let now = self.db().clock().now();
        let (joined, place) = (joined(edits)?, self.history_key(head).and("version", version));
        let parts: Vec<&[u8]> = joined.chunks(pack::PART_BYTES).collect();
        let count = parts.len() as u64;
        let row = |(at, part): (usize, &&[u8])| {
            let mut row = self.key(&place.and("part", &format!("{at:02}")));
            row.insert(DATA.to_owned(), Value::B(aws::Blob::new(*part)));
            if at == 0 {
                row.insert(PARTS.to_owned(), n(count));
                let after = head.snapshot.as_ref().map(|before| Value::S(before.version.clone()));
                row.extend(after.map(|before| (AFTER.to_owned(), before)));
            }
            row.insert(EXPIRES.to_owned(), n((now + RETENTION) / 1000));
            row.insert(item::WRITTEN.to_owned(), n(now));
            row
        };
        Ok(parts.iter().enumerate().map(row).collect())
    }

    /// The way back from a snapshot.
    pub(super) fn back_from(&self, head: &Head, snapshot: Option<String>) -> Back {
        let key = self.history_key(head);
        let query = snapshot.as_ref().map(|version| {
            let (first, last) = (key.prefix(), key.and("version", version).prefix());
            let between = Some((item::SK, first.clone(), format!("{last}{}", char::MAX)));
            let query = self.under(first, vec![]);
            Query { prefix: None, between, ascending: false, limit: ROWS_AT_ONCE, ..query }
        });
        Back { snapshot, rows: VecDeque::new(), query, stored: 0, unpacked: 0 }
    }

    /// The entries that were merged into the snapshot at which the way has arrived; none when they
    /// are not kept.
    pub(super) async fn merged(&self, back: &mut Back) -> Result<Option<Merged>> {
        let Some(version) = back.snapshot.clone() else { return Ok(None) };
        // The last one comes first.
        let mut parts: Vec<Item> = Vec::new();
        loop {
            while let Some(row) = back.rows.pop_front() {
                let sort = place_of(&row).1;
                let of = part_of(&sort, "version").unwrap_or_default();
                // The compaction that wrote it did not win.
                if of > version.as_str() {
                    continue;
                }
                let is_kept = item::number(&row, EXPIRES)
                    .is_some_and(|at| at * 1000 > self.db().clock().now());
                if of < version.as_str() || !is_kept {
                    back.rows.push_front(row);
                    return Ok(None);
                }
                let count = item::number(&row, PARTS);
                parts.push(row);
                if let Some(count) = count {
                    if parts.len() as u64 != count {
                        return Ok(None);
                    }
                    let data = parts.iter().rev().filter_map(|row| bytes(row, DATA));
                    let (edits, size) = split(&data.flatten().copied().collect::<Vec<u8>>())?;
                    back.unpacked += size;
                    back.snapshot = parts.last().and_then(|first| text(first, AFTER));
                    return Ok(Some(Merged { version, edits }));
                }
            }
            let Some(query) = back.query.take() else { return Ok(None) };
            let found = self.db().query(query.clone()).await?;
            back.stored += found.items.iter().map(item::size).sum::<usize>();
            back.query = found.next.map(|next| Query { start: Some(next), ..query });
            back.rows.extend(found.items);
        }
    }
}

#[cfg(test)]
mod tests {
    use model::editor::VersionKind;

    use super::{GROUP, PastEdit, joined, split};
    use crate::editors::EditId;

    fn edit(n: usize, len: usize) -> PastEdit {
        let id = EditId::parse(&format!("01KBM0Q5ZV{n:04}")).unwrap();
        PastEdit {
            id,
            user: 1,
            kind: VersionKind::Edited,
            reverts: None,
            updates: vec![vec![n as u8; len]],
        }
    }

    #[test]
    fn entries_come_back_in_their_order_however_large_they_are() {
        for edits in [
            vec![],
            vec![edit(1, 10)],
            (0..300).map(|n| edit(n, 30)).collect(),
            vec![edit(1, 10), edit(2, GROUP + 1), edit(3, GROUP - 1), edit(4, 1), edit(5, 2)],
        ] {
            let size: usize = edits.iter().map(|edit| edit.updates[0].len()).sum();
            let (read, unpacked) = split(&joined(&edits).unwrap()).unwrap();
            assert_eq!(read, edits);
            assert!((size..size + 100 + 20 * edits.len()).contains(&unpacked));
        }
        assert!(split(&[0, 0, 0, 2, 1]).is_err() && split(&[0]).is_err());
    }
}
