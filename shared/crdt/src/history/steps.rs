//! Effects of each entry of the log on the document.

use yrs::{IdSet, TransactionMut};

use super::IdRange;

/// The ids that came and those that went with each entry, one after the other.
#[derive(Debug, Default)]
pub(super) struct Steps {
    pub(super) inserts: Ranges,
    pub(super) deletes: Ranges,
}

/// Ranges of ids by entry.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    all: Vec<IdRange>,
    /// The number of ranges up to and with each entry.
    ends: Vec<usize>,
}

impl Steps {
    /// Notes what a transaction does that belongs to the entry at a position. What comes and goes
    /// at once was never there; what goes was deleted by whoever sent the entry, as deletions do not
    /// wait for anything else.
    pub(super) fn note(&mut self, entry: usize, txn: &TransactionMut<'_>) {
        self.inserts.push(entry, txn.insert_set());
        self.deletes.push(entry, &txn.delete_set().diff(txn.insert_set()));
    }

    /// Notes that there are no more entries than `entries`.
    pub(super) fn finish(&mut self, entries: usize) {
        self.inserts.ends.resize(entries, self.inserts.all.len());
        self.deletes.ends.resize(entries, self.deletes.all.len());
    }
}

impl Ranges {
    fn push(&mut self, entry: usize, set: &IdSet) {
        // Entries between did nothing.
        self.ends.resize(entry.max(self.ends.len()), self.all.len());
        for (client, ranges) in set.iter() {
            self.all.extend(ranges.iter().map(|range| IdRange {
                client: client.get(),
                clock: range.start,
                length: range.end - range.start,
            }));
        }
        self.ends.truncate(entry);
        self.ends.push(self.all.len());
    }

    fn start(&self, entry: usize) -> usize {
        match entry.checked_sub(1) {
            Some(before) => self.ends.get(before).copied().unwrap_or(self.all.len()),
            None => 0,
        }
    }

    /// The ranges of an entry.
    pub(super) fn of(&self, entry: usize) -> &[IdRange] {
        self.between(entry, entry + 1)
    }

    /// The ranges of entries from one position up to another.
    pub(super) fn between(&self, from: usize, to: usize) -> &[IdRange] {
        let start = self.start(from);
        &self.all[start..self.start(to).max(start)]
    }
}
