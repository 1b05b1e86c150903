//! Work in progress of a function: concurrent copies of a message run one after the other within an
//! instance, and messages of one tenant leave room for others.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use queue::Queue;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::worker::Job;

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
            let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(locks.entry(key.clone()).or_insert_with(|| Arc::new(Semaphore::new(most))))
        };
        Permit { key, all: self.clone(), permit: lock.acquire_owned().await.ok() }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.permit.take();
        let mut locks = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        // No job waits for it.
        if locks.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            locks.remove(&self.key);
        }
    }
}

impl Job {
    /// Waits until no other job of any tenant in this function works at this name.
    pub async fn alone_among_all(&self, name: &str) -> Permit {
        self.in_flight.permit(format!("\n{name}"), 1).await
    }

    /// Waits until fewer jobs of the tenant run in this process than one batch has. A function
    /// never has more; in a process with many functions this leaves room for other tenants. The
    /// slot is released while waiting for a receiver.
    pub async fn permit(&self) -> Permit {
        let most = Queue::Deliveries.batch_size();
        self.in_flight.permit(self.tenant().api_key().id.to_string(), most).await
    }
}
