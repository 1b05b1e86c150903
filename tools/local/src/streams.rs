//! The streams of tables, read as Lambda reads them: in batches, from a kept position on, again
//! from the first record that failed, and then with half of the batch.

use std::path::{Path, PathBuf};

use emulator::StreamRecord;
use serde_json::{Value, json};
use service::{Table, WorkerSpec};

use crate::{Stack, table_name};

/// Records given to a worker at once, as in `template.yaml`.
const BATCH: usize = 100;
/// The age at which a record that fails is given up, in milliseconds, as in `template.yaml`.
const MAX_AGE: u64 = 79_200_000;

/// The stream of one table, and the worker that follows it.
pub(crate) struct Stream {
    worker: WorkerSpec,
    table: Table,
    /// Where the position is kept.
    file: Option<PathBuf>,
    position: Option<String>,
    /// Read, but not handled yet.
    waiting: Vec<StreamRecord>,
    /// The size of the next batch.
    size: usize,
}

impl Stream {
    pub(crate) fn new(worker: WorkerSpec, table: Table, positions: Option<&Path>) -> Self {
        let file = positions.map(|folder| folder.join(table.name()));
        let position = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
        Self { worker, table, file, position, waiting: vec![], size: BATCH }
    }

    /// Gives the next records to the worker; answers how many were handled.
    pub(crate) async fn poll(&mut self, stack: &Stack) -> Result<usize, String> {
        while self.waiting.is_empty() {
            if !self.read(stack).await? {
                return Ok(0);
            }
        }
        let batch = &self.waiting[..self.size.min(self.waiting.len())];
        let records: Vec<&Value> = batch.iter().map(|record| &record.record).collect();
        let event = json!({ "Records": records });
        let answer = stack.run(&self.worker, event).await;
        let failed = answer["batchItemFailures"][0]["itemIdentifier"].as_str();
        let first = failed.and_then(|failed| batch.iter().position(|it| it.sequence == failed));
        let all = batch.len();
        let mut done = first.unwrap_or(if failed.is_some() { 0 } else { all });
        let is_failed = done < all;
        if is_failed && done == 0 && is_too_old(&batch[0], stack.environment().now()) {
            let sequence = &batch[0].sequence;
            tracing::error!(sequence, "A record was given up: it failed for too long.");
            done = 1;
        }
        self.size = if is_failed { all.div_ceil(2) } else { BATCH };
        let last = self.waiting.drain(..done).next_back();
        if let Some(last) = last {
            self.advance(last.sequence)?;
        }
        match is_failed {
            true => Err(format!("events of {} could not be passed on", self.table.name())),
            false => Ok(done),
        }
    }

    /// Reads on; false when there is nothing. What carries no events is passed over.
    async fn read(&mut self, stack: &Stack) -> Result<bool, String> {
        let (table, emulator) = (table_name(self.table), stack.emulator().clone());
        let after = self.position.clone();
        let read = move || emulator.stream_with(&table, "_events", after.as_deref(), BATCH);
        let page = tokio::task::spawn_blocking(read).await.map_err(|e| e.to_string())?;
        let page = page.map_err(|e| e.to_string())?;
        let Some(last) = page.last else { return Ok(false) };
        if page.records.is_empty() {
            self.advance(last)?;
        }
        self.waiting = page.records;
        Ok(true)
    }

    fn advance(&mut self, position: String) -> Result<(), String> {
        if let Some(file) = &self.file {
            keep(file, &position).map_err(|e| e.to_string())?;
        }
        self.position = Some(position);
        Ok(())
    }
}

fn is_too_old(record: &StreamRecord, now: u64) -> bool {
    let seconds = record.record["dynamodb"]["ApproximateCreationDateTime"].as_f64();
    seconds.is_some_and(|seconds| seconds * 1000.0 + (MAX_AGE as f64) < now as f64)
}

/// Written beside and renamed, so that there is always a whole one.
fn keep(file: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let beside = file.with_extension("new");
    std::fs::write(&beside, text)?;
    std::fs::rename(beside, file)
}
