//! A document with what was deleted from it.

use std::ops::Range;

use error::{Error, Result};
use model::Millis;
use yrs::{ID, IdSet};

use super::{
    Authors, Entry, IdRange,
    emit::{self, Wanted},
    revert,
    steps::Steps,
    tree::Tree,
};
use crate::{Replacement, State, guard::contain, wire::footprint};

/// Most memory of a snapshot and the entries behind it, in bytes: their [`footprint`]s.
pub const MAX_PAST_FOOTPRINT: usize = 64 * 1024 * 1024;

/// Memory of an entry and of an update beside what it consists of, in bytes.
const OVERHEAD: usize = 64;

/// A kept snapshot and all entries of the log behind it, up to now. A position in it is a number of
/// entries: 0 is the snapshot, and the number of all entries is now. Larger ones are now, too.
pub struct Past<'a> {
    pub(super) client: u32,
    pub(super) base: Option<&'a [u8]>,
    pub(super) entries: &'a [Entry],
    pub(super) authors: Authors,
    /// With the content of what is deleted.
    pub(super) state: State,
    pub(super) steps: Steps,
}

impl<'a> Past<'a> {
    /// Reads a snapshot, the authors at it, and the entries behind it in the order of the log.
    /// What is written back is by `client`, which is the service's.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED, when it is too much. INTERNAL, when bytes cannot be read: they were
    /// checked before they were stored.
    pub fn load(
        client: u32,
        base: Option<&'a [u8]>,
        mut authors: Authors,
        entries: &'a [Entry],
    ) -> Result<Self> {
        check_size(base, entries)?;
        for entry in entries {
            for update in &entry.updates {
                authors.take(update, entry.by.as_deref())?;
            }
        }
        let (state, steps) = uncollected(client, base, entries)?;
        Ok(Self { client, base, entries, authors, state, steps })
    }

    /// The authors now.
    pub fn authors(&self) -> &Authors {
        &self.authors
    }

    /// The position behind the last of the first entries that were written up to a time.
    pub fn until(&self, at: Millis) -> usize {
        self.entries.iter().take_while(|entry| entry.at <= at).count()
    }

    /// The document at a position.
    ///
    /// # Errors
    /// As of [`State::load`].
    pub fn version(&self, to: usize) -> Result<State> {
        let entries = &self.entries[..to.min(self.entries.len())];
        let updates = entries.iter().flat_map(|entry| &entry.updates).map(Vec::as_slice);
        State::load(self.client, self.base, updates)
    }

    /// The update that gives all content back as it was at a position. Empty, if nothing changed.
    ///
    /// Content that is still there stays; the rest is copied to where it was.
    ///
    /// # Errors
    /// INTERNAL, when the library fails.
    pub fn restore(&self, to: usize) -> Result<Replacement> {
        let (from, end) = (to.min(self.entries.len()), self.entries.len());
        let inserts = self.steps.inserts.between(from, end);
        let deletes = self.steps.deletes.between(from, end);
        let (inserted, deleted) = (set(inserts), set(deletes));
        self.in_tree(inserts.iter().chain(deletes), |tree, now| {
            let was_there = |node: usize| {
                let id = id_of(tree, node);
                !inserted.contains(&id) && (now[node] || deleted.contains(&id))
            };
            Wanted { then: (0..now.len()).map(was_there).collect(), now }
        })
    }

    /// The update that takes back what a user did in the entries of a range: what the user inserted
    /// goes, and what the user deleted comes back. What others wrote stays, and with it what it is
    /// in, even if that is the user's. A key has the value that the others last gave it.
    ///
    /// # Errors
    /// INTERNAL, when the library fails.
    pub fn revert(&self, user: &str, range: Range<usize>) -> Result<Replacement> {
        revert::update(self, user, range)
    }

    /// The update that `wanted` makes of the tree, with nodes cut at ranges, and which nodes are
    /// there now.
    pub(super) fn in_tree<'r>(
        &self,
        cuts: impl IntoIterator<Item = &'r IdRange> + Send,
        wanted: impl FnOnce(&Tree<'_>, Vec<bool>) -> Wanted + Send,
    ) -> Result<Replacement> {
        let document = self.state.encode();
        contain(document.len(), || {
            let tree = Tree::of(&document, cuts).map_err(Error::internal)?;
            let wanted = wanted(&tree, now(&tree));
            Ok(emit::update(&tree, &wanted, self.client, self.state.clock_of(self.client)))
        })
    }
}

/// By node: whether it is there.
pub(super) fn now(tree: &Tree<'_>) -> Vec<bool> {
    let deleted = set(&tree.deleted);
    let is_there = |at: usize| tree.nodes[at].list.is_some() && !deleted.contains(&id_of(tree, at));
    (0..tree.nodes.len()).map(is_there).collect()
}

/// The id of a node, for the sets of the library.
pub(super) fn id_of(tree: &Tree<'_>, node: usize) -> ID {
    let id = tree.nodes[node].id;
    ID::new(yrs::ClientID::new(id.client), id.clock)
}

/// Ranges as a set.
pub(super) fn set<'r>(ranges: impl IntoIterator<Item = &'r IdRange>) -> IdSet {
    let mut set = IdSet::new();
    for IdRange { client, clock, length } in ranges {
        set.insert(ID::new(yrs::ClientID::new(*client), *clock), *length);
    }
    set
}

/// A document with the content of what is deleted, and what the entries did.
pub(super) fn uncollected(
    client: u32,
    base: Option<&[u8]>,
    entries: &[Entry],
) -> Result<(State, Steps)> {
    let mut updates: Vec<&[u8]> = base.into_iter().collect();
    // By update: the entry from which it is; none for the snapshot.
    let mut sources: Vec<Option<usize>> = updates.iter().map(|_| None).collect();
    for (at, entry) in entries.iter().enumerate() {
        updates.extend(entry.updates.iter().map(Vec::as_slice));
        sources.resize(updates.len(), Some(at));
    }
    let mut steps = Steps::default();
    let state = State::uncollected(client, &updates, &mut |at, txn| {
        if let Some(entry) = sources[at] {
            steps.note(entry, txn);
        }
    })?;
    steps.finish(entries.len());
    Ok((state, steps))
}

fn check_size(base: Option<&[u8]>, entries: &[Entry]) -> Result<()> {
    let mut size = base.map_or(Ok(0), footprint)?;
    for entry in entries {
        size += OVERHEAD;
        for update in &entry.updates {
            size += OVERHEAD + footprint(update)?;
            if size > MAX_PAST_FOOTPRINT {
                return Err(Error::exhausted(format!(
                    "To read so much of the history would take more than {MAX_PAST_FOOTPRINT} \
                     bytes of memory."
                )));
            }
        }
    }
    Ok(())
}
