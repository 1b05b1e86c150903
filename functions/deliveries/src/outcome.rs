//! What follows from an attempt: for the message, for its endpoint, and for who is told of it.

use model::{
    event::{AttemptChange, Event},
    ledger::{AttemptRecord, AttemptTrigger, Delivery, DeliveryStatus},
    webhook_endpoint::DisableReason,
};
use service::{Job, Queue, Result, Seen};
use webhook::{Attempt, Verdict, judge};

use crate::{health, keep, request::Made};

/// After so many failures of one message its owner is told.
const FAILING: u32 = 4;

/// Records an attempt of the schedule at an endpoint that was well before it, or not.
pub(crate) async fn record(
    job: &Job,
    claimed: &Seen<Delivery>,
    made: Made,
    was_well: bool,
) -> Result<()> {
    let now = service::TenantStore::now(job);
    let was = &claimed.entity;
    let verdict = judge(&made.attempt, was.failures + 1, now, jitter());
    let endpoint = &was.endpoint_id;
    health::learn(job, endpoint, &made.attempt, was.attempts == 0, was_well).await?;
    match verdict {
        Verdict::Gone => job.disable_endpoint(endpoint, DisableReason::Gone).await?,
        Verdict::DisableRequested => {
            job.disable_endpoint(endpoint, DisableReason::ReceiverRequest).await?;
        }
        _ => {}
    }
    let next = after(was, &made.attempt, verdict);
    let id = job.attempt_id(made.at, &format!("{}\n{endpoint}\n{}", was.message_id, was.attempts));
    let attempt = attempt(was, id, &made, AttemptTrigger::Scheduled);
    let told = told(was, &next, made.attempt.status);
    // It was made, whoever records what follows from it.
    job.keep_attempt(&attempt).await?;
    let wake = |delivery: &Delivery| keep::wake(job, delivery);
    let done = job.change_delivery(claimed, next, wake, (None, told)).await?;
    match done.map(|done| done.entity) {
        Some(Delivery { next_at: Some(at), .. }) => {
            job.hint(Queue::Deliveries, &keep::task(was), at).await
        }
        // Who found the lease over has recorded an attempt of its own.
        _ => Ok(()),
    }
}

fn after(was: &Delivery, attempt: &Attempt, verdict: Verdict) -> Delivery {
    use DeliveryStatus::{Exhausted, Failed, Success};
    let (status, next_at, reason) = match verdict {
        Verdict::Delivered => (Success, None, None),
        Verdict::DisableRequested if attempt.is_success() => (Success, None, None),
        Verdict::Retry { at, .. } => (Failed, Some(at), None),
        Verdict::Exhausted => (Exhausted, None, Some("attempts")),
        Verdict::Gone => (Exhausted, None, Some("gone")),
        Verdict::DisableRequested => (Exhausted, None, Some("receiver_request")),
        Verdict::Aborted => (Exhausted, None, Some("aborted")),
    };
    Delivery {
        status,
        next_at,
        reason: reason.map(str::to_owned),
        attempts: was.attempts + 1,
        failures: was.failures + u32::from(status != Success),
        ..was.clone()
    }
}

/// The attempt as it is listed.
pub(crate) fn attempt(
    of: &Delivery,
    id: String,
    made: &Made,
    trigger: AttemptTrigger,
) -> AttemptRecord {
    let (response, response_is_base64) = made.attempt.text();
    AttemptRecord {
        id,
        message_id: of.message_id.clone(),
        endpoint_id: of.endpoint_id.clone(),
        url: made.url.clone(),
        status_code: made.attempt.status,
        duration_ms: u64::try_from(made.attempt.duration.as_millis()).unwrap_or(u64::MAX),
        response,
        response_is_base64,
        failure: made.failure(),
        trigger,
        succeeded: made.attempt.is_success(),
        at: made.at,
    }
}

/// What the other endpoints are told of a message, if it is news.
pub(crate) fn told(was: &Delivery, next: &Delivery, status_code: Option<u16>) -> Option<Event> {
    let is_success = next.status == DeliveryStatus::Success;
    let change = match next.status {
        _ if was.operational => return None,
        DeliveryStatus::Exhausted if next.reason.as_deref() == Some("attempts") => {
            AttemptChange::Exhausted
        }
        DeliveryStatus::Failed if next.failures == FAILING => AttemptChange::Failing,
        _ if is_success && was.failures >= FAILING => AttemptChange::Recovered,
        _ => return None,
    };
    Some(Event::AttemptTold {
        endpoint_id: was.endpoint_id.clone(),
        message_id: was.message_id.clone(),
        event_type: was.event_type.clone(),
        change,
        attempts: next.attempts,
        status_code,
    })
}

fn jitter() -> f64 {
    let random = service::random_bytes::<4>().map(u32::from_be_bytes).unwrap_or_default();
    f64::from(random) / f64::from(u32::MAX)
}
