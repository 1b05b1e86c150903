//! Calls that add more comments to a thread than one write holds. The thread notes their progress,
//! so that a repetition after an interruption adds the rest.

use serde::{Deserialize, Serialize};

use super::Thread;

/// Maximum number of unfinished calls that a thread stores.
const MAX_UNFINISHED: usize = 3;

/// An unfinished call that has added some of its comments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct UnfinishedCall {
    /// Resumption key of the call.
    call: String,
    ids: Vec<u64>,
}

impl Thread {
    /// The numbers of the comments that the unfinished call with this key has added.
    pub fn added_by(&self, key: &str) -> Vec<u64> {
        let unfinished = self.begun.iter().find(|unfinished| unfinished.call == key);
        unfinished.map_or(vec![], |unfinished| unfinished.ids.clone())
    }

    /// Notes the comments that the call with this key has added, until it has added `all`.
    pub fn note_added(&mut self, key: &str, ids: Vec<u64>, all: usize) {
        self.begun.retain(|unfinished| unfinished.call != key);
        if ids.len() < all {
            self.begun.push(UnfinishedCall { call: key.to_owned(), ids });
        }
        self.begun.drain(..self.begun.len().saturating_sub(MAX_UNFINISHED));
    }
}
