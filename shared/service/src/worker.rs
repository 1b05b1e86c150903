//! Workers: functions woken by a queue, a stream or the timer, never by a caller.

use std::{
    future::Future,
    panic::AssertUnwindSafe,
    sync::{Arc, OnceLock},
    time::Duration,
};

use aws::{Boxed, Event};
use error::{Error, Result};
use futures_util::{FutureExt, future::join_all};
use model::{Millis, OrganizationId, clock::ClockOffset, limits::Limits};
use queue::{Message, Queue};
use rooms::Live;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use store::{Deadline, Due, OrganizationStore, TenantRef, TenantStore, prelude::*};
use webhook::{Egress, Sender as WebhookSender};

use crate::{
    config::Environment,
    give_up::give_up,
    in_flight::InFlight,
    journal::{self, Port},
    mailing::Mailing,
    operation::Listed,
    timer::{Timer, whole_seconds},
    trigger::Trigger,
};

/// Handles one message at a time. `Err` returns it to the source, which counts the attempts. Has to
/// be idempotent.
pub trait Worker: Listed + Send + Sync + 'static {
    /// Its event source.
    const TRIGGER: Trigger;
    /// Whether it needs the keyring; otherwise the function cannot read it.
    const NEEDS_KEYRING: bool = true;
    /// The scope of its job.
    type Job: Jobs;
    /// Its message.
    type Message: DeserializeOwned + Send;

    /// Handles the message.
    fn handle(job: Self::Job, message: Self::Message) -> impl Future<Output = Result<()>> + Send;
}

/// The scope of a job: [`Job`] or [`Timer`].
pub trait Jobs: sealed::Sealed + Send + Sized {
    /// Opens it.
    #[doc(hidden)]
    fn open(
        environment: &Environment,
        sender: Option<Sender>,
        deadline: Deadline,
    ) -> impl Future<Output = Result<Self>> + Send;
}

/// A job of one tenant. Only the runtime constructs it, from our own messages.
pub struct Job {
    tenant: TenantStore,
    timer: Timer,
    mailing: Mailing,
    now: Millis,
    deadline: Deadline,
    pub(crate) egress: Egress,
    pub(crate) limits: Limits,
    pub(crate) in_flight: InFlight,
    pub(crate) webhook_sender: Arc<OnceLock<WebhookSender>>,
}

/// Maximum delay of a queue; longer delays are rows of the schedule, whose timer looks two minutes
/// ahead.
pub(crate) const MAX_DELAY: Millis = 14 * 60 * 1000;

/// Time limit of one invocation; the function has slightly more.
const WORK: Duration = Duration::from_secs(45);

impl Job {
    /// The tenant of the message.
    pub fn tenant(&self) -> &TenantStore {
        &self.tenant
    }

    /// The scope of an organization of the tenant.
    pub fn organization(&self, id: &OrganizationId) -> OrganizationStore {
        self.tenant.organization(id)
    }

    /// When the job started, by the clock of the tenant, in epoch milliseconds.
    pub fn started_at(&self) -> Millis {
        self.now
    }

    /// Deadline of the job; the rest belongs in another message.
    pub fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// Whether its deadline has passed.
    pub fn is_over(&self) -> bool {
        self.tenant.is_past(self.deadline)
    }

    /// The live channel.
    pub fn live(&self) -> &Live {
        self.timer.live()
    }

    /// Mail settings.
    pub fn mailing(&self) -> &Mailing {
        &self.mailing
    }

    /// Sends a message in the name of the same tenant.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub async fn send<M: Serialize>(
        &self,
        queue: Queue,
        message: &M,
        delay: Duration,
    ) -> Result<()> {
        self.send_all(queue, std::slice::from_ref(message), delay).await
    }

    /// Sends messages in the name of the same tenant.
    ///
    /// # Errors
    /// UNAVAILABLE when one of them was not sent; others may be.
    pub async fn send_all<M: Serialize>(
        &self,
        queue: Queue,
        messages: &[M],
        delay: Duration,
    ) -> Result<()> {
        let messages = messages.iter().map(|message| outgoing(&self.tenant, message, delay));
        self.timer.queues.send(queue, messages.collect::<Result<_>>()?).await
    }

    /// Sends a message in the name of the same tenant at `at`, however far away that is.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub async fn send_at<M: Serialize>(&self, queue: Queue, message: &M, at: Millis) -> Result<()> {
        match at.saturating_sub(self.tenant.now()) {
            wait @ ..=MAX_DELAY => self.send(queue, message, whole_seconds(wait)).await,
            _ => {
                let body = self.tenant.envelope(message)?;
                self.tenant.pending().send_later(queue.name(), body, at).await
            }
        }
    }

    /// Whether the writer of a row that is due at `at` sends its first hint. The timer wakes rows
    /// that are due later.
    pub(crate) fn sends_hint(&self, at: Millis) -> bool {
        at <= self.tenant.now().saturating_add(MAX_DELAY)
    }

    /// Wakes all rows that are due by the tenant's clock after it moved.
    ///
    /// # Errors
    /// UNAVAILABLE, also when time runs out.
    pub async fn release_due(&self) -> Result<()> {
        let mut start = None;
        loop {
            let (due, next) = self.tenant.pending().due(start).await?;
            self.timer.forward(due.into_iter().map(|due| self.as_of_now(due)).collect()).await?;
            match next {
                None => return Ok(()),
                Some(_) if self.is_over() => {
                    return Err(Error::unavailable("more is due than there is time for"));
                }
                next => start = next,
            }
        }
    }

    /// A hint with the tenant's present clock offset, because the worker may have an old one
    /// cached.
    fn as_of_now(&self, mut due: Due) -> Due {
        if let Ok(mut envelope) = serde_json::from_str::<Value>(&due.body) {
            envelope["ahead"] = json!(self.tenant.clock_ahead());
            due.body = envelope.to_string();
        }
        due
    }
}

impl Jobs for Job {
    async fn open(
        environment: &Environment,
        sender: Option<Sender>,
        deadline: Deadline,
    ) -> Result<Self> {
        let sender = sender.ok_or_else(|| Error::internal("a message without its tenant"))?;
        let tenant = environment.store.resume(&sender.tenant, sender.ahead).await?;
        let timer = Timer::open(environment, None, deadline).await?;
        let (now, deadline) = (tenant.now(), deadline.shown_to_tenant(tenant.clock_ahead()));
        let mailing = environment.mailing.clone();
        let egress = environment.egress;
        let limits = environment.limiter.limits_of(&tenant.account());
        let in_flight = environment.in_flight.clone();
        let webhook_sender = Arc::clone(&environment.sender);
        Ok(Self {
            tenant,
            timer,
            mailing,
            now,
            deadline,
            egress,
            limits,
            in_flight,
            webhook_sender,
        })
    }
}

/// A message in the name of a tenant, to be received after `delay`.
pub(crate) fn outgoing<M: Serialize>(
    tenant: &TenantStore,
    message: &M,
    delay: Duration,
) -> Result<Message> {
    let group = tenant.api_key().id.as_str().to_owned();
    Ok(Message { body: tenant.envelope(message)?, delay, group })
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Job {}
    impl Sealed for crate::Timer {}
}

/// A worker with its types erased: one message in.
pub type Work = for<'a> fn(&'a Environment, Incoming, Deadline) -> Boxed<'a, Result<()>>;

/// One message with its tenant, whatever source it came from.
pub struct Incoming {
    pub(crate) sender: Option<Sender>,
    pub(crate) message: Value,
}

/// The tenant of a message.
#[derive(Clone, Debug, Deserialize)]
pub struct Sender {
    pub(crate) tenant: TenantRef,
    /// Offset of the tenant's clock at that time.
    #[serde(default)]
    pub(crate) ahead: ClockOffset,
}

pub(crate) fn work<W: Worker>() -> Work {
    |environment, incoming, deadline| {
        Box::pin(async move {
            let message = serde_json::from_value(incoming.message).map_err(Error::internal)?;
            let job = W::Job::open(environment, incoming.sender, deadline).await?;
            W::handle(job, message).await
        })
    }
}

#[derive(Deserialize)]
struct Envelope {
    #[serde(flatten)]
    sender: Sender,
    message: Value,
}

/// Runs a worker for an event of its source and replies as Lambda expects: with the identifiers of
/// the failed messages. A failure does not affect other messages.
pub(crate) async fn run(
    environment: &Environment,
    name: &'static str,
    trigger: Trigger,
    work: Work,
    event: Event,
) -> Value {
    // Shared by all messages of the event: they share the time of one invocation.
    let deadline = Deadline::after(environment.now(), WORK);
    let attempt = |id, incoming| attempt(environment, name, work, deadline, id, incoming);
    let port = || Port { environment, worker: name, work, deadline };
    let none = vec![];
    let records = event["Records"].as_array().unwrap_or(&none);
    let failed: Vec<&Value> = match trigger {
        Trigger::EveryMinute => {
            let incoming = Ok(Incoming { sender: None, message: Value::Null });
            let _ = attempt("tick".to_owned(), incoming).await;
            return Value::Null;
        }
        Trigger::Changes(changes) => {
            let mut failed = vec![];
            for record in records {
                let Some(incoming) = changes.incoming(record).transpose() else { continue };
                let sequence = &record["dynamodb"]["SequenceNumber"];
                let id = sequence.as_str().unwrap_or_default().to_owned();
                let handled = attempt(id, incoming).await;
                // An unreadable message stays unreadable.
                if handled.is_err_and(|error| error.status == error::Status::Unavailable) {
                    failed.push(sequence);
                    break;
                }
            }
            failed
        }
        Trigger::Operator(tables) => return journal::repair(&port(), tables, event).await,
        Trigger::Stream(_) => journal::record(&port(), records).await.into_iter().collect(),
        // No message waits for a slow one.
        Trigger::Queue(queue) => {
            let handled = records.iter().map(|record| async {
                let id = &record["messageId"];
                let shown = id.as_str().unwrap_or_default();
                let error = attempt(shown.to_owned(), from_queue(record)).await.err()?;
                let is_given_up = give_up(environment, queue, name, record, &error).await;
                (!is_given_up).then_some(id)
            });
            join_all(handled).await.into_iter().flatten().collect()
        }
    };
    let failure = |id| json!({ "itemIdentifier": id });
    json!({ "batchItemFailures": failed.into_iter().map(failure).collect::<Vec<_>>() })
}

pub(crate) async fn attempt(
    environment: &Environment,
    worker: &'static str,
    work: Work,
    deadline: Deadline,
    message_id: String,
    incoming: Result<Incoming>,
) -> Result<()> {
    let result = match incoming {
        Err(error) => Err(error),
        Ok(incoming) => {
            let of_tenant = incoming.sender.is_some();
            let running = AssertUnwindSafe(work(environment, incoming, deadline)).catch_unwind();
            let result =
                running.await.unwrap_or_else(|_| Err(Error::internal("the worker panicked")));
            match result {
                // The tenant no longer exists.
                Err(error) if error.status == error::Status::NotFound && of_tenant => {
                    tracing::warn!(worker, message_id, error = ?error, "A job was dropped.");
                    Ok(())
                }
                result => result,
            }
        }
    };
    match &result {
        Ok(()) => tracing::info!(worker, message_id, "A job was done."),
        Err(error) => tracing::error!(worker, message_id, error = ?error, "A job failed."),
    }
    result
}

fn from_queue(record: &Value) -> Result<Incoming> {
    let body = record["body"].as_str().unwrap_or_default();
    let Envelope { sender, message } = serde_json::from_str(body).map_err(Error::internal)?;
    Ok(Incoming { sender: Some(sender), message })
}
