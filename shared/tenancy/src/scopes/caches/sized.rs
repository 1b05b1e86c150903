//! A map of a process with a bound.

use std::hash::Hash;

use parking_lot::Mutex;
use quick_cache::{Weighter, unsync::Cache};

/// Estimate of the number of values, by which the cache remembers those that have left it.
const VALUES: usize = 1024;

/// A map from which single values go when it is full, those first that were not asked for again. With
/// one part for all keys, the order of the calls alone decides which.
pub struct SizedCache<K, V>(Mutex<Cache<K, (V, usize), Sizes>>);

struct Sizes;

impl<K, V> Weighter<K, (V, usize)> for Sizes {
    fn weight(&self, _: &K, (_, size): &(V, usize)) -> u64 {
        // A value without weight would stay for ever.
        (*size).max(1) as u64
    }
}

impl<K: Eq + Hash, V: Clone> SizedCache<K, V> {
    /// An empty map; `max` is the sum of the sizes of its values.
    pub fn new(max: usize) -> Self {
        Self(Mutex::new(Cache::with_weighter(max.min(VALUES), max as u64, Sizes)))
    }

    /// A value.
    pub fn get(&self, key: &K) -> Option<V> {
        self.0.lock().get(key).map(|(value, _)| value.clone())
    }

    /// Drops a value.
    pub fn forget(&self, key: &K) {
        self.0.lock().remove(key);
    }

    /// Stores a value of this size.
    pub fn put(&self, key: K, value: V, size: usize) {
        self.0.lock().insert(key, (value, size));
    }
}

#[cfg(test)]
mod tests {
    use super::SizedCache;

    #[test]
    fn a_key_more_than_fits_makes_one_other_go() {
        let cache = SizedCache::new(1024);
        let found = || (0..2000).filter(|key| cache.get(key).is_some()).count();
        (0..1025).for_each(|key| cache.put(key, (), 1));
        assert_eq!(found(), 1024);
        (0..1025).filter(|key| cache.get(key).is_none()).for_each(|key| cache.put(key, (), 1));
        assert_eq!(found(), 1024);
        (1025..2000).for_each(|key| cache.put(key, (), 1));
        assert_eq!(found(), 1024);
        let kept = (0..1025).filter(|key| cache.get(key).is_some()).count();
        assert!(kept > 900, "keys that come once make those go that came once");
    }

    #[test]
    fn values_have_sizes() {
        let cache = SizedCache::new(100);
        for key in 0..20 {
            cache.put(key, (), 30);
            assert!(cache.get(&key).is_some());
        }
        assert_eq!((0..20).filter(|key| cache.get(key).is_some()).count(), 3);
        cache.put(19, (), 1000);
        assert!(cache.get(&19).is_none(), "larger than the whole");
        (0..200).for_each(|key| cache.put(key, (), 0));
        assert!((0..200).filter(|key| cache.get(key).is_some()).count() <= 100);
    }
}
