//! Bounded caches with read times, and those of admission.

use std::{collections::HashMap, hash::Hash, sync::Arc};

use model::{ApiKeyId, Millis, TokenId, api_key::ApiKey, clock::WallTime};
use parking_lot::Mutex;

/// Maximum size of the cache.
const MAX_CACHED: usize = 16 * 1024;

/// A bounded cache with read times.
pub struct TimedCache<K, V>(Mutex<HashMap<K, (WallTime, V)>>);

impl<K, V> Default for TimedCache<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> TimedCache<K, V> {
    /// A cached value younger than `age`, in milliseconds.
    pub fn find(&self, key: &K, now: WallTime, age: Millis) -> Option<V> {
        let kept = self.0.lock();
        let (at, value) = kept.get(key)?;
        (now.since(*at) < age).then(|| value.clone())
    }

    /// Drops a value.
    pub fn forget(&self, key: &K) {
        self.0.lock().remove(key);
    }

    /// Keeps a value that was read now.
    pub fn keep(&self, key: K, value: V, now: WallTime) {
        let mut kept = self.0.lock();
        if kept.len() >= MAX_CACHED {
            kept.clear();
        }
        kept.insert(key, (now, value));
    }
}

/// Cached keys, and cached refusals of tokens.
#[derive(Default)]
pub(crate) struct Admitted {
    pub(super) keys: TimedCache<ApiKeyId, Arc<ApiKey>>,
    pub(super) refused: TimedCache<(ApiKeyId, TokenId), ()>,
}

impl Admitted {
    /// Makes this process see its own change at once.
    pub(crate) fn forget(&self, id: &ApiKeyId) {
        self.keys.forget(id);
    }
}
