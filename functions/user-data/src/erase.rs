//! `user-data.erase`: erases a user in one organization after the other, then in the ledger of
//! webhooks.
//!
//! The worker is idempotent: a repeated message finds only what is left, and an interrupted one
//! continues there. A second pass removes writes of calls in flight and items that indexes did not
//! list yet; only then the task is done.

use std::time::Duration;

use model::erasure::ErasureTask;
use service::{Job, Progress, Queue, Result, Trigger, Worker, prelude::*};

pub enum EraseUser {}

/// Delay of the second pass; no call takes that long.
const SECOND_LOOK: Duration = Duration::from_secs(60);

impl Worker for EraseUser {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Erasure);
    type Job = Job;
    type Message = ErasureTask;

    async fn handle(job: Job, mut task: ErasureTask) -> Result<()> {
        // The erasure does not cover later writes.
        if !job.tenant().removal().is_left(&task).await? {
            return Ok(());
        }
        while let Some(next) = job.tenant().removal().next_organization(&task).await? {
            let organization = job.organization(&next);
            let (user, until) = (&task.user_id, job.deadline());
            let mut progress = organization.removal().erase(user, task.at, until).await?;
            if progress == Progress::Done {
                progress = organization.editors().forget(user, &mut task.row, until).await?;
            }
            match progress {
                Progress::Done => task.after = Some(next),
                Progress::More => return job.send(Queue::Erasure, &task, Duration::ZERO).await,
            }
        }
        if task.pass > 0 {
            // Only once: the ledger is large, and by now nothing adds to it.
            return match job.tenant().webhooks().expunge(&mut task, job.deadline()).await? {
                Progress::Done => job.tenant().removal().finish(&task).await,
                Progress::More => job.send(Queue::Erasure, &task, Duration::ZERO).await,
            };
        }
        let again = ErasureTask { pass: 1, after: None, ..task };
        job.send(Queue::Erasure, &again, SECOND_LOOK).await
    }
}
