//! `user-data.erase`: erases a user in one organization after the other. When that is done for all
//! users of the job, one walk for all of them looks through what no row of a user leads to:
//! activities, custom members, and the ledger of webhooks.
//!
//! The worker is idempotent: a repeated message finds only what is left, and an interrupted one
//! continues there. A second pass removes writes of calls in flight and items that indexes did not
//! list yet. The walk comes after all of that: what it looks through is copied from what the passes
//! erase. Only then the job is done.

use std::time::Duration;

use model::user_data::{ErasureStep, ErasureTask, ErasureWalk, WalkPlace};
use service::{
    Queue,
    prelude::*,
    store::{deletion::Progress, user_data::ErasurePass},
};

pub enum EraseUser {}

/// Delay of the second pass; no call takes that long.
const SECOND_LOOK: Duration = Duration::from_secs(60);

impl Worker for EraseUser {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Erasure);
    type Job = Job;
    type Message = ErasureStep;

    async fn handle(job: Job, step: ErasureStep) -> Result<()> {
        match step {
            ErasureStep::User(task) => erase(job, task).await,
            ErasureStep::Walk(task) => walk(job, task).await,
        }
    }
}

async fn send(job: &Job, step: ErasureStep, delay: Duration) -> Result<()> {
    job.send(Queue::Erasure, &step, delay).await
}

/// Erases everything that rows of the user lead to.
async fn erase(job: Job, mut task: ErasureTask) -> Result<()> {
    // The erasure does not cover later writes.
    let Some(is_open) = job.tenant().user_data().is_open(&task).await? else { return Ok(()) };
    while is_open
        && let Some(next) =
            job.tenant().user_data().next_organization(&task.organization_ids, &task.after).await?
    {
        let organization = job.organization(&next.id);
        let (user, until) = (&task.user_id, job.deadline());
        organization.user_data().expel(user, task.at, next.is_gone, until).await?;
        let pass = if task.pass == 0 { ErasurePass::First } else { ErasurePass::Second };
        let mut progress = organization.user_data().erase(user, task.at, pass, until).await?;
        if progress == Progress::Done {
            progress = organization.editors().forget(user, &mut task.row, until).await?;
        }
        match progress {
            Progress::Done => task.after = Some(next.id),
            Progress::More => return send(&job, ErasureStep::User(task), Duration::ZERO).await,
        }
    }
    if is_open && task.pass == 0 {
        let again = ErasureTask { pass: 1, after: None, ..task };
        return send(&job, ErasureStep::User(again), SECOND_LOOK).await;
    }
    // The last one begins the walk, also if it is repeated because that failed.
    match job.tenant().user_data().close(&task).await? {
        true => send(&job, ErasureStep::Walk(ErasureWalk::from(&task)), Duration::ZERO).await,
        false => Ok(()),
    }
}

/// Everything else, for all users of the job.
async fn walk(job: Job, mut task: ErasureWalk) -> Result<()> {
    let users = job.tenant().user_data().waiting(&task.job_id).await?;
    if users.is_empty() {
        return Ok(());
    }
    while let Some(next) =
        job.tenant().user_data().next_organization(&task.organization_ids, &task.after).await?
    {
        let removal = job.organization(&next.id);
        match removal.user_data().walk(&users, &mut task.place, job.deadline()).await? {
            Progress::Done => (task.after, task.place) = (Some(next.id), WalkPlace::default()),
            Progress::More => return send(&job, ErasureStep::Walk(task), Duration::ZERO).await,
        }
    }
    // By now nothing adds to the ledger.
    match job.tenant().webhooks().expunge(&users, &mut task, job.deadline()).await? {
        Progress::Done => job.tenant().user_data().finish(&task.job_id).await,
        Progress::More => send(&job, ErasureStep::Walk(task), Duration::ZERO).await,
    }
}
