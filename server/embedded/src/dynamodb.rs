//! DynamoDB and its streams: requests in JSON to dynoxide and back.
//!
//! One connection executes all calls, one at a time and in order: SQLite allows one writer, and a
//! call takes a fraction of a millisecond. The cost of a call does not depend on earlier writes:
//! [`stream`] and [`expiry`] add the indexes that dynoxide's tables lack, and [`crate::disk::log`] empties the
//! write-ahead log beside calls.

mod batch;
mod capacity;
mod engine;
mod expiry;
mod point;
mod refusal;
mod service;
mod stream;
mod tables;
mod tokens;
mod versions;
mod writes;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use dynoxide::DynoxideError;
use parking_lot::{FairMutex, FairMutexGuard};
use rusqlite::Connection;
use serde_json::{Value, json};

use self::engine::Engine;
pub(crate) use self::service::DynamoDb;
pub(crate) use self::stream::Filter;
pub use self::stream::{ItemFilter, StreamPage, StreamRecord};
use crate::base::{Clock, Error, Outcome, Refusal, Reply};
use crate::disk::log;

/// Pause of a sweep between its steps, for calls.
const TURN: Duration = Duration::from_millis(1);

pub(crate) struct Store {
    engine: Arc<FairMutex<Engine>>,
}

impl Store {
    pub(crate) fn open(file: Option<PathBuf>, clock: Clock) -> Result<Self, Error> {
        let engine = Arc::new(FairMutex::new(Engine::open(file.as_deref(), clock)?));
        if let Some(file) = file {
            log::spawn(&file, &engine, |engine| engine.storage.conn())?;
        }
        Ok(Self { engine })
    }

    /// Handles a request. With `half`, only the first half of a batch is executed.
    pub(crate) fn call(&self, operation: &str, mut request: Value, half: bool) -> Outcome {
        if !half && let Some(read) = self.engine().read(operation, &request) {
            return Outcome { result: Ok(Reply::Text(read.text)), units: read.units };
        }
        let asked = capacity::ask(operation, &mut request);
        let undone = if half { batch::split(operation, &mut request) } else { None };
        let result = if undone.as_ref().is_some_and(|undone| undone.nothing_to_do) {
            Ok(json!({}))
        } else {
            self.run(operation, request)
        };
        let mut reply = match result {
            Ok(reply) => reply,
            Err(error) => return Outcome::free(Err(refuse(&error))),
        };
        if let Some(undone) = undone {
            undone.add_to(&mut reply);
        }
        if operation == "GetRecords" {
            stream::name_identity_for_clients(&mut reply);
        }
        let units = capacity::units(&reply);
        if !asked && let Some(reply) = reply.as_object_mut() {
            reply.remove("ConsumedCapacity");
        }
        Outcome { result: Ok(Reply::Json(reply)), units }
    }

    fn run(&self, operation: &str, request: Value) -> Result<Value, DynoxideError> {
        self.engine().run(operation, request)
    }

    fn engine(&self) -> FairMutexGuard<'_, Engine> {
        self.engine.lock()
    }

    /// Does something while no call is at work.
    pub(crate) fn between_calls<T>(&self, work: impl FnOnce() -> T) -> T {
        let _engine = self.engine();
        work()
    }

    pub(crate) fn prove_writable(&self) -> Result<(), Error> {
        Ok(log::write_nothing(self.engine().storage.conn())?)
    }

    pub(crate) fn copy(&self) -> Result<Connection, Error> {
        Ok(self.engine().storage.backup_to_memory()?)
    }

    pub(crate) fn replace(&self, by: &Connection) -> Result<(), Error> {
        let mut engine = self.engine();
        engine.tables.clear();
        Ok(engine.storage.restore_from_connection(by)?)
    }

    /// Deletes expired items, and expired records of streams; returns the number of items.
    pub(crate) fn sweep_expired(&self) -> Result<usize, Error> {
        let deleted = self.delete_expired()?;
        self.trim()?;
        Ok(deleted)
    }
}

fn refuse(error: &DynoxideError) -> Refusal {
    let code = error.error_type().rsplit('#').next().unwrap_or_default().to_owned();
    Refusal { status: error.status_code(), code, body: error.to_json(), query_error: None }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// A store in memory with a table `items` that has a stream, and its clock.
    pub(super) fn store() -> (Store, Arc<AtomicU64>) {
        let time = Arc::new(AtomicU64::new(1_700_000_000_000));
        let clock = Arc::clone(&time);
        let store = Store::open(None, Arc::new(move || clock.load(Ordering::SeqCst))).unwrap();
        let table = json!({
            "TableName": "items",
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{ "AttributeName": "pk", "KeyType": "HASH" }],
            "AttributeDefinitions": [{ "AttributeName": "pk", "AttributeType": "S" }],
            "StreamSpecification": { "StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES" },
        });
        store.create_table(table).unwrap();
        (store, time)
    }

    pub(super) fn put(store: &Store, key: &str, mut item: Value) {
        item["pk"] = json!({ "S": key });
        store.run("PutItem", json!({ "TableName": "items", "Item": item })).unwrap();
    }

    /// The query plan of a statement in SQLite.
    pub(super) fn plan(store: &Store, statement: &str) -> String {
        let engine = store.engine();
        let explain = format!("explain query plan {statement}");
        let mut statement = engine.storage.conn().prepare(&explain).unwrap();
        let mut rows = statement.raw_query();
        let mut plan = String::new();
        while let Some(row) = rows.next().unwrap() {
            plan.push_str(&row.get::<_, String>(3).unwrap());
            plan.push('\n');
        }
        plan
    }

    #[test]
    fn a_transaction_repeated_under_its_token_is_done_once_and_consumes_nothing_more() {
        let (store, _) = store();
        let change = |by: i32| {
            json!({
                "ClientRequestToken": "token",
                "TransactItems": [{ "Update": {
                    "TableName": "items",
                    "Key": { "pk": { "S": "a" } },
                    "UpdateExpression": "ADD hits :n",
                    "ExpressionAttributeValues": { ":n": { "N": by.to_string() } },
                } }],
            })
        };
        let first = store.call("TransactWriteItems", change(1), false);
        let again = store.call("TransactWriteItems", change(1), false);
        assert_eq!((first.units, again.units), (2.0, 0.0));
        assert_eq!(store.dump("items").unwrap()[0]["hits"]["N"], "1");
        let other = store.call("TransactWriteItems", change(2), false).result.err().unwrap();
        assert_eq!(other.code, "IdempotentParameterMismatchException");
    }
}
