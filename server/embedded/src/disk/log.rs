//! Checkpoints of the write-ahead log of a database, which copy its pages to the database.
//!
//! A checkpoint waits for the disk, some tens of milliseconds for 16 MB. SQLite makes it within a
//! commit, so that all other calls would wait, too. Here a connection of its own makes it beside
//! them, and the next commit after a complete one starts the log anew.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::FairMutex;
use rusqlite::Connection;

use crate::base::Error;

/// Time between checkpoints.
const INTERVAL: Duration = Duration::from_secs(1);
/// Checkpoints in a row: each copies what was committed during the one before.
const ROUNDS: usize = 3;
/// Pages of 4 KB in the log until calls have to wait for a complete checkpoint, which commits
/// without a pause prevent.
const MAX_PAGES: i64 = 16_384;
const CHECKPOINT: &str = "pragma wal_checkpoint(passive)";

/// Pages in the log, and how many of them the database has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Log {
    pages: i64,
    copied: i64,
}

/// Makes checkpoints of the database in `file` on a thread of their own until `calls` is dropped,
/// which has the connection of calls.
pub(crate) fn spawn<T: Send + 'static>(
    file: &Path,
    calls: &Arc<FairMutex<T>>,
    connection: fn(&T) -> &Connection,
) -> Result<(), Error> {
    let beside = Connection::open(file)?;
    let calls = Arc::downgrade(calls);
    let work = move || {
        loop {
            std::thread::sleep(INTERVAL);
            let Some(calls) = calls.upgrade() else { return };
            if let Err(error) = copy(&beside, || checkpoint(connection(&calls.lock()))) {
                tracing::warn!(%error, "A checkpoint failed.");
            }
        }
    };
    std::thread::Builder::new().name("checkpoints".to_owned()).spawn(work)?;
    Ok(())
}

/// Writes the first page again, as it is.
pub(crate) fn write_nothing(connection: &Connection) -> rusqlite::Result<()> {
    let version: i64 = connection.query_row("pragma user_version", [], |row| row.get(0))?;
    connection.pragma_update(None, "user_version", version)
}

/// Copies all pages beside calls, or between them if commits are faster.
fn copy(
    beside: &Connection,
    between_calls: impl FnOnce() -> rusqlite::Result<Log>,
) -> rusqlite::Result<Log> {
    let mut log = checkpoint(beside)?;
    for _ in 1..ROUNDS {
        if log.copied == log.pages {
            return Ok(log);
        }
        log = checkpoint(beside)?;
    }
    if log.copied < log.pages && log.pages > MAX_PAGES { between_calls() } else { Ok(log) }
}

fn checkpoint(connection: &Connection) -> rusqlite::Result<Log> {
    connection.query_row(CHECKPOINT, [], |row| Ok(Log { pages: row.get(1)?, copied: row.get(2)? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_starts_anew_after_a_checkpoint_beside_calls() {
        let name = format!("embedded-log-{}.sqlite", std::process::id());
        let file = std::env::temp_dir().join(name);
        let _ = std::fs::remove_file(&file);
        let [calls, beside] = [(); 2].map(|()| Connection::open(&file).unwrap());
        calls.execute_batch("pragma journal_mode = wal; pragma wal_autocheckpoint = 0").unwrap();
        calls.execute_batch("create table items (text)").unwrap();
        let mut most = 0;
        for _ in 0..200 {
            calls.execute("insert into items values (?)", ["x".repeat(10_000)]).unwrap();
            let log = copy(&beside, || panic!("it is complete")).unwrap();
            assert_eq!(log.copied, log.pages);
            most = most.max(log.pages);
        }
        assert!(most < 50, "{most}");
        // The last connection deletes the log.
        drop((calls, beside));
        std::fs::remove_file(&file).unwrap();
    }
}
