//! One attempt to deliver a message to an endpoint, over ports and without I/O.
//!
//! A first attempt exists only as its queue message, whose visibility timeout is its lease: one
//! read, the request, and one row with the outcome. A due row exists only for pending work: a
//! retry, the rate limiter, the circuit breaker. A worker claims such a row first. A crash between
//! the request and the row repeats the request, with the same `webhook-id`.

mod limiter;
mod manual;
mod outcome;
mod world;

use error::Result;
use model::{
    Millis,
    ledger::{Delivery, DeliveryStatus, DeliveryTask, Message, Seen},
};

pub use limiter::health_of;
pub use world::{Loaded, Made, Target, World};

use limiter::{Pass, Turn};

/// Lease of an attempt; after it, the attempt is repeated.
pub const LEASE: Millis = 30_000;
/// Attempts to reserve a slot when the previous one expired too early.
const TURNS: usize = 5;
/// A task with a slot wakes up to this much before it.
const EARLY: Millis = 1_200;

/// Executes a task. Idempotent.
///
/// # Errors
/// Those of the ports; the task is to be repeated.
pub async fn deliver<W: World>(world: &W, task: &DeliveryTask) -> Result<()> {
    let Some(loaded) = world.load(task).await? else { return Ok(()) };
    match &task.order {
        Some(order) => manual::send(world, task, order, loaded).await,
        None => scheduled(world, task, loaded).await,
    }
}

async fn scheduled<W: World>(
    world: &W,
    task: &DeliveryTask,
    loaded: Loaded<W::Target>,
) -> Result<()> {
    let Loaded { message, row, state, target } = loaded;
    if let Some(row) = row.as_ref().filter(|row| !is_due(&row.entity, task, world.now())) {
        // The holder of the lease may have died with it.
        return match (row.entity.status, row.entity.next_at) {
            (DeliveryStatus::Sending, Some(over)) => world.wake(task, over).await,
            _ => Ok(()),
        };
    }
    let mut held = Held { message, row, task };
    let mut target = match target {
        Ok(target) => target,
        Err(reason) => return held.skip(world, reason).await,
    };
    let endpoint = &task.endpoint_id;
    let mut turn =
        match limiter::pass(world, endpoint, target.rate(), task.slot, None, state).await? {
            Pass::Open(turn) => turn,
            Pass::Wait { at, slot } => return held.postpone(world, at, slot).await,
        };
    let was_claimed = held.row.is_some();
    if !held.claim(world).await? {
        return Ok(());
    }
    for round in 0..TURNS {
        // No attempt begins after a call that deleted or disabled the endpoint has returned: it
        // begins with the last look at the endpoint, right before the request.
        if round > 0 || was_claimed || turn.took_time {
            world.wait(turn.after).await;
            target = match world.target(endpoint).await? {
                Ok(target) => target,
                Err(reason) => return held.skip(world, reason).await,
            };
        }
        if !turn.is_missed(world) {
            return send(world, held, target, &turn).await;
        }
        let state = world.state(endpoint).await?;
        let missed = Some((&turn, round + 1));
        turn = match limiter::pass(world, endpoint, target.rate(), None, missed, state).await? {
            Pass::Open(turn) => turn,
            Pass::Wait { at, slot } => return held.postpone(world, at, slot).await,
        };
    }
    held.postpone(world, world.now(), None).await
}

async fn send<W: World>(world: &W, held: Held<'_>, target: W::Target, turn: &Turn) -> Result<()> {
    let made = world.post(target, &held.message, &held.task.endpoint_id).await;
    outcome::record(world, held, made, turn.was_well).await
}

/// Whether there is work now. A repeated task finds none.
fn is_due(row: &Delivery, task: &DeliveryTask, now: Millis) -> bool {
    let may_be_early = task.slot.is_some() && row.status != DeliveryStatus::Sending;
    let early = if may_be_early { EARLY } else { 0 };
    !row.is_over() && row.next_at.is_some_and(|at| at <= now.saturating_add(early))
}

/// A delivery in progress.
struct Held<'a> {
    message: Message,
    /// The last written state; none before the first attempt.
    row: Option<Seen<Delivery>>,
    task: &'a DeliveryTask,
}

impl Held<'_> {
    /// The present or initial state.
    fn delivery(&self, now: Millis) -> Delivery {
        let begin = || Delivery::new(self.message.id.clone(), self.task.endpoint_id.clone(), now);
        self.row.as_ref().map_or_else(begin, |row| row.entity.clone())
    }

    /// Writes it, except after a concurrent change.
    async fn write<W: World>(&mut self, world: &W, next: Delivery) -> Result<bool> {
        let written = world.write(self.row.as_ref(), next).await?;
        let is_written = written.is_some();
        self.row = written.or(self.row.take());
        Ok(is_written)
    }

    /// Claims a due row; a first attempt has the lease of its queue.
    async fn claim<W: World>(&mut self, world: &W) -> Result<bool> {
        let Some(row) = &self.row else { return Ok(true) };
        let next_at = Some(world.now().saturating_add(LEASE));
        let claimed = Delivery { status: DeliveryStatus::Sending, next_at, ..row.entity.clone() };
        self.write(world, claimed).await
    }

    async fn skip<W: World>(mut self, world: &W, reason: &str) -> Result<()> {
        let skipped = Delivery {
            status: DeliveryStatus::Skipped,
            next_at: None,
            reason: Some(reason.to_owned()),
            ..self.delivery(world.now())
        };
        self.write(world, skipped).await.map(|_| ())
    }

    /// Schedules the task at a time, which does not count as an attempt; slightly early for a
    /// reserved slot, which is more precise than a queue.
    async fn postpone<W: World>(mut self, world: &W, at: Millis, slot: Option<u64>) -> Result<()> {
        let was = self.delivery(world.now());
        let status = match was.status {
            DeliveryStatus::Sending if was.failures > 0 => DeliveryStatus::Failed,
            DeliveryStatus::Sending => DeliveryStatus::Pending,
            status => status,
        };
        if !self.write(world, Delivery { status, next_at: Some(at), ..was }).await? {
            return Ok(());
        }
        let task = DeliveryTask { slot, ..self.task.clone() };
        let early = if slot.is_some() { 1000 } else { 0 };
        world.wake(&task, at.saturating_sub(early)).await
    }
}
