//! The tables of a deployment: calls of clients in turns, with a signal and a version for each write.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::watch;

use super::Store;
use super::versions::{Changed, Versions};
use super::writes::Writes;
use crate::base::{Clock, Error, Outcome, Refusal};
use crate::disk::{Observed, Turns, action};

/// The tables. A clone is another handle to the same ones.
#[derive(Clone)]
pub(crate) struct DynamoDb {
    store: Arc<Store>,
    turns: Turns,
    writes: Arc<Writes>,
    versions: Arc<Versions>,
}

impl DynamoDb {
    pub(crate) fn open(
        file: Option<PathBuf>,
        clock: Clock,
        is_synced: bool,
        observed: Observed,
    ) -> Result<Self, Error> {
        let store = Arc::new(Store::open(file.clone(), clock)?);
        let turns = Turns::open(file.filter(|_| is_synced), observed)?;
        Ok(Self { store, turns, writes: Arc::default(), versions: Arc::default() })
    }

    /// The tables without the turns of clients.
    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Answers a client whose request is for `tables`, whose names are joined by commas. With `half`,
    /// only the first half of a batch is executed.
    pub(crate) async fn call(
        &self,
        operation: String,
        body: Value,
        tables: &str,
        half: bool,
    ) -> Outcome {
        let (own, action) = (self.clone(), action(&operation));
        let written = is_write(&operation).then(|| tables.to_owned());
        let work = move || {
            if written.is_some() {
                // Before: nobody reads until it is done, and then it may have failed half-way.
                own.versions.raise(Changed::by(&operation, &body));
            }
            let outcome = own.store.call(&operation, body, half);
            // Also of a caller that has not waited for it.
            if let Some(tables) = written {
                own.turns.committed();
                own.writes.signal(&tables);
            }
            outcome
        };
        let outcome = self.turns.run(action, work).await;
        outcome.unwrap_or_else(|error| Outcome::free(Err(Refusal::internal(&error))))
    }

    /// Does `work` while no call is in the tables; figures count it as `action`.
    pub(crate) async fn in_turn<T: Send + 'static>(
        &self,
        action: &'static str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let done = self.turns.run(action, work).await;
        done.map_err(|error| std::io::Error::other(error).into())
    }

    /// Notes a commit, within the work that made it.
    pub(crate) fn committed(&self) {
        self.turns.committed();
    }

    /// Waits until everything committed so far is on the disk.
    pub(crate) async fn synced(&self) -> Result<(), String> {
        self.turns.synced_so_far().await
    }

    /// Changes with each write to a table.
    pub(crate) fn writes_to(&self, table: &str) -> watch::Receiver<()> {
        self.writes.of(table)
    }

    /// The version of the items of a table whose keys begin with these.
    pub(crate) fn version(&self, table: &str, partition: &str, sort: &str) -> u64 {
        self.versions.of(table, partition, sort)
    }

    /// Deletes all expired items and records of streams; returns the number of items.
    pub(crate) fn sweep_expired(&self) -> Result<usize, Error> {
        let deleted = self.store.sweep_expired();
        // Also of a sweep that has failed half-way.
        if !matches!(deleted, Ok(0)) {
            self.versions.raise_all();
        }
        deleted
    }

    /// Replaces all data.
    pub(crate) fn replace(&self, by: &rusqlite::Connection) -> Result<(), Error> {
        self.store.replace(by)?;
        self.versions.raise_all();
        Ok(())
    }
}

fn is_write(operation: &str) -> bool {
    ["Put", "Update", "Delete", "BatchWrite", "TransactWrite", "Execute", "BatchExecute"]
        .iter()
        .any(|verb| operation.starts_with(verb))
}
