//! The embedded services of a deployment together, and the way into them.

mod backup;
mod door;
mod parts;
mod share;
mod sizes;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::watch;

use self::parts::Parts;
use crate::base::Error;
use crate::connections::Connections;
use crate::disk::Snapshot;
use crate::dynamodb::{Filter, ItemFilter, Store, StreamPage, StreamRecord};
use crate::mail::SentMail;
use crate::roles::Asked;
use crate::sqs::{self, QueueDepth, StoredMessage, WaitingMessage};
use crate::testing::{Call, Fault, Port};

pub use self::door::Door;
pub use self::parts::Options;
pub use self::sizes::Files;

/// The emulated services. A clone is another handle to the same data.
#[derive(Clone)]
pub struct EmbeddedServices {
    services: Arc<Parts>,
}

impl EmbeddedServices {
    /// Opens the databases, creating what is missing.
    pub fn open(options: Options) -> Result<Self, Error> {
        Ok(Self { services: Arc::new(Parts::open(options)?) })
    }

    fn store(&self) -> &Store {
        self.services.dynamodb.store()
    }

    /// The way into the services.
    #[must_use]
    pub fn door(&self) -> Door {
        Door::new(Arc::clone(&self.services), None)
    }

    /// Like [`EmbeddedServices::door`], for clients that work in the background: at most `at_once` of their
    /// calls are in DynamoDB at a time, so that a call through another door waits for at most
    /// these. The others wait: each caller and each of its tenants has its turn.
    #[must_use]
    pub fn shared_door(&self, at_once: usize) -> Door {
        Door::new(Arc::clone(&self.services), Some(at_once))
    }

    /// Creates a table from a `CreateTable` request; does nothing when the table exists.
    pub fn create_table(&self, request: Value) -> Result<(), Error> {
        self.store().create_table(request)
    }

    /// Lets items of `table` expire by `attribute`, in seconds since the epoch.
    pub fn enable_time_to_live(&self, table: &str, attribute: &str) -> Result<(), Error> {
        self.store().enable_time_to_live(table, attribute)
    }

    /// Creates a queue, or sets the given attributes of an existing one.
    pub fn create_queue(
        &self,
        name: &str,
        attributes: &BTreeMap<String, String>,
    ) -> Result<(), Error> {
        self.services.sqs.create_or_update(name, attributes)
    }

    /// The ARN of a queue, existing or not, for a `RedrivePolicy`.
    #[must_use]
    pub fn queue_arn(name: &str) -> String {
        sqs::arn(name)
    }

    /// The path of a queue's URL, to append to `http://<address served>`.
    #[must_use]
    pub fn queue_path(name: &str) -> String {
        sqs::path(name)
    }

    /// Does `work` while no call is in DynamoDB, such as reading a stream.
    ///
    /// # Errors
    /// The work panicked.
    pub async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let embedded = self.clone();
        self.services.dynamodb.in_turn("ReadStream", move || work(&embedded)).await
    }

    /// Up to `limit` changes of `table` after the given sequence number, oldest first, or from
    /// the beginning of the stream. Records of the last 24 hours are there, by the injected clock.
    ///
    /// The cost does not depend on the length of the stream.
    pub fn stream(
        &self,
        table: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<StreamRecord>, Error> {
        Ok(self.store().stream(table, after, limit, Filter::All)?.records)
    }

    /// Like [`EmbeddedServices::stream`], with only the records whose new image has `attribute`, like a
    /// filter of an event source. At most 1,000 filtered records are skipped per call.
    pub fn stream_with(
        &self,
        table: &str,
        attribute: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<StreamPage, Error> {
        self.store().stream(table, after, limit, Filter::Attribute(attribute))
    }

    /// Like [`EmbeddedServices::stream_with`], with the records that pass one of the filters.
    pub fn stream_of(
        &self,
        table: &str,
        filters: &[ItemFilter<'_>],
        after: Option<&str>,
        limit: usize,
    ) -> Result<StreamPage, Error> {
        self.store().stream(table, after, limit, Filter::Items(filters))
    }

    /// Waits until all writes so far are on the disk, if [`Options::is_synced`]. Nobody may learn of
    /// a write before: no client by a reply, and no queue or stream by a deletion or a position.
    pub async fn synced(&self) -> Result<(), Error> {
        self.services.synced().await.map_err(|e| std::io::Error::other(e).into())
    }

    /// Copies tables, streams and queues, as they are at one moment, into files in the folder
    /// `into`, which has none of them yet. Blocks for as long as it takes; calls go on meanwhile.
    ///
    /// # Errors
    /// There is no data folder, or a file cannot be read or written.
    pub fn backup(&self, into: &Path) -> Result<(), Error> {
        let Some(dir) = self.services.dir() else {
            return Err(Error::Shape("the data are in memory only".to_owned()));
        };
        let Parts { dynamodb, sqs, .. } = &*self.services;
        backup::copy(dynamodb.store(), sqs, dir, into)
    }

    /// Checks the copies in a folder.
    ///
    /// # Errors
    /// A copy is missing or damaged.
    pub fn check_backup(folder: &Path) -> Result<(), Error> {
        [backup::TABLES, backup::QUEUES]
            .iter()
            .try_for_each(|name| backup::check(&folder.join(name)))
    }

    /// Whether a folder has databases.
    pub fn has_data(folder: &Path) -> bool {
        [backup::TABLES, backup::QUEUES].iter().any(|name| folder.join(name).exists())
    }

    /// Writes to both databases, without a change of data.
    ///
    /// # Errors
    /// A database cannot be written, or does not reach the disk.
    pub async fn prove_writable(&self) -> Result<(), Error> {
        self.services.prove_writable().await?;
        self.synced().await
    }

    /// Changes with each write to `table`, for followers of its stream.
    #[must_use]
    pub fn writes_to(&self, table: &str) -> watch::Receiver<()> {
        self.services.dynamodb.writes_to(table)
    }

    /// Deletes all expired items by the injected clock and returns their number; also deletes
    /// records of streams older than 24 hours.
    ///
    /// Nothing expires without this call. Other calls have their turn in between.
    pub fn sweep_expired(&self) -> Result<usize, Error> {
        self.services.dynamodb.sweep_expired()
    }

    /// All items of `table` in DynamoDB JSON, sorted by key.
    pub fn dump(&self, table: &str) -> Result<Vec<Value>, Error> {
        self.store().dump(table)
    }

    /// Items of `table` in DynamoDB JSON whose partition key is a text that begins with `prefix`.
    /// Other items are not read.
    pub fn in_partitions(&self, table: &str, prefix: &str) -> Result<Vec<Value>, Error> {
        self.store().in_partitions(table, prefix)
    }

    /// Copies the data as it is now.
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        Ok(Snapshot::new(self.store().copy()?, self.services.sqs.copy()?))
    }

    /// Replaces all data by those of a snapshot.
    pub fn restore(&self, snapshot: &Snapshot) -> Result<(), Error> {
        self.services.dynamodb.replace(&snapshot.dynamodb.lock())?;
        self.services.sqs.replace(&snapshot.sqs.lock())
    }

    /// The requests of clients, oldest first; only the most recent [`MAX_CALLS`](crate::MAX_CALLS) are kept.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.services.calls.all()
    }

    /// Like [`EmbeddedServices::calls`], and forgets them.
    pub fn take_calls(&self) -> Vec<Call> {
        self.services.calls.take()
    }

    /// All actions that callers with a role requested so far, without duplicates.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.services.access.asked()
    }

    /// Injects a fault. Of several that match a call, the one injected first takes effect.
    pub fn inject(&self, fault: Fault) {
        self.services.faults.inject(fault);
    }

    /// Removes every fault, and returns those that are not spent.
    pub fn clear_faults(&self) -> Vec<Fault> {
        self.services.faults.clear()
    }

    /// Puts a port in the way of clients, or none.
    pub fn set_port(&self, port: Option<Arc<dyn Port>>) {
        self.services.ports.set(port);
    }

    /// Executes an SQS request in this process, like the poller of an event source. Neither logged
    /// nor subject to faults.
    pub async fn sqs(&self, operation: &str, request: Value) -> Result<Value, Error> {
        let answer = self.services.sqs.call(operation, request, "localhost", false).await;
        answer.map_err(|error| Error::Sqs(error.to_string()))
    }

    /// The clients that `@connections` reaches.
    #[must_use]
    pub fn connections(&self) -> &Connections {
        &self.services.connections
    }

    /// The mails accepted, oldest first; only the most recent 10,000 of this process are kept, and
    /// 64 MB of them.
    #[must_use]
    pub fn mails(&self) -> Vec<SentMail> {
        self.services.ses.outbox().mails()
    }

    /// Forgets the mails so far; files stay.
    pub fn forget_mails(&self) {
        self.services.ses.outbox().forget();
    }

    /// The names of the mails in the outbox, newest first, including those of earlier processes:
    /// the time of each in milliseconds since the epoch (13 digits), a hyphen and its id.
    pub fn outbox(&self) -> Result<Vec<String>, Error> {
        Ok(self.services.ses.outbox().names()?)
    }

    /// Deletes mails of the outbox that are older than 30 days.
    pub fn trim_outbox(&self) -> Result<(), Error> {
        Ok(self.services.ses.trim_outbox()?)
    }

    /// Header and body of a mail in the outbox, by its name.
    pub fn outbox_mail(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.services.ses.outbox().read(name)?)
    }

    /// The newest messages of a queue, without receiving them.
    pub fn queue_messages(&self, name: &str, limit: u32) -> Result<Vec<WaitingMessage>, Error> {
        self.services.sqs.waiting(name, limit)
    }

    /// All messages of a queue, visible or not, without receiving them.
    pub fn stored_messages(&self, name: &str) -> Result<Vec<StoredMessage>, Error> {
        self.services.sqs.stored(name)
    }

    /// Number of messages in a queue.
    pub fn queue_depth(&self, name: &str) -> Result<QueueDepth, Error> {
        self.services.sqs.depth(name)
    }
}
