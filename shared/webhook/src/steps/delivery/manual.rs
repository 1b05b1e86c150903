//! A manual attempt, ordered by a caller. It neither advances nor cancels the schedule.

use error::{Error, Result};
use model::Millis;

use super::{
    CurrentTarget, DeliveryInput, DeliveryPorts, DeliveryWork, Target, outcome,
    permission::{CallPermission, CallRequest, HealthReport, record_health, request_call},
};
use crate::types::{AttemptTrigger, Delivery, DeliveryTask, Versioned};

/// Attempts to write the row under contention.
const ATTEMPTS: u32 = 20;
/// Orders that a row lists; others wait for their time.
const MAX_ORDERS: usize = 10;

/// Makes a manual attempt. A repeated order finds its attempt in the ledger.
pub(super) async fn attempt<P: DeliveryPorts>(
    ports: &P,
    task: &DeliveryTask,
    order: &str,
    input: DeliveryInput<P::Target>,
) -> Result<()> {
    let DeliveryInput { message, row, state, target } = input;
    let (endpoint, id) = (&task.endpoint_id, format!("atm_{order}"));
    let mut attempts = row.iter().flat_map(|row| &row.entity.attempts);
    if attempts.any(|attempt| attempt.id == id) {
        return Ok(());
    }
    // A deleted or disabled endpoint gets nothing, also when it is enabled again.
    let CurrentTarget::Open(mut target) = target else {
        return drop_order(ports, row, order).await;
    };
    let revision = target.revision();
    let mut work = DeliveryWork::new(message, row, task, revision);
    let slot = match task.slot_of(revision) {
        Some(slot) => take_slot(ports, &mut work, slot).await?,
        None => None,
    };
    let request = CallRequest { endpoint, target: &target, slot, missed: None, state };
    let turn = match request_call(ports, request).await? {
        CallPermission::Granted(turn) => turn,
        CallPermission::Later { at, slot } => {
            return postpone_order(ports, work, order, at, slot).await;
        }
    };
    if turn.took_time {
        ports.wait(turn.after).await;
        let CurrentTarget::Open(found) = ports.target(endpoint).await? else { return Ok(()) };
        target = found;
    }
    if !turn.is_valid_for(ports, &target) {
        let task = DeliveryTask { slot: None, ..task.clone() };
        return ports.send_at(&task, ports.now()).await;
    }
    let message = &work.message;
    let revision = target.revision();
    let made = ports.post(target, message, endpoint).await;
    let (attempt, was_healthy) = (&made.attempt, turn.was_healthy);
    let report = HealthReport { endpoint, revision, attempt, is_new: false, was_healthy };
    let seen = report.look(ports).await?;
    if !message.endpoints.contains(endpoint) {
        ports.add_endpoint(message, endpoint).await?;
    }
    let listed = outcome::attempt_record(id, &made, AttemptTrigger::Manual);
    outcome::list_attempt(ports, work, listed, true).await?;
    record_health(ports, report, seen).await
}

async fn drop_order<P: DeliveryPorts>(
    ports: &P,
    row: Option<Versioned<Delivery>>,
    order: &str,
) -> Result<()> {
    let Some(row) = row.filter(|row| row.entity.orders.contains(order)) else { return Ok(()) };
    let mut next = row.entity.clone();
    next.orders.remove(order);
    ports.write(Some(&row), next).await.map(drop)
}

/// Takes a reserved slot of an order, which may repeat; none when it was taken.
async fn take_slot<P: DeliveryPorts>(
    ports: &P,
    work: &mut DeliveryWork<'_>,
    slot: u64,
) -> Result<Option<u64>> {
    let known = work.delivery(ports.now());
    if known.slot == Some(slot) {
        return Ok(None);
    }
    let next = outcome::initial(work, Delivery { slot: Some(slot), ..known });
    Ok(work.write(ports, next).await?.then_some(slot))
}

/// Sends an order at a time. Its row lists it, so that a change of the endpoint finds it earlier.
async fn postpone_order<P: DeliveryPorts>(
    ports: &P,
    mut work: DeliveryWork<'_>,
    order: &str,
    at: Millis,
    slot: Option<u64>,
) -> Result<()> {
    let (early, rate_revision) = (if slot.is_some() { 1000 } else { 0 }, work.revision.rate);
    let task = DeliveryTask { slot, rate_revision, ..work.task.clone() };
    for _ in 0..ATTEMPTS {
        let mut next = outcome::initial(&work, work.delivery(ports.now()));
        let is_listed = next.orders.len() >= MAX_ORDERS || !next.orders.insert(order.to_owned());
        if is_listed || work.write(ports, next).await? {
            return ports.send_at(&task, at.saturating_sub(early)).await;
        }
        work.row = ports.row(work.task).await?;
    }
    Err(Error::aborted())
}
