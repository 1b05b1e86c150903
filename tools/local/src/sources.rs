//! What wakes the workers: queues, the stream of events, the clock. As in Lambda, a message that
//! failed comes again, and its neighbors do not.

use std::{path::PathBuf, sync::Arc, time::Duration};

use emulator::Emulator;
use queue::Queue;
use serde_json::{Value, json};
use service::{Table, Trigger, WorkerSpec};
use tokio::sync::Semaphore;

use crate::{Stack, background, queue_name, table_name};

/// Messages and records given to a worker at once.
const BATCH: usize = 10;
/// How long an idle stream is left alone unless something is written.
const STREAM_PAUSE: Duration = Duration::from_secs(1);
/// How long a source that failed is left alone.
const FAILURE_PAUSE: Duration = Duration::from_secs(1);

/// The event sources of a stack.
pub struct Sources {
    stack: Stack,
    /// Where the position in the stream is kept; none: it starts anew with the process.
    position_file: Option<PathBuf>,
    position: Option<String>,
    failures: u32,
}

/// How often a record is tried before it is given up, as in `template.yaml`.
const MAX_ATTEMPTS: u32 = 20;

impl Sources {
    /// The sources of a stack; `position_file` keeps how far the stream was read.
    pub fn new(stack: Stack, position_file: Option<PathBuf>) -> Self {
        let position = position_file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
        Self { stack, position_file, position, failures: 0 }
    }

    /// Runs all sources on threads of their own until the process ends.
    pub fn spawn(self) {
        background::run(self.stack.clone(), move |stack| Self { stack, ..self }.run());
    }

    async fn run(mut self) {
        for queue in Queue::ALL {
            tokio::spawn(poll(self.stack.clone(), queue));
        }
        let stack = self.stack.clone();
        tokio::spawn(async move {
            let mut minute = tokio::time::interval(Duration::from_secs(60));
            loop {
                minute.tick().await;
                tick(&stack).await;
            }
        });
        loop {
            match self.poll_stream().await {
                Ok(0) => {
                    let written = self.stack.emulator().written();
                    let _ = tokio::time::timeout(STREAM_PAUSE, written).await;
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::error!(error, "The stream of events could not be read.");
                    tokio::time::sleep(FAILURE_PAUSE).await;
                }
            }
        }
    }

    /// Gives what is due now to the workers until nothing is left; for tests. Answers how many
    /// messages and records were handled.
    ///
    /// # Errors
    /// When a source cannot be read, or never runs dry.
    pub async fn settle(&mut self) -> Result<usize, String> {
        const MAX_ROUNDS: usize = 10_000;
        let mut handled = 0;
        for _ in 0..MAX_ROUNDS {
            let mut moved = self.poll_stream().await?;
            for queue in Queue::ALL {
                let messages = receive(&self.stack, queue, 0).await?;
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

    /// Runs the timer once; for tests.
    pub async fn tick(&self) {
        tick(&self.stack).await;
    }

    /// Gives the next records to the workers of the stream; answers how many were handled.
    async fn poll_stream(&mut self) -> Result<usize, String> {
        let table = table_name(Table::Events);
        let emulator = self.stack.emulator().clone();
        let after = self.position.clone();
        let read = move || emulator.stream(&table, after.as_deref(), BATCH);
        let records = tokio::task::spawn_blocking(read).await.map_err(|e| e.to_string())?;
        let records = records.map_err(|e| e.to_string())?;
        let Some(last) = records.last().map(|record| record.sequence.clone()) else { return Ok(0) };

        let all: Vec<&Value> = records.iter().map(|record| &record.record).collect();
        let mut done = records.len();
        for worker in workers(&self.stack, Trigger::Stream(Table::Events)) {
            let answer = worker.run(&self.stack.inner.environment, json!({ "Records": all })).await;
            let failed = answer["batchItemFailures"][0]["itemIdentifier"].as_str();
            if let Some(failed) = failed {
                let at = records.iter().position(|record| record.sequence == failed);
                done = done.min(at.unwrap_or(0));
            }
        }
        let failed = done < records.len();
        self.failures = if failed && done == 0 { self.failures + 1 } else { u32::from(failed) };
        if self.failures > MAX_ATTEMPTS {
            let sequence = &records[done].sequence;
            tracing::error!(sequence, "An event was given up: it failed too often.");
            (done, self.failures) = (done + 1, 0);
        }
        let position = match done {
            0 => None,
            n if n == records.len() => Some(last),
            n => Some(records[n - 1].sequence.clone()),
        };
        if let Some(position) = position {
            if let Some(file) = &self.position_file {
                keep(file, &position).map_err(|e| e.to_string())?;
            }
            self.position = Some(position);
        }
        if done == records.len() {
            Ok(done)
        } else {
            Err("an event could not be fanned out".to_owned())
        }
    }
}

/// Written beside and renamed, so that there is always a whole one.
fn keep(file: &PathBuf, text: &str) -> std::io::Result<()> {
    let beside = file.with_extension("new");
    std::fs::write(&beside, text)?;
    std::fs::rename(beside, file)
}

/// Gives the messages of a queue to its workers, several batches at once: one that takes its time
/// holds up no other.
async fn poll(stack: Stack, queue: Queue) {
    let free = Arc::new(Semaphore::new(queue.max_concurrency()));
    loop {
        let Ok(permit) = Arc::clone(&free).acquire_owned().await else { return };
        match receive(&stack, queue, 20).await {
            Ok(messages) if messages.is_empty() => {}
            Ok(messages) => {
                let stack = stack.clone();
                tokio::spawn(async move {
                    if let Err(error) = work(&stack, queue, &messages).await {
                        let queue = queue.name();
                        tracing::error!(queue, error, "Messages could not be deleted.");
                    }
                    drop(permit);
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
        worker.run(&stack.inner.environment, json!({})).await;
    }
    let emulator = stack.emulator().clone();
    let swept = tokio::task::spawn_blocking(move || emulator.sweep_expired()).await;
    if let Ok(Err(error)) = swept {
        tracing::error!(%error, "Expired items could not be removed.");
    }
}

fn workers(stack: &Stack, trigger: Trigger) -> impl Iterator<Item = &WorkerSpec> {
    stack.inner.workers.iter().filter(move |worker| worker.trigger == trigger)
}

fn queue_url(queue: Queue) -> String {
    format!("http://localhost{}", Emulator::queue_path(&queue_name(queue)))
}

/// Receives messages; waits for the first one if need be.
async fn receive(stack: &Stack, queue: Queue, wait_seconds: u32) -> Result<Vec<Value>, String> {
    let request = json!({
        "QueueUrl": queue_url(queue),
        "MaxNumberOfMessages": BATCH,
        "WaitTimeSeconds": wait_seconds,
        "MessageSystemAttributeNames": ["All"],
    });
    let received = stack.emulator().sqs("ReceiveMessage", request).await;
    let received = received.map_err(|e| e.to_string())?;
    Ok(received["Messages"].as_array().cloned().unwrap_or_default())
}

/// Gives messages to the workers and deletes those that did not fail; answers how many were
/// deleted.
async fn work(stack: &Stack, queue: Queue, messages: &[Value]) -> Result<usize, String> {
    let records: Vec<Value> = messages.iter().map(|message| record(queue, message)).collect();
    let mut failed: Vec<Value> = Vec::new();
    for worker in workers(stack, Trigger::Queue(queue)) {
        let answer = worker.run(&stack.inner.environment, json!({ "Records": records })).await;
        let failures = answer["batchItemFailures"].as_array().cloned().unwrap_or_default();
        failed.extend(failures.into_iter().map(|failure| failure["itemIdentifier"].clone()));
    }
    let done = messages.iter().filter(|message| !failed.contains(&message["MessageId"]));
    let entries: Vec<Value> = done
        .map(|it| json!({ "Id": it["MessageId"], "ReceiptHandle": it["ReceiptHandle"] }))
        .collect();
    if !entries.is_empty() {
        let request = json!({ "QueueUrl": queue_url(queue), "Entries": entries });
        let deleted = stack.emulator().sqs("DeleteMessageBatch", request).await;
        deleted.map_err(|e| e.to_string())?;
    }
    Ok(entries.len())
}

/// A message as Lambda hands it over.
fn record(queue: Queue, message: &Value) -> Value {
    json!({
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": message["Attributes"],
        "messageAttributes": {},
        "md5OfBody": message["MD5OfBody"],
        "eventSource": "aws:sqs",
        "eventSourceARN": Emulator::queue_arn(&queue_name(queue)),
        "awsRegion": emulator::REGION,
    })
}
