//! An attempt that a caller ordered. It neither advances nor cancels the schedule.

use model::ledger::{AttemptTrigger, Delivery, DeliveryStatus, DeliveryTask};
use service::{Error, Job, Queue, Result};

use crate::{
    gate::{self, Gate},
    health, keep, outcome, request, target,
};

/// Sends a message as an order says. An order that comes twice has left its attempt behind.
pub(crate) async fn send(job: &Job, task: &DeliveryTask, order: &str) -> Result<()> {
    let (endpoint, message) = (&task.endpoint_id, &task.message_id);
    let id = format!("atm_{order}");
    if job.has_attempt(endpoint, &id).await? {
        return Ok(());
    }
    let message = job.message(message).await?;
    let (seen, state) = job.delivery_and_state(endpoint, &message.id).await?;
    let gone = |reason| Error::not_found(format!("nothing is sent: {reason}"));
    let rate = target::find(job, endpoint).await?.map_err(gone)?.rate;
    let was_well = match gate::pass(job, endpoint, rate, task.slot, state).await? {
        Gate::Open(turn) => {
            job.wait(turn.after).await;
            turn.was_well
        }
        Gate::Wait { at, slot } => {
            let early = if slot.is_some() { 1000 } else { 0 };
            let task = DeliveryTask { slot, ..task.clone() };
            return job.send_at(Queue::Deliveries, &task, at.saturating_sub(early)).await;
        }
    };
    let known = seen.as_ref().map(|seen| &seen.entity);
    let body = known.and_then(|known| known.body.clone()).unwrap_or(message.body.clone());
    let target = target::find(job, endpoint).await?.map_err(gone)?;
    let made = request::post(job, target, &message.id, &body).await;
    health::learn(job, endpoint, &made.attempt, false, was_well).await?;
    let of = known.cloned().unwrap_or_else(|| {
        keep::delivery(&message, endpoint.clone(), service::TenantStore::now(job))
    });
    let attempt = outcome::attempt(&of, id, &made, AttemptTrigger::Manual);
    // What the schedule has given up is done with by this; what it has not is its own.
    if let Some(seen) = seen.filter(|seen| attempt.succeeded && is_given_up(&seen.entity)) {
        let done = Delivery { status: DeliveryStatus::Success, reason: None, ..of.clone() };
        let told = outcome::told(&of, &done, made.attempt.status);
        let wake = |delivery: &Delivery| keep::wake(job, delivery);
        let written = job.change_delivery(&seen, done, wake, (Some(&attempt), told)).await?;
        if written.is_some() {
            return Ok(());
        }
    }
    job.keep_attempt(&attempt).await
}

fn is_given_up(delivery: &Delivery) -> bool {
    matches!(delivery.status, DeliveryStatus::Exhausted | DeliveryStatus::Skipped)
}
