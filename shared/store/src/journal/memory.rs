//! What a process remembers between the batches of a stream, to save reads. Losing it costs reads.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

use aws::Item;
use model::{ApiKeyId, Millis};
use numbering::Counter;

use crate::journal::counter::CountedIn;

/// Most entries of each kind.
const MAX_KEPT: usize = 1024;

/// Counters of documents, and what configures the webhooks of tenants with the time of its reading.
#[derive(Default)]
pub(crate) struct Memory {
    pub(super) counters: Kept<CountedIn, Counter>,
    pub(super) webhooks: Kept<ApiKeyId, (Millis, Arc<Vec<Item>>)>,
}

/// A bounded map.
pub(super) struct Kept<K, V>(Mutex<HashMap<K, V>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Kept<K, V> {
    pub(super) fn get(&self, key: &K) -> Option<V> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    pub(super) fn forget(&self, key: &K) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }

    pub(super) fn put(&self, key: K, value: V) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX_KEPT && !kept.contains_key(&key) {
            kept.clear();
        }
        kept.insert(key, value);
    }
}
