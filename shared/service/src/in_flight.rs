//! What this process works at, so that a message that comes twice at once is done twice only where
//! two processes get it.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use tokio::sync::OwnedMutexGuard;

type Locks = HashMap<String, Arc<tokio::sync::Mutex<()>>>;

static LOCKS: LazyLock<Mutex<Locks>> = LazyLock::new(Mutex::default);

/// Nobody else in this process works at the same until this is dropped.
pub struct Alone {
    key: String,
    guard: Option<OwnedMutexGuard<()>>,
}

/// Waits until nobody else in this process works at `key`.
pub(crate) async fn alone(key: String) -> Alone {
    let lock = {
        let mut locks = LOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(locks.entry(key.clone()).or_default())
    };
    Alone { key, guard: Some(lock.lock_owned().await) }
}

impl Drop for Alone {
    fn drop(&mut self) {
        self.guard.take();
        let mut locks = LOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody waits for it.
        if locks.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            locks.remove(&self.key);
        }
    }
}
