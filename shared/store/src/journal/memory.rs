//! What a process remembers between the batches of a stream, to save reads. Losing it costs reads.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

use model::{ApiKeyId, Millis};
use numbering::Counter;

use crate::journal::{counter::CountedIn, listeners::Configs};

/// Most entries of each kind.
const MAX_KEPT: usize = 1024;

/// Counters of documents, and configurations of tenants with the time of their reading.
#[derive(Default)]
pub(crate) struct Memory {
    pub(super) counters: Kept<CountedIn, Counter>,
    pub(super) configs: Kept<ApiKeyId, (Millis, Arc<Configs>)>,
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

    pub(super) fn put(&self, key: K, value: V) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX_KEPT && !kept.contains_key(&key) {
            kept.clear();
        }
        kept.insert(key, value);
    }
}
