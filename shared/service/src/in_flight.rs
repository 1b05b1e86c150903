//! What a function works at, so that a message that comes twice at once is done twice only where
//! two instances of the function get it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OwnedMutexGuard;

type Locks = HashMap<String, Arc<tokio::sync::Mutex<()>>>;

/// What is worked at, by name. A clone is another handle to the same.
#[derive(Clone, Default)]
pub(crate) struct InFlight(Arc<Mutex<Locks>>);

/// Nobody else in this function works at the same until this is dropped.
pub struct Alone {
    key: String,
    all: InFlight,
    guard: Option<OwnedMutexGuard<()>>,
}

impl InFlight {
    /// Waits until nobody else in this function works at `key`.
    pub(crate) async fn alone(&self, key: String) -> Alone {
        let lock = {
            let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(locks.entry(key.clone()).or_default())
        };
        Alone { key, all: self.clone(), guard: Some(lock.lock_owned().await) }
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        self.guard.take();
        let mut locks = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody waits for it.
        if locks.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            locks.remove(&self.key);
        }
    }
}
