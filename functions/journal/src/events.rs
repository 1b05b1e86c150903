//! `journal.events`: numbered events from the streams.

use service::{prelude::*, store::journal::StoredEvent};

use crate::{TABLES, pass_on::pass_on};

pub enum JournalEvents {}

impl Worker for JournalEvents {
    const TRIGGER: Trigger = Trigger::Stream(TABLES);
    type Job = Job;
    type Message = StoredEvent;

    async fn handle(job: Job, stored: StoredEvent) -> Result<()> {
        pass_on(&job, stored).await
    }
}
