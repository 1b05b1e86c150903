//! One attempt to deliver a message to an endpoint, over ports and without I/O.
//!
//! A first attempt has nothing but the message of its queue, whose visibility timeout is its lease:
//! one read, the request, one row with what came of it. A row that is due is there only for what
//! waits: a retry, the rate limiter, the circuit breaker. Who takes such a row up claims it first.
//! A crash between the request and the row means the same request once more, with the same
//! `webhook-id`.

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

/// How long an attempt may take; one that takes longer is believed dead, and made again.
pub const LEASE: Millis = 30_000;
/// How often a slot is reserved anew because it was over when all else was ready.
const TURNS: usize = 5;
/// Who holds a slot comes up to this much before it.
const EARLY: Millis = 1_200;

/// Does what a task says. May be called again with a task that it has done.
///
/// # Errors
/// Those of the ports; the task is to be done again.
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
        // Whoever holds the lease may have died with it.
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
        // Nothing goes out after the call that deleted or disabled the endpoint has returned: it is
        // looked at right before the request.
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

/// Whether there is something to do now. A task that comes twice finds nothing.
fn is_due(row: &Delivery, task: &DeliveryTask, now: Millis) -> bool {
    let may_be_early = task.slot.is_some() && row.status != DeliveryStatus::Sending;
    let early = if may_be_early { EARLY } else { 0 };
    !row.is_over() && row.next_at.is_some_and(|at| at <= now.saturating_add(early))
}

/// A delivery that somebody works at.
struct Held<'a> {
    message: Message,
    /// As it was written last; none before the first attempt.
    row: Option<Seen<Delivery>>,
    task: &'a DeliveryTask,
}

impl Held<'_> {
    /// As it is, or as it begins.
    fn delivery(&self, now: Millis) -> Delivery {
        let begin = || Delivery::new(self.message.id.clone(), self.task.endpoint_id.clone(), now);
        self.row.as_ref().map_or_else(begin, |row| row.entity.clone())
    }

    /// Writes it, unless somebody was faster.
    async fn write<W: World>(&mut self, world: &W, next: Delivery) -> Result<bool> {
        let written = world.write(self.row.as_ref(), next).await?;
        let is_written = written.is_some();
        self.row = written.or(self.row.take());
        Ok(is_written)
    }

    /// Takes the lease of a row that was due; a first attempt has that of its queue.
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

    /// Comes again at a time, which is no attempt; a little before it where a slot was reserved,
    /// whose time is too exact for a queue.
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
