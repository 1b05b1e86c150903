//! Whether an endpoint may be called now: by its breaker, and by its rate limit. Waiting is no
//! attempt.

use std::time::Duration;

use model::{EndpointId, Millis, ledger::EndpointState};
use serde_json::Value;
use service::{Error, Job, Result, Seen};
use webhook::{Admission, Health, reserve};

/// Shorter waits are slept through.
const SHORT: u64 = 1_200_000;
/// A reserved slot is good for this much longer.
const LATE: u64 = 20_000;
/// How often a slot is reserved against others who do the same.
const ATTEMPTS: u32 = 60;

/// Whether an endpoint may be called.
pub(crate) enum Gate {
    /// It may.
    Open(Turn),
    /// Not before a time, in the time of the tenant; in the slot, if one was reserved.
    Wait { at: Millis, slot: Option<u64> },
}

/// When an endpoint may be called.
pub(crate) struct Turn {
    /// In this time.
    pub(crate) after: Duration,
    /// In the slot that was reserved, in microseconds of the epoch.
    slot: Option<u64>,
    /// Whether nothing bad was known of the endpoint.
    pub(crate) was_well: bool,
}

impl Turn {
    /// Whether its slot is over: a call would come too close to the next one.
    pub(crate) fn is_missed(&self, job: &Job) -> bool {
        self.slot.is_some_and(|slot| slot.saturating_add(LATE) < micros(job))
    }
}

fn micros(job: &Job) -> u64 {
    job.real_now().saturating_mul(1000)
}

pub(crate) fn health(state: &EndpointState) -> Health {
    serde_json::from_value(state.health.clone()).unwrap_or_default()
}

pub(crate) fn kept(health: &Health) -> Value {
    if *health == Health::default() {
        return Value::Null;
    }
    serde_json::to_value(health).unwrap_or_default()
}

/// Asks to call an endpoint that takes `rate` requests a second. `slot` is what was reserved
/// before: many that wait have a slot each, instead of waking all at once. `seen` is how the endpoint
/// was doing a moment ago.
pub(crate) async fn pass(
    job: &Job,
    endpoint: &EndpointId,
    rate: Option<u32>,
    slot: Option<u64>,
    mut seen: Option<Seen<EndpointState>>,
) -> Result<Gate> {
    for attempt in 0..ATTEMPTS {
        let known = seen.as_ref().map(|seen| seen.entity.clone()).unwrap_or_default();
        let now = service::TenantStore::now(job);
        let mut health = health(&known);
        let was_well = health == Health::default();
        if let Admission::Wait(at) = health.admit(now) {
            return Ok(Gate::Wait { at, slot: None });
        }
        let mut state = known.clone();
        let turn = Turn { after: Duration::ZERO, slot: None, was_well };
        let (mut gate, mut admitted) = (Gate::Open(turn), true);
        if let Some(rate) = rate {
            let real = micros(job);
            let at = match slot.filter(|slot| slot.saturating_add(LATE) >= real) {
                Some(slot) => slot,
                None => {
                    let (slot, next) = reserve(known.arrival, rate, real);
                    state.arrival = Some(next);
                    slot
                }
            };
            let wait = at.saturating_sub(real);
            admitted = wait <= SHORT;
            gate = match admitted {
                true => {
                    let after = Duration::from_micros(wait);
                    Gate::Open(Turn { after, slot: Some(at), was_well })
                }
                false => Gate::Wait { at: now.saturating_add(wait / 1000), slot: Some(at) },
            };
        }
        // The probe of an open breaker is only who goes at once.
        if admitted {
            state.health = kept(&health);
        }
        if state == known || job.keep_endpoint_state(endpoint, seen.as_ref(), &state).await? {
            return Ok(gate);
        }
        job.wait(Duration::from_millis(u64::from(attempt % 8) * 3)).await;
        seen = job.endpoint_state(endpoint).await?;
    }
    Err(Error::aborted())
}
