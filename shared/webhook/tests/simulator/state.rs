//! The simulated environment: queue, rows, endpoints, and the expected state.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    EndpointId, MessageId, Millis,
    event::{EndpointChange, Event},
    revision::Revision,
};
use simulator::{Counts, Line};
use webhook::types::{
    Context, Delivery, DeliveryStatus, DeliveryTask, EndpointState, Message, Versioned,
};

use crate::{
    change::{Current, Due},
    plan::{Change, MINUTE, Mutant, Plan},
};

/// A message and an endpoint.
pub(crate) type Pair = (MessageId, EndpointId);

/// Events of one time.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// A call of a port ends.
    Poll(u64),
    /// A message of the queue is received, for the n-th time.
    Receive { task: DeliveryTask, received: u32 },
    /// The visibility timeout of a task's message ended.
    Visible(u64),
    /// An endpoint is disabled.
    Disable(usize),
    /// An endpoint changes.
    Change(usize, Change),
    /// The worker looks for what waits because of an earlier revision.
    Release(EndpointId, Revision),
    /// Something has to have happened.
    Due(Due),
}

/// A request as the endpoint sees it.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) at: Millis,
    pub(crate) pair: Pair,
    /// At which of the URLs of the endpoint.
    pub(crate) url: u32,
    pub(crate) status: Option<u16>,
    pub(crate) is_taken: bool,
}

/// A row, and when the timer looks at it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) seen: Versioned<Delivery>,
    pub(crate) due: Option<Millis>,
    pub(crate) is_hinted: bool,
    pub(crate) hints: u32,
}

pub(crate) struct State {
    pub(crate) plan: Plan,
    pub(crate) now: Millis,
    pub(crate) line: Line<Item>,
    pub(crate) rows: BTreeMap<Pair, Row>,
    pub(crate) states: BTreeMap<EndpointId, Versioned<EndpointState>>,
    pub(crate) current: Vec<Current>,
    pub(crate) disabled: BTreeSet<EndpointId>,
    pub(crate) accepted: BTreeSet<Pair>,
    pub(crate) requests: Vec<Request>,
    /// Messages sent by each task, with times.
    pub(crate) sent: BTreeMap<u64, (Pair, Millis)>,
    /// When a failed attempt was written, and when the next one is due.
    pub(crate) not_before: BTreeMap<Pair, (Millis, Millis)>,
    /// When a breaker was opened, and until when.
    pub(crate) open: BTreeMap<EndpointId, (Millis, Millis)>,
    pub(crate) counts: Counts,
    pub(crate) faults: Vec<String>,
    pub(crate) is_traced: bool,
}

pub(crate) fn endpoint(n: usize) -> EndpointId {
    EndpointId::try_from(format!("ep_{n}")).unwrap()
}

pub(crate) fn number(id: &EndpointId) -> usize {
    id.as_str()[3..].parse().unwrap()
}

pub(crate) fn message(n: usize, endpoints: usize) -> Message {
    Message {
        id: MessageId::try_from(format!("msg_{n:02}")).unwrap(),
        seq: None,
        at: 0,
        event: Event::EndpointChanged {
            endpoint_id: endpoint(99),
            change: EndpointChange::Updated,
            reason: None,
            percent: None,
            revision: None,
        },
        context: Context::default(),
        endpoints: (0..endpoints).map(endpoint).collect(),
        expunged_at: None,
    }
}

impl State {
    pub(crate) fn new(plan: Plan, is_traced: bool) -> Self {
        let mut state = Self {
            plan: plan.clone(),
            now: 0,
            line: Line::default(),
            rows: BTreeMap::new(),
            states: BTreeMap::new(),
            current: plan.endpoints.iter().map(Current::new).collect(),
            disabled: BTreeSet::new(),
            accepted: BTreeSet::new(),
            requests: vec![],
            sent: BTreeMap::new(),
            not_before: BTreeMap::new(),
            open: BTreeMap::new(),
            counts: Counts::default(),
            faults: vec![],
            is_traced,
        };
        for (n, at) in plan.messages.iter().enumerate() {
            for m in 0..plan.endpoints.len() {
                let (message_id, endpoint_id) = (message(n, 0).id, endpoint(m));
                state.accepted.insert((message_id.clone(), endpoint_id.clone()));
                state.send(DeliveryTask::new(message_id, endpoint_id), *at);
            }
        }
        for (order, (at, n, m)) in plan.orders.iter().enumerate() {
            let (message_id, endpoint_id) = (message(*n, 0).id, endpoint(*m));
            let order = Some(format!("order{order}"));
            state.send(DeliveryTask { order, ..DeliveryTask::new(message_id, endpoint_id) }, *at);
        }
        for (m, endpoint) in plan.endpoints.iter().enumerate() {
            if let Some(at) = endpoint.disabled_at {
                state.at(at, Item::Disable(m));
            }
            for change in &endpoint.changes {
                state.at(change.at, Item::Change(m, change.clone()));
            }
        }
        state
    }

    pub(crate) fn serial(&mut self) -> u64 {
        self.line.serial()
    }

    pub(crate) fn at(&mut self, at: Millis, item: Item) {
        self.line.at(at.max(self.now), item);
    }

    pub(crate) fn is(&self, mutant: Mutant) -> bool {
        self.plan.mutant == Some(mutant)
    }

    /// Whether something goes wrong that does in so many of 10,000 cases.
    pub(crate) fn wrong(&mut self, chance: u64, what: &'static str) -> bool {
        let is_wrong = self.now < self.plan.trouble && self.plan.dice.chance(chance);
        if is_wrong {
            self.counts.count(what);
        }
        is_wrong
    }

    pub(crate) fn trace(&self, text: impl FnOnce() -> String) {
        if self.is_traced {
            println!("{:>10} {}", self.now, text());
        }
    }

    pub(crate) fn fault(&mut self, text: String) {
        self.trace(|| format!("FAULT {text}"));
        self.faults.push(format!("at {}: {text}", self.now));
    }

    /// The queue loses nothing, but messages may repeat, in any order.
    pub(crate) fn send(&mut self, task: DeliveryTask, at: Millis) {
        let copies = if self.wrong(self.plan.twice, "twice") { 2 } else { 1 };
        for _ in 0..copies {
            let spread = self.plan.dice.pick(&[1, 20, 1_000]);
            let at = at + self.plan.dice.below(spread);
            self.at(at, Item::Receive { task: task.clone(), received: 1 });
        }
    }

    pub(crate) fn hint(&mut self, task: DeliveryTask, at: Millis) {
        if !self.wrong(self.plan.lost, "lost") {
            self.send(task, at.max(self.now).next_multiple_of(1_000));
        }
    }

    fn needs_timer(row: &Row) -> Option<Millis> {
        let due = row.due?;
        Some(match row.is_hinted {
            false => due.saturating_sub(2 * MINUTE),
            true => due + (MINUTE << row.hints.min(10)),
        })
    }

    /// The next due time.
    pub(crate) fn timer_at(&self) -> Millis {
        if self.is(Mutant::NoTimer) {
            return Millis::MAX;
        }
        let next = self.rows.values().filter_map(Self::needs_timer).min();
        next.map_or(Millis::MAX, |at| at.max(self.now + 1).next_multiple_of(MINUTE))
    }

    pub(crate) fn timer(&mut self) {
        let needy = |row: &Row| Self::needs_timer(row).is_some_and(|at| at <= self.now);
        let found = self.rows.iter().filter(|(_, row)| needy(row));
        let found: Vec<Pair> = found.map(|(pair, _)| pair.clone()).collect();
        for pair in found {
            self.counts.count("timer");
            let (message_id, endpoint_id) = pair.clone();
            let Some(row) = self.rows.get_mut(&pair) else { continue };
            row.hints += u32::from(row.is_hinted);
            row.is_hinted = true;
            let due = row.due.unwrap_or_default();
            self.hint(DeliveryTask::new(message_id, endpoint_id), due);
        }
    }

    /// A finished task has listed its attempts, as far as a row lists that many.
    pub(crate) fn check_listed(&mut self, task: u64) {
        let Some((pair, at)) = self.sent.remove(&task) else { return };
        let attempts = self.rows.get(&pair).map_or(&[][..], |row| &row.seen.entity.attempts);
        if attempts.len() < 10 && !attempts.iter().any(|attempt| attempt.at == at) {
            self.fault(format!("the attempt of {pair:?} at {at} is not listed"));
        }
    }

    /// Invariants at the end.
    pub(crate) fn check(&mut self) {
        for pair in self.accepted.clone() {
            let Some(row) = self.rows.get(&pair).cloned() else {
                self.fault(format!("{pair:?} is lost"));
                continue;
            };
            let delivery = row.seen.entity;
            let is_taken = self.requests.iter().any(|made| made.pair == pair && made.is_taken);
            let fault = match delivery.status {
                _ if row.due.is_some() && delivery.is_over() => Some("is over and due"),
                DeliveryStatus::Success if !is_taken => Some("was never taken"),
                DeliveryStatus::Skipped if !self.disabled.contains(&pair.1) => Some("was skipped"),
                DeliveryStatus::Success => None,
                DeliveryStatus::Exhausted | DeliveryStatus::Skipped => None,
                _ => Some("is not over"),
            };
            self.counts.count(match delivery.status {
                DeliveryStatus::Success => "success",
                DeliveryStatus::Exhausted => "exhausted",
                _ => "skipped",
            });
            if let Some(fault) = fault {
                self.fault(format!("{pair:?} {fault}: {delivery:?}"));
            }
            if delivery.failures > 10 {
                self.fault(format!("{pair:?} was tried too often"));
            }
        }
        self.check_rates();
    }
}
