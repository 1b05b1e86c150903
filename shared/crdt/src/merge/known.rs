//! The structs that a document has, as far as the place of new items depends on them.

use std::collections::HashMap;

use yrs::IdSet;

use crate::wire::Id;

/// The content at a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Collected content. Items beside it or in it are collected, too.
    Gone,
    Item(KnownItem),
}

/// An item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownItem {
    /// The type that it is in.
    pub(super) parent: Type,
    /// Whether it is under a key of a map, and not in a sequence.
    pub(super) has_key: bool,
    /// The type that it is.
    pub(super) is: Option<Type>,
}

/// A shared type. All roots are one, as none of them is ever deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Type(u32);

/// Everything up to a clock of each client, without gaps.
#[derive(Debug)]
pub(crate) struct Known {
    /// By client: each range is what it is up to its end.
    clients: HashMap<u64, Vec<(u32, What)>>,
    /// Whether a type was deleted, and what is in it collected.
    is_deleted: Vec<bool>,
}

impl Default for Known {
    fn default() -> Self {
        Self { clients: HashMap::new(), is_deleted: vec![false] }
    }
}

impl Known {
    /// The first clock of `client` that is not known.
    pub(super) fn clock(&self, client: u64) -> u32 {
        self.clients.get(&client).and_then(|ranges| ranges.last()).map_or(0, |(end, _)| *end)
    }

    pub(super) fn at(&self, id: Id) -> Option<What> {
        let ranges = self.clients.get(&id.client)?;
        let at = ranges.partition_point(|(end, _)| *end <= id.clock);
        ranges.get(at).map(|(_, what)| match what {
            What::Item(place) if self.is_deleted(place.parent) => What::Gone,
            what => *what,
        })
    }

    /// The type at `id`, if there is one.
    pub(super) fn type_at(&self, id: Id) -> Option<Type> {
        match self.at(id)? {
            What::Item(place) => place.is.filter(|is| !self.is_deleted(*is)),
            What::Gone => None,
        }
    }

    /// A new type.
    pub(super) fn new_type(&mut self) -> Type {
        self.is_deleted.push(false);
        Type(u32::try_from(self.is_deleted.len() - 1).unwrap_or_default())
    }

    fn is_deleted(&self, of: Type) -> bool {
        self.is_deleted[of.0 as usize]
    }

    /// Adds what follows for `client`, up to `end`.
    pub(super) fn add(&mut self, client: u64, end: u32, what: What) {
        let ranges = self.clients.entry(client).or_default();
        match ranges.last_mut() {
            Some(last) if last.1 == what => last.0 = end,
            _ => ranges.push((end, what)),
        }
    }

    /// Takes notice of deletions: what is in a deleted type is collected.
    pub(crate) fn delete(&mut self, deleted: &IdSet) {
        for (client, ranges) in deleted.iter() {
            let Some(known) = self.clients.get(&client.get()) else { continue };
            for range in ranges.iter() {
                let first = known.partition_point(|(end, _)| *end <= range.start);
                let start = |at: usize| if at == 0 { 0 } else { known[at - 1].0 };
                for at in (first..known.len()).take_while(|at| start(*at) < range.end) {
                    if let What::Item(KnownItem { is: Some(is), .. }) = known[at].1 {
                        self.is_deleted[is.0 as usize] = true;
                    }
                }
            }
        }
    }

    #[cfg(test)]
    pub(super) fn clocks(&self) -> Vec<(u64, u32)> {
        let mut clocks: Vec<_> =
            self.clients.keys().map(|client| (*client, self.clock(*client))).collect();
        clocks.sort_unstable();
        clocks
    }
}
