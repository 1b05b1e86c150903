//! Streams of tables, read like Lambda: in batches, from a stored position, again from the first
//! failed record, and then with half of the batch.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use embedded::{EmbeddedServices, Error, ItemFilter, StreamPage, StreamRecord};
use serde_json::{Value, json};
use service::{ChangeFilter, Changes, Table, WorkerSpec};

use crate::host::{open::Host, resources::table_name};

/// Batch size, as in `template.yaml`.
const BATCH: usize = 100;

/// How long the file of a position may lack records that were passed over. They would be passed over
/// again.
const UNSAVED: Duration = Duration::from_secs(1);

/// Filter of a worker's records.
#[derive(Clone, Copy)]
pub(crate) enum Of {
    /// Tables with events.
    Events,
    /// Some changes of items.
    Items(Changes),
}

impl Of {
    /// Maximum age of a failing record, in milliseconds, as in `template.yaml`.
    fn max_age(self) -> u64 {
        match self {
            Self::Events => 79_200_000,
            Self::Items(_) => 300_000,
        }
    }

    /// Reads the next records; filtered ones are before the end of the page.
    fn read(
        self,
        embedded: &EmbeddedServices,
        table: &str,
        after: Option<&str>,
    ) -> Result<StreamPage, Error> {
        match self {
            Self::Events => embedded.stream_with(table, "_events", after, BATCH),
            Self::Items(Changes { filters, .. }) => {
                let filter = |(begins, kinds): &ChangeFilter| ItemFilter { begins, kinds };
                let filters: Vec<ItemFilter<'_>> = filters.iter().map(filter).collect();
                embedded.stream_of(table, &filters, after, BATCH)
            }
        }
    }
}

/// The stream of one table, and the worker that follows it.
pub(crate) struct Stream {
    worker: WorkerSpec,
    table: Table,
    of: Of,
    /// File of the position.
    file: Option<PathBuf>,
    position: Option<String>,
    saved: Instant,
    /// Unprocessed records.
    waiting: Vec<StreamRecord>,
    /// The size of the next batch.
    size: usize,
    /// The time of the last processed record.
    processed_at: u64,
}

impl Stream {
    pub(crate) fn new(worker: WorkerSpec, table: Table, of: Of, positions: Option<&Path>) -> Self {
        let file = positions.map(|folder| folder.join(position_name(&worker, table, of)));
        let position = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
        // A power failure may leave an empty file. Records that come again change nothing.
        let position = position.filter(|position| !position.is_empty());
        let (waiting, size) = (vec![], BATCH);
        let saved = Instant::now();
        Self { worker, table, of, file, position, saved, waiting, size, processed_at: 0 }
    }

    /// Table of the stream, and the worker if a table has several.
    pub(crate) fn name(&self) -> String {
        position_name(&self.worker, self.table, self.of)
    }

    /// The name of its table.
    pub(crate) fn table_name(&self) -> String {
        table_name(self.table)
    }

    /// Whether its worker gets events.
    pub(crate) fn has_events(&self) -> bool {
        matches!(self.of, Of::Events)
    }

    /// Everything up to this time is processed, in milliseconds.
    pub(crate) fn processed_at(&self) -> u64 {
        self.processed_at
    }

    /// Passes the next records to the worker; returns the number processed.
    pub(crate) async fn poll(&mut self, host: &Host) -> Result<usize, String> {
        while self.waiting.is_empty() {
            if !self.read(host).await? {
                return Ok(0);
            }
        }
        let batch = &self.waiting[..self.size.min(self.waiting.len())];
        let records: Vec<&Value> = batch.iter().map(|record| &record.record).collect();
        let event = json!({ "Records": records });
        let answer = host.run(&self.worker, event).await;
        let failed = answer["batchItemFailures"][0]["itemIdentifier"].as_str();
        let first =
            failed.and_then(|failed| batch.iter().position(|record| record.sequence == failed));
        let all = batch.len();
        let mut done = first.unwrap_or(if failed.is_some() { 0 } else { all });
        let is_failed = done < all;
        if is_failed && done == 0 && is_too_old(&batch[0], self.of, host.clock.now()) {
            let sequence = &batch[0].sequence;
            tracing::error!(sequence, "A record was given up: it failed for too long.");
            done = 1;
        }
        self.size = if is_failed { all.div_ceil(2) } else { BATCH };
        let last = self.waiting.drain(..done).next_back();
        if let Some(last) = last {
            // The effects of the records must be on the disk before the position.
            host.embedded.synced().await.map_err(|e| e.to_string())?;
            self.processed_at = time(&last).unwrap_or_default() as u64;
            self.advance(last.sequence)?;
        }
        match is_failed {
            true => Err(format!("records of {} could not be passed on", self.table.name())),
            false => Ok(done),
        }
    }

    /// Skips all records so far.
    pub(crate) async fn skip(&mut self, host: &Host) -> Result<(), String> {
        while self.read(host).await? {
            if let Some(last) = self.waiting.pop() {
                self.waiting.clear();
                self.advance(last.sequence)?;
            }
        }
        Ok(())
    }

    /// Reads more; false without new records. Filtered records are skipped.
    async fn read(&mut self, host: &Host) -> Result<bool, String> {
        let (of, table, after) = (self.of, self.table_name(), self.position.clone());
        let embedded = &host.embedded;
        let read = move |embedded: &EmbeddedServices| of.read(embedded, &table, after.as_deref());
        let page = embedded.in_turn(read).await.and_then(|page| page);
        let page = page.map_err(|e| e.to_string())?;
        // Records that a power failure could take back must neither have consequences nor be passed
        // over.
        embedded.synced().await.map_err(|e| e.to_string())?;
        let Some(last) = page.last else { return Ok(false) };
        if page.records.is_empty() {
            if self.saved.elapsed() >= UNSAVED {
                self.advance(last)?;
            } else {
                self.position = Some(last);
            }
        }
        self.waiting = page.records;
        Ok(true)
    }

    fn advance(&mut self, position: String) -> Result<(), String> {
        if let Some(file) = &self.file {
            keep(file, &position).map_err(|e| e.to_string())?;
            self.saved = Instant::now();
        }
        self.position = Some(position);
        Ok(())
    }
}

/// A table may have several readers.
fn position_name(worker: &WorkerSpec, table: Table, of: Of) -> String {
    match of {
        Of::Events => table.name().to_owned(),
        Of::Items(_) => format!("{}-{}", table.name(), worker.binary()),
    }
}

fn is_too_old(record: &StreamRecord, of: Of, now: u64) -> bool {
    time(record).is_some_and(|time| time + (of.max_age() as f64) < now as f64)
}

/// When a record was written, in milliseconds.
fn time(record: &StreamRecord) -> Option<f64> {
    Some(record.record["dynamodb"]["ApproximateCreationDateTime"].as_f64()? * 1000.0)
}

/// Written to a temporary file and renamed, so that a complete one always exists.
fn keep(file: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let beside = file.with_extension("new");
    std::fs::write(&beside, text)?;
    std::fs::rename(beside, file)
}
