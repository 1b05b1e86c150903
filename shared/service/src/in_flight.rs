//! What this process works at: a message that comes twice at once is done twice only where two
//! processes get it, and the messages of one tenant leave room for those of others.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

type Locks = HashMap<String, Arc<Semaphore>>;

static LOCKS: LazyLock<Mutex<Locks>> = LazyLock::new(Mutex::default);

/// A place among those in this process who work at the same, until this is dropped.
pub struct Turn {
    key: String,
    permit: Option<OwnedSemaphorePermit>,
}

/// Waits until fewer than `most` in this process work at `key`; it is the same for all of them.
pub(crate) async fn turn(key: String, most: usize) -> Turn {
    let lock = {
        let mut locks = LOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(locks.entry(key.clone()).or_insert_with(|| Arc::new(Semaphore::new(most))))
    };
    Turn { key, permit: lock.acquire_owned().await.ok() }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.permit.take();
        let mut locks = LOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody waits for it.
        if locks.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            locks.remove(&self.key);
        }
    }
}
