//! `cleanup.sweep`: deletes the dependent data of deleted resources.
//!
//! The worker is idempotent: a repeated message finds only what is left, and an interrupted one
//! continues there. Calls that were in flight during the deletion and still saw the resource may
//! write what belongs to it later: a pass that found something is followed by another one, and the
//! clean-up ends with a later pass that finds nothing.

use std::time::Duration;

use model::{
    Millis,
    event::{Event, Removal},
};
use service::{Queue, prelude::*, store::deletion::Progress};

pub enum Sweep {}

/// Delay of the next pass; no call takes that long.
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
        let purged =
            organization.deletion().purge(&removal.event, removal.at, job.deadline()).await?;
        let found = removal.found || purged.found;
        match purged.progress {
            Progress::More => {
                let rest = Removal { found, ..removal };
                job.send(Queue::Cleanup, &rest, Duration::ZERO).await
            }
            Progress::Done if removal.pass == 0 || found => {
                let again = Removal { pass: removal.pass + 1, found: false, ..removal };
                job.send_at(Queue::Cleanup, &again, job.started_at() + SECOND_LOOK).await
            }
            Progress::Done => organization.deletion().confirm(&removal.event, removal.at).await,
        }
    }
}
