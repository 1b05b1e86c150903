//! Whether an endpoint may be called now: by its breaker, and by its rate limit. Waiting is no
//! attempt.

use std::time::Duration;

use model::{EndpointId, Millis, ledger::EndpointState};
use serde_json::Value;
use service::{Error, Job, Result};
use webhook::{Admission, Health, reserve};

/// Shorter waits are slept through.
const SHORT: u64 = 1_200_000;
/// A reserved slot is good for this much longer.
const LATE: u64 = 20_000;
/// How often a slot is reserved against others who do the same.
const ATTEMPTS: u32 = 60;

/// Whether an endpoint may be called.
pub(crate) enum Gate {
    /// After this time.
    Open(Duration),
    /// Not before a time, in the time of the tenant; in the slot, if one was reserved.
    Wait { at: Millis, slot: Option<u64> },
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
/// before: many that wait have a slot each, instead of waking all at once.
pub(crate) async fn pass(
    job: &Job,
    endpoint: &EndpointId,
    rate: Option<u32>,
    slot: Option<u64>,
) -> Result<Gate> {
    for attempt in 0..ATTEMPTS {
        let seen = job.endpoint_state(endpoint).await?;
        let known = seen.as_ref().map(|seen| seen.entity.clone()).unwrap_or_default();
        let now = service::TenantStore::now(job);
        let mut health = health(&known);
        if let Admission::Wait(at) = health.admit(now) {
            return Ok(Gate::Wait { at, slot: None });
        }
        let mut state = known.clone();
        let (mut gate, mut admitted) = (Gate::Open(Duration::ZERO), true);
        if let Some(rate) = rate {
            let real = job.real_now().saturating_mul(1000);
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
                true => Gate::Open(Duration::from_micros(wait)),
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
    }
    Err(Error::aborted())
}
