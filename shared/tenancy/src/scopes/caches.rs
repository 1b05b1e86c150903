//! Caches of a process, one of each type: a feature keeps its own, and the kernel does not know it.

pub(super) mod sized;
pub(super) mod timed;

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::Arc,
};

use parking_lot::RwLock;

type Cache = Arc<dyn Any + Send + Sync>;

/// Caches by type.
#[derive(Default)]
pub(crate) struct Caches(RwLock<HashMap<TypeId, Cache>>);

impl Caches {
    /// The cache of a type, which is empty at first.
    pub(crate) fn cache<T: Any + Send + Sync + Default>(&self) -> Arc<T> {
        let caches = self.0.read();
        let cached = caches.get(&TypeId::of::<T>()).cloned();
        drop(caches);
        let new = || {
            let mut caches = self.0.write();
            Arc::clone(caches.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(T::default())))
        };
        // An entry has the type of its key.
        cached.unwrap_or_else(new).downcast().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parking_lot::Mutex;

    use super::Caches;

    #[test]
    fn a_type_has_one_cache() {
        let caches = Caches::default();
        *caches.cache::<Mutex<u8>>().lock() = 7;
        assert_eq!(*caches.cache::<Mutex<u8>>().lock(), 7);
        assert!(caches.cache::<Mutex<String>>().lock().is_empty());
        assert!(Arc::ptr_eq(&caches.cache::<Mutex<u8>>(), &caches.cache::<Mutex<u8>>()));
    }
}
