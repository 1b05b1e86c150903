//! DynamoDB and its streams: requests in JSON to dynoxide and back.

mod batch;
mod capacity;
mod refusal;
mod tables;

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::task::{Context, Poll, Waker};

use dynoxide::storage::Storage;
use dynoxide::{Database, DynoxideError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub use self::tables::StreamRecord;
use crate::Clock;
use crate::error::Error;
use crate::wire::{Outcome, Refusal};

pub(crate) struct Store {
    database: Database,
    file: Option<String>,
    clock: Clock,
    /// Held by every call and taken alone by a sweep over its own connection.
    sweeping: RwLock<()>,
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

impl Store {
    pub(crate) fn open(file: Option<PathBuf>, clock: Clock) -> Result<Self, Error> {
        let file = match file {
            Some(path) => Some(path.into_os_string().into_string().map_err(|path| {
                Error::Shape(format!("the directory's name is not UTF-8: {}", path.display()))
            })?),
            None => None,
        };
        let database = match &file {
            Some(path) => {
                let database = Database::new(path)?;
                // The only public way to synchronous=NORMAL: a write then survives the end of the
                // process, though perhaps not a power failure, and costs no fsync.
                database.disable_bulk_loading()?;
                database
            }
            None => Database::memory_with_clock(Arc::new(InjectedClock(clock.clone())))?,
        };
        Ok(Self { database, file, clock, sweeping: RwLock::new(()) })
    }

    /// Answers a client. With `half`, only the first half of a batch is done.
    pub(crate) fn call(&self, operation: &str, mut request: Value, half: bool) -> Outcome {
        let asked = capacity::ask(operation, &mut request);
        let left = if half { batch::split(operation, &mut request) } else { None };
        let result = if left.as_ref().is_some_and(|left| left.nothing_to_do) {
            Ok(json!({}))
        } else {
            self.run(operation, request)
        };
        let mut reply = match result {
            Ok(reply) => reply,
            Err(error) => return Outcome::free(Err(refuse(&error))),
        };
        if let Some(left) = left {
            left.add_to(&mut reply);
        }
        if operation == "GetRecords" {
            tables::name_identity_for_clients(&mut reply);
        }
        let units = capacity::units(&reply);
        if !asked && let Some(reply) = reply.as_object_mut() {
            reply.remove("ConsumedCapacity");
        }
        Outcome { result: Ok(reply), units }
    }

    fn run(&self, operation: &str, request: Value) -> Result<Value, DynoxideError> {
        let _calling = self.sweeping.read().unwrap_or_else(PoisonError::into_inner);
        dispatch(&self.database, operation, request)
    }

    pub(crate) fn sweep_expired(&self) -> Result<usize, Error> {
        let Some(file) = &self.file else { return Ok(self.database.sweep_ttl()?) };
        // dynoxide's own sweep of a file would go by the system's time. A connection of our own
        // takes the clock, and is made anew because it would not notice changed tables.
        let _sweeping = self.sweeping.write().unwrap_or_else(PoisonError::into_inner);
        let storage = Storage::new(file)?.with_clock(Arc::new(InjectedClock(self.clock.clone())));
        storage.disable_bulk_loading()?;
        let sweep = std::pin::pin!(dynoxide::ttl::sweep_expired_items(&storage));
        match sweep.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(swept) => Ok(swept?),
            Poll::Pending => Err(Error::Shape("the sweep did not finish in one go".into())),
        }
    }
}

fn refuse(error: &DynoxideError) -> Refusal {
    let code = error.error_type().rsplit('#').next().unwrap_or_default().to_owned();
    Refusal { status: error.status_code(), code, body: error.to_json(), query_error: None }
}

fn with<Request: DeserializeOwned, Reply: Serialize>(
    operation: &str,
    request: Value,
    method: impl FnOnce(Request) -> Result<Reply, DynoxideError>,
) -> Result<Value, DynoxideError> {
    let request =
        serde_json::from_value(request).map_err(|error| refusal::unreadable(operation, &error))?;
    serde_json::to_value(method(request)?)
        .map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}

fn dispatch(database: &Database, operation: &str, request: Value) -> Result<Value, DynoxideError> {
    macro_rules! operations {
        ($($name:literal => $method:ident,)+) => {
            match operation {
                $($name => with(operation, request, |request| database.$method(request)),)+
                other => Err(DynoxideError::UnsupportedCapability(other.to_owned())),
            }
        };
    }
    operations! {
        "CreateTable" => create_table,
        "DeleteTable" => delete_table,
        "DescribeTable" => describe_table,
        "UpdateTable" => update_table,
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
