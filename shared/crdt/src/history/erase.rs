//! Erasing what one user wrote, so that no byte of it stays.
//!
//! Erased items keep their ids and places, as what others wrote is beside them, and their content
//! becomes `ContentDeleted`. As collected structs (`GC`) they would take with them what a peer who
//! is offline writes beside them.

use std::{collections::BTreeMap, ops::Range};

use error::{Error, Result};

use super::{
    Authors, IdRange,
    cut::{Cutter, Slice},
    emit::{self, Wanted},
    past::{now, set},
    revert::Revert,
    tree::Tree,
};
use crate::{
    State,
    guard::contain,
    merge::number,
    wire::{Id, Item, Reader, Struct, within},
};

/// Shared types have no content of their own.
const TYPE: u8 = 7;
/// Content that is deleted.
const DELETED: u8 = 1;

/// The erasure of the text of a user from a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// The update that deletes it, to store and to relay; empty, if there is none.
    pub update: Vec<u8>,
    /// Attributes of the user that stay, because they say what something is in which others wrote.
    pub kept: Vec<IdRange>,
}

/// Deletes everything that a user wrote in a document, and what the user made and others left
/// empty.
///
/// # Errors
/// INTERNAL, when the library fails.
pub fn erase(state: &State, authors: &Authors, user: &str) -> Result<Erasure> {
    let own = authors.of_user(user);
    let document = state.encode();
    contain(document.len(), || {
        let tree = Tree::of(&document, &own).map_err(Error::internal)?;
        let now = now(&tree);
        let then = Revert::all(&tree, &now, &own).erased();
        let own = set(&own);
        let is_kept = |node: &usize| {
            then[*node]
                && tree.nodes[*node].tag != TYPE
                && own.contains(&super::past::id_of(&tree, *node))
        };
        let kept = (0..now.len()).filter(is_kept).map(|node| tree.nodes[node].range()).collect();
        let client = state.client();
        let wanted = Wanted { now, then };
        let update = emit::update(&tree, &wanted, client, state.clock_of(client)).update;
        Ok(Erasure { update, kept })
    })
}

/// A stored update or snapshot without the content that a user wrote, except what is `kept`; none,
/// if there is nothing of it. Replayed, it makes what the erased document has.
///
/// # Errors
/// INTERNAL, when it cannot be read.
pub fn erased(
    update: &[u8],
    authors: &Authors,
    user: &str,
    kept: &[IdRange],
) -> Result<Option<Vec<u8>>> {
    let mut eraser = Eraser { authors, user, kept: by_client(kept), cutter: Cutter::default() };
    eraser.update(update).map_err(Error::internal)
}

fn by_client(ranges: &[IdRange]) -> BTreeMap<u64, Vec<Range<u32>>> {
    let mut clients: BTreeMap<u64, Vec<Range<u32>>> = BTreeMap::new();
    for range in ranges {
        clients.entry(range.client).or_default().push(range.clock..range.end());
    }
    clients.values_mut().for_each(|ranges| ranges.sort_unstable_by_key(|range| range.start));
    clients
}

struct Eraser<'e> {
    authors: &'e Authors,
    user: &'e str,
    kept: BTreeMap<u64, Vec<Range<u32>>>,
    cutter: Cutter,
}

impl Eraser<'_> {
    fn update(&mut self, update: &[u8]) -> Result<Option<Vec<u8>>, &'static str> {
        let mut reader = Reader::new(update);
        let sections = reader.count()?;
        let mut written = Vec::new();
        number(&mut written, sections as u64);
        let mut is_changed = false;
        for _ in 0..sections {
            let count = reader.count()?;
            let (client, first) = (reader.client()?, reader.clock()?);
            let (mut clock, mut structs, mut bytes) = (first, 0_u64, Vec::new());
            for _ in 0..count {
                let before = reader.left;
                let (len, what) = reader.structure()?;
                let id = Id { client, clock };
                let parts = match &what {
                    Struct::Item(item) => self.parts(id, len, item),
                    Struct::Gap | Struct::Gone => None,
                };
                match (parts, &what) {
                    (Some(parts), Struct::Item(item)) => {
                        is_changed = true;
                        structs += parts.len() as u64;
                        self.write(&mut bytes, id, item, &parts);
                    }
                    _ => {
                        structs += 1;
                        bytes.extend_from_slice(&before[..before.len() - reader.left.len()]);
                    }
                }
                clock = within(clock, len)?;
            }
            number(&mut written, structs);
            number(&mut written, client);
            number(&mut written, u64::from(first));
            written.extend(bytes);
        }
        written.extend_from_slice(reader.left);
        Ok(is_changed.then_some(written))
    }

    /// The parts of an item, and whether each is to be erased; none, if nothing is.
    fn parts(&self, id: Id, len: u32, item: &Item<'_>) -> Option<Vec<(Range<u32>, bool)>> {
        if matches!(item.tag(), TYPE | DELETED) {
            return None;
        }
        let range = IdRange { client: id.client, clock: id.clock, length: len };
        let mut parts: Vec<(Range<u32>, bool)> = Vec::new();
        for (part, by) in self.authors.inserted(range) {
            let is_erased = by == Some(self.user) && !self.is_kept(&part);
            match parts.last_mut().filter(|(_, last)| *last == is_erased) {
                Some((last, _)) => last.end = part.end(),
                None => parts.push((part.clock..part.end(), is_erased)),
            }
        }
        parts.iter().any(|(_, is_erased)| *is_erased).then_some(parts)
    }

    /// Whether a part is kept: of attributes, which have one clock.
    fn is_kept(&self, part: &IdRange) -> bool {
        let Some(kept) = self.kept.get(&part.client) else { return false };
        let at = kept.partition_point(|range| range.end <= part.clock);
        kept.get(at).is_some_and(|range| range.start <= part.clock && part.end() <= range.end)
    }

    /// Writes an item in parts, each after the one before it, as Yjs divides them.
    fn write(
        &mut self,
        bytes: &mut Vec<u8>,
        id: Id,
        item: &Item<'_>,
        parts: &[(Range<u32>, bool)],
    ) {
        for (part, is_erased) in parts {
            let len = part.end - part.start;
            let slice =
                Slice { tag: item.tag(), item: item.content, offset: part.start - id.clock, len };
            let content = if *is_erased { None } else { self.cutter.content(slice) };
            // A pair of surrogates of two authors is of nobody.
            let content = content.filter(|content| content.len == len);
            let is_first = part.start == id.clock;
            let before = Some(Id { clock: part.start.saturating_sub(1), ..id });
            let origin = if is_first { item.origin } else { before };
            let tag = if content.is_some() { item.tag() } else { DELETED };
            let beside = if origin.is_some() { 0x80 } else { 0 };
            bytes.push(tag | beside | item.info & 0x60);
            for id in [origin, item.right_origin].into_iter().flatten() {
                number(bytes, id.client);
                number(bytes, u64::from(id.clock));
            }
            if origin.is_none() && item.right_origin.is_none() {
                bytes.extend_from_slice(item.place);
            }
            match content {
                Some(content) => content.write(bytes),
                None => number(bytes, u64::from(len)),
            }
        }
    }
}
