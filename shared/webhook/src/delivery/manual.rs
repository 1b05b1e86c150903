//! A manual attempt. It neither advances nor cancels the schedule.

use error::Result;
use model::ledger::{AttemptTrigger, Delivery, DeliveryTask, Message, Seen};

use super::{
    Held, Loaded, Target, World,
    limiter::{self, Pass},
    outcome,
};

/// Executes a manual attempt. A repeated order finds its attempt in the ledger.
pub(super) async fn send<W: World>(
    world: &W,
    task: &DeliveryTask,
    order: &str,
    loaded: Loaded<W::Target>,
) -> Result<()> {
    let Loaded { message, row, state, target } = loaded;
    let (endpoint, id) = (&task.endpoint_id, format!("atm_{order}"));
    let attempts = row.iter().flat_map(|row| &row.entity.attempts);
    // A deleted or disabled endpoint gets nothing.
    let Ok(mut target) = target else { return Ok(()) };
    if attempts.into_iter().any(|attempt| attempt.id == id) {
        return Ok(());
    }
    let held = Held { message, row, task };
    let slot = match task.slot {
        Some(slot) => take(world, held.message.clone(), held.row.clone(), task, slot).await?,
        None => None,
    };
    let turn = match limiter::pass(world, endpoint, target.rate(), slot, None, state).await? {
        Pass::Open(turn) => turn,
        Pass::Wait { at, slot } => {
            let early = if slot.is_some() { 1000 } else { 0 };
            let task = DeliveryTask { slot, ..task.clone() };
            return world.send_at(&task, at.saturating_sub(early)).await;
        }
    };
    if turn.took_time {
        world.wait(turn.after).await;
        let Ok(found) = world.target(endpoint).await? else { return Ok(()) };
        target = found;
    }
    if turn.is_missed(world) {
        let task = DeliveryTask { slot: None, ..task.clone() };
        return world.send_at(&task, world.now()).await;
    }
    let message = &held.message;
    let made = world.post(target, message, endpoint).await;
    limiter::learn(world, endpoint, &made.attempt, false, turn.was_well).await?;
    if !message.endpoints.contains(endpoint) {
        world.add_endpoint(message, endpoint).await?;
    }
    let attempt = outcome::attempt(id, &made, AttemptTrigger::Manual);
    outcome::list(world, held, attempt, true).await
}

/// Takes a reserved slot of an order, which may repeat; none when it was taken.
async fn take<W: World>(
    world: &W,
    message: Message,
    row: Option<Seen<Delivery>>,
    task: &DeliveryTask,
    slot: u64,
) -> Result<Option<u64>> {
    let mut held = Held { message, row, task };
    let known = held.delivery(world.now());
    if known.slot == Some(slot) {
        return Ok(None);
    }
    let next = outcome::beginning(&held, Delivery { slot: Some(slot), ..known });
    Ok(held.write(world, next).await?.then_some(slot))
}
