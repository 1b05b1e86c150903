//! Consequences of an attempt: for the message, its endpoint, and the other endpoints.

use error::{Error, Result};
use model::{
    event::{AttemptChange, Event},
    webhook_endpoint::DisableReason,
};

use super::{Held, World, limiter, ports::Made};
use crate::{
    http_client::{Attempt, without_credentials},
    rules::{Verdict, judge},
    types::{AttemptRecord, AttemptTrigger, Delivery, DeliveryStatus, Message},
};

/// Number of failures of one message before its owner is notified.
const FAILING: u32 = 4;
/// Attempts to write the row under contention.
const ATTEMPTS: u32 = 20;
/// Maximum length of a listed URL, in characters.
const MAX_URL: usize = 2_048;

/// Writes a scheduled attempt; `was_well` is the health of the endpoint before it.
pub(super) async fn record<W: World>(
    world: &W,
    mut held: Held<'_>,
    made: Made,
    was_well: bool,
) -> Result<()> {
    let now = world.now();
    let was = held.delivery(made.at);
    let endpoint = &was.endpoint_id;
    let (revision, is_new) = (held.revision, held.is_new);
    let mut verdict = judge(&made.attempt, was.failures + 1, now, world.jitter());
    let mut is_current =
        limiter::learn(world, endpoint, revision, &made.attempt, is_new, was_well).await?;
    let disabling = match verdict {
        Verdict::Gone => Some(DisableReason::Gone),
        Verdict::DisableRequested => Some(DisableReason::ReceiverRequest),
        _ => None,
    };
    if let Some(reason) = disabling.filter(|_| is_current) {
        is_current = world.disable(endpoint, reason, revision).await?;
    }
    // A receiver that the endpoint has left decides nothing about the one it has now.
    if !is_current && !made.attempt.is_success() {
        verdict = Verdict::Retry { at: now, pause_endpoint_until: None };
    }
    let seed = format!("{}\n{endpoint}\n{}", was.message_id, was.made);
    let attempt = attempt(world.attempt_id(made.at, &seed), &made, AttemptTrigger::Scheduled);
    let mut next = after(&was, &made.attempt, verdict);
    next.list(attempt.clone());
    announce(world, &held.message, &was, &next, made.attempt.status).await?;
    let at = next.next_at;
    if held.write(world, next).await? {
        return match at {
            Some(at) => world.wake(held.task, at).await,
            None => Ok(()),
        };
    }
    list(world, held, attempt, false).await
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
        made: was.made + 1,
        failures: was.failures + u32::from(status != Success),
        ..was.clone()
    }
}

/// Adds an attempt without effect on the schedule: a manual one, or one with an expired lease. An
/// accepted message is finished if the schedule had ended, and at once unless a caller ordered the
/// attempt.
pub(super) async fn list<W: World>(
    world: &W,
    mut held: Held<'_>,
    attempt: AttemptRecord,
    is_manual: bool,
) -> Result<()> {
    for _ in 0..ATTEMPTS {
        held.row = world.row(held.task).await?;
        let was = held.delivery(world.now());
        if was.attempts.iter().any(|known| known.id == attempt.id) {
            return Ok(());
        }
        let mut next = beginning(&held, was.clone());
        let ends = next.is_given_up() || (!is_manual && !next.is_over());
        if attempt.succeeded && ends {
            (next.status, next.next_at, next.reason) = (DeliveryStatus::Success, None, None);
        }
        next.list(attempt.clone());
        if let Some(order) = &held.task.order {
            next.orders.remove(order);
        }
        announce(world, &held.message, &was, &next, attempt.status_code).await?;
        if held.write(world, next).await? {
            return Ok(());
        }
    }
    Err(Error::aborted())
}

/// The initial delivery for a manual attempt: if the journal dispatched the message there, it still
/// waits for its first attempt; otherwise it has no schedule.
pub(super) fn beginning(held: &Held<'_>, delivery: Delivery) -> Delivery {
    let is_scheduled = held.message.endpoints.contains(&held.task.endpoint_id);
    if held.row.is_some() || is_scheduled {
        return delivery;
    }
    Delivery { status: DeliveryStatus::Exhausted, next_at: None, ..delivery }
}

/// The attempt in the format of the ledger.
pub(super) fn attempt(id: String, made: &Made, trigger: AttemptTrigger) -> AttemptRecord {
    let (response, response_is_base64) = made.attempt.text();
    AttemptRecord {
        id,
        url: without_credentials(&made.url).chars().take(MAX_URL).collect(),
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

/// Notifies the other endpoints of a changed delivery state. Before the row is written, so that a
/// crash in between repeats it.
async fn announce<W: World>(
    world: &W,
    message: &Message,
    was: &Delivery,
    next: &Delivery,
    status_code: Option<u16>,
) -> Result<()> {
    let is_success = next.status == DeliveryStatus::Success && was.status != next.status;
    let change = match next.status {
        _ if message.is_operational() => return Ok(()),
        DeliveryStatus::Exhausted if next.reason.as_deref() == Some("attempts") => {
            AttemptChange::Exhausted
        }
        DeliveryStatus::Failed if next.failures == FAILING => AttemptChange::Failing,
        _ if is_success && was.failures >= FAILING => AttemptChange::Recovered,
        _ => return Ok(()),
    };
    if was.status == next.status && was.made == next.made {
        return Ok(());
    }
    let seed = format!("{}\n{}\n{}", was.message_id, was.endpoint_id, next.made);
    let event = Event::MessageFared {
        endpoint_id: was.endpoint_id.clone(),
        message_id: was.message_id.clone(),
        event_type: message.event_type().to_owned(),
        change,
        attempts: next.made,
        status_code,
    };
    world.announce(event, &seed).await
}
