//! Workers: functions woken by a queue, a stream or the timer, never by a caller.

pub(crate) mod give_up;
pub(crate) mod journal;
pub(crate) mod trigger;

use std::{future::Future, panic::AssertUnwindSafe, time::Duration};

use aws::{Boxed, Event};
use error::{Error, Result};
use futures_util::{FutureExt, future::join_all};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use store::Deadline;

use crate::{
    config::Environment,
    job::Jobs,
    message::{Incoming, Sender},
    operation::Listed,
    worker::{give_up::give_up, journal::Port, trigger::Trigger},
};

/// Handles one message at a time. `Err` returns it to the source, which counts the attempts. Has to
/// be idempotent.
pub trait Worker: Listed + Send + Sync + 'static {
    /// Event source of the worker.
    const TRIGGER: Trigger;
    /// Whether it needs the keyring; otherwise the function cannot read it.
    const NEEDS_KEYRING: bool = true;
    /// The scope of its job.
    type Job: Jobs;
    /// Message of the worker.
    type Message: DeserializeOwned + Send;

    /// Handles the message.
    fn handle(job: Self::Job, message: Self::Message) -> impl Future<Output = Result<()>> + Send;
}

/// Time limit of one invocation; the function has slightly more.
const WORK: Duration = Duration::from_secs(45);

/// A worker with its types erased: one message in.
pub type Work = for<'a> fn(&'a Environment, Incoming, Deadline) -> Boxed<'a, Result<()>>;

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
            for (at, incoming) in changes.incoming(records) {
                let sequence = &records[at]["dynamodb"]["SequenceNumber"];
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
