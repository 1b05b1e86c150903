//! `fan-out.retry`: an event whose fan-out failed comes again by itself, so that it holds up no
//! other. What fails for good ends in the dead letters.

use service::{Job, Queue, Result, StoredEvent, Trigger, Worker};

use crate::events::fan_out;

/// The worker.
pub enum RetryFanOut {}

impl Worker for RetryFanOut {
    const TRIGGER: Trigger = Trigger::Queue(Queue::FanOut);
    type Job = Job;
    type Message = StoredEvent;

    async fn handle(job: Job, stored: StoredEvent) -> Result<()> {
        fan_out(&job, stored).await
    }
}
