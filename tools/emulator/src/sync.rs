//! Commits on the disk.
//!
//! SQLite leaves commits to the file system (`synchronous = normal`), which survives the end of the
//! process but not of the power. A caller then waits for a sync of the write-ahead log, and callers
//! that wait at the same time share one.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;
use tokio::task::spawn_blocking;

use crate::error::Error;

/// Syncs of the log of one database; none if nobody waits for the disk.
#[derive(Clone, Default)]
pub(crate) struct Syncs(Option<Arc<Log>>);

struct Log {
    file: File,
    asked: Mutex<Asked>,
    /// The last request that a sync has answered; none after a failed sync.
    answered: watch::Sender<Option<u64>>,
}

#[derive(Default)]
struct Asked {
    last: u64,
    is_syncing: bool,
}

impl Syncs {
    /// Of the database in `file`, which is open.
    pub(crate) fn open(file: &Path) -> Result<Self, Error> {
        let mut name = file.as_os_str().to_owned();
        name.push("-wal");
        let (file, answered) = (File::open(name)?, watch::Sender::new(Some(0)));
        Ok(Self(Some(Arc::new(Log { file, asked: Mutex::default(), answered }))))
    }

    /// Waits until everything committed so far is on the disk.
    ///
    /// # Errors
    /// The disk failed, now or earlier. What it has is known after a restart only.
    pub(crate) async fn wait(&self) -> Result<(), String> {
        let Some(log) = &self.0 else { return Ok(()) };
        let mut answered = log.answered.subscribe();
        let (number, is_first) = {
            let mut asked = log.asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.last += 1;
            (asked.last, !std::mem::replace(&mut asked.is_syncing, true))
        };
        if is_first {
            let log = Arc::clone(log);
            spawn_blocking(move || while log.sync() {});
        }
        let is_done = answered.wait_for(|last| last.is_none_or(|last| last >= number)).await;
        match is_done.map(|last| *last) {
            Ok(Some(_)) => Ok(()),
            Ok(None) | Err(_) => Err("the disk does not keep what is written".to_owned()),
        }
    }
}

impl Log {
    /// Answers all requests so far; whether there are more.
    fn sync(&self) -> bool {
        let asked = || self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let last = asked().last;
        let result = self.file.sync_data();
        if let Err(error) = &result {
            tracing::error!(%error, "The log could not be synced. Writes fail until a restart.");
        }
        self.answered.send_modify(|answered| {
            *answered = answered.filter(|_| result.is_ok()).map(|_| last);
        });
        let mut asked = asked();
        asked.is_syncing = asked.last > last;
        asked.is_syncing
    }
}
