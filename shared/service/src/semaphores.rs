//! Semaphores by key: jobs at one name or of one tenant in a function, and the parts of payers of a
//! server. The keys come from callers, so their number has a bound.

use std::{collections::HashMap, hash::Hash, sync::Arc};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Number of semaphores from which on idle ones are dropped: a new one is as good.
const MAX_IDLE: usize = 4096;

/// Semaphores by key.
#[derive(Debug)]
pub struct Semaphores<K>(Mutex<HashMap<K, Arc<Semaphore>>>);

/// A slot for a key, until dropped.
#[derive(Debug)]
pub struct Permit(#[expect(dead_code, reason = "held")] Option<OwnedSemaphorePermit>);

impl<K> Default for Semaphores<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash> Semaphores<K> {
    /// The semaphore of a key; `permits` is the same for all calls with it.
    pub fn of(&self, key: K, permits: usize) -> Arc<Semaphore> {
        let mut all = self.0.lock();
        if all.len() >= MAX_IDLE && !all.contains_key(&key) {
            all.retain(|_, semaphore| Arc::strong_count(semaphore) > 1);
        }
        Arc::clone(all.entry(key).or_insert_with(|| Arc::new(Semaphore::new(permits))))
    }

    /// Waits until fewer than `permits` work at a key.
    pub async fn permit(&self, key: K, permits: usize) -> Permit {
        Permit(self.of(key, permits).acquire_owned().await.ok())
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_IDLE, Semaphores};

    #[tokio::test]
    async fn idle_semaphores_are_dropped_and_those_in_use_stay() {
        let all = Semaphores::default();
        let held = all.permit(0, 1).await;
        for key in 1..3 * MAX_IDLE {
            drop(all.permit(key, 1).await);
        }
        assert!(all.0.lock().len() <= MAX_IDLE);
        assert_eq!(all.of(0, 1).available_permits(), 0);
        drop(held);
        assert_eq!(all.of(0, 1).available_permits(), 1);
    }
}
