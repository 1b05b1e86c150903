//! Copies of both databases on the disk, as they are at one moment.

use std::path::Path;

use rusqlite::Connection;

use crate::base::Error;
use crate::disk::snapshot;
use crate::dynamodb::Store;
use crate::sqs::Sqs;

/// The files of the databases in a folder.
pub(crate) const TABLES: &str = "dynamodb.sqlite";
pub(crate) const QUEUES: &str = "sqs.sqlite";

/// Copies the databases in `dir` into new files in `into`. Calls wait only until both copies have
/// begun; what they write meanwhile is not part of them.
pub(crate) fn copy(store: &Store, sqs: &Sqs, dir: &Path, into: &Path) -> Result<(), Error> {
    let (tables, queues) =
        (Connection::open(dir.join(TABLES))?, Connection::open(dir.join(QUEUES))?);
    // An event is in one of them at any moment, so that one after the other would lose some.
    store.between_calls(|| sqs.between_calls(|| begin(&tables).and_then(|()| begin(&queues))))?;
    for (from, name) in [(tables, TABLES), (queues, QUEUES)] {
        snapshot::copy(&from, &mut Connection::open(into.join(name))?)?;
    }
    Ok(())
}

/// Begins to read a database as it is now.
fn begin(connection: &Connection) -> Result<(), Error> {
    connection.execute_batch("begin")?;
    let read = connection.query_row("select count(*) from sqlite_master", [], |_| Ok(()));
    Ok(read?)
}

/// Whether a database is sound.
pub(crate) fn check(file: &Path) -> Result<(), Error> {
    let connection = Connection::open(file)?;
    let found: String = connection.query_row("pragma integrity_check", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(Error::Shape(format!("{}: {found}", file.display()))) }
}
