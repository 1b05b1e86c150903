//! One attempt to deliver a message to an endpoint, over ports and without I/O.
//!
//! A first attempt exists only as its queue message, whose visibility timeout is its lease: one
//! read, the request, and one row with the outcome. A due row exists only for pending work: a
//! retry, the rate limiter, the circuit breaker. A worker claims such a row first. A crash between
//! the request and the row repeats the request, with the same `webhook-id`.

mod manual;
mod outcome;
mod permission;
mod ports;

use error::Result;
use model::{Millis, revision::Revision};

pub use permission::health_of;
pub use ports::{DeliveryInput, DeliveryPorts, RequestRecord, Target};

pub use crate::types::{CurrentTarget, DeliveryWrite};

use permission::{CallPermission, CallRequest, CallTurn, MissedTurn, request_call};

use crate::types::{Delivery, DeliveryStatus, DeliveryTask, Message, Versioned};

/// Lease of an attempt; after it, the attempt is repeated.
pub const LEASE: Millis = 30_000;
/// Attempts to reserve a slot when the previous one expired too early.
const TURNS: usize = 5;
/// A task with a slot wakes up to this much before it.
const EARLY: Millis = 1_200;

/// Executes a task. Idempotent.
///
/// # Errors
/// The errors of the ports; the task is to be repeated.
pub async fn deliver<P: DeliveryPorts>(ports: &P, task: &DeliveryTask) -> Result<()> {
    let Some(input) = ports.load(task).await? else { return Ok(()) };
    match &task.order {
        Some(order) => manual::attempt(ports, task, order, input).await,
        None => scheduled(ports, task, input).await,
    }
}

async fn scheduled<P: DeliveryPorts>(
    ports: &P,
    task: &DeliveryTask,
    input: DeliveryInput<P::Target>,
) -> Result<()> {
    let DeliveryInput { message, row, mut state, target } = input;
    let revision = match &target {
        CurrentTarget::Open(target) => target.revision(),
        CurrentTarget::Closed(_) => Revision::default(),
    };
    let slot = task.slot_of(revision);
    let is_due =
        |row: &Delivery| row.is_outdated(revision) || is_due(row, slot.is_some(), ports.now());
    if let Some(row) = row.as_ref().filter(|row| !is_due(&row.entity)) {
        // The holder of the lease may have died with it.
        return match (row.entity.status, row.entity.next_at) {
            (DeliveryStatus::Sending, Some(over)) => ports.wake(task, over).await,
            _ => Ok(()),
        };
    }
    let mut work = DeliveryWork::new(message, row, task, revision);
    work.retarget(revision);
    let mut target = match target {
        CurrentTarget::Open(target) => target,
        CurrentTarget::Closed(reason) => return work.skip(ports, reason).await,
    };
    let endpoint = &task.endpoint_id;
    let was_claimed = work.row.is_some();
    let mut missed: Option<CallTurn> = None;
    for round in 0..TURNS {
        let request = CallRequest {
            endpoint,
            target: &target,
            slot: slot.filter(|_| round == 0),
            missed: missed.as_ref().map(|turn| MissedTurn { turn, count: round }),
            state,
        };
        let turn = match request_call(ports, request).await? {
            CallPermission::Granted(turn) => turn,
            CallPermission::Later { at, slot } => return work.postpone(ports, at, slot).await,
        };
        if round == 0 && !work.claim(ports).await? {
            return Ok(());
        }
        // No attempt begins after a call that deleted, disabled or changed the endpoint has
        // returned: it begins with the last look at the endpoint, right before the request.
        if round > 0 || was_claimed || turn.took_time {
            ports.wait(turn.after).await;
            target = match ports.target(endpoint).await? {
                CurrentTarget::Open(target) => target,
                CurrentTarget::Closed(reason) => return work.skip(ports, reason).await,
            };
            work.retarget(target.revision());
        }
        if turn.is_valid_for(ports, &target) {
            return send(ports, work, target, &turn).await;
        }
        state = ports.state(endpoint).await?;
        missed = Some(turn);
    }
    work.postpone(ports, ports.now(), None).await
}

async fn send<P: DeliveryPorts>(
    ports: &P,
    work: DeliveryWork<'_>,
    target: P::Target,
    turn: &CallTurn,
) -> Result<()> {
    let made = ports.post(target, &work.message, &work.task.endpoint_id).await;
    outcome::record_attempt(ports, work, made, turn.was_healthy).await
}

/// Whether there is work now. A repeated task finds none.
fn is_due(row: &Delivery, has_slot: bool, now: Millis) -> bool {
    let may_be_early = has_slot && row.status != DeliveryStatus::Sending;
    let early = if may_be_early { EARLY } else { 0 };
    !row.is_over() && row.next_at.is_some_and(|at| at <= now.saturating_add(early))
}

/// A delivery in progress.
struct DeliveryWork<'a> {
    message: Message,
    /// The last written state; none before the first attempt.
    row: Option<Versioned<Delivery>>,
    task: &'a DeliveryTask,
    /// Revision of the endpoint.
    revision: Revision,
    /// Whether the message has not failed at the URL before.
    is_new: bool,
}

impl<'a> DeliveryWork<'a> {
    fn new(
        message: Message,
        row: Option<Versioned<Delivery>>,
        task: &'a DeliveryTask,
        revision: Revision,
    ) -> Self {
        let is_new = row.as_ref().is_none_or(|row| row.entity.made == 0);
        Self { message, row, task, revision, is_new }
    }

    /// Turns to the endpoint as it is. A new URL has the whole schedule.
    fn retarget(&mut self, revision: Revision) {
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

    /// Writes the next state; false after a concurrent change.
    async fn write<P: DeliveryPorts>(&mut self, ports: &P, next: Delivery) -> Result<bool> {
        match ports.write(self.row.as_ref(), next).await? {
            DeliveryWrite::Written(row) => {
                self.row = Some(row);
                Ok(true)
            }
            DeliveryWrite::Conflict => Ok(false),
        }
    }

    /// Claims a due row; a first attempt has the lease of its queue.
    async fn claim<P: DeliveryPorts>(&mut self, ports: &P) -> Result<bool> {
        let Some(row) = &self.row else { return Ok(true) };
        let next_at = Some(ports.now().saturating_add(LEASE));
        let status = DeliveryStatus::Sending;
        let claimed = Delivery { status, next_at, is_put_off: false, ..row.entity.clone() };
        self.write(ports, claimed).await
    }

    async fn skip<P: DeliveryPorts>(mut self, ports: &P, reason: &str) -> Result<()> {
        let skipped = Delivery {
            status: DeliveryStatus::Skipped,
            next_at: None,
            reason: Some(reason.to_owned()),
            ..self.delivery(ports.now())
        };
        self.write(ports, skipped).await.map(drop)
    }

    /// Schedules the task at a time, which does not count as an attempt; slightly early for a
    /// reserved slot, which is more precise than a queue.
    async fn postpone<P: DeliveryPorts>(
        mut self,
        ports: &P,
        at: Millis,
        slot: Option<u64>,
    ) -> Result<()> {
        let was = self.delivery(ports.now());
        let status = match was.status {
            DeliveryStatus::Sending if was.failures > 0 => DeliveryStatus::Failed,
            DeliveryStatus::Sending => DeliveryStatus::Pending,
            status => status,
        };
        let next = Delivery { status, next_at: Some(at), is_put_off: true, ..was };
        if !self.write(ports, next).await? {
            return Ok(());
        }
        let rate_revision = self.revision.rate;
        let task = DeliveryTask { slot, rate_revision, ..self.task.clone() };
        let early = if slot.is_some() { 1000 } else { 0 };
        ports.wake(&task, at.saturating_sub(early)).await
    }
}
