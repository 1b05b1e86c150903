//! A large update as several, for peers that send all that they have in one.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use error::{Error, Result};

use crate::{
    merge::{Part, number, written},
    wire::{Id, Item, Reader, Struct, read, state_vector},
};

/// Most bytes of the head of an item: what it is, and three ids or a name.
const HEAD: usize = 64;
/// Most bytes of a range.
const RANGE: usize = 10;

/// Divides an update into ones of at most `limit` bytes that do the same in this order: none of them
/// lacks what a later one has, unless the update itself is circular. Deletions come last. A value
/// that cannot be divided may have up to `most` bytes, and an update of its own.
///
/// # Errors
/// INVALID_ARGUMENT, when it cannot be read; RESOURCE_EXHAUSTED, when a value is larger than `most`.
pub fn split(update: &[u8], limit: usize, most: usize) -> Result<Vec<Vec<u8>>> {
    if update.len() <= limit {
        return Ok(vec![update.to_vec()]);
    }
    let unreadable = |_| Error::invalid("The update cannot be read.");
    let read = read(update, update.len()).map_err(unreadable)?;
    let cursors = read.sections.iter().map(|section| {
        let (client, clock, left) = (section.client, section.clock, section.count);
        Cursor { client, clock, left, reader: Reader::new(section.bytes), waits: false }
    });
    let mut sections = Sections { cursors: cursors.collect(), index: BTreeMap::new() };
    sections.index =
        sections.cursors.iter().enumerate().map(|(at, cursor)| (cursor.client, at)).collect();
    let mut parts = Parts { limit, most, ..Parts::default() };
    for at in 0..sections.cursors.len() {
        sections.write(at, &mut parts).map_err(|error| match error {
            Failure::Unreadable(error) => unreadable(error),
            Failure::TooLarge => {
                Error::exhausted(format!("A value must not be larger than {most} bytes."))
            }
        })?;
    }
    parts.end();
    for (client, from, to) in read.deletions {
        parts.delete(client, from, to);
    }
    parts.end();
    Ok(parts.done)
}

/// The clients of a state vector.
///
/// # Errors
/// INVALID_ARGUMENT, when it cannot be read.
pub fn clients_in(vector: &[u8]) -> Result<BTreeSet<u64>> {
    let clocks = state_vector(vector);
    let clocks = clocks.map_err(|_| Error::invalid("The state vector cannot be read."))?;
    Ok(clocks.into_iter().map(|(client, _)| client).collect())
}

/// A state vector with the structs of an update that follow those it has.
///
/// # Errors
/// INVALID_ARGUMENT, when one of them cannot be read.
pub fn extended(vector: &[u8], update: &[u8]) -> Result<Vec<u8>> {
    let unreadable = |_| Error::invalid("The update cannot be read.");
    let mut clocks: BTreeMap<u64, u32> =
        state_vector(vector).map_err(unreadable)?.into_iter().collect();
    for section in read(update, update.len()).map_err(unreadable)?.sections {
        let (mut clock, mut reader) = (section.clock, Reader::new(section.bytes));
        let known = clocks.entry(section.client).or_default();
        for _ in 0..section.count {
            let (len, what) = reader.structure().map_err(unreadable)?;
            if clock > *known {
                break;
            }
            clock += len;
            *known = if matches!(what, Struct::Gap) { *known } else { clock.max(*known) };
        }
    }
    clocks.retain(|_, clock| *clock > 0);
    let mut extended = vec![];
    number(&mut extended, clocks.len() as u64);
    for (client, clock) in clocks {
        number(&mut extended, client);
        number(&mut extended, clock.into());
    }
    Ok(extended)
}

enum Failure {
    Unreadable(&'static str),
    TooLarge,
}

impl From<&'static str> for Failure {
    fn from(error: &'static str) -> Self {
        Self::Unreadable(error)
    }
}

/// The structs of a client that are not written yet.
struct Cursor<'a> {
    client: u64,
    clock: u32,
    left: usize,
    reader: Reader<'a>,
    /// Whether its next struct waits for those of others.
    waits: bool,
}

struct Sections<'a> {
    cursors: Vec<Cursor<'a>>,
    index: BTreeMap<u64, usize>,
}

impl Sections<'_> {
    /// Writes all structs of a section, each after what it refers to.
    fn write(&mut self, at: usize, parts: &mut Parts) -> Result<(), Failure> {
        let mut stack = vec![(at, u32::MAX)];
        while let Some(&(at, until)) = stack.last() {
            let cursor = &self.cursors[at];
            if cursor.left == 0 || cursor.clock >= until {
                self.cursors[at].waits = false;
                stack.pop();
                continue;
            }
            let mut reader = cursor.reader.clone();
            let (len, what) = reader.structure()?;
            let needed = match &what {
                Struct::Item(item) => item.needs().find_map(|id| self.unwritten(id)),
                Struct::Gap | Struct::Gone => None,
            };
            if let Some(needed) = needed {
                self.cursors[at].waits = true;
                stack.push(needed);
                continue;
            }
            let cursor = &mut self.cursors[at];
            let bytes = &cursor.reader.left[..cursor.reader.left.len() - reader.left.len()];
            let id = Id { client: cursor.client, clock: cursor.clock };
            match &what {
                Struct::Gap => parts.skip(id, len),
                Struct::Item(item) if bytes.len() > parts.space() => {
                    parts.divide(id, item, bytes)?;
                }
                Struct::Item(_) | Struct::Gone => parts.push(id, bytes),
            }
            cursor.clock += len;
            cursor.left -= 1;
            cursor.reader = reader;
        }
        Ok(())
    }

    /// The section to write first, and up to which clock.
    fn unwritten(&self, id: Id) -> Option<(usize, u32)> {
        let at = *self.index.get(&id.client)?;
        let cursor = &self.cursors[at];
        let is_later = cursor.left > 0 && cursor.clock <= id.clock && !cursor.waits;
        is_later.then_some((at, id.clock + 1))
    }
}

#[derive(Default)]
struct Parts {
    limit: usize,
    most: usize,
    done: Vec<Vec<u8>>,
    clients: BTreeMap<u64, Part>,
    /// Clocks of clients before their next struct that the update does not have.
    gaps: BTreeMap<u64, u32>,
    deletions: BTreeMap<u64, Vec<Range<u32>>>,
    size: usize,
}

impl Parts {
    /// Space for a struct in an empty part.
    fn space(&self) -> usize {
        self.limit.saturating_sub(HEAD)
    }

    fn reserve(&mut self, bytes: usize) {
        if self.size + bytes > self.space() {
            self.end();
        }
        self.size += bytes;
    }

    fn push(&mut self, id: Id, bytes: &[u8]) {
        // A new client takes at most as much as two ranges, and so does a gap.
        self.reserve(bytes.len() + 2 * RANGE);
        let gap = self.gaps.remove(&id.client);
        let new = || Part { start: id.clock, count: 0, bytes: vec![] };
        let part = self.clients.entry(id.client).or_insert_with(new);
        if let Some(gap) = gap {
            part.bytes.push(10);
            number(&mut part.bytes, gap.into());
            part.count += 1;
        }
        part.bytes.extend_from_slice(bytes);
        part.count += 1;
    }

    fn skip(&mut self, id: Id, len: u32) {
        if self.clients.contains_key(&id.client) {
            *self.gaps.entry(id.client).or_default() += len;
        }
    }

    /// Writes text or values as several items, each after the one before it, as Yjs divides them.
    fn divide(&mut self, id: Id, item: &Item<'_>, whole: &[u8]) -> Result<(), Failure> {
        let (mut id, mut origin) = (id, item.origin);
        let size = self.space().saturating_sub(3 * HEAD);
        // The key of a map has one value.
        let pieces = if item.info & 0x20 == 0 { item.pieces(size) } else { None };
        let Some(pieces) = pieces else { return self.push_alone(id, whole) };
        for (content, len) in pieces {
            let is_beside = origin.is_some() || item.right_origin.is_some();
            let first = if origin.is_some() { 0x80 } else { 0 };
            let mut bytes = vec![item.info & 0x7f | first];
            for id in [origin, item.right_origin].into_iter().flatten() {
                number(&mut bytes, id.client);
                number(&mut bytes, id.clock.into());
            }
            if !is_beside {
                bytes.extend_from_slice(item.place);
            }
            bytes.extend_from_slice(&content);
            match bytes.len() > self.space() {
                true => self.push_alone(id, &bytes)?,
                false => self.push(id, &bytes),
            }
            id.clock += len;
            origin = Some(Id { clock: id.clock - 1, ..id });
        }
        Ok(())
    }

    /// Writes what cannot be divided.
    fn push_alone(&mut self, id: Id, bytes: &[u8]) -> Result<(), Failure> {
        if bytes.len() > self.most {
            return Err(Failure::TooLarge);
        }
        self.push(id, bytes);
        Ok(())
    }

    fn delete(&mut self, client: u64, from: u32, to: u32) {
        self.reserve(2 * RANGE);
        self.deletions.entry(client).or_default().push(from..to);
    }

    /// Ends a part.
    fn end(&mut self) {
        self.size = 0;
        self.gaps.clear();
        let clients = std::mem::take(&mut self.clients);
        let deletions = std::mem::take(&mut self.deletions);
        if !clients.is_empty() || !deletions.is_empty() {
            self.done.push(written(clients, deletions));
        }
    }
}

#[cfg(test)]
mod tests {
    use yrs::{
        Any, Array, ClientID, Doc, GetString, Map, OffsetKind, Options, ReadTxn, StateVector, Text,
        Transact, Update,
        updates::{decoder::Decode, encoder::Encode},
    };

    use super::{extended, split};
    use crate::check_update;

    fn doc(client: u64) -> Doc {
        let client_id = ClientID::new(client);
        let offset_kind = OffsetKind::Utf16;
        Doc::with_options(Options { client_id, offset_kind, ..Options::default() })
    }

    fn apply(doc: &Doc, update: &[u8]) {
        doc.transact_mut().apply_update(Update::decode_v1(update).unwrap()).unwrap();
    }

    fn whole(doc: &Doc) -> Vec<u8> {
        doc.transact().encode_state_as_update_v1(&StateVector::default())
    }

    /// Applies the parts one after the other; none lacks a later one.
    fn applied(update: &[u8], limit: usize) -> Doc {
        let parts = split(update, limit, limit).unwrap();
        assert!(parts.len() >= update.len() / limit, "{}", parts.len());
        let doc = doc(99);
        for part in parts {
            assert!(part.len() <= limit && check_update(&part).is_ok(), "{}", part.len());
            apply(&doc, &part);
            assert!(!doc.transact().has_missing_updates());
        }
        doc
    }

    #[test]
    fn parts_of_a_document_of_many_peers_do_the_same_in_their_order() {
        let peers = [3, 1, 2].map(doc);
        for round in 0..40_u32 {
            for (n, peer) in peers.iter().enumerate() {
                let text = peer.get_or_insert_text("content");
                let map = peer.get_or_insert_map("map");
                let mut txn = peer.transact_mut();
                let length = text.len(&txn);
                let at = (round * 7 + n as u32) % (length + 1);
                text.insert(&mut txn, at, "some words");
                if round % 5 == 0 {
                    text.remove_range(&mut txn, length / 2, 1);
                }
                map.insert(&mut txn, format!("key {}", round % 3), round);
            }
            for peer in &peers {
                peers.iter().for_each(|other| apply(peer, &whole(other)));
            }
        }
        let update = whole(&peers[0]);
        for limit in [300, 1000] {
            assert_eq!(whole(&applied(&update, limit)), update, "{limit}");
        }
        assert_eq!(split(&update, update.len(), 0).unwrap(), [update]);
    }

    #[test]
    fn long_text_and_lists_are_divided_as_yjs_divides_them() {
        let peer = doc(1);
        let (text, list) = (peer.get_or_insert_text("content"), peer.get_or_insert_array("list"));
        text.insert(&mut peer.transact_mut(), 0, "[]");
        text.insert(&mut peer.transact_mut(), 1, &"a\u{1f600}\u{e9}".repeat(500));
        list.insert_range(&mut peer.transact_mut(), 0, (0..1000).map(Any::from));
        let update = whole(&peer);
        let other = applied(&update, 400);
        let copy = other.get_or_insert_text("content");
        assert_eq!(copy.get_string(&other.transact()), text.get_string(&peer.transact()));
        assert_eq!(other.transact().state_vector(), peer.transact().state_vector());
        // The library joins what belongs together.
        assert_eq!(whole(&other), update);
    }

    #[test]
    fn a_vector_is_extended_by_what_follows_it() {
        let peer = doc(7);
        let text = peer.get_or_insert_text("content");
        let vector = |doc: &Doc| doc.transact().state_vector().encode_v1();
        text.insert(&mut peer.transact_mut(), 0, "abc");
        let (first, before) = (whole(&peer), vector(&peer));
        text.insert(&mut peer.transact_mut(), 1, "def");
        let second = peer.transact().encode_diff_v1(&StateVector::decode_v1(&before).unwrap());
        assert_eq!(extended(&[0], &first).unwrap(), before);
        assert_eq!(extended(&before, &second).unwrap(), vector(&peer));
        assert_eq!(extended(&before, &first).unwrap(), before);
        assert_eq!(extended(&[0], &second).unwrap(), [0], "what is between is not there");
    }

    #[test]
    fn a_large_value_has_a_part_of_its_own() {
        let peer = doc(1);
        let (list, map) = (peer.get_or_insert_array("list"), peer.get_or_insert_map("map"));
        for letter in ["a", "b"] {
            let large = Any::from(letter.repeat(1000));
            list.insert_range(&mut peer.transact_mut(), 0, [Any::from(1), large, Any::from(2)]);
            map.insert(&mut peer.transact_mut(), "key", letter.repeat(900));
        }
        let (update, other) = (whole(&peer), doc(2));
        let parts = split(&update, 400, 1100).unwrap();
        assert!(parts.len() > 3 && parts.iter().all(|part| part.len() < 1200), "{}", parts.len());
        for part in parts {
            apply(&other, &part);
            assert!(!other.transact().has_missing_updates());
        }
        assert_eq!(whole(&other), update);
    }

    #[test]
    fn what_cannot_be_divided_or_read_is_refused() {
        let peer = doc(1);
        let map = peer.get_or_insert_map("map");
        map.insert(&mut peer.transact_mut(), "key", "a".repeat(1000));
        assert_eq!(
            split(&whole(&peer), 400, 400).unwrap_err().status.as_str(),
            "RESOURCE_EXHAUSTED"
        );
        for garbage in [vec![255; 1000], vec![1; 1000], [whole(&peer), vec![0]].concat()] {
            assert_eq!(split(&garbage, 400, 400).unwrap_err().status.as_str(), "INVALID_ARGUMENT");
        }
    }
}
