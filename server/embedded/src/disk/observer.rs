//! Observation of databases, for figures of a service. The crate knows nothing of their format.

use std::sync::Arc;
use std::time::Duration;

/// A database of the embedded services.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Database {
    /// Tables and their streams.
    DynamoDb,
    /// Queues.
    Sqs,
}

impl Database {
    /// Name of the database in figures.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DynamoDb => "dynamodb",
            Self::Sqs => "sqs",
        }
    }
}

/// Takes note of what databases do. Calls wait until it has.
pub trait Observer: Send + Sync {
    /// A call waited for its turn, and was then done. `action` is one of a fixed number.
    fn called(&self, database: Database, action: &'static str, waited: Duration, took: Duration);

    /// A sync of the log took so long.
    fn synced(&self, database: Database, took: Duration);
}

/// Takes no note.
impl Observer for () {
    fn called(&self, _: Database, _: &'static str, _: Duration, _: Duration) {}

    fn synced(&self, _: Database, _: Duration) {}
}

/// The observer of one database.
#[derive(Clone)]
pub(crate) struct Observed {
    observer: Arc<dyn Observer>,
    database: Database,
}

impl Observed {
    pub(crate) fn new(observer: &Arc<dyn Observer>, database: Database) -> Self {
        Self { observer: Arc::clone(observer), database }
    }

    pub(crate) fn called(&self, action: &'static str, waited: Duration, took: Duration) {
        self.observer.called(self.database, action, waited, took);
    }

    pub(crate) fn synced(&self, took: Duration) {
        self.observer.synced(self.database, took);
    }
}

/// The actions that the service calls. Others may call any, by any name.
const ACTIONS: [&str; 16] = [
    "GetItem",
    "Query",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "BatchGetItem",
    "BatchWriteItem",
    "TransactGetItems",
    "TransactWriteItems",
    "BatchExecuteStatement",
    "Scan",
    "SendMessage",
    "SendMessageBatch",
    "ReceiveMessage",
    "DeleteMessageBatch",
    "StartMessageMoveTask",
];

/// Name of an operation in figures.
pub(crate) fn action(operation: &str) -> &'static str {
    ACTIONS.into_iter().find(|action| *action == operation).unwrap_or("other")
}
