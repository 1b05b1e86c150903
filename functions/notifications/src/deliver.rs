//! `notifications.deliver`: notifies each recipient of an event once.
//!
//! The journal offers an event when it happens; from then on rows of pending work hold the state
//! and the due time (crate `notification`). A message only wakes a worker for a row, so it may repeat,
//! be late or get lost.

use notification::NotificationTask;
use service::{Queue, prelude::*};

use crate::{offer::offer, tenant_data::JobTenant};

pub enum Deliver {}

impl Worker for Deliver {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Notifications);
    type Job = Job;
    type Message = NotificationTask;

    async fn handle(job: Job, task: NotificationTask) -> Result<()> {
        match task {
            NotificationTask::Offer(event) => offer(&job, &event).await,
            NotificationTask::Wake(key) => notification::wake(&job, &JobTenant(&job), &key).await,
        }
    }
}
