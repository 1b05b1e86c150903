//! `user-data.erase`: erases a user in one organization after the other, then what webhooks told.
//!
//! What is done is not found again, so a message may come twice, and one that ran out of time goes
//! on where it stopped. A second pass takes what was written by calls that were under way, and what
//! indexes did not show yet; only then the task is done.

use std::time::Duration;

use model::erasure::ErasureTask;
use service::{Job, Progress, Queue, Result, Trigger, Worker};

/// The worker.
pub enum EraseUser {}

/// How long after the first pass the second one comes; no call takes that long.
const SECOND_LOOK: Duration = Duration::from_secs(60);

impl Worker for EraseUser {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Erasure);
    type Job = Job;
    type Message = ErasureTask;

    async fn handle(job: Job, mut task: ErasureTask) -> Result<()> {
        // What is written of a user afterwards is not meant.
        if !job.is_left(&task).await? {
            return Ok(());
        }
        while let Some(next) = job.next_organization(&task).await? {
            let organization = job.organization(&next);
            let (user, until) = (&task.user_id, job.deadline());
            let mut progress = organization.erase(user, task.at, until).await?;
            if progress == Progress::Done {
                progress = organization.forget_in_editors(user, &mut task.row, until).await?;
            }
            match progress {
                Progress::Done => task.after = Some(next),
                Progress::More => return job.send(Queue::Erasure, &task, Duration::ZERO).await,
            }
        }
        if task.pass > 0 {
            // Once: there is much of it, and by now nobody adds to it.
            return match job.expunge(&mut task, job.deadline()).await? {
                Progress::Done => job.finish(&task).await,
                Progress::More => job.send(Queue::Erasure, &task, Duration::ZERO).await,
            };
        }
        let again = ErasureTask { pass: 1, after: None, ..task };
        job.send(Queue::Erasure, &again, SECOND_LOOK).await
    }
}
