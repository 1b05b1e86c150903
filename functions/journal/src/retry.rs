//! `journal.retry`: a single numbered event that failed or takes long, so that it blocks no others.
//! An event that fails permanently becomes a dead letter.

use service::{Queue, prelude::*, store::journal::StoredEvent};

use crate::pass_on::pass_on_alone;

pub enum RetryEvent {}

impl Worker for RetryEvent {
    const TRIGGER: Trigger = Trigger::Queue(Queue::JournalRetry);
    type Job = Job;
    type Message = StoredEvent;

    async fn handle(job: Job, stored: StoredEvent) -> Result<()> {
        pass_on_alone(&job, stored).await
    }
}
