//! `deliveries.send`: one attempt to deliver a message to an endpoint.
//!
//! Who sends holds a lease on the delivery. What is deleted or disabled is looked at again right
//! before the request, so that nothing goes out after such a call has returned.

use model::{
    Millis,
    ledger::{Delivery, DeliveryStatus, DeliveryTask},
};
use service::{Error, Job, Queue, Result, Seen, Trigger, Worker, try_join};

use crate::{
    gate::{self, Gate},
    keep, manual, outcome, request, target,
};

/// The worker.
pub enum Send {}

/// How long an attempt may take; one that takes longer is believed dead, and made again.
const LEASE: Millis = 30_000;
/// How often a slot is reserved anew because it was over when all else was ready.
const TURNS: usize = 5;
/// Who holds a slot comes up to this much before it.
const EARLY: Millis = 1_200;

impl Worker for Send {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Deliveries);
    type Job = Job;
    type Message = DeliveryTask;

    async fn handle(job: Job, task: DeliveryTask) -> Result<()> {
        match &task.order {
            Some(order) => manual::send(&job, &task, order).await,
            None => scheduled(&job, &task).await,
        }
    }
}

fn now(job: &Job) -> Millis {
    service::TenantStore::now(job)
}

async fn scheduled(job: &Job, task: &DeliveryTask) -> Result<()> {
    let endpoint = &task.endpoint_id;
    let known = job.delivery_and_state(endpoint, &task.message_id);
    let ((seen, state), target) = try_join(known, target::find(job, endpoint)).await?;
    let seen = seen.ok_or_else(|| Error::not_found("the delivery is kept no more"))?;
    if !is_due(&seen.entity, task, now(job)) {
        // Whoever holds the lease may have died with it.
        return match (seen.entity.status, seen.entity.next_at) {
            (DeliveryStatus::Sending, Some(over)) => {
                job.send_at(Queue::Deliveries, task, over).await
            }
            _ => Ok(()),
        };
    }
    let rate = match target {
        Ok(target) => target.rate,
        Err(reason) => return skip(job, &seen, reason).await,
    };
    let mut turn = match gate::pass(job, endpoint, rate, task.slot, state).await? {
        Gate::Open(turn) => turn,
        Gate::Wait { at, slot } => return postpone(job, &seen, at, slot).await,
    };
    let Some(claimed) = claim(job, &seen).await? else { return Ok(()) };
    for _ in 0..TURNS {
        job.wait(turn.after).await;
        let body = body(job, &claimed.entity);
        let (body, target) = try_join(body, target::find(job, endpoint)).await?;
        let target = match target {
            Ok(target) => target,
            Err(reason) => return skip(job, &claimed, reason).await,
        };
        if !turn.is_missed(job) {
            let made = request::post(job, target, &task.message_id, &body).await;
            return outcome::record(job, &claimed, made, turn.was_well).await;
        }
        let state = job.endpoint_state(endpoint).await?;
        turn = match gate::pass(job, endpoint, target.rate, None, state).await? {
            Gate::Open(turn) => turn,
            Gate::Wait { at, slot } => return postpone(job, &claimed, at, slot).await,
        };
    }
    postpone(job, &claimed, now(job), None).await
}

async fn body(job: &Job, delivery: &Delivery) -> Result<String> {
    match &delivery.body {
        Some(body) => Ok(body.clone()),
        None => Ok(job.message(&delivery.message_id).await?.body),
    }
}

/// Whether there is something to do now. A message that comes twice finds nothing.
fn is_due(delivery: &Delivery, task: &DeliveryTask, now: Millis) -> bool {
    let may_be_early = task.slot.is_some() && delivery.status != DeliveryStatus::Sending;
    let early = if may_be_early { EARLY } else { 0 };
    !delivery.is_over() && delivery.next_at.is_some_and(|at| at <= now.saturating_add(early))
}

async fn claim(job: &Job, seen: &Seen<Delivery>) -> Result<Option<Seen<Delivery>>> {
    let claimed = Delivery {
        status: DeliveryStatus::Sending,
        next_at: Some(now(job).saturating_add(LEASE)),
        ..seen.entity.clone()
    };
    job.change_delivery(seen, claimed, |delivery| keep::wake(job, delivery), (None, None)).await
}

async fn skip(job: &Job, seen: &Seen<Delivery>, reason: &str) -> Result<()> {
    let skipped = Delivery {
        status: DeliveryStatus::Skipped,
        next_at: None,
        reason: Some(reason.to_owned()),
        ..seen.entity.clone()
    };
    let wake = |delivery: &Delivery| keep::wake(job, delivery);
    job.change_delivery(seen, skipped, wake, (None, None)).await.map(|_| ())
}

/// Comes again at a time, which is no attempt; a little before it where a slot was reserved, whose
/// time is too exact for a queue.
async fn postpone(job: &Job, seen: &Seen<Delivery>, at: Millis, slot: Option<u64>) -> Result<()> {
    let status = match seen.entity.status {
        DeliveryStatus::Sending if seen.entity.failures > 0 => DeliveryStatus::Failed,
        DeliveryStatus::Sending => DeliveryStatus::Pending,
        status => status,
    };
    let later = Delivery { status, next_at: Some(at), ..seen.entity.clone() };
    let wake = |delivery: &Delivery| keep::wake(job, delivery);
    if job.change_delivery(seen, later, wake, (None, None)).await?.is_none() {
        return Ok(());
    }
    let task = DeliveryTask { slot, ..keep::task(&seen.entity) };
    let hint_at = if slot.is_some() { at.saturating_sub(1000) } else { at };
    job.hint(Queue::Deliveries, &task, hint_at).await
}
