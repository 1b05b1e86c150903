//! The event sources of workers: queues, streams of tables, and the timer. As in Lambda, only
//! failed messages repeat.

mod batches;

use std::{future::pending, path::PathBuf, sync::Arc, time::Duration};

use embedded::Emulator;
use queue::Queue;
use serde_json::{Value, json};
use service::{Trigger, WorkerSpec};
use tokio::sync::Semaphore;

use self::batches::Batches;
use crate::{
    Stack, background, queue_name,
    streams::{Of, Stream},
};

/// Poll interval of an idle stream without a write.
const STREAM_PAUSE: Duration = Duration::from_secs(1);
/// Pause after a failed source.
const FAILURE_PAUSE: Duration = Duration::from_secs(1);

/// The event sources of a stack.
pub struct Sources {
    stack: Stack,
    streams: Vec<Stream>,
}

impl Sources {
    /// The sources of a stack; `positions` is a folder with the positions of streams. Without it
    /// the process reads streams from their start.
    pub fn new(stack: Stack, positions: Option<PathBuf>) -> Self {
        let mut streams = Vec::new();
        for worker in &stack.inner.workers {
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
        Self { stack, streams }
    }

    /// Runs all sources until the process ends: streams and queues on separate threads, because all
    /// tenants wait for the streams, whatever the load of the queues.
    pub fn spawn(self) {
        background::run(self.stack.clone(), poll_all);
        background::run(self.stack.clone(), move |stack| Self { stack, ..self }.follow_all());
    }

    async fn follow_all(self) {
        for stream in self.streams {
            // A stream that never gets anywhere is behind since the start.
            let now = self.stack.environment().now();
            self.stack.inner.readiness.processed(stream.name(), now);
            tokio::spawn(follow(self.stack.clone(), stream));
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
        const MAX_ROUNDS: usize = 10_000;
        let mut handled = 0;
        for _ in 0..MAX_ROUNDS {
            let mut moved = 0;
            for stream in &mut self.streams {
                moved += stream.poll(&self.stack).await?;
            }
            for queue in Queue::ALL {
                let messages = receive(&self.stack, queue, 0, &[]).await?;
                if !messages.is_empty() {
                    moved += work(&self.stack, queue, &messages).await?;
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
            while stream.poll(&self.stack).await? > 0 {}
        }
        Ok(())
    }

    /// Skips all records of streams so far, for data whose work is done.
    ///
    /// # Errors
    /// When a stream is unreadable.
    pub async fn skip(&mut self) -> Result<(), String> {
        for stream in &mut self.streams {
            stream.skip(&self.stack).await?;
        }
        Ok(())
    }

    /// Runs the timer once; for tests.
    pub async fn tick(&self) {
        tick(&self.stack).await;
    }
}

/// Polls the queues and runs the timer, until the service ends.
async fn poll_all(stack: Stack) {
    for queue in Queue::ALL {
        tokio::spawn(poll(stack.clone(), queue));
    }
    let mut minute = tokio::time::interval(Duration::from_secs(60));
    loop {
        minute.tick().await;
        // The end of this future would end the work of all queues.
        let Some(_working) = stack.inner.readiness.begin_work() else { return pending().await };
        tick(&stack).await;
    }
}

/// Reads a stream until the service ends.
async fn follow(stack: Stack, mut stream: Stream) {
    let mut written = stack.emulator().writes_to(&stream.table_name());
    let mut reads = (!stack.inner.delays.stream.is_zero())
        .then(|| tokio::time::interval(stack.inner.delays.stream));
    loop {
        if let Some(reads) = &mut reads {
            reads.tick().await;
        }
        let readiness = &stack.inner.readiness;
        let Some(working) = readiness.begin_work() else { return };
        let polled = stream.poll(&stack).await;
        drop(working);
        match polled {
            Ok(0) => {
                readiness.processed(stream.name(), stack.environment().now());
                drop(tokio::time::timeout(STREAM_PAUSE, written.changed()).await);
            }
            Ok(_) => readiness.processed(stream.name(), stream.processed_at()),
            Err(error) => {
                tracing::error!(error, "A stream could not be read.");
                tokio::time::sleep(FAILURE_PAUSE).await;
            }
        }
    }
}

/// Passes the messages of a queue to its workers, several batches concurrently, so that a slow one
/// does not block others.
async fn poll(stack: Stack, queue: Queue) {
    let (slots, batches) = (queue.max_concurrency(), Arc::<Batches>::default());
    let free = Arc::new(Semaphore::new(slots));
    loop {
        let Ok(permit) = Arc::clone(&free).acquire_owned().await else { return };
        // A tenant with slow receivers leaves half of the slots to the others.
        let full = batches.tenants_with(slots.div_ceil(2));
        let wait_seconds = if full.is_empty() { 20 } else { 0 };
        let received = tokio::select! {
            received = receive(&stack, queue, wait_seconds, &full) => received,
            // Messages that it receives meanwhile come again after the next start.
            () = stack.inner.readiness.ending() => return,
        };
        match received {
            Ok(messages) if messages.is_empty() => {
                if !full.is_empty() {
                    batches.pause().await;
                }
            }
            Ok(messages) => {
                let Some(working) = stack.inner.readiness.begin_work() else { return };
                let (stack, batch) = (stack.clone(), batches.begin(&messages));
                tokio::spawn(async move {
                    if let Err(error) = work(&stack, queue, &messages).await {
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

async fn tick(stack: &Stack) {
    for worker in workers(stack, Trigger::EveryMinute) {
        stack.run(worker, json!({})).await;
    }
    let emulator = stack.emulator().clone();
    let sweep = move || emulator.sweep_expired().and(emulator.trim_outbox());
    if let Ok(Err(error)) = tokio::task::spawn_blocking(sweep).await {
        tracing::error!(%error, "What has expired could not be removed.");
    }
}

fn workers(stack: &Stack, trigger: Trigger) -> impl Iterator<Item = &WorkerSpec> {
    stack.inner.workers.iter().filter(move |worker| worker.trigger == trigger)
}

fn queue_url(queue: Queue) -> String {
    format!("http://localhost{}", Emulator::queue_path(&queue_name(queue)))
}

/// Receives messages, but none of tenants that are `full`; waits for the first one if necessary.
async fn receive(
    stack: &Stack,
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
    let received = stack.emulator().sqs("ReceiveMessage", request).await;
    let received = received.map_err(|e| e.to_string())?;
    Ok(received["Messages"].as_array().cloned().unwrap_or_default())
}

/// Passes messages to the workers and deletes the successful ones; returns their number.
async fn work(stack: &Stack, queue: Queue, messages: &[Value]) -> Result<usize, String> {
    let records: Vec<Value> = messages.iter().map(|message| queue_record(queue, message)).collect();
    let mut failed: Vec<Value> = Vec::new();
    for worker in workers(stack, Trigger::Queue(queue)) {
        let answer = stack.run(worker, json!({ "Records": records })).await;
        let failures = answer["batchItemFailures"].as_array().cloned().unwrap_or_default();
        failed.extend(failures.into_iter().map(|failure| failure["itemIdentifier"].clone()));
    }
    let done = messages.iter().filter(|message| !failed.contains(&message["MessageId"]));
    let entries: Vec<Value> = done
        .map(|message| json!({ "Id": message["MessageId"], "ReceiptHandle": message["ReceiptHandle"] }))
        .collect();
    if !entries.is_empty() {
        // The effects of the messages must be on the disk before they are deleted.
        stack.emulator().synced().await.map_err(|e| e.to_string())?;
        let request = json!({ "QueueUrl": queue_url(queue), "Entries": entries });
        let deleted = stack.emulator().sqs("DeleteMessageBatch", request).await;
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
        "eventSourceARN": Emulator::queue_arn(&queue_name(queue)),
        "awsRegion": embedded::REGION,
    })
}
