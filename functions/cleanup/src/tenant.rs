//! Clean-up of a tenant whose API key was deleted.

use model::{Millis, event::Removal};
use service::{Queue, prelude::*, store::deletion::Progress};

use crate::sweep::SECOND_LOOK;

/// Delays between passes. The last pass deletes the tenant: by then the data of its organizations
/// is deleted, each in passes of its own.
const WAITS: [Millis; 2] = [SECOND_LOOK, 24 * 60 * 60 * 1000];

pub(crate) async fn sweep(job: Job, removal: Removal) -> Result<()> {
    if job.tenant().deletion().purge(job.deadline()).await? == Progress::More {
        return job.send(Queue::Cleanup, &removal, std::time::Duration::ZERO).await;
    }
    match WAITS.get(removal.pass as usize) {
        Some(wait) => {
            let again = Removal { pass: removal.pass + 1, ..removal };
            job.send_at(Queue::Cleanup, &again, job.started_at() + wait).await
        }
        None => job.tenant().deletion().forget_key().await,
    }
}
