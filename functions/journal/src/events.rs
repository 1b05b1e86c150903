//! `journal.events`: events as the streams bring them, each with its number.

use std::time::Duration;

use model::event::Event;
use service::{Job, Queue, Result, StoredEvent, Trigger, Worker};

use crate::{TABLES, pass_on::pass_on};

/// The worker.
pub enum JournalEvents {}

impl Worker for JournalEvents {
    const TRIGGER: Trigger = Trigger::Stream(TABLES);
    type Job = Job;
    type Message = StoredEvent;

    async fn handle(job: Job, stored: StoredEvent) -> Result<()> {
        // All that became due is woken: that takes its time, and nobody is to wait for it.
        if let Event::ClockAdvanced { .. } = stored.event {
            return job.send(Queue::JournalRetry, &stored, Duration::ZERO).await;
        }
        pass_on(&job, stored).await
    }
}
