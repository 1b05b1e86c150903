//! What a process remembers between the batches of a stream, to save reads. Losing it costs reads.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use model::{ApiKeyId, Millis, OrganizationId};
use numbering::Counter;

use crate::{journal::counter::CountedIn, webhooks::listeners::WebhookSetup};

/// Most that is kept of each kind: entries, and of webhooks bytes.
const MAX_KEPT: usize = 1024;
const MAX_BYTES: usize = 16_000_000;

/// Counters of documents, organizations that are there, with the time until which that is believed,
/// and what configures the webhooks of tenants, with the most that was read of it and when.
pub(crate) struct Memory {
    pub(super) counters: Kept<CountedIn, Counter>,
    /// Until when somebody listens to a document, as its last number was given.
    pub(super) listened: Kept<CountedIn, Millis>,
    pub(crate) organizations: Kept<(ApiKeyId, OrganizationId), Millis>,
    pub(crate) webhooks: Kept<(ApiKeyId, i32), (Millis, Arc<WebhookSetup>)>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            counters: Kept::new(MAX_KEPT),
            listened: Kept::new(MAX_KEPT),
            organizations: Kept::new(MAX_KEPT),
            webhooks: Kept::new(MAX_BYTES),
        }
    }
}

/// A map that begins anew when it has become too large.
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

    /// Keeps a value of this size.
    pub(crate) fn put(&self, key: K, value: V, size: usize) {
        let mut entries = self.entries();
        entries.remove(&key);
        if entries.values().map(|(_, size)| size).sum::<usize>() + size > self.max {
            entries.clear();
        }
        entries.insert(key, (value, size));
    }
}
