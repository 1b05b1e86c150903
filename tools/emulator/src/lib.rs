//! DynamoDB, DynamoDB Streams, SQS, SES and `@connections` of API Gateway on one loopback port, for
//! development and tests.
//!
//! DynamoDB is dynoxide; SQS is this crate's own, on one SQLite file; mails end in a folder or at
//! an SMTP server; messages to connected clients go to who holds their connections. On top lies what the real services do not offer: an injected clock, a
//! record of every call with the capacity it consumed, and faults that can be injected between a
//! client and the store. Callers have roles, as IAM has them, and are refused what theirs lack.

mod access;
mod calls;
mod connections;
mod dynamodb;
mod error;
mod faults;
mod server;
mod ses;
mod sqs;
mod wire;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

pub use crate::access::{Asked, OWNER, Roles, Statement, connections_arn, mail_arn, table_arn};
pub use crate::calls::{Call, Service};
pub use crate::connections::{Connection, Connections, Ended, Inbox, Lifetime, Posted};
pub use crate::dynamodb::{StreamPage, StreamRecord};
pub use crate::error::Error;
pub use crate::faults::{Effect, Fault};
pub use crate::ses::SentMail;
pub use crate::sqs::{QueueDepth, WaitingMessage};

/// The current time in milliseconds since the epoch.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The region in every ARN.
pub const REGION: &str = "us-east-1";

/// The account in every ARN and queue URL.
pub const ACCOUNT: &str = "000000000000";

/// Data folder and clock.
pub struct Options {
    /// The directory of the database files, created when missing; `None` keeps all in memory.
    pub dir: Option<PathBuf>,
    /// Decides visibility timeouts, delays, retention, deduplication, expiry, and what a stream
    /// still holds.
    pub clock: Clock,
    /// Where accepted mails lie as `.eml` files; `None`: in `outbox` of the directory, if any.
    pub outbox: Option<PathBuf>,
    /// `smtp://[user:password@]host[:port]` of a server that gets every accepted mail as well.
    pub smtp: Option<String>,
    /// The name of the queue that hears the outcome of mails, once it exists.
    pub mail_events_queue: Option<String>,
    /// What callers may do; others may do everything.
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
    /// Tells who follows a stream that there may be something new.
    pub(crate) written: tokio::sync::Notify,
    pub(crate) work: Work,
}

/// Where the work of a database is done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// In memory, where nothing waits: a thread of its own would cost more than the work.
    Here,
    /// On a thread that may wait for the disk.
    Aside,
}

impl Work {
    pub(crate) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        match self {
            Self::Here => Ok(work()),
            Self::Aside => {
                tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())
            }
        }
    }
}

impl Emulator {
    /// Opens the databases, creating what is missing.
    pub fn open(options: Options) -> Result<Self, Error> {
        if let Some(dir) = &options.dir {
            std::fs::create_dir_all(dir)?;
        }
        let work = if options.dir.is_some() { Work::Aside } else { Work::Here };
        let file = |name: &str| options.dir.as_ref().map(|dir| dir.join(name));
        let store = dynamodb::Store::open(file("dynamodb.sqlite"), options.clock.clone())?;
        let sqs = sqs::Sqs::open(file("sqs.sqlite"), options.clock.clone())?;
        let outbox = options.outbox.clone().or_else(|| file("outbox"));
        let delivery = (outbox, options.smtp.as_deref());
        let queue = options.mail_events_queue;
        let connections = Connections::new(options.clock.clone());
        let ses = ses::Ses::open(delivery, queue, sqs.clone(), options.clock)?;
        let access = access::Access::new(options.roles);
        let (calls, faults) = (calls::Calls::default(), faults::Faults::default());
        let written = tokio::sync::Notify::new();
        let inner = Inner { store, sqs, ses, connections, access, calls, faults, written, work };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Answers requests on `listener` until the listener fails.
    ///
    /// Any Tokio runtime will do. The work of a database in a directory runs on the runtime's
    /// blocking threads, so that an fsync never holds up the caller's other tasks.
    pub async fn serve(&self, listener: tokio::net::TcpListener) -> std::io::Result<()> {
        server::serve(self.inner.clone(), listener, None).await
    }

    /// As [`Emulator::serve`], for clients that work in the background: no more than `at_once` of
    /// their calls are in DynamoDB at a time, and the others wait in order. A call at another
    /// address so has never more than these before it.
    pub async fn serve_share(
        &self,
        listener: tokio::net::TcpListener,
        at_once: usize,
    ) -> std::io::Result<()> {
        server::serve(self.inner.clone(), listener, Some(at_once)).await
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

    /// The ARN of a queue, whether or not it exists, as a `RedrivePolicy` wants it.
    #[must_use]
    pub fn queue_arn(name: &str) -> String {
        sqs::arn(name)
    }

    /// The path of a queue's URL, to be appended to `http://<address served>`.
    #[must_use]
    pub fn queue_path(name: &str) -> String {
        sqs::path(name)
    }

    /// Up to `limit` changes of `table` after the given sequence number, oldest first, or from
    /// the beginning of the stream. Records of the last 24 hours are there, by the injected clock.
    ///
    /// It costs the same however long the stream is.
    pub fn stream(
        &self,
        table: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<StreamRecord>, Error> {
        Ok(self.inner.store.stream(table, after, limit, None)?.records)
    }

    /// As [`Emulator::stream`], with those records alone whose new image has `attribute`, as a
    /// filter of an event source has it. The rest is skipped, 1,000 records a call at most, and
    /// costs no more than to be read over.
    pub fn stream_with(
        &self,
        table: &str,
        attribute: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<StreamPage, Error> {
        self.inner.store.stream(table, after, limit, Some(attribute))
    }

    /// Waits until DynamoDB was written to; at once when it was since the last time. For one who
    /// follows a stream.
    pub async fn written(&self) {
        self.inner.written.notified().await;
    }

    /// Deletes every item that has expired by the injected clock and says how many there were;
    /// deletes records of streams that are older than 24 hours as well.
    ///
    /// Nothing expires unless this is called. Other calls have their turn in between.
    pub fn sweep_expired(&self) -> Result<usize, Error> {
        self.inner.store.sweep_expired()
    }

    /// Every item of `table` in DynamoDB JSON, sorted by its key.
    pub fn dump(&self, table: &str) -> Result<Vec<Value>, Error> {
        self.inner.store.dump(table)
    }

    /// What clients asked for, oldest first; only the most recent 100,000 calls are kept.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.inner.calls.all()
    }

    /// Forgets the calls so far.
    pub fn forget_calls(&self) {
        self.inner.calls.forget();
    }

    /// Every action that callers with a role asked for so far, each once.
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

    /// Makes an SQS request in this process, as the poller of an event source does. Neither
    /// counted nor subject to faults.
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

    /// The names of the mails in the outbox, newest first, also those of processes before: the
    /// time of each in milliseconds since the epoch (13 digits), a hyphen and its id.
    pub fn outbox(&self) -> Result<Vec<String>, Error> {
        Ok(self.inner.ses.outbox().names()?)
    }

    /// Header and body of a mail in the outbox, by its name.
    pub fn outbox_mail(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.inner.ses.outbox().read(name)?)
    }

    /// The newest messages of a queue, without receiving them.
    pub fn queue_messages(&self, name: &str, limit: u32) -> Result<Vec<WaitingMessage>, Error> {
        self.inner.sqs.waiting(name, limit)
    }

    /// Number of messages in a queue.
    pub fn queue_depth(&self, name: &str) -> Result<QueueDepth, Error> {
        self.inner.sqs.depth(name)
    }
}
