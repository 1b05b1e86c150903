//! SQS on one SQLite file.
//!
//! Every operation is one transaction, so acknowledged changes survive the end of the process, and
//! all times use the injected clock.

mod attributes;
mod batch;
mod delivery;
mod digest;
mod message;
mod operations;
mod queue;
mod receipt;
mod redrive;
mod schema;
mod wire;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{FairMutex, Mutex};
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use self::queue::Queue;
pub use self::queue::{QueueDepth, StoredMessage, WaitingMessage};
pub(crate) use self::queue::{arn, path};
pub(crate) use self::wire::{SqsError, internal_failure, throttled};
use crate::base::{Clock, Error};
use crate::disk::{Observed, Turns, action, log, snapshot};

/// Interval at which a long poll checks the clock, which a test may have moved.
const LOOK: Duration = Duration::from_millis(250);

#[derive(Clone)]
pub(crate) struct Sqs {
    database: Arc<Database>,
}

/// The file of all queues, and who waits for messages in them.
struct Database {
    connection: Arc<FairMutex<Connection>>,
    clock: Clock,
    /// Notifies the long polls of a queue of possibly visible messages.
    arrivals: Mutex<HashMap<String, Arc<Notify>>>,
    turns: Turns,
}

impl Sqs {
    pub(crate) fn open(
        file: Option<PathBuf>,
        clock: Clock,
        is_synced: bool,
        observed: Observed,
    ) -> Result<Self, Error> {
        let connection = Arc::new(FairMutex::new(schema::open(file.as_deref())?));
        if let Some(file) = &file {
            log::spawn(file, &connection, |connection| connection)?;
        }
        let turns = Turns::open(file.filter(|_| is_synced), observed)?;
        let arrivals = Mutex::default();
        Ok(Self { database: Arc::new(Database { connection, clock, arrivals, turns }) })
    }

    pub(crate) fn create_or_update(
        &self,
        name: &str,
        attributes: &BTreeMap<String, String>,
    ) -> Result<(), Error> {
        let set = self.database.transact(|db, now| match Queue::find(db, name)? {
            Some(queue) => queue.set(db, attributes, now),
            None => Queue::create(db, name, attributes, now),
        });
        set.map_err(|error| Error::Sqs(error.to_string()))
    }

    /// Waits until everything committed so far is on the disk.
    pub(crate) async fn synced(&self) -> Result<(), String> {
        self.database.turns.synced_so_far().await
    }

    /// Does something while no call is at work.
    pub(crate) fn between_calls<T>(&self, work: impl FnOnce() -> T) -> T {
        let _connection = self.database.connection.lock();
        work()
    }

    pub(crate) fn prove_writable(&self) -> Result<(), Error> {
        log::write_nothing(&self.database.connection.lock())?;
        self.database.turns.committed();
        Ok(())
    }

    pub(crate) fn copy(&self) -> Result<Connection, Error> {
        let mut copy = Connection::open_in_memory()?;
        snapshot::copy(&self.database.connection.lock(), &mut copy)?;
        Ok(copy)
    }

    pub(crate) fn replace(&self, by: &Connection) -> Result<(), Error> {
        snapshot::copy(by, &mut self.database.connection.lock())?;
        self.database.arrived_anywhere();
        Ok(())
    }

    pub(crate) fn depth(&self, name: &str) -> Result<QueueDepth, Error> {
        let depth = self.database.transact(|db, now| Queue::named(db, name)?.depth(db, now));
        depth.map_err(|error| Error::Sqs(error.to_string()))
    }

    /// The depths of queues up to `most`, by a connection of its own to the file, if there is one.
    pub(crate) fn count(
        &self,
        file: Option<&Path>,
        names: &[String],
        most: u32,
    ) -> Result<Vec<QueueDepth>, Error> {
        let count = |db: &Connection| {
            let now = self.database.now();
            let count = |name: &String| Queue::named(db, name)?.count(db, now, most);
            let counted: Result<_, SqsError> = names.iter().map(count).collect();
            counted.map_err(|error| Error::Sqs(error.to_string()))
        };
        match file {
            Some(file) => {
                count(&Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?)
            }
            None => count(&self.database.connection.lock()),
        }
    }

    /// The newest messages of a queue, without receiving them.
    pub(crate) fn waiting(&self, name: &str, limit: u32) -> Result<Vec<WaitingMessage>, Error> {
        let read = self.database.transact(|db, _| Queue::named(db, name)?.waiting(db, limit));
        read.map_err(|error| Error::Sqs(error.to_string()))
    }

    /// All messages of a queue, without receiving them.
    pub(crate) fn stored(&self, name: &str) -> Result<Vec<StoredMessage>, Error> {
        let read = self.database.transact(|db, now| Queue::named(db, name)?.stored(db, now));
        read.map_err(|error| Error::Sqs(error.to_string()))
    }

    /// Answers a client. With `half`, only the first half of a batch is done.
    pub(crate) async fn call(
        &self,
        operation: &str,
        request: Value,
        host: &str,
        half: bool,
    ) -> Result<Value, SqsError> {
        if operation == "ReceiveMessage" {
            return self.receive(request).await;
        }
        // Rows may say next that a message was sent, and have a disk of their own.
        let is_sent = ["SendMessage", "SendMessageBatch", "StartMessageMoveTask"];
        let is_sent = is_sent.contains(&operation);
        let named = action(operation);
        let (operation, host) = (operation.to_owned(), host.to_owned());
        let reply = self.blocking(named, move |database| {
            let reply = database
                .transact(|db, now| operations::run(db, &operation, &request, &host, half, now))?;
            match operation.as_str() {
                "SendMessage"
                | "SendMessageBatch"
                | "ChangeMessageVisibility"
                | "ChangeMessageVisibilityBatch" => database.arrived(queue_of(&request)),
                "DeleteQueue" | "SetQueueAttributes" | "StartMessageMoveTask" => {
                    database.arrived_anywhere();
                }
                _ => {}
            }
            Ok(reply)
        });
        let reply = reply.await?;
        if is_sent {
            self.synced().await.map_err(|error| SqsError::internal(&error))?;
        }
        Ok(reply)
    }

    async fn receive(&self, request: Value) -> Result<Value, SqsError> {
        let arrivals = self.database.arrivals(queue_of(&request));
        let request = Arc::new(request);
        let started = Instant::now();
        let first = self.database.now();
        loop {
            let arrival = arrivals.notified();
            tokio::pin!(arrival);
            // Before the receive, otherwise a message sent just after it would be missed.
            arrival.as_mut().enable();
            let attempt = request.clone();
            let received = self
                .blocking("ReceiveMessage", move |database| {
                    let received =
                        database.transact(|db, now| delivery::receive(db, &attempt, now))?;
                    if received.moved {
                        database.arrived_anywhere();
                    }
                    Ok(received)
                })
                .await?;
            let waited = i64::try_from(started.elapsed().as_millis()).unwrap_or(i64::MAX);
            let end = first.saturating_add(received.wait);
            // A client times out in real time, even if the injected clock stands still.
            if !received.messages.is_empty()
                || self.database.now() >= end
                || waited >= received.wait
            {
                let messages = received.messages;
                return Ok(if messages.is_empty() {
                    json!({})
                } else {
                    json!({ "Messages": messages })
                });
            }
            let until = received.next_visible.map_or(end, |next| next.min(end));
            while self.database.now() < until
                && started.elapsed().as_millis() < received.wait as u128
            {
                let rest = u64::try_from(until - self.database.now()).unwrap_or(0);
                let pause = LOOK.min(Duration::from_millis(rest.max(1)));
                if timeout(pause, arrival.as_mut()).await.is_ok() {
                    break;
                }
            }
        }
    }

    async fn blocking<T: Send + 'static>(
        &self,
        action: &'static str,
        work: impl FnOnce(&Database) -> Result<T, SqsError> + Send + 'static,
    ) -> Result<T, SqsError> {
        let database = self.database.clone();
        let done = self.database.turns.run(action, move || work(&database)).await;
        done.unwrap_or_else(|error| Err(SqsError::internal(&error)))
    }
}

/// The name of the queue a request is for.
pub(crate) fn queue_of(request: &Value) -> &str {
    request["QueueUrl"].as_str().and_then(|url| url.rsplit('/').next()).unwrap_or_default()
}

impl Database {
    fn arrivals(&self, queue: &str) -> Arc<Notify> {
        let mut arrivals = self.arrivals.lock();
        if let Some(known) = arrivals.get(queue) {
            return Arc::clone(known);
        }
        // A name without waiters is dropped: there may be any number of names.
        arrivals.retain(|_, known| Arc::strong_count(known) > 1);
        Arc::clone(arrivals.entry(queue.to_owned()).or_default())
    }

    fn arrived(&self, queue: &str) {
        let arrivals = self.arrivals.lock();
        if let Some(known) = arrivals.get(queue) {
            known.notify_waiters();
        }
    }

    fn arrived_anywhere(&self) {
        let arrivals = self.arrivals.lock();
        arrivals.values().for_each(|known| known.notify_waiters());
    }

    fn now(&self) -> i64 {
        i64::try_from((self.clock)()).unwrap_or(i64::MAX)
    }

    fn transact<T>(
        &self,
        work: impl FnOnce(&Connection, i64) -> Result<T, SqsError>,
    ) -> Result<T, SqsError> {
        let mut connection = self.connection.lock();
        // Immediate, so that a second process on the same file waits instead of failing halfway.
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let before = transaction.total_changes();
        let result = work(&transaction, self.now())?;
        let is_changed = transaction.total_changes() != before;
        transaction.commit()?;
        if is_changed {
            self.turns.committed();
        }
        Ok(result)
    }
}
