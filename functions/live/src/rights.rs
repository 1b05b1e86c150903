//! `live.rights`: ends the subscriptions of users who lost a right, and tells editors who may write.
//!
//! A change checks few connections at once, and leaves the others to the queue: the changes of one
//! tenant, however many connections it has, do not keep those of others waiting.

use std::time::Duration;

use model::live::{LiveReview, LiveTask};
use rooms::{GIVEN, RIGHTS, prelude::*};
use service::{Changes, Queue, Table, prelude::*};

use crate::review;

/// Number of connections that are checked before the others go to the queue.
const AT_ONCE: usize = 100;
/// Number of connections that a message of the queue checks.
const PER_MESSAGE: usize = 1_000;

pub enum Rights {}

impl Worker for Rights {
    const TRIGGER: Trigger = Trigger::Changes(Changes {
        table: Table::Resources,
        filters: &[(RIGHTS, &["MODIFY", "REMOVE"]), (GIVEN, &["INSERT"])],
    });
    const NEEDS_KEYRING: bool = false;
    type Job = Job;
    type Message = LiveReview;

    async fn handle(job: Job, review: LiveReview) -> Result<()> {
        check_next(&job, &review, AT_ONCE).await
    }
}

/// Checks the next connections of a review that waited in the queue.
pub(crate) async fn continue_review(job: &Job, review: &LiveReview) -> Result<()> {
    check_next(job, review, PER_MESSAGE).await
}

/// Checks connections until enough or the time is over, then sends the rest to the queue.
async fn check_next(job: &Job, review: &LiveReview, most: usize) -> Result<()> {
    let (mut rest, mut checked) = (Some(review.clone()), 0);
    while let Some(review) = rest {
        if checked >= most || job.is_over() {
            return job.send(Queue::Live, &LiveTask::Review(review), Duration::ZERO).await;
        }
        let found = job.tenant().connections().concerned(&review, AT_ONCE).await?;
        review::review_connections(job.live(), job.tenant(), &found.ids).await?;
        checked += AT_ONCE;
        rest = found.rest;
    }
    Ok(())
}
