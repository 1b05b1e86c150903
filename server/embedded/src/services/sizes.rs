//! How much there is, found without holding up calls.

use std::path::Path;

use super::{EmbeddedServices, backup};
use crate::base::Error;
use crate::disk::Database;
use crate::sqs::QueueDepth;

/// The files of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Files {
    /// Owner of the files.
    pub database: Database,
    /// Bytes of the database.
    pub bytes: u64,
    /// Bytes of its write-ahead log.
    pub log_bytes: u64,
}

impl EmbeddedServices {
    /// The files of both databases; none in memory. Blocks.
    pub fn files(&self) -> Result<Vec<Files>, Error> {
        let Some(dir) = self.services.dir() else { return Ok(vec![]) };
        [(Database::DynamoDb, backup::TABLES), (Database::Sqs, backup::QUEUES)]
            .into_iter()
            .map(|(database, name)| {
                let bytes = size(&dir.join(name))?;
                Ok(Files { database, bytes, log_bytes: size(&dir.join(format!("{name}-wal")))? })
            })
            .collect()
    }

    /// How many messages each of these queues has, at most `most` in each state: the cost of counting
    /// does not grow beyond that. Blocks.
    pub fn count_messages(&self, queues: &[String], most: u32) -> Result<Vec<QueueDepth>, Error> {
        let file = self.services.dir().map(|dir| dir.join(backup::QUEUES));
        self.services.sqs.count(file.as_deref(), queues, most)
    }
}

fn size(file: &Path) -> Result<u64, Error> {
    Ok(std::fs::metadata(file)?.len())
}
