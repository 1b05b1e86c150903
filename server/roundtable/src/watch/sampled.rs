//! Values that cost something to find, for pages that anybody may ask for at any rate.

use std::{sync::Arc, time::Duration};

use tokio::{sync::Mutex, time::Instant};

/// How long a value holds.
const HOLDS: Duration = Duration::from_secs(1);

/// A value that is found at most once a second, however many ask for it.
pub(crate) struct Sampled<T>(Arc<Mutex<Option<(Instant, T)>>>);

impl<T> Clone for Sampled<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Default for Sampled<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Clone + Send + 'static> Sampled<T> {
    /// The value; those who ask while it is sought wait for the same one. None if `find` panicked.
    pub(crate) async fn get<F>(&self, find: impl FnOnce() -> F) -> Option<T>
    where
        F: Future<Output = T> + Send + 'static,
    {
        let mut last = Arc::clone(&self.0).lock_owned().await;
        if let Some((at, value)) = &*last
            && at.elapsed() < HOLDS
        {
            return Some(value.clone());
        }
        let find = find();
        // A task of its own, which has the lock: who asks and leaves would begin one search after
        // the other.
        let found = tokio::spawn(async move {
            let value = find.await;
            *last = Some((Instant::now(), value.clone()));
            value
        });
        found.await.ok()
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering},
        },
        time::Duration,
    };

    use super::{HOLDS, Sampled};

    #[tokio::test]
    async fn a_flood_finds_it_once_a_second_also_if_nobody_waits() {
        let (sampled, found) = (Arc::new(Sampled::default()), Arc::new(AtomicUsize::new(0)));
        let ask = || {
            let (sampled, found) = (Arc::clone(&sampled), Arc::clone(&found));
            tokio::spawn(async move {
                let find = || async move {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    found.fetch_add(1, Ordering::SeqCst)
                };
                sampled.get(find).await
            })
        };
        for _ in 0..100 {
            let leaves = ask();
            tokio::task::yield_now().await;
            leaves.abort();
        }
        let stays: Vec<_> = (0..1_000).map(|_| ask()).collect();
        for answer in stays {
            assert_eq!(answer.await.unwrap(), Some(0));
        }
        assert_eq!(found.load(Ordering::SeqCst), 1);
        tokio::time::sleep(HOLDS).await;
        assert_eq!(ask().await.unwrap(), Some(1));
    }
}
