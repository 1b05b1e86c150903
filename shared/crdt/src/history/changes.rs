//! Changes between two positions, and their users.

use std::{collections::BTreeMap, ops::Range};

use error::Result;
use model::Millis;

use super::{IdRange, Past, content_map, past::uncollected};

/// The changes between two positions of a [`Past`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The document at the first position, as one update.
    pub before: Vec<u8>,
    /// Everything after it up to the second position, with the content of what was deleted meanwhile. A
    /// peer without garbage collection that reads both can show each as inserted or deleted.
    pub update: Vec<u8>,
    /// Who did it when, in the order of the log.
    pub attributions: Vec<Attribution>,
}

/// Changes of one user at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribution {
    /// The user; none for the tenant's own server and for users that are erased.
    pub user: Option<String>,
    /// The time at which the service had all that it needs, in milliseconds.
    pub at: Millis,
    /// New ids.
    pub inserts: Vec<IdRange>,
    /// Ids that are deleted since.
    pub deletes: Vec<IdRange>,
}

impl Past<'_> {
    /// The changes between two positions.
    ///
    /// # Errors
    /// INTERNAL, when the library fails.
    pub fn changes(&self, range: Range<usize>) -> Result<Changes> {
        let to = range.end.min(self.entries.len());
        let from = range.start.min(to);
        let before = self.version(from)?;
        let vector = before.state_vector();
        let update = match to == self.entries.len() {
            true => self.state.diff(&vector)?,
            false => uncollected(self.client, self.base, &self.entries[..to])?.0.diff(&vector)?,
        };
        let attributions = self.attributions(from..to);
        Ok(Changes { before: before.encode(), update, attributions })
    }

    fn attributions(&self, range: Range<usize>) -> Vec<Attribution> {
        let mut all: Vec<Attribution> = Vec::new();
        for (entry, of) in self.entries[range.clone()].iter().zip(range) {
            let mut users: BTreeMap<Option<&str>, (Vec<IdRange>, Vec<IdRange>)> = BTreeMap::new();
            for range in self.steps.inserts.of(of) {
                for (part, user) in self.authors.inserted(*range) {
                    push(&mut users.entry(user).or_default().0, part);
                }
            }
            for range in self.steps.deletes.of(of) {
                push(&mut users.entry(entry.by.as_deref()).or_default().1, *range);
            }
            for (user, (inserts, deletes)) in users {
                let at = entry.at;
                match all.last_mut().filter(|last| last.is_of(user, at)) {
                    Some(last) => {
                        inserts.into_iter().for_each(|range| push(&mut last.inserts, range));
                        deletes.into_iter().for_each(|range| push(&mut last.deletes, range));
                    }
                    None => {
                        let user = user.map(str::to_owned);
                        all.push(Attribution { user, at, inserts, deletes });
                    }
                }
            }
        }
        all
    }
}

impl Changes {
    /// The attributions as Yjs 14 encodes them: a `ContentMap` with the attributes `insert`,
    /// `insertAt`, `delete` and `deleteAt`.
    pub fn content_map(&self) -> Vec<u8> {
        content_map::encoded(&self.attributions)
    }
}

impl Attribution {
    fn is_of(&self, user: Option<&str>, at: Millis) -> bool {
        self.user.as_deref() == user && self.at == at
    }
}

/// Adds a range, to the last one if it continues that.
fn push(ranges: &mut Vec<IdRange>, range: IdRange) {
    match ranges.last_mut() {
        Some(last) if last.client == range.client && last.end() == range.clock => {
            last.length += range.length;
        }
        _ => ranges.push(range),
    }
}
