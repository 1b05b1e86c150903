//! `journal.repair`: an operator calls it after the consumer of the streams was down for more than
//! a day. Items still carry the events of their last write; the runtime finds these events and
//! numbers those without a number.

use service::{Job, Result, StoredEvent, Trigger, Worker};

use crate::{TABLES, pass_on::pass_on};

/// The worker.
pub enum RepairEvents {}

impl Worker for RepairEvents {
    const TRIGGER: Trigger = Trigger::Operator(TABLES);
    type Job = Job;
    type Message = StoredEvent;

    async fn handle(job: Job, stored: StoredEvent) -> Result<()> {
        pass_on(&job, stored).await
    }
}
