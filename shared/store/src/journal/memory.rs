//! What a process remembers between the batches of a stream, to save reads. Losing it costs reads.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

use aws::Item;
use model::{ApiKeyId, Millis, OrganizationId};
use numbering::Counter;

use crate::journal::counter::CountedIn;

/// Most entries of each kind.
const MAX_KEPT: usize = 1024;

/// Counters of documents, what configures the webhooks of tenants with the time of its reading, and
/// organizations that are there, with the time until which that is believed.
#[derive(Default)]
pub(crate) struct Memory {
    pub(super) counters: Kept<CountedIn, Counter>,
    pub(crate) organizations: Kept<(ApiKeyId, OrganizationId), Millis>,
    pub(super) webhooks: Kept<ApiKeyId, (Millis, Arc<Vec<Item>>)>,
}

/// A bounded map.
pub(crate) struct Kept<K, V>(Mutex<HashMap<K, V>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Kept<K, V> {
    pub(crate) fn get(&self, key: &K) -> Option<V> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    pub(crate) fn forget(&self, key: &K) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }

    pub(crate) fn put(&self, key: K, value: V) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX_KEPT && !kept.contains_key(&key) {
            kept.clear();
        }
        kept.insert(key, value);
    }
}
