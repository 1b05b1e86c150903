//! Values as peers wrote them.
//!
//! The types of the library are coarser than those of Yjs: it has no BigInt and no negative zero,
//! and forgets the order of keys. The values that it writes are therefore put back as they were, so
//! that a peer that joins later has what was there, and two copies of one state are the same bytes.

use std::collections::BTreeMap;

use crate::wire::{Item, Reader, Struct};

/// The values that the library does not write back as they were, by their client and clock.
#[derive(Debug, Default)]
pub(crate) struct Originals(BTreeMap<(u64, u32), Box<[u8]>>);

impl Originals {
    /// The values of an update.
    pub(crate) fn of(update: &[u8]) -> Self {
        let mut originals = Self::default();
        rewrite(update, |client, clock, item| {
            originals.keep(client, clock, item);
            None
        });
        originals
    }

    /// Keeps the values of an item of `client` at `clock`. Of two at one clock the first counts, as
    /// everywhere.
    pub(crate) fn keep(&mut self, client: u64, clock: u32, item: &Item<'_>) {
        for (at, value) in values(item) {
            if !is_plain(item.tag(), value) {
                self.0.entry((client, clock + at)).or_insert_with(|| value.into());
            }
        }
    }

    /// An update of the library with the values as they were.
    pub(crate) fn restore(&self, update: Vec<u8>) -> Vec<u8> {
        if self.0.is_empty() { update } else { self.restored(&update).unwrap_or(update) }
    }

    fn restored(&self, update: &[u8]) -> Option<Vec<u8>> {
        rewrite(update, |client, clock, item| {
            let mut content: Vec<u8> = Vec::new();
            let mut done = 0;
            for (at, value) in values(item) {
                let Some(original) = self.0.get(&(client, clock + at)) else { continue };
                // Both are slices of the same bytes.
                let start = value.as_ptr() as usize - item.content.as_ptr() as usize;
                content.extend_from_slice(&item.content[done..start]);
                content.extend_from_slice(original);
                done = start + value.len();
            }
            (done > 0).then(|| [&content, &item.content[done..]].concat())
        })
    }
}

/// Changes the content of items of an update by their client and clock; none, if nothing changes.
pub(crate) fn rewrite(
    update: &[u8],
    mut change: impl FnMut(u64, u32, &Item<'_>) -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let mut reader = Reader::new(update);
    let mut written = Vec::new();
    // All before this is in `written`.
    let mut done = 0;
    for _ in 0..reader.count().ok()? {
        let count = reader.count().ok()?;
        let client = reader.client().ok()?;
        let mut clock = reader.clock().ok()?;
        for _ in 0..count {
            let (len, what) = reader.structure().ok()?;
            if let Struct::Item(item) = what
                && let Some(content) = change(client, clock, &item)
            {
                let end = update.len() - reader.left.len();
                written.extend_from_slice(&update[done..end - item.content.len()]);
                written.extend_from_slice(&content);
                done = end;
            }
            clock = clock.checked_add(len)?;
        }
    }
    written.extend_from_slice(&update[done..]);
    (done > 0).then_some(written)
}

/// The values of an item, each with the distance of its clock.
fn values<'a>(item: &Item<'a>) -> Vec<(u32, &'a [u8])> {
    match item.tag() {
        5 | 6 => vec![(0, item.content)],
        8 => {
            let mut reader = Reader::new(item.content);
            let Ok(count) = reader.count() else { return Vec::new() };
            let mut value = || {
                let before = reader.left;
                reader.any(0).ok()?;
                Some(&before[..before.len() - reader.left.len()])
            };
            (0..).zip((0..count).map_while(|_| value())).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the library writes back what it read.
fn is_plain(tag: u8, value: &[u8]) -> bool {
    if tag != 8 {
        // A format is a key and JSON, an embedded object is JSON.
        let json: &[u8] = match value.iter().rposition(|byte| *byte < 0x20) {
            Some(at) => &value[at + 1..],
            None => value,
        };
        return matches!(json, b"true" | b"false" | b"null" | b"{}");
    }
    match value {
        // An object or a list, unless it is empty, and a BigInt.
        [117 | 118, count, ..] => *count == 0,
        [122, ..] => false,
        // Negative zero.
        [125, number, ..] => *number != 0x40,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use yrs::{Any, Array, Doc, Map, MapRef, ReadTxn, StateVector, Transact};

    use super::rewrite;
    use crate::{State, without};

    /// A map of plain values, with `to` in the place of each `from`.
    fn update(values: &[(&str, Any)], from: &[u8], to: &[u8]) -> Vec<u8> {
        let doc = Doc::with_client_id(9);
        let map: MapRef = doc.get_or_insert_map("m");
        let list = doc.get_or_insert_array("l");
        let mut txn = doc.transact_mut();
        for (key, value) in values {
            map.insert(&mut txn, *key, value.clone());
        }
        list.insert_range(&mut txn, 0, values.iter().map(|(_, value)| value.clone()));
        drop(txn);
        let update = doc.transact().encode_diff_v1(&StateVector::default());
        rewrite(&update, |_, _, item| {
            let at = item.content.windows(from.len()).position(|part| part == from)?;
            Some([&item.content[..at], to, &item.content[at + from.len()..]].concat())
        })
        .expect("there is such a value")
    }

    fn assert_kept(update: &[u8]) {
        let state = State::load(1, None, [update]).expect("a document");
        let snapshot = state.encode();
        assert_eq!(snapshot, update, "a snapshot of one update says the same");
        assert_eq!(state.encode(), snapshot);
        let again = State::load(1, Some(&snapshot), []).expect("a document");
        assert_eq!(again.encode(), snapshot);
        assert_eq!(again.diff(&[0]).expect("readable"), snapshot);
        let others = without(update, &[1_u64].into()).expect("readable");
        assert_eq!(others, update);
    }

    #[test]
    fn values_come_back_as_they_were_written() {
        let big = [122, 0, 0, 0, 0, 0, 0, 0, 1];
        assert_kept(&update(&[("a", Any::from("?"))], &[119, 1, b'?'], &big));
        assert_kept(&update(&[("a", Any::from(0))], &[125, 0], &[125, 0x40]));
        let keys = b"\x76\x03\x01z\x7d\x01\x01b\x7d\x02\x01a\x7f";
        assert_kept(&update(&[("a", Any::from("?"))], &[119, 1, b'?'], keys));
        let nested = [&[117, 2, 119, 1, b'x'][..], &big].concat();
        assert_kept(&update(&[("a", Any::from("?"))], &[119, 1, b'?'], &nested));
    }
}
