//! dynoxide on one connection.
//!
//! dynoxide's `Database` hides its connection. The operations behind it are public, so this crate
//! can add indexes and settings to the connection, the injected clock to a file, and an expiry to
//! tokens of transactions.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use dynoxide::DynoxideError;
use dynoxide::actions;
use dynoxide::actions::vector_lifecycle::VectorIndexLifecycle;
use dynoxide::storage::Storage;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::point::{Read, Tables};
use super::tokens::Tokens;
use super::{refusal, stream};
use crate::base::{Clock, Error};

/// Cache of prepared statements: two for each index and a few for each table.
const PREPARED: usize = 256;

/// With the write-ahead log, `normal` loses no commit when the process is killed. The cache holds
/// the inner pages of a large file. Checkpoints have a connection of their own ([`crate::disk::log`]).
const SETTINGS: &str = "
    pragma synchronous = normal;
    pragma cache_size = -32768;
    pragma temp_store = memory;
    pragma wal_autocheckpoint = 0;
";

pub(super) struct Engine {
    pub(super) storage: Storage,
    pub(super) clock: Clock,
    vector_indexes: VectorIndexLifecycle,
    tokens: Tokens,
    pub(super) tables: Tables,
}

struct InjectedClock(Clock);

impl dynoxide::storage_backend::Clock for InjectedClock {
    fn now_unix_secs(&self) -> u64 {
        (self.0)() / 1000
    }

    fn now_unix_secs_f64(&self) -> f64 {
        (self.0)() as f64 / 1000.0
    }
}

impl Engine {
    pub(super) fn open(file: Option<&Path>, clock: Clock) -> Result<Self, Error> {
        let storage = match file {
            Some(path) => Storage::new(path.to_str().ok_or_else(|| {
                Error::Shape(format!("the directory's name is not UTF-8: {}", path.display()))
            })?)?,
            None => Storage::memory()?,
        };
        let storage = storage.with_clock(Arc::new(InjectedClock(clock.clone())));
        let connection = storage.conn();
        connection.set_prepared_statement_cache_capacity(PREPARED);
        connection.execute_batch(SETTINGS)?;
        connection.execute_batch(stream::INDEX)?;
        connection.execute_batch(stream::LABELS)?;
        let (vector_indexes, tokens) = (VectorIndexLifecycle::new(), Tokens::default());
        Ok(Self { storage, clock, vector_indexes, tokens, tables: Tables::default() })
    }

    /// Answers a read by keys; none if it has to be [`Engine::run`].
    pub(super) fn read(&mut self, operation: &str, request: &Value) -> Option<Read> {
        self.tables.read(&self.storage, operation, request)
    }

    /// The time in milliseconds since the epoch.
    pub(super) fn now(&self) -> u64 {
        (self.clock)()
    }

    pub(super) fn run(&mut self, operation: &str, request: Value) -> Result<Value, DynoxideError> {
        if operation.ends_with("Table") {
            self.tables.clear();
        }
        let actions = match operation {
            "TransactWriteItems" => "TransactItems",
            "ExecuteTransaction" => "TransactStatements",
            _ => return self.dispatch(operation, request),
        };
        let Some(token) = request["ClientRequestToken"].as_str().map(str::to_owned) else {
            return self.dispatch(operation, request);
        };
        let mut hasher = DefaultHasher::new();
        (operation, request[actions].to_string()).hash(&mut hasher);
        let (hash, now) = (hasher.finish(), self.now());
        if let Some(reply) = self.tokens.reply(&token, hash, now)? {
            return Ok(reply);
        }
        let reply = self.dispatch(operation, request)?;
        self.tokens.keep(token, hash, &reply, now);
        Ok(reply)
    }

    fn dispatch(&self, operation: &str, request: Value) -> Result<Value, DynoxideError> {
        let storage = &self.storage;
        macro_rules! operations {
            ($($name:literal => $action:ident $(($more:expr))?,)+) => {
                match operation {
                    $($name => with(operation, request, |request| {
                        finished(actions::$action::execute(storage, request $(, $more)?))
                    }),)+
                    other => Err(DynoxideError::UnsupportedCapability(other.to_owned())),
                }
            };
        }
        operations! {
            "CreateTable" => create_table,
            "DeleteTable" => delete_table(&self.vector_indexes),
            "DescribeTable" => describe_table(&self.vector_indexes),
            "UpdateTable" => update_table(&self.vector_indexes),
            "ListTables" => list_tables,
            "PutItem" => put_item,
            "GetItem" => get_item,
            "UpdateItem" => update_item,
            "DeleteItem" => delete_item,
            "Query" => query,
            "Scan" => scan,
            "BatchGetItem" => batch_get_item,
            "BatchWriteItem" => batch_write_item,
            "TransactGetItems" => transact_get_items,
            "TransactWriteItems" => transact_write_items,
            "ExecuteStatement" => execute_statement,
            "BatchExecuteStatement" => batch_execute_statement,
            "ExecuteTransaction" => execute_transaction,
            "ListStreams" => list_streams,
            "DescribeStream" => describe_stream,
            "GetShardIterator" => get_shard_iterator,
            "GetRecords" => get_records,
            "UpdateTimeToLive" => update_time_to_live,
            "DescribeTimeToLive" => describe_time_to_live,
            "TagResource" => tag_resource,
            "UntagResource" => untag_resource,
            "ListTagsOfResource" => list_tags_of_resource,
        }
    }
}

fn with<Request: DeserializeOwned, Reply: Serialize>(
    operation: &str,
    request: Value,
    action: impl FnOnce(Request) -> Result<Reply, DynoxideError>,
) -> Result<Value, DynoxideError> {
    let request =
        serde_json::from_value(request).map_err(|error| refusal::unreadable(operation, &error))?;
    serde_json::to_value(action(request)?)
        .map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}

/// The result of a future of dynoxide, which is ready at the first poll: SQLite does not wait.
pub(super) fn finished<T>(
    future: impl Future<Output = Result<T, DynoxideError>>,
) -> Result<T, DynoxideError> {
    match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => Err(DynoxideError::InternalServerError("an operation waits".to_owned())),
    }
}
