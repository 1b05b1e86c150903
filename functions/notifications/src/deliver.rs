//! `notifications.deliver`: people are notified of what happened, each of them once.
//!
//! An event is offered when it happened; from then on rows of work say what is to be done and when
//! (crate `delivery`). A message only wakes one of them, so it may come twice, late or never.

use delivery::Task;
use service::{Job, Queue, Result, Trigger, Worker};

use crate::{offer::offer, world::Tenant};

/// The worker.
pub enum Deliver {}

impl Worker for Deliver {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Notifications);
    type Job = Job;
    type Message = Task;

    async fn handle(job: Job, task: Task) -> Result<()> {
        match task {
            Task::Offer(event) => offer(&job, &event).await,
            Task::Wake(key) => delivery::wake(&job, &Tenant(&job), &key).await,
        }
    }
}
