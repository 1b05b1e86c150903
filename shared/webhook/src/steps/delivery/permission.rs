//! Permission for a call of an endpoint, by circuit breaker and rate limit. Waiting does not count
//! as an attempt. The state of an endpoint is written only when it changes.

use std::time::Duration;

use error::{Error, Result};
use model::{
    EndpointId, Millis,
    event::{EndpointChange, Event},
    revision::Revision,
    webhook_endpoint::DisableReason,
};
use serde_json::Value;

use super::{DeliveryPorts, Target};
use crate::{
    http_client::Attempt,
    rules::{
        Admission, Health, HealthNotice, Outcome, ReservedSlot, arrival_at_rate, pause_until,
        reserve,
    },
    types::{EndpointState, Versioned},
};

/// Shorter delays are slept.
const SHORT: u64 = 1_200_000;
/// A reserved slot is valid for this much longer.
const LATE: u64 = 20_000;
/// Attempts to write the state of an endpoint under contention.
const ATTEMPTS: u32 = 60;
/// Longest pause between them, in milliseconds.
const LONGEST_PAUSE: u32 = 500;
/// Lead time of a slot after several expired slots, in microseconds: with slow calls, the next one
/// would expire as well.
const LEADS: [u64; 5] = [0, 50_000, 200_000, 600_000, 1_000_000];

/// A request for a call of an endpoint.
pub(super) struct CallRequest<'a, T> {
    pub(super) endpoint: &'a EndpointId,
    pub(super) target: &'a T,
    /// The reserved slot, if any: waiting tasks have a slot each instead of waking together.
    pub(super) slot: Option<u64>,
    /// The turn of the request before, if it was missed.
    pub(super) missed: Option<MissedTurn<'a>>,
    /// State of the endpoint a moment ago.
    pub(super) state: Option<Versioned<EndpointState>>,
}

/// A turn that passed without a call.
#[derive(Clone, Copy)]
pub(super) struct MissedTurn<'a> {
    pub(super) turn: &'a CallTurn,
    /// The number of turns missed so far.
    pub(super) count: usize,
}

/// The answer to a request for a call.
pub(super) enum CallPermission {
    /// The endpoint may be called in this turn.
    Granted(CallTurn),
    /// The endpoint may be called from a time on, by the tenant's clock; in the slot, if one was
    /// reserved.
    Later { at: Millis, slot: Option<u64> },
}

/// The turn of a call.
pub(super) struct CallTurn {
    /// The time until the call.
    pub(super) after: Duration,
    /// The reserved slot, in epoch microseconds.
    slot: Option<u64>,
    /// Whether the endpoint was healthy.
    pub(super) was_healthy: bool,
    /// Whether it involves waiting or a write.
    pub(super) took_time: bool,
    /// Whether it is the probe of an open breaker.
    is_probe: bool,
    /// The revision of the endpoint that it is for; none when that is too old.
    revision: Option<Revision>,
}

impl CallTurn {
    /// A turn for no call: the state of the endpoint is newer than the target.
    fn outdated() -> Self {
        Self {
            after: Duration::ZERO,
            slot: None,
            was_healthy: false,
            took_time: true,
            is_probe: false,
            revision: None,
        }
    }

    /// Whether the target, as it is now, may be called in this turn. In an expired slot the call
    /// would be too close to the next one.
    pub(super) fn is_valid_for<P: DeliveryPorts>(&self, ports: &P, target: &P::Target) -> bool {
        let is_missed = self.slot.is_some_and(|slot| slot.saturating_add(LATE) < ports.micros());
        self.revision == Some(target.revision()) && !is_missed
    }
}

/// State of the circuit breaker of an endpoint.
pub fn health_of(state: &EndpointState) -> Health {
    serde_json::from_value(state.health.clone()).unwrap_or_default()
}

/// State of the circuit breaker at a revision: a new URL starts without the state of the old one.
fn health_at(state: &EndpointState, revision: Revision) -> Health {
    if state.revision.url == revision.url { health_of(state) } else { Health::default() }
}

/// The stored form of a state of the circuit breaker.
fn stored(health: &Health) -> Value {
    if *health == Health::default() {
        return Value::Null;
    }
    serde_json::to_value(health).unwrap_or_default()
}

async fn back_off<P: DeliveryPorts>(ports: &P, attempt: u32) {
    ports.wait(Duration::from_millis(u64::from(attempt % 8) * 3)).await;
}

/// Requests a call of a target within its rate limit.
pub(super) async fn request_call<P: DeliveryPorts>(
    ports: &P,
    request: CallRequest<'_, P::Target>,
) -> Result<CallPermission> {
    let CallRequest { endpoint, target, slot, missed, state: mut seen } = request;
    let revision = target.revision();
    let was_probe = missed.is_some_and(|MissedTurn { turn, .. }| {
        turn.is_probe && turn.revision.is_some_and(|was| was.url == revision.url)
    });
    let lead = missed.map_or(0, |missed| LEADS[missed.count.min(LEADS.len() - 1)]);
    for attempt in 0..ATTEMPTS {
        let known = seen.as_ref().map(|seen| seen.entity.clone()).unwrap_or_default();
        if revision.is_behind(known.revision) {
            return Ok(CallPermission::Granted(CallTurn::outdated()));
        }
        let now = ports.now();
        let mut health = health_at(&known, revision);
        let was_healthy = health == Health::default();
        // A probe does not wait for itself.
        if !(was_probe && health.probing)
            && let Admission::Wait(at) = health.admit(now)
        {
            return Ok(CallPermission::Later { at, slot: None });
        }
        let mut state = known.clone();
        let mut turn = CallTurn {
            after: Duration::ZERO,
            slot: None,
            was_healthy,
            took_time: attempt > 0,
            is_probe: health.probing,
            revision: Some(revision),
        };
        let mut later = None;
        if let Some(rate) = target.rate() {
            let real = ports.micros();
            let at = match slot.filter(|slot| slot.saturating_add(LATE) >= real) {
                Some(slot) => slot,
                None => {
                    let arrival = match known.revision.rate == revision.rate {
                        true => known.arrival,
                        false => arrival_at_rate(known.arrival, rate, real),
                    };
                    let ReservedSlot { at, next_arrival } = reserve(arrival, rate, real + lead);
                    (state.arrival, state.revision.rate) = (Some(next_arrival), revision.rate);
                    at
                }
            };
            let wait = at.saturating_sub(real);
            (turn.after, turn.slot) = (Duration::from_micros(wait), Some(at));
            later = (wait > SHORT).then(|| now.saturating_add(wait / 1000));
        }
        // For the probe of an open breaker the order does not matter.
        if later.is_none() {
            (state.health, state.revision.url) = (stored(&health), revision.url);
        }
        let is_changed = state != known;
        turn.took_time |= is_changed || !turn.after.is_zero();
        if !is_changed || ports.write_state(endpoint, seen.as_ref(), &state).await? {
            return Ok(match later {
                Some(at) => CallPermission::Later { at, slot: turn.slot },
                None => CallPermission::Granted(turn),
            });
        }
        back_off(ports, attempt).await;
        seen = ports.state(endpoint).await?;
    }
    Err(Error::aborted())
}

/// Waits before another try of a change that must not be lost: longer each time, so that all who
/// compete get their turn.
async fn give_way<P: DeliveryPorts>(ports: &P, attempt: u32) {
    let most = f64::from(LONGEST_PAUSE.min(4 << attempt.min(8)));
    ports.wait(Duration::from_secs_f64(ports.jitter() * most / 1000.0)).await;
}

/// An attempt, as it concerns the health of its endpoint.
pub(super) struct HealthReport<'a> {
    pub(super) endpoint: &'a EndpointId,
    /// The revision of the endpoint that was called.
    pub(super) revision: Revision,
    pub(super) attempt: &'a Attempt,
    /// Whether the message has not failed there before.
    pub(super) is_new: bool,
    /// Whether the endpoint was healthy before the attempt.
    pub(super) was_healthy: bool,
}

/// The state of an endpoint to which an attempt is added.
pub(super) struct SeenState(Option<Versioned<EndpointState>>);

impl SeenState {
    /// Whether the endpoint has the URL of a revision, as far as is known.
    pub(super) fn is_at(&self, revision: Revision) -> bool {
        self.0.as_ref().is_none_or(|seen| seen.entity.revision.url <= revision.url)
    }
}

impl HealthReport<'_> {
    /// Reads the state to which the attempt is added; none in the usual case, which changes
    /// nothing.
    pub(super) async fn look<P: DeliveryPorts>(&self, ports: &P) -> Result<Option<SeenState>> {
        match self.was_healthy && self.attempt.is_success() {
            true => Ok(None),
            false => ports.state(self.endpoint).await.map(SeenState).map(Some),
        }
    }
}

/// Records an attempt in the breaker of an endpoint, and acts on its notices: nothing when the
/// endpoint has another URL than the one of the revision. `seen` is the state a moment ago.
pub(super) async fn record_health<P: DeliveryPorts>(
    ports: &P,
    report: HealthReport<'_>,
    seen: Option<SeenState>,
) -> Result<()> {
    let HealthReport { endpoint, revision, attempt, is_new, .. } = report;
    let Some(SeenState(mut seen)) = seen else { return Ok(()) };
    let now = ports.now();
    for n in 0..ATTEMPTS {
        let known = seen.as_ref().map(|seen| seen.entity.clone()).unwrap_or_default();
        if revision.url < known.revision.url {
            return Ok(());
        }
        let mut health = health_at(&known, revision);
        let notices = health.record(Outcome::of(attempt), is_new, now);
        if let Some(until) = pause_until(attempt, now) {
            health.pause(until);
        }
        let mut state = EndpointState { health: stored(&health), ..known.clone() };
        state.revision.url = revision.url;
        if notices.contains(&HealthNotice::Disable) {
            // First, because after a crash behind the next write it would stay enabled.
            let reason = DisableReason::ConsecutiveFailure;
            if !ports.disable(endpoint, reason, revision).await? {
                return Ok(());
            }
        }
        if state == known || ports.write_state(endpoint, seen.as_ref(), &state).await? {
            return warn(ports, endpoint, &notices, health.failing_since).await;
        }
        give_way(ports, n).await;
        seen = ports.state(endpoint).await?;
    }
    Err(Error::aborted())
}

async fn warn<P: DeliveryPorts>(
    ports: &P,
    endpoint: &EndpointId,
    notices: &[HealthNotice],
    since: Option<u64>,
) -> Result<()> {
    for notice in notices {
        if let HealthNotice::Warning(percent) = notice {
            let seed = format!("{endpoint}\n{percent}\n{}", since.unwrap_or_default());
            let event = Event::EndpointChanged {
                endpoint_id: endpoint.clone(),
                change: EndpointChange::Failing,
                reason: None,
                percent: Some(*percent),
                revision: None,
            };
            ports.announce(event, &seed).await?;
        }
    }
    Ok(())
}
