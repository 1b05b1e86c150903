//! The ports of the driver: every call takes a while, may fail, and may be the last.

use std::{sync::Arc, time::Duration};

use error::{Error, Result};
use model::{
    EndpointId, Millis, event::Event, revision::Revision, webhook_endpoint::DisableReason,
};
use parking_lot::Mutex;
use simulator::until;
use webhook::{
    Attempt, Failure,
    steps::delivery::{
        CurrentTarget, DeliveryInput, DeliveryPorts, DeliveryWrite, RequestRecord, Target,
        health_of,
    },
    types::{Delivery, DeliveryStatus, DeliveryTask, EndpointState, Message, Versioned},
};

use crate::{
    change::Current,
    plan::Mutant,
    state::{Item, Pair, Request, Row, State, message, number},
};

/// A machine that runs a driver.
pub(crate) struct Machine {
    pub(crate) state: Arc<Mutex<State>>,
    pub(crate) task: u64,
    /// Whether a caller ordered it.
    pub(crate) is_manual: bool,
    /// When it looked at the row, and at the breaker.
    pub(crate) looked_at: Mutex<(Millis, Millis)>,
    pub(crate) first_target: Mutex<Option<CurrentTarget<KnownTarget>>>,
}

/// An endpoint as it was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownTarget {
    rate: Option<u32>,
    revision: Revision,
    url: u32,
}

impl Target for KnownTarget {
    fn rate(&self) -> Option<u32> {
        self.rate
    }

    fn revision(&self) -> Revision {
        self.revision
    }
}

impl Machine {
    async fn takes(&self, takes: Millis) {
        let at = {
            let mut state = self.state.lock();
            let (at, crash) = (state.now + takes, state.plan.crash);
            // The machine that has died polls no longer.
            if !state.wrong(crash, "crash") {
                state.at(at, Item::Poll(self.task));
            }
            at
        };
        until(at, || self.state.lock().now).await;
    }

    async fn call(&self) -> Result<()> {
        let takes = {
            let mut state = self.state.lock();
            let (latency, stall) = (state.plan.latency, state.plan.stall);
            let more = if state.wrong(stall, "stall") { 2_000 } else { 0 };
            state.plan.dice.below(latency) + 1 + more
        };
        self.takes(takes).await;
        self.fails()
    }

    fn fails(&self) -> Result<()> {
        let mut state = self.state.lock();
        let fault = state.plan.fault;
        if state.wrong(fault, "fault") { Err(Error::unavailable("simulated")) } else { Ok(()) }
    }

    fn look_at_row(&self) {
        let now = self.state.lock().now;
        self.looked_at.lock().0 = now;
    }

    fn look_at_breaker(&self) {
        let now = self.state.lock().now;
        self.looked_at.lock().1 = now;
    }

    fn find(&self, endpoint: &EndpointId) -> CurrentTarget<KnownTarget> {
        let state = self.state.lock();
        let Current { rate, revision, url, .. } = state.current[number(endpoint)];
        let is_disabled = state.disabled.contains(endpoint);
        let found = match is_disabled {
            true => CurrentTarget::Closed("endpoint_disabled"),
            false => CurrentTarget::Open(KnownTarget { rate, revision, url }),
        };
        let mut first = self.first_target.lock();
        if state.is(Mutant::StaleTarget) { *first.get_or_insert(found) } else { found }
    }

    fn known_state(&self, endpoint: &EndpointId) -> Option<Versioned<EndpointState>> {
        self.state.lock().states.get(endpoint).cloned()
    }

    /// The current reply of an endpoint.
    fn answer(&self, endpoint: &EndpointId) -> (Attempt, Millis) {
        let mut state = self.state.lock();
        let site = state.current[number(endpoint)].site.clone();
        let takes = state.plan.dice.below(site.slowness) + 1;
        let duration = Duration::from_millis(takes);
        let is_down = (site.down.0..site.down.1).contains(&state.now);
        let attempt = match site.status {
            _ if !is_down => Attempt { status: Some(200), duration, ..Attempt::default() },
            0 => Attempt { failure: Some(Failure::Timeout), duration, ..Attempt::default() },
            status => Attempt {
                status: Some(status),
                retry_after: site.retry_after.map(|seconds| seconds.to_string()),
                duration,
                ..Attempt::default()
            },
        };
        (attempt, takes)
    }

    /// Invariants of a request when it is sent.
    fn check(&self, pair: &Pair, target: &KnownTarget) {
        let (row_at, breaker_at) = *self.looked_at.lock();
        let mut state = self.state.lock();
        let now = state.now;
        if target.url != state.current[number(&pair.1)].url {
            state.fault(format!("{pair:?} goes to the former URL {}", target.url));
        }
        if state.disabled.contains(&pair.1) {
            state.fault(format!("{pair:?} goes to a disabled endpoint"));
        }
        if let Some((written, due)) = state.not_before.get(pair).copied()
            && !self.is_manual
            && written < row_at
            && now + 1_200 < due
        {
            state.fault(format!("{pair:?} goes {} ms before its time", due - now));
        }
        if let Some((opened, until)) = state.open.get(&pair.1).copied()
            && opened < breaker_at
            && now < until
        {
            state.fault(format!("{pair:?} goes while the breaker is open"));
        }
    }
}

impl DeliveryPorts for Machine {
    type Target = KnownTarget;

    fn now(&self) -> Millis {
        let state = self.state.lock();
        state.now + if state.is(Mutant::FiresEarly) { 8_000 } else { 0 }
    }

    fn micros(&self) -> u64 {
        self.state.lock().now * 1_000
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    fn attempt_id(&self, at: Millis, _: &str) -> String {
        format!("atm_{at:012}_{}", self.state.lock().serial())
    }

    async fn load(&self, task: &DeliveryTask) -> Result<Option<DeliveryInput<KnownTarget>>> {
        self.call().await?;
        self.look_at_row();
        self.look_at_breaker();
        let pair = (task.message_id.clone(), task.endpoint_id.clone());
        let state = self.known_state(&task.endpoint_id);
        let target = self.find(&task.endpoint_id);
        let mut simulated = self.state.lock();
        let row = simulated.rows.get(&pair).map(|row| row.seen.clone());
        if row.is_none() && task.order.is_none() && simulated.is(Mutant::RowBeforeTheAttempt) {
            let mut done = Delivery::new(pair.0.clone(), pair.1.clone(), simulated.now);
            (done.status, done.next_at) = (DeliveryStatus::Success, None);
            let seen = Versioned { entity: done, version: String::new() };
            simulated.rows.insert(pair, Row { seen, due: None, is_hinted: false, hints: 0 });
        }
        let n = task.message_id.as_str()[4..].parse().unwrap();
        let message = message(n, simulated.plan.endpoints.len());
        Ok(Some(DeliveryInput { message, row, state, target }))
    }

    async fn target(&self, endpoint: &EndpointId) -> Result<CurrentTarget<KnownTarget>> {
        self.call().await?;
        Ok(self.find(endpoint))
    }

    async fn row(&self, task: &DeliveryTask) -> Result<Option<Versioned<Delivery>>> {
        self.call().await?;
        let pair = (task.message_id.clone(), task.endpoint_id.clone());
        Ok(self.state.lock().rows.get(&pair).map(|row| row.seen.clone()))
    }

    async fn write(
        &self,
        seen: Option<&Versioned<Delivery>>,
        delivery: Delivery,
    ) -> Result<DeliveryWrite> {
        self.call().await?;
        let pair = (delivery.message_id.clone(), delivery.endpoint_id.clone());
        let written = {
            let mut state = self.state.lock();
            let version = state.serial().to_string();
            let known = state.rows.get(&pair).cloned();
            let is_as_seen =
                known.as_ref().map(|row| &row.seen.version) == seen.map(|seen| &seen.version);
            if !is_as_seen && !state.is(Mutant::NoRowVersions) {
                state.counts.count("conflict");
                return Ok(DeliveryWrite::Conflict);
            }
            state.trace(|| format!("task {} writes {delivery:?}", self.task));
            let was_due = known.and_then(|row| row.due);
            let stays = state.is(Mutant::DueRowStays);
            let due = delivery.next_at.or(was_due.filter(|_| stays));
            let revision = state.current[number(&pair.1)].revision;
            if delivery.status == DeliveryStatus::Failed
                && !delivery.is_outdated(revision)
                && let Some(at) = delivery.next_at
            {
                let now = state.now;
                state.not_before.insert(pair.clone(), (now, at));
            }
            let is_hinted = due.is_some_and(|due| due <= state.now + 14 * 60_000);
            let seen = Versioned { entity: delivery, version };
            state.rows.insert(pair, Row { seen: seen.clone(), due, is_hinted, hints: 0 });
            seen
        };
        self.fails()?;
        Ok(DeliveryWrite::Written(written))
    }

    async fn wake(&self, task: &DeliveryTask, at: Millis) -> Result<()> {
        self.call().await?;
        let mut state = self.state.lock();
        if at <= state.now + 14 * 60_000 {
            state.hint(task.clone(), at);
        }
        Ok(())
    }

    async fn send_at(&self, task: &DeliveryTask, at: Millis) -> Result<()> {
        self.call().await?;
        self.state.lock().send(task.clone(), at);
        self.fails()
    }

    async fn state(&self, endpoint: &EndpointId) -> Result<Option<Versioned<EndpointState>>> {
        self.call().await?;
        self.look_at_breaker();
        Ok(self.known_state(endpoint))
    }

    async fn write_state(
        &self,
        endpoint: &EndpointId,
        seen: Option<&Versioned<EndpointState>>,
        next: &EndpointState,
    ) -> Result<bool> {
        self.call().await?;
        {
            let mut state = self.state.lock();
            let version = state.serial().to_string();
            let known = state.states.get(endpoint).cloned();
            let is_as_seen =
                known.as_ref().map(|known| &known.version) == seen.map(|seen| &seen.version);
            if !is_as_seen && !state.is(Mutant::NoStateVersions) {
                state.counts.count("conflict");
                return Ok(false);
            }
            let was = known.map(|known| health_of(&known.entity)).unwrap_or_default();
            let mut entity = next.clone();
            let is = health_of(&entity);
            if is.openings > was.openings {
                state.counts.count("opened");
                let (now, until) = (state.now, is.open_until.unwrap_or_default());
                state.open.insert(endpoint.clone(), (now, until));
            } else if is.open_until != was.open_until {
                // A probe goes out, or the breaker is closed.
                state.open.remove(endpoint);
                if state.is(Mutant::BreakerStaysOpen) {
                    let until = Some(u64::MAX / 2);
                    let health = webhook::Health { open_until: until, ..is };
                    entity.health = serde_json::to_value(health).unwrap();
                }
            }
            state.states.insert(endpoint.clone(), Versioned { entity, version });
        }
        self.fails()?;
        Ok(true)
    }

    async fn add_endpoint(&self, _: &Message, _: &EndpointId) -> Result<()> {
        self.call().await
    }

    async fn disable(
        &self,
        endpoint: &EndpointId,
        reason: DisableReason,
        revision: Revision,
    ) -> Result<bool> {
        self.call().await?;
        {
            let mut state = self.state.lock();
            let url = state.current[number(endpoint)].revision.url;
            if url != revision.url && !state.is(Mutant::LateDisable) {
                state.counts.count("late");
                return Ok(false);
            }
            if state.disabled.insert(endpoint.clone()) {
                state.check_disabling(endpoint, reason);
            }
        }
        self.fails()?;
        Ok(true)
    }

    async fn announce(&self, _: Event, _: &str) -> Result<()> {
        self.call().await
    }

    async fn post(
        &self,
        target: KnownTarget,
        message: &Message,
        endpoint: &EndpointId,
    ) -> RequestRecord {
        let pair = (message.id.clone(), endpoint.clone());
        self.check(&pair, &target);
        let at = self.state.lock().now;
        let (attempt, takes) = self.answer(endpoint);
        {
            let mut state = self.state.lock();
            state.trace(|| format!("task {} sends {pair:?}: {:?}", self.task, attempt.status));
            let is_taken = attempt.is_success();
            // An order that is carried out twice is one attempt.
            if !self.is_manual {
                state.sent.insert(self.task, (pair.clone(), at));
            }
            let (url, status) = (target.url, attempt.status);
            state.requests.push(Request { at, pair, url, status, is_taken });
        }
        self.takes(takes).await;
        RequestRecord { attempt, fault: None, url: String::new(), at }
    }

    async fn wait(&self, time: Duration) {
        self.takes(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)).await;
    }
}
