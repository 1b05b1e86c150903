//! `cleanup.sweep`: deletes the dependent data of deleted resources.
//!
//! The worker is idempotent: a repeated message finds only what is left, and an interrupted one
//! continues there. A second pass removes writes of calls that were in flight during the deletion
//! and still saw the resource.

use std::time::Duration;

use model::{
    Millis,
    event::{Event, Removal},
};
use service::{Job, Progress, Queue, Result, Trigger, Worker, prelude::*};

pub enum Sweep {}

/// Delay of the second pass; no call takes that long.
pub(crate) const SECOND_LOOK: Millis = 20 * 60 * 1000;

impl Worker for Sweep {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Cleanup);
    const NEEDS_KEYRING: bool = false;
    type Job = Job;
    type Message = Removal;

    async fn handle(job: Job, removal: Removal) -> Result<()> {
        if removal.event == Event::KeyDeleted {
            return crate::tenant::sweep(job, removal).await;
        }
        let Some(organization) = removal.event.organization_id() else { return Ok(()) };
        let organization = job.organization(organization);
        match organization.removal().purge(&removal.event, removal.at, job.deadline()).await? {
            Progress::More => job.send(Queue::Cleanup, &removal, Duration::ZERO).await,
            Progress::Done if removal.pass == 0 => {
                let again = Removal { pass: 1, ..removal };
                job.send_at(Queue::Cleanup, &again, job.started_at() + SECOND_LOOK).await
            }
            Progress::Done => Ok(()),
        }
    }
}
