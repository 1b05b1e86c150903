//! Copies of the data of an emulator.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use rusqlite::backup::Backup;

use crate::Emulator;
use crate::error::Error;

/// The tables, streams and queues of an emulator at one moment, to start others with. Mails, the log
/// of calls and tokens of transactions are not part of it.
pub struct Snapshot {
    dynamodb: Mutex<Connection>,
    sqs: Mutex<Connection>,
}

impl Emulator {
    /// Copies the data as it is now.
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        let dynamodb = Mutex::new(self.inner.store.copy()?);
        Ok(Snapshot { dynamodb, sqs: Mutex::new(self.inner.sqs.copy()?) })
    }

    /// Replaces all data by those of a snapshot.
    pub fn restore(&self, snapshot: &Snapshot) -> Result<(), Error> {
        self.inner.store.replace(&held(&snapshot.dynamodb))?;
        self.inner.sqs.replace(&held(&snapshot.sqs))
    }
}

fn held(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes one database equal to another.
pub(crate) fn copy(from: &Connection, to: &mut Connection) -> Result<(), Error> {
    let backup = Backup::new(from, to)?;
    // All pages in one step.
    backup.step(-1)?;
    Ok(())
}
