//! Workers driven one message at a time: stopped, slow, reordered, repeated and killed.
//!
//! Records and messages go from streams and queues into lists of this module first, from which a
//! history takes what it wants. Records of one partition keep their order, as they do in AWS;
//! everything else has none.

use std::{future::Future, pin::pin};

use embedded::{Effect, EmbeddedServices, Fault, Hold, ItemFilter, StreamRecord};
use futures_util::future::{Either, select};
use queue::Queue;
use roundtable::{queue_name, queue_record, table_name};
use serde_json::{Value, json};
use service::{ChangeFilter, Table, Trigger, WorkerSpec};

use super::{deployment::Deployment, history::DAY};

/// Records and messages read at a time.
const PAGE: usize = 1_000;
/// Deliveries of a message before it becomes a dead letter.
const MAX_RECEIVES: u32 = service::MAX_RECEIVES;
/// How long a queue keeps a message at most, in milliseconds.
const RETENTION: u64 = 14 * DAY;

/// Where work comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Events of resources, for the journal.
    Events,
    /// Events of editors, for the journal.
    EditorEvents,
    /// Changes of rights, for the live channel.
    Rights,
    /// Changes of presence and live state, for the live channel.
    Changes,
    /// A queue: single events that the journal could not dispatch.
    Retry,
    /// A queue: deletion of dependent data.
    Cleanup,
    /// A queue: compaction of editors.
    Compaction,
    /// A queue: erasure of users.
    Erasure,
    /// A queue: webhooks.
    Deliveries,
    /// A queue: notifications.
    Notifications,
    /// A queue: mails.
    Emails,
    /// A queue: outcomes of mails.
    MailEvents,
    /// A queue: the live channel.
    Live,
}

impl Source {
    /// Every source.
    pub const ALL: [Self; 13] = [
        Self::Events,
        Self::EditorEvents,
        Self::Rights,
        Self::Changes,
        Self::Retry,
        Self::Cleanup,
        Self::Compaction,
        Self::Erasure,
        Self::Deliveries,
        Self::Notifications,
        Self::Emails,
        Self::MailEvents,
        Self::Live,
    ];

    fn queue(self) -> Option<Queue> {
        Some(match self {
            Self::Events | Self::EditorEvents | Self::Rights | Self::Changes => return None,
            Self::Retry => Queue::JournalRetry,
            Self::Cleanup => Queue::Cleanup,
            Self::Compaction => Queue::Compaction,
            Self::Erasure => Queue::Erasure,
            Self::Deliveries => Queue::Deliveries,
            Self::Notifications => Queue::Notifications,
            Self::Emails => Queue::Emails,
            Self::MailEvents => Queue::MailEvents,
            Self::Live => Queue::Live,
        })
    }
}

/// The items that wait at a source, with the workers that get them.
struct Waiting {
    source: Source,
    workers: Vec<WorkerSpec>,
    /// The table and the filter of a stream.
    stream: Option<(Table, Option<&'static [ChangeFilter]>)>,
    position: Option<String>,
    items: Vec<Item>,
}

/// A record or a message, in the form of Lambda.
#[derive(Clone)]
struct Item {
    record: Value,
    /// The partition of a record.
    partition: String,
    receives: u32,
}

/// How a message was worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worked {
    /// Nothing waits anywhere.
    Nothing,
    Done(Source),
    /// The message comes again.
    Failed(Source),
    Killed(Source),
}

/// All sources of a deployment.
pub(crate) struct Workers {
    sources: Vec<Waiting>,
    /// The workers of the minute timer.
    timers: Vec<WorkerSpec>,
    /// The item that was worked on last, and when (epoch milliseconds).
    last: Option<(Source, Item, u64)>,
    /// Messages that were given up.
    pub(crate) dead: Vec<Value>,
}

impl Workers {
    /// The workers of a deployment whose work so far is done.
    pub(crate) fn new(deployment: &Deployment) -> Self {
        let families = registry::families();
        let workers: Vec<WorkerSpec> =
            families.into_iter().flat_map(|family| family.workers).collect();
        let with = |fits: &dyn Fn(&Trigger) -> bool| -> Vec<WorkerSpec> {
            workers.iter().filter(|worker| fits(&worker.trigger)).cloned().collect()
        };
        let waiting = |source: Source| {
            let (workers, stream) = match (source, source.queue()) {
                (_, Some(queue)) => (with(&|it| *it == Trigger::Queue(queue)), None),
                (Source::Events | Source::EditorEvents, _) => {
                    let table = match source {
                        Source::Events => Table::Resources,
                        _ => Table::Crdt,
                    };
                    let reads =
                        |it: &Trigger| matches!(it, Trigger::Stream(of) if of.contains(&table));
                    (with(&reads), Some((table, None)))
                }
                _ => {
                    let table = match source {
                        Source::Rights => Table::Resources,
                        _ => Table::Realtime,
                    };
                    let reads =
                        |it: &Trigger| matches!(it, Trigger::Changes(of) if of.table == table);
                    let workers = with(&reads);
                    let filters = workers.iter().find_map(|worker| match worker.trigger {
                        Trigger::Changes(changes) => Some(changes.filters),
                        _ => None,
                    });
                    (workers, Some((table, Some(filters.expect("filters")))))
                }
            };
            Waiting { source, workers, stream, position: None, items: vec![] }
        };
        let sources = Source::ALL.into_iter().map(waiting).collect();
        let timers = with(&|it| *it == Trigger::EveryMinute);
        let mut workers = Self { sources, timers, last: None, dead: vec![] };
        workers.sources.iter_mut().for_each(|waiting| waiting.skip(deployment.embedded()));
        workers
    }

    /// Takes what arrived meanwhile.
    async fn fetch(&mut self, deployment: &Deployment) {
        for waiting in &mut self.sources {
            waiting.fetch(deployment).await;
        }
    }

    /// Works on one of the messages that wait at a source, or at the next one where any does.
    pub(crate) async fn work(
        &mut self,
        deployment: &Deployment,
        source: Source,
        pick: usize,
        dies_at: Option<usize>,
    ) -> Worked {
        self.fetch(deployment).await;
        match self.busy(source, None) {
            Some(at) => self.work_at(deployment, at, pick, dies_at).await,
            None => Worked::Nothing,
        }
    }

    /// The first source with work, from this one on.
    fn busy(&self, source: Source, except: Option<Source>) -> Option<usize> {
        let first = Source::ALL.iter().position(|it| *it == source).unwrap_or(0);
        let count = self.sources.len();
        let is_busy = |at: &usize| {
            let waiting = &self.sources[*at];
            !waiting.items.is_empty() && Some(waiting.source) != except
        };
        (0..count).map(|step| (first + step) % count).find(is_busy)
    }

    async fn work_at(
        &mut self,
        deployment: &Deployment,
        at: usize,
        pick: usize,
        dies_at: Option<usize>,
    ) -> Worked {
        let waiting = &mut self.sources[at];
        let picked = waiting.pick(pick);
        let mut item = waiting.items[picked].clone();
        item.receives += 1;
        waiting.items[picked].receives = item.receives;
        let source = waiting.source;
        let Some(is_done) = waiting.pass(deployment, &item, dies_at).await else {
            return Worked::Killed(source);
        };
        // A failing record of a stream stays in front of those behind it.
        let is_over = !is_done && waiting.stream.is_none() && item.receives >= MAX_RECEIVES;
        if is_over {
            self.dead.push(item.record.clone());
        }
        if is_done || is_over {
            waiting.items.remove(picked);
        }
        self.last = Some((source, item, deployment.clock.now()));
        if is_done { Worked::Done(source) } else { Worked::Failed(source) }
    }

    /// Works on the last message once more, unless no queue would have it any more.
    pub(crate) async fn again(&mut self, deployment: &Deployment) {
        let Some((source, item, at)) = self.last.clone() else { return };
        if deployment.clock.now().saturating_sub(at) > RETENTION {
            return;
        }
        let waiting = self.sources.iter().find(|waiting| waiting.source == source);
        if let Some(waiting) = waiting {
            waiting.pass(deployment, &item, None).await;
        }
    }

    /// Loses a hint: a message to the notifications about a row that the timer finds as well.
    pub(crate) async fn forget(&mut self, deployment: &Deployment, pick: usize) {
        self.fetch(deployment).await;
        let hints = self.sources.iter_mut().find(|it| it.source == Source::Notifications);
        let Some(hints) = hints else { return };
        let is_hint =
            |item: &Item| item.record["body"].as_str().is_some_and(|it| it.contains("\"wake\""));
        let found: Vec<usize> =
            (0..hints.items.len()).filter(|at| is_hint(&hints.items[*at])).collect();
        if let Some(at) = found.get(pick.checked_rem(found.len()).unwrap_or(0)) {
            hints.items.remove(*at);
        }
    }

    /// Runs the timer.
    pub(crate) async fn tick(&self, deployment: &Deployment) {
        for worker in &self.timers {
            deployment.stack.run_worker(worker.name, json!({})).await;
        }
    }

    /// Works in order until nothing is due, except at a source that stands still.
    ///
    /// # Errors
    /// The work does not end.
    pub(crate) async fn run_dry(
        &mut self,
        deployment: &Deployment,
        except: Option<Source>,
    ) -> Result<usize, String> {
        const MOST: usize = 5_000;
        for count in 0..MOST {
            self.fetch(deployment).await;
            let Some(at) = self.busy(Source::Events, except) else { return Ok(count) };
            self.work_at(deployment, at, 0, None).await;
        }
        Err("the sources do not run dry".to_owned())
    }
}

impl Waiting {
    /// Passes over what is there.
    fn skip(&mut self, embedded: &EmbeddedServices) {
        while self.read(embedded) {}
        self.items.clear();
    }

    /// Reads a page of a stream; whether there was one.
    fn read(&mut self, embedded: &EmbeddedServices) -> bool {
        let Some((table, filters)) = self.stream else { return false };
        let (name, after) = (table_name(table), self.position.as_deref());
        let page = match filters {
            None => embedded.stream_with(&name, "_events", after, PAGE),
            Some(filters) => {
                let filter = |(begins, kinds): &ChangeFilter| ItemFilter { begins, kinds };
                let filters: Vec<ItemFilter<'_>> = filters.iter().map(filter).collect();
                embedded.stream_of(&name, &filters, after, PAGE)
            }
        };
        let page = page.expect("a stream");
        let item = |record: StreamRecord| {
            let partition = record.record["dynamodb"]["Keys"]["PK"]["S"].to_string();
            Item { record: record.record, partition, receives: 0 }
        };
        self.items.extend(page.records.into_iter().map(item));
        let more = page.last.is_some();
        self.position = page.last.or(self.position.take());
        more
    }

    async fn fetch(&mut self, deployment: &Deployment) {
        let Some(queue) = self.source.queue() else {
            while self.read(deployment.embedded()) {}
            return;
        };
        loop {
            let found = receive(deployment.embedded(), queue).await;
            if found.is_empty() {
                return;
            }
            self.items.extend(found);
        }
    }

    /// The index of one of the messages that may come next.
    fn pick(&self, pick: usize) -> usize {
        if self.stream.is_none() {
            return pick % self.items.len();
        }
        let is_first = |at: &usize| {
            !self.items[..*at].iter().any(|it| it.partition == self.items[*at].partition)
        };
        let first: Vec<usize> = (0..self.items.len()).filter(is_first).collect();
        first[pick % first.len()]
    }

    /// Whether the workers are done with a message; none if they die first, at a request.
    async fn pass(
        &self,
        deployment: &Deployment,
        item: &Item,
        dies_at: Option<usize>,
    ) -> Option<bool> {
        let mut record = item.record.clone();
        if self.stream.is_none() {
            record["attributes"]["ApproximateReceiveCount"] = json!(item.receives.to_string());
        }
        let event = json!({ "Records": [record] });
        let work = async {
            let mut is_done = true;
            for worker in &self.workers {
                let answer = deployment.stack.run_worker(worker.name, event.clone()).await;
                let answer = answer.expect("a worker");
                is_done &= answer["batchItemFailures"].as_array().is_none_or(Vec::is_empty);
            }
            is_done
        };
        match dies_at {
            None => Some(work.await),
            Some(request) => until_request(deployment.embedded(), request, work).await,
        }
    }
}

/// The outcome of some work, unless it dies at its n-th request.
async fn until_request<T>(
    embedded: &EmbeddedServices,
    request: usize,
    work: impl Future<Output = T>,
) -> Option<T> {
    let hold = hold_at(embedded, request);
    let outcome = match select(pin!(work), pin!(hold.reached())).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(_) => None,
    };
    embedded.clear_faults();
    outcome
}

/// The gate at which the n-th request from now on waits.
pub(crate) fn hold_at(embedded: &EmbeddedServices, request: usize) -> Hold {
    let hold = Hold::default();
    let effect = Effect::Hold(hold.clone());
    embedded.inject(Fault { operation: "*".to_owned(), skip: request, times: 1, effect });
    hold
}

async fn receive(embedded: &EmbeddedServices, queue: Queue) -> Vec<Item> {
    let url = format!("http://localhost{}", EmbeddedServices::queue_path(&queue_name(queue)));
    let asked = json!({
        "QueueUrl": url,
        "MaxNumberOfMessages": 10,
        "MessageSystemAttributeNames": ["All"],
    });
    let received = embedded.sqs("ReceiveMessage", asked).await.expect("a queue");
    let messages = received["Messages"].as_array().cloned().unwrap_or_default();
    for message in &messages {
        let deleted = json!({ "QueueUrl": url, "ReceiptHandle": message["ReceiptHandle"] });
        embedded.sqs("DeleteMessage", deleted).await.expect("a message");
    }
    let item = |message: Value| Item {
        record: queue_record(queue, &message),
        partition: String::new(),
        receives: 0,
    };
    messages.into_iter().map(item).collect()
}
