//! `operator.events_repair`: the operator calls it after the consumer of the streams was down for more
//! than a day. Items still carry the events of their last write; the runtime finds these events and
//! numbers those without a number, and `journal.retry` dispatches them.

use service::{Table, prelude::*, store::journal::StoredEvent};

pub enum RepairEvents {}

/// The tables whose items carry events.
const TABLES: &[Table] = &[Table::Resources, Table::Crdt];

impl Worker for RepairEvents {
    const TRIGGER: Trigger = Trigger::Operator(TABLES);
    type Job = Job;
    type Message = StoredEvent;

    async fn handle(job: Job, stored: StoredEvent) -> Result<()> {
        // The entry has the number before the message has it: a repeated repair would assign
        // another one.
        if stored.seq.is_some() {
            job.tenant().events().keep(&stored).await?;
        }
        job.dispatch_alone(&stored).await
    }
}
