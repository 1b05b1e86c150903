//! One attempt to deliver a message to an endpoint, over ports and without I/O.
//!
//! A first attempt exists only as its queue message, whose visibility timeout is its lease: one
//! read, the request, and one row with the outcome. A due row exists only for pending work: a
//! retry, the rate limiter, the circuit breaker. A worker claims such a row first. A crash between
//! the request and the row repeats the request, with the same `webhook-id`.

mod limiter;
mod manual;
mod outcome;
mod ports;

use error::Result;
use model::{Millis, revision::Revision};

pub use limiter::health_of;
pub use ports::{Loaded, Made, Target, World};

use limiter::{Pass, Turn};

use crate::types::{Delivery, DeliveryStatus, DeliveryTask, Message, Seen};

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
    let Loaded { message, row, mut state, target } = loaded;
    let revision = target.as_ref().map(Target::revision).unwrap_or_default();
    let slot = task.slot_of(revision);
    let is_due =
        |row: &Delivery| row.is_outdated(revision) || is_due(row, slot.is_some(), world.now());
    if let Some(row) = row.as_ref().filter(|row| !is_due(&row.entity)) {
        // The holder of the lease may have died with it.
        return match (row.entity.status, row.entity.next_at) {
            (DeliveryStatus::Sending, Some(over)) => world.wake(task, over).await,
            _ => Ok(()),
        };
    }
    let mut held = Held::new(message, row, task, revision);
    held.aim(revision);
    let mut target = match target {
        Ok(target) => target,
        Err(reason) => return held.skip(world, reason).await,
    };
    let endpoint = &task.endpoint_id;
    let was_claimed = held.row.is_some();
    let mut missed: Option<Turn> = None;
    for round in 0..TURNS {
        let slot = slot.filter(|_| round == 0);
        let missed_turn = missed.as_ref().map(|turn| (turn, round));
        let turn = match limiter::pass(world, endpoint, &target, slot, missed_turn, state).await? {
            Pass::Open(turn) => turn,
            Pass::Wait { at, slot } => return held.postpone(world, at, slot).await,
        };
        if round == 0 && !held.claim(world).await? {
            return Ok(());
        }
        // No attempt begins after a call that deleted, disabled or changed the endpoint has
        // returned: it begins with the last look at the endpoint, right before the request.
        if round > 0 || was_claimed || turn.took_time {
            world.wait(turn.after).await;
            target = match world.target(endpoint).await? {
                Ok(target) => target,
                Err(reason) => return held.skip(world, reason).await,
            };
            held.aim(target.revision());
        }
        if turn.holds(world, &target) {
            return send(world, held, target, &turn).await;
        }
        state = world.state(endpoint).await?;
        missed = Some(turn);
    }
    held.postpone(world, world.now(), None).await
}

async fn send<W: World>(world: &W, held: Held<'_>, target: W::Target, turn: &Turn) -> Result<()> {
    let made = world.post(target, &held.message, &held.task.endpoint_id).await;
    outcome::record(world, held, made, turn.was_well).await
}

/// Whether there is work now. A repeated task finds none.
fn is_due(row: &Delivery, has_slot: bool, now: Millis) -> bool {
    let may_be_early = has_slot && row.status != DeliveryStatus::Sending;
    let early = if may_be_early { EARLY } else { 0 };
    !row.is_over() && row.next_at.is_some_and(|at| at <= now.saturating_add(early))
}

/// A delivery in progress.
struct Held<'a> {
    message: Message,
    /// The last written state; none before the first attempt.
    row: Option<Seen<Delivery>>,
    task: &'a DeliveryTask,
    /// Revision of the endpoint.
    revision: Revision,
    /// Whether the message has not failed at the URL before.
    is_new: bool,
}

impl<'a> Held<'a> {
    fn new(
        message: Message,
        row: Option<Seen<Delivery>>,
        task: &'a DeliveryTask,
        revision: Revision,
    ) -> Self {
        let is_new = row.as_ref().is_none_or(|row| row.entity.made == 0);
        Self { message, row, task, revision, is_new }
    }

    /// Aims at the endpoint as it is. A new URL has the whole schedule.
    fn aim(&mut self, revision: Revision) {
        self.revision = revision;
        let Some(row) = &mut self.row else { return };
        if row.entity.revision.url < revision.url {
            (row.entity.failures, self.is_new) = (0, true);
        }
        row.entity.revision = row.entity.revision.latest(revision);
    }

    /// The present or initial state.
    fn delivery(&self, now: Millis) -> Delivery {
        let (message, endpoint) = (self.message.id.clone(), self.task.endpoint_id.clone());
        let revision = self.revision;
        let begin = || Delivery { revision, ..Delivery::new(message, endpoint, now) };
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
        let status = DeliveryStatus::Sending;
        let claimed = Delivery { status, next_at, is_put_off: false, ..row.entity.clone() };
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
        let next = Delivery { status, next_at: Some(at), is_put_off: true, ..was };
        if !self.write(world, next).await? {
            return Ok(());
        }
        let rate_revision = self.revision.rate;
        let task = DeliveryTask { slot, rate_revision, ..self.task.clone() };
        let early = if slot.is_some() { 1000 } else { 0 };
        world.wake(&task, at.saturating_sub(early)).await
    }
}
