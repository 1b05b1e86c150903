//! The counter of a document: the numbers of its events.

use std::collections::BTreeMap;

use crate::Position;

/// A digest of an event within its run: the first bytes of a hash of its id.
pub type Digest = [u8; 8];

/// The row of a document. Every compare-and-set raises `last`, so `last` is also its version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// The last assigned number; 0 before the first.
    pub last: u64,
    /// Each lane by name.
    pub lanes: BTreeMap<String, Run>,
}

/// The last run of one lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The position of the last event of the run.
    pub position: Position,
    /// The number of the first event of the run; the others follow consecutively.
    pub first: u64,
    /// The events of the run, in order.
    pub digests: Vec<Digest>,
}

/// The state of an event in the counter.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// Without a number.
    New,
    /// Numbered in the last run.
    Numbered(u64),
    /// Finished before the last run.
    Finished,
}

impl Counter {
    /// The state of an event. An event without a position was found on its item: it has the number
    /// of the lane that numbered it last.
    pub(crate) fn find(&self, lane: &str, at: Option<&Position>, digest: &Digest) -> Finding {
        let Some(at) = at else {
            let seq = self.lanes.values().find_map(|run| run.number_of(digest));
            return seq.map_or(Finding::New, Finding::Numbered);
        };
        let Some(run) = self.lanes.get(lane) else { return Finding::New };
        match run.number_of(digest) {
            Some(seq) => Finding::Numbered(seq),
            None if *at <= run.position => Finding::Finished,
            None => Finding::New,
        }
    }

    /// The counter after one more run of a lane.
    pub(crate) fn with_run(&self, lane: &str, at: Option<Position>, digests: Vec<Digest>) -> Self {
        let mut next = self.clone();
        let first = self.last + 1;
        next.last += digests.len() as u64;
        let run = Run { position: at.unwrap_or_default(), first, digests };
        next.lanes.insert(lane.to_owned(), run);
        next
    }
}

impl Run {
    fn number_of(&self, digest: &Digest) -> Option<u64> {
        let index = self.digests.iter().position(|known| known == digest)?;
        Some(self.first + index as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::{Counter, Finding};
    use crate::Position;

    #[test]
    fn a_counter_knows_its_last_run_and_what_was_before() {
        let at = |n: &str| Some(Position::new("s", n, 0));
        let counter = Counter::default().with_run("a", at("5"), vec![[1; 8], [2; 8]]);
        let counter = counter.with_run("b", at("9"), vec![[3; 8]]);
        assert_eq!(counter.last, 3);
        let find = |lane, n, digest| counter.find(lane, at(n).as_ref(), &[digest; 8]);
        assert_eq!(find("a", "4", 1), Finding::Numbered(1));
        assert_eq!(find("a", "5", 2), Finding::Numbered(2));
        assert_eq!(find("a", "3", 7), Finding::Finished);
        assert_eq!(find("a", "6", 7), Finding::New);
        assert_eq!(find("b", "9", 3), Finding::Numbered(3));
        assert_eq!(find("c", "1", 1), Finding::New);
        let found = |digest| counter.find("c", None, &[digest; 8]);
        assert_eq!((found(7), found(2)), (Finding::New, Finding::Numbered(2)));
    }
}
