//! A manual attempt. It neither advances nor cancels the schedule.

use error::{Error, Result};
use model::Millis;

use super::{
    Held, Loaded, Target, World,
    limiter::{self, Pass},
    outcome,
};
use crate::types::{AttemptTrigger, Delivery, DeliveryTask, Seen};

/// Attempts to write the row under contention.
const ATTEMPTS: u32 = 20;
/// Orders that a row lists; others wait for their time.
const MAX_ORDERS: usize = 10;

/// Executes a manual attempt. A repeated order finds its attempt in the ledger.
pub(super) async fn send<W: World>(
    world: &W,
    task: &DeliveryTask,
    order: &str,
    loaded: Loaded<W::Target>,
) -> Result<()> {
    let Loaded { message, row, state, target } = loaded;
    let (endpoint, id) = (&task.endpoint_id, format!("atm_{order}"));
    let mut attempts = row.iter().flat_map(|row| &row.entity.attempts);
    if attempts.any(|attempt| attempt.id == id) {
        return Ok(());
    }
    // A deleted or disabled endpoint gets nothing, also when it is enabled again.
    let Ok(mut target) = target else { return drop_order(world, row, order).await };
    let revision = target.revision();
    let mut held = Held::new(message, row, task, revision);
    let slot = match task.slot_of(revision) {
        Some(slot) => take(world, &mut held, slot).await?,
        None => None,
    };
    let turn = match limiter::pass(world, endpoint, &target, slot, None, state).await? {
        Pass::Open(turn) => turn,
        Pass::Wait { at, slot } => return put_off(world, held, order, at, slot).await,
    };
    if turn.took_time {
        world.wait(turn.after).await;
        let Ok(found) = world.target(endpoint).await? else { return Ok(()) };
        target = found;
    }
    if !turn.holds(world, &target) {
        let task = DeliveryTask { slot: None, ..task.clone() };
        return world.send_at(&task, world.now()).await;
    }
    let message = &held.message;
    let revision = target.revision();
    let made = world.post(target, message, endpoint).await;
    limiter::learn(world, endpoint, revision, &made.attempt, false, turn.was_well).await?;
    if !message.endpoints.contains(endpoint) {
        world.add_endpoint(message, endpoint).await?;
    }
    let attempt = outcome::attempt(id, &made, AttemptTrigger::Manual);
    outcome::list(world, held, attempt, true).await
}

async fn drop_order<W: World>(world: &W, row: Option<Seen<Delivery>>, order: &str) -> Result<()> {
    let Some(row) = row.filter(|row| row.entity.orders.contains(order)) else { return Ok(()) };
    let mut next = row.entity.clone();
    next.orders.remove(order);
    world.write(Some(&row), next).await.map(drop)
}

/// Takes a reserved slot of an order, which may repeat; none when it was taken.
async fn take<W: World>(world: &W, held: &mut Held<'_>, slot: u64) -> Result<Option<u64>> {
    let known = held.delivery(world.now());
    if known.slot == Some(slot) {
        return Ok(None);
    }
    let next = outcome::beginning(held, Delivery { slot: Some(slot), ..known });
    Ok(held.write(world, next).await?.then_some(slot))
}

/// Sends an order at a time. Its row lists it, so that a change of the endpoint finds it earlier.
async fn put_off<W: World>(
    world: &W,
    mut held: Held<'_>,
    order: &str,
    at: Millis,
    slot: Option<u64>,
) -> Result<()> {
    let (early, rate_revision) = (if slot.is_some() { 1000 } else { 0 }, held.revision.rate);
    let task = DeliveryTask { slot, rate_revision, ..held.task.clone() };
    for _ in 0..ATTEMPTS {
        let mut next = outcome::beginning(&held, held.delivery(world.now()));
        let is_listed = next.orders.len() >= MAX_ORDERS || !next.orders.insert(order.to_owned());
        if is_listed || held.write(world, next).await? {
            return world.send_at(&task, at.saturating_sub(early)).await;
        }
        held.row = world.row(held.task).await?;
    }
    Err(Error::aborted())
}
