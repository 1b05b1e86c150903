//! `live.rights`: ends the subscriptions of users who lost a right.

use service::{Changes, GRANTS, Job, RIGHTS, Result, RightsChange, Table, Trigger, Worker};

use crate::lockout;

/// The worker.
pub enum Rights {}

impl Worker for Rights {
    const TRIGGER: Trigger = Trigger::Changes(Changes {
        table: Table::Resources,
        filters: &[(RIGHTS, &["MODIFY", "REMOVE"]), (GRANTS, &["INSERT"])],
    });
    const NEEDS_KEYRING: bool = false;
    type Job = Job;
    type Message = RightsChange;

    async fn handle(job: Job, change: RightsChange) -> Result<()> {
        let mut start = None;
        loop {
            let (ids, next) = job.concerned(&change, start).await?;
            lockout::review(job.live(), &job, &ids).await?;
            if next.is_none() {
                return Ok(());
            }
            start = next;
        }
    }
}
