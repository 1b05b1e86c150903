//! The port of the journal: tables, queues and the worker for the numbering of events.
//!
//! A worker gets one numbered event at a time. Its messages are collected and sent with those of
//! neighbouring events, in as few calls as possible.

use std::{collections::BTreeMap, time::Duration};

use error::{Error, Result, Status};
use futures_util::future::join_all;
use model::{Millis, clock::WallTime};
use queue::{Message, NotSent, Queue};
use serde::Deserialize;
use serde_json::{Value, json};
use store::{
    Deadline, Table, TenantStore,
    journal::{
        CountedIn, Lane, Recorded, ScanPlace, StoredEvent,
        numbering::{self, Counter, EventEntry, Journal, Numbered, Record, Swap},
    },
    prelude::*,
    schedule::SystemStore,
};
use webhook::TenantWebhooks;

use crate::{
    config::Environment,
    job::Job,
    message::{Incoming, Sender},
    worker::{Work, attempt, give_up::UNREADABLE},
};

/// Runs a worker for events.
pub(crate) struct Port<'a> {
    pub(crate) environment: &'a Environment,
    pub(crate) worker: &'static str,
    pub(crate) work: Work,
    pub(crate) deadline: Deadline,
}

/// Numbers and dispatches the records of a stream; returns the first unfinished one, from which the
/// stream is repeated.
pub(crate) async fn record<'r>(port: &Port<'_>, records: &'r [Value]) -> Option<&'r Value> {
    let mut results: Vec<Result<()>> = records.iter().map(|_| Ok(())).collect();
    // An invocation has records of one stream.
    let mut lanes: BTreeMap<Lane, Vec<(usize, Recorded)>> = BTreeMap::new();
    for (n, record) in records.iter().enumerate() {
        match store::journal::recorded(record) {
            Ok((lane, events)) => {
                lanes.entry(lane).or_default().extend(events.into_iter().map(|it| (n, it)));
            }
            Err(error) => {
                let body = record["dynamodb"]["NewImage"].to_string();
                results[n] = port.set_aside(body, UNREADABLE.to_owned(), &error).await;
            }
        }
    }
    let numbered = lanes.into_iter().map(|(lane, events)| async move {
        let (places, events): (Vec<usize>, Vec<_>) = events.into_iter().unzip();
        places.into_iter().zip(numbering::number(port, &lane.name(), events).await)
    });
    for (n, result) in join_all(numbered).await.into_iter().flatten() {
        if let Err(error) = result {
            results[n] = Err(error);
        }
    }
    let first = results.iter().position(Result::is_err)?;
    if let Err(error) = &results[first] {
        tracing::error!(worker = port.worker, error = ?error, "A stream stands still.");
    }
    Some(&records[first]["dynamodb"]["SequenceNumber"])
}

/// Size limit of an event in a queue. There it is ASCII, up to three times as long; the body of a
/// webhook has no room for more.
const MAX_EVENT_BYTES: usize = 300_000;

impl Job {
    /// Leaves the dispatch of an event to `journal.retry`, where it blocks no others.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub async fn dispatch_alone(&self, stored: &StoredEvent) -> Result<()> {
        self.send(Queue::JournalRetry, &stored.within(MAX_EVENT_BYTES)?, Duration::ZERO).await
    }
}

impl Port<'_> {
    fn system(&self) -> SystemStore {
        self.environment.store.system()
    }

    fn check_deadline(&self) -> Result<()> {
        match self.environment.store.clock().is_past(self.deadline) {
            true => Err(Error::unavailable("there is no time left for it")),
            false => Ok(()),
        }
    }

    /// Reads the shared data of each tenant's events once; an error recurs with the event.
    async fn remember_webhooks(&self, events: &[StoredEvent]) {
        let latest: BTreeMap<&str, &StoredEvent> =
            events.iter().map(|stored| (stored.tenant.as_str(), stored)).collect();
        let read = latest.into_values().map(|stored| async {
            let tenant = self.environment.store.resume(&stored.tenant, stored.ahead).await?;
            tenant.webhooks().subscribers(stored).await
        });
        join_all(read).await;
    }

    /// Lets the worker handle an event; returns the messages that it sends.
    async fn handle(&self, stored: &StoredEvent) -> Result<Vec<(Queue, Message)>> {
        let (queues, sent) = self.environment.queues.collecting();
        let environment = Environment { queues, ..self.environment.clone() };
        let sender = Sender { tenant: stored.tenant.clone(), ahead: stored.ahead };
        let message = serde_json::to_value(stored).map_err(Error::internal);
        let incoming = message.map(|message| Incoming { sender: Some(sender), message });
        let (id, deadline) = (stored.id.clone(), self.deadline);
        let done = attempt(&environment, self.worker, self.work, deadline, id, incoming).await;
        done.map(|()| sent.take())
    }

    /// Moves an event that will fail again to a queue, because a failing record blocks the stream.
    /// While a service is unavailable, all records would fail.
    async fn set_aside(&self, body: String, group: String, error: &Error) -> Result<()> {
        tracing::error!(worker = self.worker, error = ?error, "An event was moved to the retry queue.");
        let message = Message { body, delay: Duration::ZERO, group };
        let sent = self.environment.queues.send_each(Queue::JournalRetry, vec![message]).await;
        match sent.into_iter().collect() {
            // Nothing else waits for it; a repair finds it on its item.
            Err(NotSent::Refused(cause)) => {
                tracing::error!(worker = self.worker, cause, "An event was dropped.");
                Ok(())
            }
            sent => sent.map_err(Error::from),
        }
    }

    async fn set_event_aside(&self, stored: &StoredEvent, error: Error) -> Result<()> {
        if error.status == Status::Unavailable {
            return Err(error);
        }
        let StoredEvent { tenant, ahead, .. } = stored;
        let body = json!({ "tenant": tenant, "ahead": ahead, "message": stored }).to_string();
        self.set_aside(body, tenant.as_str().to_owned(), &error).await
    }
}

impl Journal for Port<'_> {
    type Document = CountedIn;
    type Event = StoredEvent;

    async fn load(&self, documents: &[CountedIn]) -> Result<Vec<Option<Counter>>> {
        self.system().counters(documents).await
    }

    async fn swap(&self, document: &CountedIn, seen: u64, counter: &Counter) -> Result<Swap> {
        self.check_deadline()?;
        self.system().swap_counter(document, seen, counter).await
    }

    async fn pass_on(&self, events: Vec<Numbered<StoredEvent>>) -> Vec<Result<()>> {
        let numbered = |Numbered { seq, event }| StoredEvent { seq, ..event };
        let events: Vec<StoredEvent> = events.into_iter().map(numbered).collect();
        self.remember_webhooks(&events).await;
        let handled = events.iter().map(|stored| async {
            self.check_deadline()?;
            self.handle(stored).await
        });
        let mut results: Vec<Result<()>> = Vec::new();
        let mut queues: BTreeMap<Queue, (Vec<usize>, Vec<Message>)> = BTreeMap::new();
        for (n, (stored, handled)) in events.iter().zip(join_all(handled).await).enumerate() {
            results.push(match handled {
                Err(error) => self.set_event_aside(stored, error).await,
                Ok(sent) => {
                    for (queue, message) in sent {
                        let (of_events, messages) = queues.entry(queue).or_default();
                        of_events.push(n);
                        messages.push(message);
                    }
                    Ok(())
                }
            });
        }
        let sent = queues.into_iter().map(|(queue, (of_events, messages))| async move {
            of_events.into_iter().zip(self.environment.queues.send_each(queue, messages).await)
        });
        let mut failed: BTreeMap<usize, NotSent> = BTreeMap::new();
        for (n, sent) in join_all(sent).await.into_iter().flatten() {
            if let Err(cause) = sent {
                failed.insert(n, cause);
            }
        }
        for (n, cause) in failed {
            results[n] = self.set_event_aside(&events[n], cause.into()).await;
        }
        results
    }

    async fn find_entry(&self, event: &StoredEvent) -> Result<EventEntry> {
        let tenant = self.environment.store.resume(&event.tenant, event.ahead).await?;
        tenant.events().find_entry(event).await
    }
}

/// The request of an operator: events of a time range in epoch milliseconds, from a position on.
#[derive(Deserialize)]
struct Repair {
    since: WallTime,
    until: Option<WallTime>,
    table: Option<String>,
    start: Option<ScanPlace>,
}

/// The retention of a stream and an hour: younger events may still come from it.
const STREAMED: Millis = 25 * 60 * 60 * 1000;

/// Dispatches events that items still carry, page by page, until there is none left or time is up.
/// Returns its counts and the request for the rest: `next`, or `null`.
pub(crate) async fn repair(port: &Port<'_>, tables: &[Table], order: Value) -> Value {
    match try_repair(port, tables, order).await {
        Ok(done) => done,
        Err(error) => {
            tracing::error!(worker = port.worker, error = ?error, "A repair failed.");
            json!({ "error": error.to_string() })
        }
    }
}

async fn try_repair(port: &Port<'_>, tables: &[Table], order: Value) -> Result<Value> {
    let unreadable = |e: serde_json::Error| Error::invalid(format!("The order is invalid: {e}."));
    let order: Repair = serde_json::from_value(order).map_err(unreadable)?;
    let latest = WallTime::from_millis(port.environment.now().saturating_sub(STREAMED));
    let time = order.since..order.until.unwrap_or(latest).min(latest);
    let begin = order.table.as_deref();
    let rest = tables.iter().skip_while(|it| begin.is_some_and(|begin| begin != it.name()));
    let (mut start, mut passed_on, mut unreadable) = (order.start, 0, 0);
    for table in rest {
        loop {
            if port.check_deadline().is_err() {
                let next = json!({
                    "since": time.start, "until": time.end, "table": table.name(), "start": start,
                });
                return Ok(answer(passed_on, unreadable, next));
            }
            let found = port.system().carried_events(*table, start.take(), &time).await?;
            unreadable += found.unreadable;
            passed_on += repair_events(port, found.events).await?;
            start = found.next;
            if start.is_none() {
                break;
            }
        }
    }
    Ok(answer(passed_on, unreadable, Value::Null))
}

fn answer(passed_on: usize, unreadable: usize, next: Value) -> Value {
    json!({ "passedOn": passed_on, "unreadable": unreadable, "next": next })
}

/// Dispatches the events of one page with subscribers, in order; returns their number.
async fn repair_events(port: &Port<'_>, found: Vec<Recorded>) -> Result<usize> {
    let mut wanted = Vec::new();
    for recorded in found {
        let Record { document, event, .. } = &recorded;
        match port.environment.store.resume(&event.tenant, event.ahead).await {
            // The tenant no longer exists.
            Err(error) if error.status == Status::NotFound => {}
            Err(error) => return Err(error),
            Ok(tenant) => {
                if document.is_none() || has_subscribers(&tenant, event).await? {
                    wanted.push(recorded);
                }
            }
        }
    }
    let count = wanted.len();
    numbering::repair(port, wanted).await.into_iter().collect::<Result<()>>().map(|()| count)
}

/// Whether anybody hears of an event besides connected clients, who can read what they missed.
async fn has_subscribers(tenant: &TenantStore, event: &StoredEvent) -> Result<bool> {
    let endpoints = tenant.webhooks().subscribers(event).await?;
    Ok(!endpoints.is_nobody() || event.is_for_people())
}
