//! The parts of the embedded services, and what tests put between them and clients.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::backup;
use crate::base::{Clock, Error};
use crate::connections::Connections;
use crate::disk::{Database, Observed, Observer};
use crate::dynamodb::DynamoDb;
use crate::mail::{Outbox, Ses, Smtp};
use crate::roles::{Access, Roles};
use crate::sqs::Sqs;
use crate::testing::{Calls, Faults, Ports};

/// Data folder and clock.
pub struct Options {
    /// The directory of the database files, created when missing; `None` keeps all in memory.
    pub dir: Option<PathBuf>,
    /// Whether [`EmbeddedServices::synced`](super::EmbeddedServices::synced) waits for the disk, as do
    /// requests over a port, mails and posts to connections. Otherwise a power failure takes back what
    /// the end of the process does not.
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

pub(super) struct Parts {
    pub(super) dynamodb: DynamoDb,
    pub(super) sqs: Sqs,
    pub(super) ses: Ses,
    pub(super) connections: Connections,
    pub(super) access: Access,
    pub(super) calls: Calls,
    pub(super) faults: Faults,
    pub(super) ports: Ports,
    dir: Option<PathBuf>,
}

impl Parts {
    pub(super) fn open(options: Options) -> Result<Self, Error> {
        if let Some(dir) = &options.dir {
            std::fs::create_dir_all(dir)?;
        }
        let file = |name: &str| options.dir.as_ref().map(|dir| dir.join(name));
        let observed = |database| Observed::new(&options.observer, database);
        let (clock, is_synced) = (options.clock, options.is_synced);
        let (tables, queues) = (file(backup::TABLES), file(backup::QUEUES));
        let dynamodb =
            DynamoDb::open(tables, clock.clone(), is_synced, observed(Database::DynamoDb))?;
        let sqs = Sqs::open(queues, clock.clone(), is_synced, observed(Database::Sqs))?;
        let outbox = options.outbox.clone().or_else(|| file("outbox"));
        let outbox = Outbox::open(outbox, options.remembers)?;
        let (smtp, queue) = (options.smtp, options.mail_events_queue);
        Ok(Self {
            ses: Ses::open(outbox, smtp, queue, sqs.clone(), clock.clone())?,
            dynamodb,
            sqs,
            connections: Connections::new(clock),
            access: Access::new(options.roles),
            calls: Calls::new(options.remembers),
            faults: Faults::default(),
            ports: Ports::default(),
            dir: options.dir,
        })
    }

    /// The data folder, if data are on the disk.
    pub(super) fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// Waits until all writes so far are on the disk.
    pub(super) async fn synced(&self) -> Result<(), String> {
        self.dynamodb.synced().await?;
        self.sqs.synced().await
    }

    /// Writes to both databases, without a change of data.
    pub(super) async fn prove_writable(self: &Arc<Self>) -> Result<(), Error> {
        let own = Arc::clone(self);
        let prove = move || {
            let tables = own.dynamodb.store().prove_writable();
            let proven = tables.and_then(|()| own.sqs.prove_writable());
            own.dynamodb.committed();
            proven
        };
        self.dynamodb.in_turn("other", prove).await?
    }
}
