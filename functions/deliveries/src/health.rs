//! What an endpoint's breaker learns from an attempt.

use std::time::Duration;

use model::{
    EndpointId, Millis,
    event::{EndpointChange, Event},
    webhook_endpoint::DisableReason,
};
use service::{Error, Job, Result};
use webhook::{Attempt, Change, pause_until};

use crate::gate;

/// How often the state of an endpoint is written against others who do the same.
const ATTEMPTS: u32 = 60;

/// Lets the breaker of an endpoint learn from an attempt, and does what follows. `was_well` says
/// that it knew nothing bad of the endpoint before the attempt.
pub(crate) async fn learn(
    job: &Job,
    endpoint: &EndpointId,
    attempt: &Attempt,
    is_new: bool,
    was_well: bool,
) -> Result<()> {
    // Nothing to be learned, which is nearly always so: what is not read costs nothing.
    if was_well && attempt.is_success() {
        return Ok(());
    }
    let now: Millis = service::TenantStore::now(job);
    for n in 0..ATTEMPTS {
        let seen = job.endpoint_state(endpoint).await?;
        let known = seen.as_ref().map(|seen| seen.entity.clone()).unwrap_or_default();
        let mut health = gate::health(&known);
        let changes = health.record(attempt.outcome(), is_new, now);
        if let Some(until) = pause_until(attempt, now) {
            health.pause(until);
        }
        let state = model::ledger::EndpointState { health: gate::kept(&health), ..known.clone() };
        if changes.contains(&Change::Disable) {
            // First, or a crash behind the next write would leave it enabled for good.
            job.disable_endpoint(endpoint, DisableReason::ConsecutiveFailure).await?;
        }
        if state == known || job.keep_endpoint_state(endpoint, seen.as_ref(), &state).await? {
            return warn(job, endpoint, &changes).await;
        }
        job.wait(Duration::from_millis(u64::from(n % 8) * 3)).await;
    }
    Err(Error::aborted())
}

async fn warn(job: &Job, endpoint: &EndpointId, changes: &[Change]) -> Result<()> {
    for change in changes {
        if let Change::Warning(percent) = change {
            let change = EndpointChange::Failing;
            let (endpoint_id, percent) = (endpoint.clone(), Some(*percent));
            let event = Event::EndpointChanged { endpoint_id, change, reason: None, percent };
            job.tell(event).await?;
        }
    }
    Ok(())
}
