//! Consequences of an attempt: for the message, its endpoint, and the other endpoints.

use error::{Error, Result};
use model::{
    event::{DeliveryChange, Event},
    webhook_endpoint::DisableReason,
};

use super::{
    DeliveryPorts, DeliveryWork, RequestRecord,
    permission::{HealthReport, record_health},
};
use crate::{
    http_client::{Attempt, ResponseText, without_credentials},
    rules::{Verdict, judge},
    types::{AttemptRecord, AttemptTrigger, Delivery, DeliveryStatus, Message},
};

/// Number of failures of one message before its owner is notified.
const FAILING: u32 = 4;
/// Attempts to write the row under contention.
const ATTEMPTS: u32 = 20;
/// Maximum length of a listed URL, in characters.
const MAX_URL: usize = 2_048;

/// Writes a scheduled attempt; `was_healthy` is the health of the endpoint before it. The attempt is
/// written first: its row must not wait for those who change the state of the endpoint.
pub(super) async fn record_attempt<P: DeliveryPorts>(
    ports: &P,
    mut work: DeliveryWork<'_>,
    made: RequestRecord,
    was_healthy: bool,
) -> Result<()> {
    let now = ports.now();
    let was = work.delivery(made.at);
    let endpoint = &was.endpoint_id;
    let (revision, is_new) = (work.revision, work.is_new);
    let mut verdict = judge(&made.attempt, was.failures + 1, now, ports.jitter());
    let attempt = &made.attempt;
    let report = HealthReport { endpoint, revision, attempt, is_new, was_healthy };
    let seen = report.look(ports).await?;
    let mut is_current = seen.as_ref().is_none_or(|seen| seen.is_at(revision));
    let disabling = match verdict {
        Verdict::Gone => Some(DisableReason::Gone),
        Verdict::DisableRequested => Some(DisableReason::ReceiverRequest),
        _ => None,
    };
    if let Some(reason) = disabling.filter(|_| is_current) {
        is_current = ports.disable(endpoint, reason, revision).await?;
    }
    // A receiver that the endpoint has left decides nothing about the one it has now.
    if !is_current && !made.attempt.is_success() {
        verdict = Verdict::Retry { at: now, pause_endpoint_until: None };
    }
    let seed = format!("{}\n{endpoint}\n{}", was.message_id, was.made);
    let id = ports.attempt_id(made.at, &seed);
    let listed = attempt_record(id, &made, AttemptTrigger::Scheduled);
    let mut next = next_delivery(&was, &made.attempt, verdict);
    next.list_attempt(listed.clone());
    announce_change(ports, &work.message, &was, &next, made.attempt.status).await?;
    let at = next.next_at;
    let task = work.task;
    match work.write(ports, next).await? {
        true => {
            if let Some(at) = at {
                ports.wake(task, at).await?;
            }
        }
        false => list_attempt(ports, work, listed, false).await?,
    }
    record_health(ports, report, seen).await
}

/// The delivery after an attempt.
fn next_delivery(was: &Delivery, attempt: &Attempt, verdict: Verdict) -> Delivery {
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
pub(super) async fn list_attempt<P: DeliveryPorts>(
    ports: &P,
    mut work: DeliveryWork<'_>,
    attempt: AttemptRecord,
    is_manual: bool,
) -> Result<()> {
    for _ in 0..ATTEMPTS {
        work.row = ports.row(work.task).await?;
        let was = work.delivery(ports.now());
        if was.attempts.iter().any(|known| known.id == attempt.id) {
            return Ok(());
        }
        let mut next = initial(&work, was.clone());
        let ends = next.is_given_up() || (!is_manual && !next.is_over());
        if attempt.succeeded && ends {
            (next.status, next.next_at, next.reason) = (DeliveryStatus::Success, None, None);
        }
        next.list_attempt(attempt.clone());
        if let Some(order) = &work.task.order {
            next.orders.remove(order);
        }
        announce_change(ports, &work.message, &was, &next, attempt.status_code).await?;
        if work.write(ports, next).await? {
            return Ok(());
        }
    }
    Err(Error::aborted())
}

/// The initial delivery for a manual attempt: if the journal dispatched the message there, it still
/// waits for its first attempt; otherwise it has no schedule.
pub(super) fn initial(work: &DeliveryWork<'_>, delivery: Delivery) -> Delivery {
    let is_scheduled = work.message.endpoints.contains(&work.task.endpoint_id);
    if work.row.is_some() || is_scheduled {
        return delivery;
    }
    Delivery { status: DeliveryStatus::Exhausted, next_at: None, ..delivery }
}

/// The attempt in the format of the ledger.
pub(super) fn attempt_record(
    id: String,
    made: &RequestRecord,
    trigger: AttemptTrigger,
) -> AttemptRecord {
    let ResponseText { text: response, is_base64: response_is_base64 } = made.attempt.text();
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
async fn announce_change<P: DeliveryPorts>(
    ports: &P,
    message: &Message,
    was: &Delivery,
    next: &Delivery,
    status_code: Option<u16>,
) -> Result<()> {
    let is_success = next.status == DeliveryStatus::Success && was.status != next.status;
    let change = match next.status {
        _ if message.is_operational() => return Ok(()),
        DeliveryStatus::Exhausted if next.reason.as_deref() == Some("attempts") => {
            DeliveryChange::Exhausted
        }
        DeliveryStatus::Failed if next.failures == FAILING => DeliveryChange::Failing,
        _ if is_success && was.failures >= FAILING => DeliveryChange::Recovered,
        _ => return Ok(()),
    };
    if was.status == next.status && was.made == next.made {
        return Ok(());
    }
    let seed = format!("{}\n{}\n{}", was.message_id, was.endpoint_id, next.made);
    let event = Event::DeliveryChanged {
        endpoint_id: was.endpoint_id.clone(),
        message_id: was.message_id.clone(),
        event_type: message.event_type().to_owned(),
        change,
        attempts: next.made,
        status_code,
    };
    ports.announce(event, &seed).await
}
