//! What a function works at: a message that comes twice at once is done twice only where two
//! instances of the function get it, and the messages of one tenant leave room for those of others.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use queue::Queue;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::worker::Job;

type Locks = HashMap<String, Arc<Semaphore>>;

/// What is worked at, by name. A clone is another handle to the same.
#[derive(Clone, Default)]
pub(crate) struct InFlight(Arc<Mutex<Locks>>);

/// A place among those in this function who work at the same, until this is dropped.
pub struct Turn {
    key: String,
    all: InFlight,
    permit: Option<OwnedSemaphorePermit>,
}

impl InFlight {
    /// Waits until fewer than `most` in this function work at `key`; it is the same for all of them.
    pub(crate) async fn turn(&self, key: String, most: usize) -> Turn {
        let lock = {
            let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(locks.entry(key.clone()).or_insert_with(|| Arc::new(Semaphore::new(most))))
        };
        Turn { key, all: self.clone(), permit: lock.acquire_owned().await.ok() }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.permit.take();
        let mut locks = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody waits for it.
        if locks.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            locks.remove(&self.key);
        }
    }
}

impl Job {
    /// Waits until no other job of the tenant in this function works at something of this name.
    pub async fn alone_at(&self, name: &str) -> Turn {
        self.in_flight.turn(format!("{}\n{name}", self.api_key().id), 1).await
    }

    /// Waits until no other job of any tenant in this function works at something of this name.
    pub async fn alone_among_all(&self, name: &str) -> Turn {
        self.in_flight.turn(format!("\n{name}"), 1).await
    }

    /// Waits until fewer jobs of the tenant in this process are at work than are in one batch. A
    /// function has no more of them; where one process does the work of many, those of one tenant
    /// leave room for those of others. It is not held while a receiver is waited for.
    pub async fn turn(&self) -> Turn {
        let most = Queue::Deliveries.batch_size();
        self.in_flight.turn(self.api_key().id.to_string(), most).await
    }
}
