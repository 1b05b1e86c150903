//! `journal.events`: events as the streams bring them, each with its number.

use std::time::Duration;

use model::event::Event;
use service::{Job, Queue, Result, StoredEvent, Trigger, Worker};

use crate::{TABLES, pass_on::pass_on};

/// Longer than a function believes what it has read of a key.
const BELIEVED: Duration = Duration::from_secs(15);

/// The worker.
pub enum JournalEvents {}

impl Worker for JournalEvents {
    const TRIGGER: Trigger = Trigger::Stream(TABLES);
    type Job = Job;
    type Message = StoredEvent;

    async fn handle(job: Job, stored: StoredEvent) -> Result<()> {
        // All that became due is woken: that takes its time, and nobody is to wait for it. Once
        // more later, for what is armed meanwhile by somebody who believes the time of before.
        if let Event::ClockAdvanced { .. } = stored.event {
            for delay in [Duration::ZERO, BELIEVED] {
                job.send(Queue::JournalRetry, &stored, delay).await?;
            }
            return Ok(());
        }
        pass_on(&job, stored).await
    }
}
