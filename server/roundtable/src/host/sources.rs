//! The event sources of workers: queues, streams of tables, and the timer. As in Lambda, only
//! failed messages repeat.

mod background;
mod batches;
mod streams;

use std::{future::pending, path::PathBuf, sync::Arc, time::Duration};

use embedded::EmbeddedServices;
use queue::Queue;
use serde_json::{Value, json};
use service::{Trigger, WorkerSpec};
use tokio::sync::Semaphore;

use self::{
    batches::Batches,
    streams::{Of, Stream},
};
use super::{open::Host, resources::queue_name};

/// Poll interval of an idle stream without a write.
const STREAM_PAUSE: Duration = Duration::from_secs(1);
/// Pause after a failed source.
const FAILURE_PAUSE: Duration = Duration::from_secs(1);

/// The event sources of a deployment.
pub struct Sources {
    host: Host,
    streams: Vec<Stream>,
}

impl Sources {
    /// The sources of a deployment; `positions` is a folder with the positions of streams. Without it
    /// the process reads streams from their start.
    pub(crate) fn new(host: Host, positions: Option<PathBuf>) -> Self {
        let mut streams = Vec::new();
        for worker in host.functions.workers() {
            let stream = |table, of| Stream::new(worker.clone(), table, of, positions.as_deref());
            match worker.trigger {
                Trigger::Stream(tables) => {
                    streams.extend(tables.iter().map(|table| stream(*table, Of::Events)));
                }
                Trigger::Changes(changes) => {
                    streams.push(stream(changes.table, Of::Items(changes)));
                }
                _ => {}
            }
        }
        Self { host, streams }
    }

    /// The services whose streams and queues these are.
    pub(crate) fn embedded(&self) -> &EmbeddedServices {
        &self.host.embedded
    }

    /// Runs all sources until the process ends: streams and queues on separate threads, because all
    /// tenants wait for the streams, whatever the load of the queues.
    pub fn spawn(self) {
        background::run(self.host.clone(), poll_all);
        background::run(self.host.clone(), move |host| Self { host, ..self }.follow_all());
    }

    async fn follow_all(self) {
        for stream in self.streams {
            // A stream that never gets anywhere is behind since the start.
            let now = self.host.clock.now();
            self.host.work.processed(stream.name(), now);
            tokio::spawn(follow(self.host.clone(), stream));
        }
        // The end of this future would end them.
        pending().await
    }

    /// Passes all due work to the workers until nothing is left; for tests. Returns the number of
    /// processed messages and records.
    ///
    /// # Errors
    /// When a source is unreadable, or never runs dry.
    pub async fn settle(&mut self) -> Result<usize, String> {
        const MAX_ROUNDS: usize = 100_000;
        let mut handled = 0;
        for _ in 0..MAX_ROUNDS {
            let mut moved = 0;
            for stream in &mut self.streams {
                moved += stream.poll(&self.host).await?;
            }
            for queue in Queue::ALL {
                let messages = receive(&self.host, queue, 0, &[]).await?;
                if !messages.is_empty() {
                    moved += work(&self.host, queue, &messages).await?;
                }
            }
            if moved == 0 {
                return Ok(handled);
            }
            handled += moved;
        }
        Err("the sources do not run dry".to_owned())
    }

    /// Passes all events of streams on, as rows and messages; no message is worked on. Other changes
    /// concern connected clients only, and are left.
    ///
    /// # Errors
    /// When a stream is unreadable, or its events cannot be passed on.
    pub(crate) async fn drain_events(&mut self) -> Result<(), String> {
        for stream in self.streams.iter_mut().filter(|stream| stream.has_events()) {
            while stream.poll(&self.host).await? > 0 {}
        }
        Ok(())
    }

    /// Skips all records of streams so far, for data whose work is done.
    ///
    /// # Errors
    /// When a stream is unreadable.
    pub async fn skip(&mut self) -> Result<(), String> {
        for stream in &mut self.streams {
            stream.skip(&self.host).await?;
        }
        Ok(())
    }

    /// Runs the timer once; for tests.
    pub async fn tick(&self) {
        tick(&self.host).await;
    }
}

/// Polls the queues and runs the timer, until the service ends.
async fn poll_all(host: Host) {
    for queue in Queue::ALL {
        tokio::spawn(poll(host.clone(), queue));
    }
    let mut minute = tokio::time::interval(Duration::from_secs(60));
    loop {
        minute.tick().await;
        // The end of this future would end the work of all queues.
        let Some(_working) = host.work.begin_work() else { return pending().await };
        tick(&host).await;
    }
}

/// Reads a stream until the service ends.
async fn follow(host: Host, mut stream: Stream) {
    let mut written = host.embedded.writes_to(&stream.table_name());
    let mut reads =
        (!host.stream_delay.is_zero()).then(|| tokio::time::interval(host.stream_delay));
    loop {
        if let Some(reads) = &mut reads {
            reads.tick().await;
        }
        let progress = &host.work;
        let Some(working) = progress.begin_work() else { return };
        let polled = stream.poll(&host).await;
        drop(working);
        match polled {
            Ok(0) => {
                progress.processed(stream.name(), host.clock.now());
                drop(tokio::time::timeout(STREAM_PAUSE, written.changed()).await);
            }
            Ok(_) => progress.processed(stream.name(), stream.processed_at()),
            Err(error) => {
                tracing::error!(error, "A stream could not be read.");
                tokio::time::sleep(FAILURE_PAUSE).await;
            }
        }
    }
}

/// Passes the messages of a queue to its workers, several batches concurrently, so that a slow one
/// does not block others.
async fn poll(host: Host, queue: Queue) {
    let (slots, batches) = (queue.max_concurrency(), Arc::<Batches>::default());
    let free = Arc::new(Semaphore::new(slots));
    loop {
        let Ok(permit) = Arc::clone(&free).acquire_owned().await else { return };
        // A tenant with slow receivers leaves half of the slots to the others.
        let full = batches.tenants_with(slots.div_ceil(2));
        let wait_seconds = if full.is_empty() { 20 } else { 0 };
        let received = tokio::select! {
            received = receive(&host, queue, wait_seconds, &full) => received,
            // Messages that it receives meanwhile come again after the next start.
            () = host.work.ending() => return,
        };
        match received {
            Ok(messages) if messages.is_empty() => {
                if !full.is_empty() {
                    batches.pause().await;
                }
            }
            Ok(messages) => {
                let Some(working) = host.work.begin_work() else { return };
                let (host, batch) = (host.clone(), batches.begin(&messages));
                tokio::spawn(async move {
                    if let Err(error) = work(&host, queue, &messages).await {
                        let queue = queue.name();
                        tracing::error!(queue, error, "Messages could not be deleted.");
                    }
                    drop((permit, batch, working));
                });
            }
            Err(error) => {
                let queue = queue.name();
                tracing::error!(queue, error, "A queue could not be polled.");
                tokio::time::sleep(FAILURE_PAUSE).await;
            }
        }
    }
}

async fn tick(host: &Host) {
    for worker in workers(host, Trigger::EveryMinute) {
        host.run(worker, json!({})).await;
    }
    let embedded = host.embedded.clone();
    let sweep = move || embedded.sweep_expired().and(embedded.trim_outbox());
    if let Ok(Err(error)) = tokio::task::spawn_blocking(sweep).await {
        tracing::error!(%error, "What has expired could not be removed.");
    }
}

fn workers(host: &Host, trigger: Trigger) -> impl Iterator<Item = &WorkerSpec> {
    host.functions.workers().iter().filter(move |worker| worker.trigger == trigger)
}

fn queue_url(queue: Queue) -> String {
    format!("http://localhost{}", EmbeddedServices::queue_path(&queue_name(queue)))
}

/// Receives messages, but none of tenants that are `full`; waits for the first one if necessary.
async fn receive(
    host: &Host,
    queue: Queue,
    wait_seconds: u32,
    full: &[String],
) -> Result<Vec<Value>, String> {
    let request = json!({
        "QueueUrl": queue_url(queue),
        "MaxNumberOfMessages": queue.batch_size(),
        "WithoutGroups": full,
        "WaitTimeSeconds": wait_seconds,
        "MessageSystemAttributeNames": ["All"],
    });
    let received = host.embedded.sqs("ReceiveMessage", request).await;
    let received = received.map_err(|e| e.to_string())?;
    Ok(received["Messages"].as_array().cloned().unwrap_or_default())
}

/// Passes messages to the workers and deletes the successful ones; returns their number.
async fn work(host: &Host, queue: Queue, messages: &[Value]) -> Result<usize, String> {
    let records: Vec<Value> = messages.iter().map(|message| queue_record(queue, message)).collect();
    let mut failed: Vec<Value> = Vec::new();
    for worker in workers(host, Trigger::Queue(queue)) {
        let answer = host.run(worker, json!({ "Records": records })).await;
        let failures = answer["batchItemFailures"].as_array().cloned().unwrap_or_default();
        failed.extend(failures.into_iter().map(|failure| failure["itemIdentifier"].clone()));
    }
    let done = messages.iter().filter(|message| !failed.contains(&message["MessageId"]));
    let entries: Vec<Value> = done
        .map(|message| json!({ "Id": message["MessageId"], "ReceiptHandle": message["ReceiptHandle"] }))
        .collect();
    if !entries.is_empty() {
        // The effects of the messages must be on the disk before they are deleted.
        host.embedded.synced().await.map_err(|e| e.to_string())?;
        let request = json!({ "QueueUrl": queue_url(queue), "Entries": entries });
        let deleted = host.embedded.sqs("DeleteMessageBatch", request).await;
        deleted.map_err(|e| e.to_string())?;
    }
    Ok(entries.len())
}

/// A message of a queue, as `ReceiveMessage` answers it, in the format of Lambda.
pub fn queue_record(queue: Queue, message: &Value) -> Value {
    json!({
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": message["Attributes"],
        "messageAttributes": {},
        "md5OfBody": message["MD5OfBody"],
        "eventSource": "aws:sqs",
        "eventSourceARN": EmbeddedServices::queue_arn(&queue_name(queue)),
        "awsRegion": embedded::REGION,
    })
}
