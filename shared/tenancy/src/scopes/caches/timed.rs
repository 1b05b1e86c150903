//! Bounded caches with read times, and those of admission.

use std::{hash::Hash, sync::Arc};

use model::{ApiKeyId, Millis, TokenId, api_key::ApiKey, clock::WallTime};

use crate::scopes::SizedCache;

/// Maximum number of values of a cache.
const MAX_CACHED: usize = 16 * 1024;

/// A bounded cache with read times.
pub struct TimedCache<K, V>(SizedCache<K, (WallTime, V)>);

impl<K: Eq + Hash, V: Clone> Default for TimedCache<K, V> {
    fn default() -> Self {
        Self(SizedCache::new(MAX_CACHED))
    }
}

impl<K: Eq + Hash, V: Clone> TimedCache<K, V> {
    /// A cached value younger than `age`, in milliseconds.
    pub fn find(&self, key: &K, now: WallTime, age: Millis) -> Option<V> {
        let (at, value) = self.0.get(key)?;
        (now.since(at) < age).then_some(value)
    }

    /// Drops a value.
    pub fn forget(&self, key: &K) {
        self.0.forget(key);
    }

    /// Keeps a value that was read now.
    pub fn keep(&self, key: K, value: V, now: WallTime) {
        self.0.put(key, (now, value), 1);
    }
}

/// Cached keys, and cached refusals of tokens.
#[derive(Default)]
pub(crate) struct Admitted {
    pub(in crate::scopes) keys: TimedCache<ApiKeyId, Arc<ApiKey>>,
    pub(in crate::scopes) refused: TimedCache<(ApiKeyId, TokenId), ()>,
}

impl Admitted {
    /// Makes this process see its own change at once.
    pub(crate) fn forget(&self, id: &ApiKeyId) {
        self.keys.forget(id);
    }
}
