//! Commits on the disk.
//!
//! SQLite leaves commits to the file system (`synchronous = normal`), which survives the end of the
//! process but not of the power. Before others learn of a commit, the caller waits for a sync of
//! the write-ahead log; callers that wait at the same time share one.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;
use std::time::Instant;

use tokio::sync::watch;

use super::observer::Observed;
use crate::base::Error;

/// Syncs of the log of one database; none if nobody waits for the disk.
#[derive(Clone, Default)]
pub(crate) struct Syncs(Option<Arc<Log>>);

struct Log {
    file: File,
    /// Number of commits.
    commits: AtomicU64,
    /// How many of them are on the disk; none after a failed sync.
    synced: watch::Sender<Option<u64>>,
    /// Wakes the thread that syncs.
    wake: Sender<()>,
    observed: Observed,
}

impl Syncs {
    /// Of the database in `file`, which is open.
    pub(crate) fn open(file: &Path, observed: Observed) -> Result<Self, Error> {
        let mut name = file.as_os_str().to_owned();
        name.push("-wal");
        let (wake, woken) = channel();
        let log = Arc::new(Log {
            file: File::open(name)?,
            commits: AtomicU64::new(0),
            synced: watch::Sender::new(Some(0)),
            wake,
            observed,
        });
        let syncing = Arc::downgrade(&log);
        // None of a runtime, whose threads may wait for other things.
        Builder::new().name("syncs".to_owned()).spawn(move || {
            while woken.recv().is_ok() {
                let Some(log) = syncing.upgrade() else { return };
                // The same sync answers all callers that have asked meanwhile.
                while woken.try_recv().is_ok() {}
                log.sync();
            }
        })?;
        Ok(Self(Some(log)))
    }

    /// Notes a commit, in its turn.
    pub(crate) fn note(&self) {
        if let Some(log) = &self.0 {
            log.commits.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Waits until everything committed so far is on the disk.
    ///
    /// # Errors
    /// The disk failed, now or earlier. Its content is known after a restart only.
    pub(crate) async fn wait(&self) -> Result<(), String> {
        let Some(log) = &self.0 else { return Ok(()) };
        let commits = log.commits.load(Ordering::SeqCst);
        let mut synced = log.synced.subscribe();
        let is_enough = |synced: &Option<u64>| synced.is_none_or(|synced| synced >= commits);
        if !is_enough(&synced.borrow()) {
            let _ = log.wake.send(());
        }
        match synced.wait_for(is_enough).await.map(|synced| *synced) {
            Ok(Some(_)) => Ok(()),
            Ok(None) | Err(_) => Err("the disk does not keep what is written".to_owned()),
        }
    }
}

impl Log {
    fn sync(&self) {
        let commits = self.commits.load(Ordering::SeqCst);
        let began = Instant::now();
        let result = self.file.sync_data();
        self.observed.synced(began.elapsed());
        if let Err(error) = &result {
            tracing::error!(%error, "The log could not be synced. Calls fail until a restart.");
        }
        self.synced.send_modify(|synced| {
            *synced = synced.filter(|_| result.is_ok()).map(|_| commits);
        });
    }
}
