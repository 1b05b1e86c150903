//! Rows in memory.

use std::collections::BTreeMap;

use model::Millis;
use notification::{Change, Row, RowKey, StoredRow};

/// The rows of a tenant in a model of the database.
#[derive(Clone, Debug, Default)]
pub struct Table(BTreeMap<RowKey, StoredRow>);

/// The row that a change is of.
pub fn key_of(change: &Change) -> &RowKey {
    match change {
        Change::Put { key, .. } | Change::Delete { key, .. } => key,
    }
}

impl Table {
    /// A row, even if it has expired.
    pub fn get(&self, key: &RowKey) -> Option<StoredRow> {
        self.0.get(key).cloned()
    }

    /// A row, unless it has expired.
    pub fn live(&self, key: &RowKey, now: Millis) -> Option<StoredRow> {
        self.get(key).filter(|stored| stored.row.expires.is_none_or(|expires| expires > now))
    }

    /// Whether the row of a change is as the author of the change has seen it.
    pub fn is_as_seen(&self, change: &Change, now: Millis) -> bool {
        let seen = match change {
            Change::Put { seen, .. } => seen.as_ref(),
            Change::Delete { seen, .. } => Some(seen),
        };
        self.live(key_of(change), now).map(|stored| stored.version).as_ref() == seen
    }

    /// Makes a change, whatever has been seen.
    pub fn make(&mut self, change: Change, version: &str) {
        match change {
            Change::Put { key, row, .. } => self.insert(key, row, version),
            Change::Delete { key, .. } => drop(self.0.remove(&key)),
        }
    }

    /// Writes a row.
    pub fn insert(&mut self, key: RowKey, row: Row, version: &str) {
        self.0.insert(key, StoredRow { row, version: version.to_owned() });
    }

    /// All rows, even those that have expired.
    pub fn iter(&self) -> impl Iterator<Item = (&RowKey, &Row)> {
        self.0.iter().map(|(key, stored)| (key, &stored.row))
    }
}
