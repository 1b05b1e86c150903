//! Work in progress of a function: concurrent copies of a message run one after the other within an
//! instance, and messages of one tenant leave room for others.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

type Locks = HashMap<String, Arc<Semaphore>>;

/// Work in progress by name. A clone shares it.
#[derive(Clone, Default)]
pub(crate) struct InFlight(Arc<Mutex<Locks>>);

/// A slot for a name, until dropped.
pub struct Permit {
    key: String,
    all: InFlight,
    permit: Option<OwnedSemaphorePermit>,
}

impl InFlight {
    /// Waits until fewer than `most` jobs in this function work at `key`; `most` is the same for
    /// all of them.
    pub(crate) async fn permit(&self, key: String, most: usize) -> Permit {
        let lock = {
            let mut locks = self.0.lock();
            Arc::clone(locks.entry(key.clone()).or_insert_with(|| Arc::new(Semaphore::new(most))))
        };
        Permit { key, all: self.clone(), permit: lock.acquire_owned().await.ok() }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.permit.take();
        let mut locks = self.all.0.lock();
        // No job waits for it.
        if locks.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            locks.remove(&self.key);
        }
    }
}
