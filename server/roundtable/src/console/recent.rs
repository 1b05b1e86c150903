//! Recent entries, for readers that come again and again.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use serde_json::{Value, json};

/// Most entries kept.
const CAPACITY: usize = 500;

#[derive(Default)]
struct Kept {
    /// The number of the latest entry.
    last: u64,
    entries: VecDeque<(u64, Value)>,
}

/// The latest entries, numbered from 1.
#[derive(Default)]
pub(crate) struct Recent(Mutex<Kept>);

impl Recent {
    pub(crate) fn note(&self, entry: Value) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.last += 1;
        let number = kept.last;
        if kept.entries.len() == CAPACITY {
            kept.entries.pop_front();
        }
        kept.entries.push_back((number, entry));
    }

    /// The entries behind a number, the oldest first, and the number to go on behind.
    pub(crate) fn after(&self, after: u64) -> Value {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = kept.entries.iter().filter(|(number, _)| *number > after);
        let entries: Vec<&Value> = entries.map(|(_, entry)| entry).collect();
        json!({ "next": kept.last, "items": entries })
    }
}
