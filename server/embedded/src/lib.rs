//! DynamoDB, DynamoDB Streams, SQS, SES and `@connections` of API Gateway within a process, and on a
//! port for others.
//!
//! DynamoDB is dynoxide; SQS is this crate's own, on one SQLite file; mails go to a folder or an
//! SMTP server; messages to connected clients go to the server of their connections. In addition to
//! the real services, there is an injected clock, a log of every call with its consumed capacity,
//! and injected faults between a client and the store. Callers have roles, as in IAM, and are
//! refused missing rights.

mod access;
mod backup;
mod buffers;
mod calls;
mod connections;
mod dynamodb;
mod environment;
mod error;
mod faults;
mod hold;
mod log;
mod observer;
mod port;
mod server;
mod ses;
mod share;
mod sizes;
mod snapshot;
mod sqs;
mod sync;
mod turns;
mod versions;
mod wire;
mod writes;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::watch;

pub use crate::access::{Asked, OWNER, Roles, Statement, connections_arn, mail_arn, table_arn};
pub use crate::calls::{Call, Service};
pub use crate::connections::{Connection, Connections, Ended, Inbox, Lifetime, Posted};
use crate::dynamodb::Filter;
pub use crate::dynamodb::{ItemFilter, StreamPage, StreamRecord};
pub use crate::environment::{ACCOUNT, Clock, REGION};
pub use crate::error::Error;
pub use crate::faults::{Effect, Fault};
pub use crate::hold::Hold;
use crate::observer::Observed;
pub use crate::observer::{Database, Observer};
pub use crate::port::Port;
pub use crate::server::Door;
pub use crate::ses::{SentMail, Smtp};
pub use crate::sizes::Files;
pub use crate::snapshot::Snapshot;
pub use crate::sqs::{QueueDepth, StoredMessage, WaitingMessage};
use crate::turns::Turns;

/// Data folder and clock.
pub struct Options {
    /// The directory of the database files, created when missing; `None` keeps all in memory.
    pub dir: Option<PathBuf>,
    /// Whether [`Emulator::synced`] waits for the disk, as do requests over a port, mails and posts
    /// to connections. Otherwise a power failure takes back what the end of the process does not.
    pub is_synced: bool,
    /// Whether calls and accepted mails are kept in memory, for tests and consoles.
    pub remembers: bool,
    /// The observer of the databases.
    pub observer: Arc<dyn Observer>,
    /// The clock of visibility timeouts, delays, retention, expiry and streams.
    pub clock: Clock,
    /// The folder of accepted mails as `.eml` files; `None`: `outbox` of the directory, if any.
    pub outbox: Option<PathBuf>,
    /// A server that also gets every accepted mail.
    pub smtp: Option<Smtp>,
    /// The name of the queue for reports about mails, once it exists.
    pub mail_events_queue: Option<String>,
    /// The roles of callers; others have all rights.
    pub roles: Roles,
}

/// The emulated services. A clone is another handle to the same data.
#[derive(Clone)]
pub struct Emulator {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) store: dynamodb::Store,
    pub(crate) sqs: sqs::Sqs,
    pub(crate) ses: ses::Ses,
    pub(crate) connections: Connections,
    pub(crate) access: access::Access,
    pub(crate) calls: calls::Calls,
    pub(crate) faults: faults::Faults,
    pub(crate) ports: port::Ports,
    pub(crate) writes: writes::Writes,
    pub(crate) versions: versions::Versions,
    pub(crate) turns: Turns,
    dir: Option<PathBuf>,
}

impl Inner {
    async fn synced(&self) -> Result<(), String> {
        self.turns.synced_so_far().await?;
        self.sqs.synced().await
    }
}

impl Emulator {
    /// Opens the databases, creating what is missing.
    pub fn open(options: Options) -> Result<Self, Error> {
        if let Some(dir) = &options.dir {
            std::fs::create_dir_all(dir)?;
        }
        let file = |name: &str| options.dir.as_ref().map(|dir| dir.join(name));
        let store = dynamodb::Store::open(file(backup::TABLES), options.clock.clone())?;
        let observed = |database| Observed::new(&options.observer, database);
        let (queues, is_synced) = (file(backup::QUEUES), options.is_synced);
        let sqs =
            sqs::Sqs::open(queues, options.clock.clone(), is_synced, observed(Database::Sqs))?;
        let tables = file(backup::TABLES).filter(|_| is_synced);
        let turns = Turns::open(tables, observed(Database::DynamoDb))?;
        let outbox = options.outbox.clone().or_else(|| file("outbox"));
        let (smtp, queue) = (options.smtp, options.mail_events_queue);
        let connections = Connections::new(options.clock.clone());
        let outbox = ses::Outbox::open(outbox, options.remembers)?;
        let ses = ses::Ses::open(outbox, smtp, queue, sqs.clone(), options.clock)?;
        let access = access::Access::new(options.roles);
        let (calls, faults) = (calls::Calls::new(options.remembers), faults::Faults::default());
        let (ports, writes) = (port::Ports::default(), writes::Writes::default());
        let (dir, versions) = (options.dir, versions::Versions::default());
        let inner = Inner {
            store,
            sqs,
            ses,
            connections,
            access,
            calls,
            faults,
            ports,
            writes,
            versions,
            turns,
            dir,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The way into the services.
    #[must_use]
    pub fn door(&self) -> Door {
        Door::new(Arc::clone(&self.inner), None)
    }

    /// Like [`Emulator::door`], for clients that work in the background: at most `at_once` of their
    /// calls are in DynamoDB at a time, so that a call through another door waits for at most
    /// these. The others wait: each caller and each of its tenants has its turn.
    #[must_use]
    pub fn shared_door(&self, at_once: usize) -> Door {
        Door::new(Arc::clone(&self.inner), Some(at_once))
    }

    /// Creates a table from a `CreateTable` request; does nothing when the table exists.
    pub fn create_table(&self, request: Value) -> Result<(), Error> {
        self.inner.store.create_table(request)
    }

    /// Lets items of `table` expire by `attribute`, in seconds since the epoch.
    pub fn enable_time_to_live(&self, table: &str, attribute: &str) -> Result<(), Error> {
        self.inner.store.enable_time_to_live(table, attribute)
    }

    /// Creates a queue, or sets the given attributes of an existing one.
    pub fn create_queue(
        &self,
        name: &str,
        attributes: &BTreeMap<String, String>,
    ) -> Result<(), Error> {
        self.inner.sqs.create_or_update(name, attributes)
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
        let emulator = self.clone();
        let done = self.inner.turns.run("ReadStream", move || work(&emulator)).await;
        done.map_err(|error| std::io::Error::other(error).into())
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
        Ok(self.inner.store.stream(table, after, limit, Filter::All)?.records)
    }

    /// Like [`Emulator::stream`], with only the records whose new image has `attribute`, like a
    /// filter of an event source. At most 1,000 filtered records are skipped per call.
    pub fn stream_with(
        &self,
        table: &str,
        attribute: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<StreamPage, Error> {
        self.inner.store.stream(table, after, limit, Filter::Attribute(attribute))
    }

    /// Like [`Emulator::stream_with`], with the records that pass one of the filters.
    pub fn stream_of(
        &self,
        table: &str,
        filters: &[ItemFilter<'_>],
        after: Option<&str>,
        limit: usize,
    ) -> Result<StreamPage, Error> {
        self.inner.store.stream(table, after, limit, Filter::Items(filters))
    }

    /// Waits until all writes so far are on the disk, if [`Options::is_synced`]. Nobody may learn of
    /// a write before: no client by a reply, and no queue or stream by a deletion or a position.
    pub async fn synced(&self) -> Result<(), Error> {
        self.inner.synced().await.map_err(|e| std::io::Error::other(e).into())
    }

    /// Copies tables, streams and queues, as they are at one moment, into files in the folder
    /// `into`, which has none of them yet. Blocks for as long as it takes; calls go on meanwhile.
    ///
    /// # Errors
    /// There is no data folder, or a file cannot be read or written.
    pub fn backup(&self, into: &Path) -> Result<(), Error> {
        let Some(dir) = &self.inner.dir else {
            return Err(Error::Shape("the data are in memory only".to_owned()));
        };
        backup::copy(&self.inner.store, &self.inner.sqs, dir, into)
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
        let inner = Arc::clone(&self.inner);
        let prove = move || {
            let proven = inner.store.prove_writable().and_then(|()| inner.sqs.prove_writable());
            inner.turns.committed();
            proven
        };
        let proven = self.inner.turns.run("other", prove).await;
        proven.map_err(std::io::Error::other)??;
        self.synced().await
    }

    /// Changes with each write to `table`, for followers of its stream.
    #[must_use]
    pub fn writes_to(&self, table: &str) -> watch::Receiver<()> {
        self.inner.writes.of(table)
    }

    /// Deletes all expired items by the injected clock and returns their number; also deletes
    /// records of streams older than 24 hours.
    ///
    /// Nothing expires without this call. Other calls have their turn in between.
    pub fn sweep_expired(&self) -> Result<usize, Error> {
        let deleted = self.inner.store.sweep_expired();
        // Also of a sweep that has failed half-way.
        if !matches!(deleted, Ok(0)) {
            self.inner.versions.raise_all();
        }
        deleted
    }

    /// All items of `table` in DynamoDB JSON, sorted by key.
    pub fn dump(&self, table: &str) -> Result<Vec<Value>, Error> {
        self.inner.store.dump(table)
    }

    /// Items of `table` in DynamoDB JSON whose partition key is a text that begins with `prefix`.
    /// Other items are not read.
    pub fn in_partitions(&self, table: &str, prefix: &str) -> Result<Vec<Value>, Error> {
        self.inner.store.in_partitions(table, prefix)
    }

    /// Copies the data as it is now.
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        Ok(Snapshot::new(self.inner.store.copy()?, self.inner.sqs.copy()?))
    }

    /// Replaces all data by those of a snapshot.
    pub fn restore(&self, snapshot: &Snapshot) -> Result<(), Error> {
        self.inner.store.replace(&snapshot.dynamodb())?;
        self.inner.versions.raise_all();
        self.inner.sqs.replace(&snapshot.sqs())
    }

    /// The requests of clients, oldest first; only the most recent 100,000 are kept.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.inner.calls.all()
    }

    /// Forgets the calls so far.
    pub fn forget_calls(&self) {
        self.inner.calls.forget();
    }

    /// All actions that callers with a role requested so far, without duplicates.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.inner.access.asked()
    }

    /// Injects a fault. Of several that match a call, the one injected first takes effect.
    pub fn inject(&self, fault: Fault) {
        self.inner.faults.inject(fault);
    }

    /// Removes every fault, spent or not.
    pub fn clear_faults(&self) {
        self.inner.faults.clear();
    }

    /// Puts a port in the way of clients, or none.
    pub fn set_port(&self, port: Option<Arc<dyn Port>>) {
        self.inner.ports.set(port);
    }

    /// Executes an SQS request in this process, like the poller of an event source. Neither logged
    /// nor subject to faults.
    pub async fn sqs(&self, operation: &str, request: Value) -> Result<Value, Error> {
        let answer = self.inner.sqs.call(operation, request, "localhost", false).await;
        answer.map_err(|error| Error::Sqs(error.to_string()))
    }

    /// The clients that `@connections` reaches.
    #[must_use]
    pub fn connections(&self) -> &Connections {
        &self.inner.connections
    }

    /// The mails accepted, oldest first; only the most recent 10,000 of this process are kept, and
    /// 64 MB of them.
    #[must_use]
    pub fn mails(&self) -> Vec<SentMail> {
        self.inner.ses.outbox().mails()
    }

    /// Forgets the mails so far; files stay.
    pub fn forget_mails(&self) {
        self.inner.ses.outbox().forget();
    }

    /// The names of the mails in the outbox, newest first, including those of earlier processes:
    /// the time of each in milliseconds since the epoch (13 digits), a hyphen and its id.
    pub fn outbox(&self) -> Result<Vec<String>, Error> {
        Ok(self.inner.ses.outbox().names()?)
    }

    /// Deletes mails of the outbox that are older than 30 days.
    pub fn trim_outbox(&self) -> Result<(), Error> {
        Ok(self.inner.ses.trim_outbox()?)
    }

    /// Header and body of a mail in the outbox, by its name.
    pub fn outbox_mail(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.inner.ses.outbox().read(name)?)
    }

    /// The newest messages of a queue, without receiving them.
    pub fn queue_messages(&self, name: &str, limit: u32) -> Result<Vec<WaitingMessage>, Error> {
        self.inner.sqs.waiting(name, limit)
    }

    /// All messages of a queue, visible or not, without receiving them.
    pub fn stored_messages(&self, name: &str) -> Result<Vec<StoredMessage>, Error> {
        self.inner.sqs.stored(name)
    }

    /// Number of messages in a queue.
    pub fn queue_depth(&self, name: &str) -> Result<QueueDepth, Error> {
        self.inner.sqs.depth(name)
    }
}
