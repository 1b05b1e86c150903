//! `emails.send`: due mails.
//!
//! A mail with an unknown outcome is not sent again until its lease expires; then the report of the
//! provider decides (contract `emails.delivery`).

use notification::{
    Feedback, Hint, Mail, MailStep, NotificationTask, RowBody, RowKey, Rows, SendOutcome, TypedRow,
    load_row,
};
use service::{Queue, prelude::*, random_bytes};

use crate::{
    outgoing::EndedAttempt,
    plan::{Decision, Plan, plan},
};

pub enum EmailsSend {}

/// Attempts to record the end of an attempt. If all fail, the next lease reads the report of the
/// provider.
const RECORDINGS: usize = 3;

impl Worker for EmailsSend {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Emails);
    type Job = Job;
    type Message = NotificationTask;

    async fn handle(job: Job, task: NotificationTask) -> Result<()> {
        let NotificationTask::Wake(key @ RowKey::Mail { .. }) = task else { return Ok(()) };
        let Some(found) = load_row::<Mail>(&job, &key).await? else { return Ok(()) };
        let now = Rows::now(&job);
        let step = match found.body.next_step(now) {
            MailStep::Reconcile => match reported_id(&job, &key, &found.body).await? {
                Some(id) => {
                    let sent = found.body.clone().accepted(&id, now);
                    return found.replace(&job, &key, &sent).await.map(drop);
                }
                None => found.body.unanswered(now),
            },
            step => step,
        };
        match step {
            MailStep::Wait(at) => job.wake(vec![Hint { key, at }]).await,
            MailStep::Drop(dropped) => found.replace(&job, &key, &dropped).await.map(drop),
            MailStep::Send(claimed) => attempt(&job, &key, found, claimed).await,
            MailStep::Reconcile | MailStep::Done => Ok(()),
        }
    }
}

/// The provider's message id of an attempt, if reported.
async fn reported_id(job: &Job, key: &RowKey, mail: &Mail) -> Result<Option<String>> {
    let key = RowKey::Feedback { tag: job.tenant().schedule().row_tag(key) };
    let feedback = load_row::<Feedback>(job, &key).await?;
    let taken = feedback.map(|feedback| feedback.body.taken).unwrap_or_default();
    Ok(taken.range(..=mail.attempts).next_back().map(|(_, id)| id.clone()))
}

/// Sends a mail, if it still has a recipient and content.
async fn attempt(job: &Job, key: &RowKey, found: TypedRow<Mail>, claimed: Mail) -> Result<()> {
    let Decision { plan, withheld } = plan(job, key, &claimed).await?;
    let claimed = Mail { withheld, ..claimed };
    let outgoing = match plan {
        Plan::Drop(reason) => {
            // No attempt was made.
            let attempts = found.body.attempts;
            let dropped = Mail { attempts, ..claimed.dropped(reason, None, Rows::now(job)) };
            return found.replace(job, key, &dropped).await.map(drop);
        }
        Plan::Wait(at) => {
            let attempts = found.body.attempts;
            let waiting = Mail { attempts, ..claimed.postponed(at) };
            if found.replace(job, key, &waiting).await? {
                job.wake(vec![Hint { key: key.clone(), at }]).await?;
            }
            return Ok(());
        }
        Plan::Send(outgoing) => outgoing,
    };
    let claimed = Mail { has_slot: true, ..claimed };
    if !found.replace(job, key, &claimed).await? {
        // Another worker has the lease.
        return Ok(());
    }
    let ended = outgoing.send(job).await;
    record(job, key, &ended).await
}

async fn record(job: &Job, key: &RowKey, ended: &EndedAttempt) -> Result<()> {
    let random = u64::from_be_bytes(random_bytes()?);
    let mut result = Err(Error::aborted());
    for _ in 0..RECORDINGS {
        result = record_once(job, key, ended, random).await;
        if let Ok(Some(at)) = &result {
            // The sweep finds the row as well.
            let _ = job.wake(vec![Hint { key: key.clone(), at: *at }]).await;
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
    ended: &EndedAttempt,
    random: u64,
) -> Result<Option<u64>> {
    let Some(found) = load_row::<Mail>(job, key).await? else { return Ok(None) };
    if found.body.attempts != ended.number {
        // The lease expired, and another worker took over.
        return Ok(None);
    }
    let now = Rows::now(job);
    let mail = match &ended.outcome {
        SendOutcome::Accepted => found.body.clone().accepted(&ended.message_id, now),
        failed => found.body.clone().failed(failed, now, random),
    };
    if mail == found.body || found.replace(job, key, &mail).await? {
        Ok(mail.due())
    } else {
        Err(Error::aborted())
    }
}
