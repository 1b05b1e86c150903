//! Caches of a process between the batches of a stream, to save reads.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use model::{ApiKeyId, Millis, OrganizationId};
use numbering::Counter;

use crate::{journal::counter::CountedIn, webhooks::subscribers::WebhookSetup};

/// Maximum size of each cache: entries, and for webhooks bytes.
const MAX_ENTRIES: usize = 1024;
const MAX_BYTES: usize = 16_000_000;

/// Counters of documents, known organizations with the end of their cache time, and the webhook
/// configurations of tenants with their read time.
pub(crate) struct Memory {
    pub(super) counters: Kept<CountedIn, Counter>,
    /// End of the subscriptions of a document, read with its last number.
    pub(super) listened: Kept<CountedIn, Millis>,
    pub(crate) organizations: Kept<(ApiKeyId, OrganizationId), Millis>,
    pub(crate) webhooks: Kept<(ApiKeyId, i32), (Millis, Arc<WebhookSetup>)>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            counters: Kept::new(MAX_ENTRIES),
            listened: Kept::new(MAX_ENTRIES),
            organizations: Kept::new(MAX_ENTRIES),
            webhooks: Kept::new(MAX_BYTES),
        }
    }
}

/// A map that is cleared when it is full.
pub(crate) struct Kept<K, V> {
    max: usize,
    entries: Mutex<HashMap<K, (V, usize)>>,
}

impl<K: Eq + Hash, V: Clone> Kept<K, V> {
    fn new(max: usize) -> Self {
        Self { max, entries: Mutex::default() }
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<K, (V, usize)>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        self.entries().get(key).map(|(value, _)| value.clone())
    }

    pub(crate) fn forget(&self, key: &K) {
        self.entries().remove(key);
    }

    /// Stores a value of this size.
    pub(crate) fn put(&self, key: K, value: V, size: usize) {
        let mut entries = self.entries();
        entries.remove(&key);
        if entries.values().map(|(_, size)| size).sum::<usize>() + size > self.max {
            entries.clear();
        }
        entries.insert(key, (value, size));
    }
}
