//! `emails.send`: due mails.
//!
//! A mail with an unknown outcome is not sent again until its lease expires; then the report of the
//! provider decides (contract `emails.delivery`).

use notification::{Body, Claim, Feedback, Mail, RowKey, Rows, Sent, Task};
use service::{Error, Job, MailFailure, Queue, Result, Trigger, Worker, prelude::*, random_bytes};

use crate::{
    plan::{Outgoing, Plan, Way, plan},
    provider,
    row::{self, Read},
};

pub enum EmailsSend {}

/// Attempts to record the end of an attempt. If all fail, the next lease reads the report of the
/// provider.
const RECORDINGS: usize = 3;

impl Worker for EmailsSend {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Emails);
    type Job = Job;
    type Message = Task;

    async fn handle(job: Job, task: Task) -> Result<()> {
        let Task::Wake(key @ RowKey::Mail { .. }) = task else { return Ok(()) };
        let Some(found) = row::load::<Mail>(&job, &key).await? else { return Ok(()) };
        let now = Rows::now(&job);
        let claim = match found.body.claim(now) {
            Claim::Reconcile => match reported_id(&job, &key, &found.body).await? {
                Some(id) => {
                    let sent = found.body.clone().accepted(&id, now);
                    return found.become_(&job, &key, &sent).await.map(drop);
                }
                None => found.body.unanswered(now),
            },
            claim => claim,
        };
        match claim {
            Claim::Wait(at) => job.wake(vec![(key, at)]).await,
            Claim::Drop(dropped) => found.become_(&job, &key, &dropped).await.map(drop),
            Claim::Send(claimed) => attempt(&job, &key, found, claimed).await,
            Claim::Reconcile | Claim::Done => Ok(()),
        }
    }
}

/// The provider's message id of an attempt, if reported.
async fn reported_id(job: &Job, key: &RowKey, mail: &Mail) -> Result<Option<String>> {
    let key = RowKey::Feedback { tag: job.pending().row_tag(key) };
    let feedback = row::load::<Feedback>(job, &key).await?;
    let taken = feedback.map(|feedback| feedback.body.taken).unwrap_or_default();
    Ok(taken.range(..=mail.attempts).next_back().map(|(_, id)| id.clone()))
}

/// Sends a mail, if it still has a recipient and content.
async fn attempt(job: &Job, key: &RowKey, found: Read<Mail>, claimed: Mail) -> Result<()> {
    let (plan, withheld) = plan(job, key, &claimed).await?;
    let claimed = Mail { withheld, ..claimed };
    let outgoing = match plan {
        Plan::Drop(reason) => {
            // No attempt was made.
            let attempts = found.body.attempts;
            let dropped = Mail { attempts, ..claimed.dropped(reason, None, Rows::now(job)) };
            return found.become_(job, key, &dropped).await.map(drop);
        }
        Plan::Wait(at) => {
            let attempts = found.body.attempts;
            let waiting = Mail { attempts, ..claimed.postponed(at) };
            if found.become_(job, key, &waiting).await? {
                job.wake(vec![(key.clone(), at)]).await?;
            }
            return Ok(());
        }
        Plan::Send(outgoing) => outgoing,
    };
    let claimed = Mail { has_slot: true, ..claimed };
    if !found.become_(job, key, &claimed).await? {
        // Another worker has the lease.
        return Ok(());
    }
    let (sent, id) = send(job, *outgoing).await;
    record(job, key, claimed.attempts, &sent, &id).await
}

/// One attempt; returns the outcome, and the provider's message id if it has one.
async fn send(job: &Job, outgoing: Outgoing) -> (Sent, String) {
    let Outgoing { tag, attempt, way } = outgoing;
    match way {
        Way::Provider(request) => {
            let (sent, id) = provider::post(job.mailing().provider(), *request).await;
            (sent, id.unwrap_or_else(|| format!("{tag}.{attempt}")))
        }
        Way::Ses(mail) => match job.mailing().send(*mail).await {
            Ok(id) => (Sent::Accepted, id),
            Err(MailFailure::Throttled(_) | MailFailure::Unavailable(_)) => {
                (Sent::Retry { after: None }, String::new())
            }
            Err(MailFailure::Rejected(said)) => (Sent::Rejected(said), String::new()),
            Err(MailFailure::Ambiguous(_)) => (Sent::Ambiguous, String::new()),
        },
    }
}

async fn record(job: &Job, key: &RowKey, attempt: u32, sent: &Sent, id: &str) -> Result<()> {
    let random = u64::from_be_bytes(random_bytes()?);
    let mut result = Err(Error::aborted());
    for _ in 0..RECORDINGS {
        result = record_once(job, key, attempt, (sent, id), random).await;
        if let Ok(Some(at)) = &result {
            // The sweep finds the row as well.
            let _ = job.wake(vec![(key.clone(), *at)]).await;
        }
        if result.is_ok() {
            return Ok(());
        }
    }
    result.map(drop)
}

/// Records the end of an attempt; returns the time of the retry, if any.
async fn record_once(
    job: &Job,
    key: &RowKey,
    attempt: u32,
    (sent, id): (&Sent, &str),
    random: u64,
) -> Result<Option<u64>> {
    let Some(found) = row::load::<Mail>(job, key).await? else { return Ok(None) };
    if found.body.attempts != attempt {
        // The lease expired, and another worker took over.
        return Ok(None);
    }
    let now = Rows::now(job);
    let ended = match sent {
        Sent::Accepted => found.body.clone().accepted(id, now),
        failed => found.body.clone().failed(failed, now, random),
    };
    if ended == found.body || found.become_(job, key, &ended).await? {
        Ok(ended.due())
    } else {
        Err(Error::aborted())
    }
}
