//! `journal.retry`: an event that failed, or that takes its time, comes by itself, with the number it
//! has, so that it holds up no other. What fails for good ends in the dead letters.

use service::{Job, Queue, Result, StoredEvent, Trigger, Worker};

use crate::pass_on::pass_on_alone;

/// The worker.
pub enum RetryEvent {}

impl Worker for RetryEvent {
    const TRIGGER: Trigger = Trigger::Queue(Queue::JournalRetry);
    type Job = Job;
    type Message = StoredEvent;

    async fn handle(job: Job, stored: StoredEvent) -> Result<()> {
        pass_on_alone(&job, stored).await
    }
}
