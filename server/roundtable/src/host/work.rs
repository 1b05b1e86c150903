//! The work of workers: how far they are, and their end, when what has begun is finished, and nothing
//! begins.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::sync::{OwnedRwLockReadGuard, RwLock, watch};

/// The work of all workers of a process.
pub(crate) struct Work {
    is_ending: watch::Sender<bool>,
    /// Held by each batch of a worker.
    working: Arc<RwLock<()>>,
    /// The time up to which the records of each stream are processed, in epoch milliseconds.
    processed: Mutex<BTreeMap<String, u64>>,
}

impl Default for Work {
    fn default() -> Self {
        let (is_ending, _) = watch::channel(false);
        Self { is_ending, working: Arc::default(), processed: Mutex::default() }
    }
}

impl Work {
    /// Begins a batch; none when the service ends.
    pub(super) fn begin_work(&self) -> Option<OwnedRwLockReadGuard<()>> {
        if self.is_ending() {
            return None;
        }
        Arc::clone(&self.working).try_read_owned().ok()
    }

    /// Lets no work begin, and waits for what has begun.
    pub(crate) async fn end(&self) {
        self.is_ending.send_replace(true);
        drop(self.working.write().await);
    }

    /// Whether no work begins any more.
    pub(crate) fn is_ending(&self) -> bool {
        *self.is_ending.borrow()
    }

    /// Waits until the service ends.
    pub(super) async fn ending(&self) {
        let mut is_ending = self.is_ending.subscribe();
        // The sender lives as long as this value.
        let _ = is_ending.wait_for(|is_ending| *is_ending).await;
    }

    /// Notes the time up to which the records of a stream are processed.
    pub(super) fn processed(&self, stream: String, at: u64) {
        let mut streams = self.processed.lock();
        streams.insert(stream, at);
    }

    /// How far each stream is behind.
    pub(crate) fn lags(&self, now: u64) -> Vec<(String, Duration)> {
        let streams = self.processed.lock();
        let lag = |at: u64| Duration::from_millis(now.saturating_sub(at));
        streams.iter().map(|(stream, at)| (stream.clone(), lag(*at))).collect()
    }
}
