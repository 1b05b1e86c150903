//! What wakes workers.

use queue::Queue;
use serde_json::Value;
use store::Table;

/// What wakes a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// Messages of a queue, each an envelope of a tenant's message.
    Queue(Queue),
    /// Events that items of these tables carry, from the streams of the tables.
    Stream(&'static [Table]),
    /// Changes of some items of this table, from its stream.
    Changes(Table, &'static [Changed]),
    /// An operator, who orders events that items of these tables still carry.
    Operator(&'static [Table]),
    /// The clock.
    EveryMinute,
}

/// Items whose changes wake a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changed {
    /// What their sort keys begin with.
    pub begins_with: &'static str,
}

impl Changed {
    /// Whether a record of a stream tells such a change.
    pub fn has(&self, record: &Value) -> bool {
        let key = record["dynamodb"]["Keys"]["SK"]["S"].as_str().unwrap_or_default();
        key.starts_with(self.begins_with)
    }
}
