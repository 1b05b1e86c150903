//! Admission of a request: by circuit breaker and rate limit. Waiting does not count as an attempt.
//! The state of an endpoint is written only when it changes.

use std::time::Duration;

use error::{Error, Result};
use model::{
    EndpointId, Millis,
    event::{EndpointChange, Event},
    revision::Revision,
    webhook_endpoint::DisableReason,
};
use serde_json::Value;

use super::{Target, World};
use crate::{
    http_client::Attempt,
    rules::{Admission, Change, Health, pause_until, reserve, revised},
    types::{EndpointState, Seen},
};

/// Shorter delays are slept.
const SHORT: u64 = 1_200_000;
/// A reserved slot is valid for this much longer.
const LATE: u64 = 20_000;
/// Attempts to write the state of an endpoint under contention.
const ATTEMPTS: u32 = 60;

/// Decision whether to call an endpoint.
pub(super) enum Pass {
    /// Yes.
    Open(Turn),
    /// Not before a time, by the tenant's clock; in the slot, if one was reserved.
    Wait { at: Millis, slot: Option<u64> },
}

/// Schedule of calls to an endpoint.
pub(super) struct Turn {
    /// By this clock.
    pub(super) after: Duration,
    /// The reserved slot, in epoch microseconds.
    slot: Option<u64>,
    /// Whether the endpoint was healthy.
    pub(super) was_well: bool,
    /// Whether it involves waiting or a write.
    pub(super) took_time: bool,
    /// Whether it is the probe of an open breaker.
    is_probe: bool,
    /// The revision of the endpoint that it is for; none when that is too old.
    revision: Option<Revision>,
}

impl Turn {
    /// None: the state of the endpoint is newer than the target.
    fn stale() -> Self {
        Self {
            after: Duration::ZERO,
            slot: None,
            was_well: false,
            took_time: true,
            is_probe: false,
            revision: None,
        }
    }

    /// Whether a call of the target, as it is now, is in turn. In an expired slot it would be too
    /// close to the next one.
    pub(super) fn holds<W: World>(&self, world: &W, target: &W::Target) -> bool {
        let is_missed = self.slot.is_some_and(|slot| slot.saturating_add(LATE) < world.micros());
        self.revision == Some(target.revision()) && !is_missed
    }
}

/// State of the circuit breaker of an endpoint.
pub fn health_of(state: &EndpointState) -> Health {
    serde_json::from_value(state.health.clone()).unwrap_or_default()
}

/// That of a revision: a new URL starts without the state of the old one.
fn health_at(state: &EndpointState, revision: Revision) -> Health {
    if state.revision.url == revision.url { health_of(state) } else { Health::default() }
}

fn written(health: &Health) -> Value {
    if *health == Health::default() {
        return Value::Null;
    }
    serde_json::to_value(health).unwrap_or_default()
}

async fn back_off<W: World>(world: &W, attempt: u32) {
    world.wait(Duration::from_millis(u64::from(attempt % 8) * 3)).await;
}

/// Lead time of a slot after several expired slots, in microseconds: with slow calls, the next one
/// would expire as well.
const LEADS: [u64; 5] = [0, 50_000, 200_000, 600_000, 1_000_000];

/// Requests a call to a target within its rate limit. `slot` is the reserved one, if any: waiting
/// tasks have a slot each instead of waking together. `missed` is the turn that did not hold, and
/// their number. `seen` is the state of the endpoint a moment ago.
pub(super) async fn pass<W: World>(
    world: &W,
    endpoint: &EndpointId,
    target: &W::Target,
    slot: Option<u64>,
    missed: Option<(&Turn, usize)>,
    mut seen: Option<Seen<EndpointState>>,
) -> Result<Pass> {
    let revision = target.revision();
    let was_probe = missed.is_some_and(|(turn, _)| {
        turn.is_probe && turn.revision.is_some_and(|was| was.url == revision.url)
    });
    let lead = missed.map_or(0, |(_, times)| LEADS[times.min(LEADS.len() - 1)]);
    for attempt in 0..ATTEMPTS {
        let known = seen.as_ref().map(|seen| seen.entity.clone()).unwrap_or_default();
        if revision.is_behind(known.revision) {
            return Ok(Pass::Open(Turn::stale()));
        }
        let now = world.now();
        let mut health = health_at(&known, revision);
        let was_well = health == Health::default();
        // A probe does not wait for itself.
        if !(was_probe && health.probing)
            && let Admission::Wait(at) = health.admit(now)
        {
            return Ok(Pass::Wait { at, slot: None });
        }
        let mut state = known.clone();
        let mut turn = Turn {
            after: Duration::ZERO,
            slot: None,
            was_well,
            took_time: attempt > 0,
            is_probe: health.probing,
            revision: Some(revision),
        };
        let mut later = None;
        if let Some(rate) = target.rate() {
            let real = world.micros();
            let at = match slot.filter(|slot| slot.saturating_add(LATE) >= real) {
                Some(slot) => slot,
                None => {
                    let arrival = match known.revision.rate == revision.rate {
                        true => known.arrival,
                        false => revised(known.arrival, rate, real),
                    };
                    let (slot, next) = reserve(arrival, rate, real + lead);
                    (state.arrival, state.revision.rate) = (Some(next), revision.rate);
                    slot
                }
            };
            let wait = at.saturating_sub(real);
            (turn.after, turn.slot) = (Duration::from_micros(wait), Some(at));
            later = (wait > SHORT).then(|| now.saturating_add(wait / 1000));
        }
        // For the probe of an open breaker the order does not matter.
        if later.is_none() {
            (state.health, state.revision.url) = (written(&health), revision.url);
        }
        let is_changed = state != known;
        turn.took_time |= is_changed || !turn.after.is_zero();
        if !is_changed || world.write_state(endpoint, seen.as_ref(), &state).await? {
            return Ok(match later {
                Some(at) => Pass::Wait { at, slot: turn.slot },
                None => Pass::Open(turn),
            });
        }
        back_off(world, attempt).await;
        seen = world.state(endpoint).await?;
    }
    Err(Error::aborted())
}

/// Records an attempt in the breaker of an endpoint, and acts on its notices. `was_well`: the
/// endpoint was healthy before the attempt; `is_new`: the message has not failed there before.
/// False, without a change, when the endpoint has another URL than the one of the revision.
pub(super) async fn learn<W: World>(
    world: &W,
    endpoint: &EndpointId,
    revision: Revision,
    attempt: &Attempt,
    is_new: bool,
    was_well: bool,
) -> Result<bool> {
    // The usual case without a change: reads nothing.
    if was_well && attempt.is_success() {
        return Ok(true);
    }
    let now = world.now();
    for n in 0..ATTEMPTS {
        let seen = world.state(endpoint).await?;
        let known = seen.as_ref().map(|seen| seen.entity.clone()).unwrap_or_default();
        if revision.url < known.revision.url {
            return Ok(false);
        }
        let mut health = health_at(&known, revision);
        let changes = health.record(attempt.outcome(), is_new, now);
        if let Some(until) = pause_until(attempt, now) {
            health.pause(until);
        }
        let mut state = EndpointState { health: written(&health), ..known.clone() };
        state.revision.url = revision.url;
        if changes.contains(&Change::Disable) {
            // First, because after a crash behind the next write it would stay enabled.
            let reason = DisableReason::ConsecutiveFailure;
            if !world.disable(endpoint, reason, revision).await? {
                return Ok(false);
            }
        }
        if state == known || world.write_state(endpoint, seen.as_ref(), &state).await? {
            warn(world, endpoint, &changes, health.failing_since).await?;
            return Ok(true);
        }
        back_off(world, n).await;
    }
    Err(Error::aborted())
}

async fn warn<W: World>(
    world: &W,
    endpoint: &EndpointId,
    changes: &[Change],
    since: Option<u64>,
) -> Result<()> {
    for change in changes {
        if let Change::Warning(percent) = change {
            let seed = format!("{endpoint}\n{percent}\n{}", since.unwrap_or_default());
            let event = Event::EndpointChanged {
                endpoint_id: endpoint.clone(),
                change: EndpointChange::Failing,
                reason: None,
                percent: Some(*percent),
                revision: None,
            };
            world.announce(event, &seed).await?;
        }
    }
    Ok(())
}
