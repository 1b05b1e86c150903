//! A map of a process with a bound.

use std::{collections::HashMap, hash::Hash};

use parking_lot::Mutex;

/// A map that is cleared when it is full.
pub struct SizedCache<K, V> {
    max: usize,
    entries: Mutex<HashMap<K, (V, usize)>>,
}

impl<K: Eq + Hash, V: Clone> SizedCache<K, V> {
    /// An empty map; `max` is the sum of the sizes of its values.
    pub fn new(max: usize) -> Self {
        Self { max, entries: Mutex::default() }
    }

    /// A value.
    pub fn get(&self, key: &K) -> Option<V> {
        self.entries.lock().get(key).map(|(value, _)| value.clone())
    }

    /// Drops a value.
    pub fn forget(&self, key: &K) {
        self.entries.lock().remove(key);
    }

    /// Stores a value of this size.
    pub fn put(&self, key: K, value: V, size: usize) {
        let mut entries = self.entries.lock();
        entries.remove(&key);
        if entries.values().map(|(_, size)| size).sum::<usize>() + size > self.max {
            entries.clear();
        }
        entries.insert(key, (value, size));
    }
}
