//! Copies of the data of embedded services.

use parking_lot::Mutex;
use rusqlite::Connection;
use rusqlite::backup::Backup;

use crate::base::Error;

/// The tables, streams and queues of embedded services at one moment, to start others with. Mails, the log
/// of calls and tokens of transactions are not part of it.
pub struct Snapshot {
    pub(crate) dynamodb: Mutex<Connection>,
    pub(crate) sqs: Mutex<Connection>,
}

impl Snapshot {
    pub(crate) fn new(dynamodb: Connection, sqs: Connection) -> Self {
        Self { dynamodb: Mutex::new(dynamodb), sqs: Mutex::new(sqs) }
    }
}

/// Makes one database equal to another.
pub(crate) fn copy(from: &Connection, to: &mut Connection) -> Result<(), Error> {
    let backup = Backup::new(from, to)?;
    // All pages in one step.
    backup.step(-1)?;
    Ok(())
}
