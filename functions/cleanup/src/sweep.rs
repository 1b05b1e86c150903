//! `cleanup.sweep`: removes what hung on something deleted.
//!
//! Whatever is gone is not found again, so a message may come twice, and one that ran out of time
//! goes on where it stopped. A second pass takes what was written by calls that were under way
//! during the deletion: they saw it there still.

use std::time::Duration;

use model::{
    Millis,
    event::{Event, Removal},
};
use service::{Job, Progress, Queue, Result, Trigger, Worker};

/// The worker.
pub enum Sweep {}

/// How long after the first pass the second one comes; no call takes that long.
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
        match organization.purge(&removal.event, removal.at, job.deadline()).await? {
            Progress::More => job.send(Queue::Cleanup, &removal, Duration::ZERO).await,
            Progress::Done if removal.pass == 0 => {
                let again = Removal { pass: 1, ..removal };
                job.send_at(Queue::Cleanup, &again, job.now() + SECOND_LOOK).await
            }
            Progress::Done => Ok(()),
        }
    }
}
