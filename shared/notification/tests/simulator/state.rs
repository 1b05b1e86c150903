//! Everything outside the drivers: rows, a lagging index, the queue, and the tenant's data.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use conformance::{Table, key_of};
use model::{DocumentId, Millis, OrganizationId, UserId};
use notification::{
    BatchLimits, Change, Channels, Committed, Notice, NotifiableEvent, Policy, RowKey, StoredRow,
};
use simulator::{Counts, Dice, Line};

use crate::plan::{Mutant, Plan, START};

/// Something on the time line.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// A driver may go on.
    Poll(u64),
    /// A message is received.
    Deliver(Message),
    /// The visibility timeout of a message is over.
    Visible(u64),
    /// Something happens in the tenant's data.
    Act(usize),
}

/// A message, and how often it was received.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) body: MessageBody,
    pub(crate) receives: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum MessageBody {
    Intake(usize),
    Wake(RowKey),
}

/// An event, with the truth of the moment it was raised in.
pub(crate) struct Raised {
    pub(crate) event: NotifiableEvent,
    pub(crate) policy: Policy,
    pub(crate) thread: u64,
    pub(crate) recipients: BTreeMap<UserId, Channels>,
}

pub(crate) struct State {
    pub(crate) plan: Plan,
    pub(crate) dice: Dice,
    pub(crate) now: Millis,
    pub(crate) line: Line<Item>,
    pub(crate) rows: Table,
    pub(crate) index: BTreeMap<RowKey, Millis>,
    lagging: VecDeque<(Millis, RowKey, Option<Millis>)>,
    pub(crate) sweep_at: Millis,
    pub(crate) raised: Vec<Raised>,
    pub(crate) numbers: BTreeMap<String, usize>,
    pub(crate) delay: Option<u64>,
    /// The configuration and since when it is in force.
    pub(crate) limits: Vec<(Millis, BatchLimits)>,
    pub(crate) service: bool,
    pub(crate) was_off: bool,
    pub(crate) wants: BTreeMap<u64, Channels>,
    pub(crate) unwanted: BTreeMap<u64, Channels>,
    pub(crate) sights: BTreeMap<(u64, u64), Vec<Millis>>,
    pub(crate) deleted: BTreeMap<u64, Millis>,
    pub(crate) locked_out: BTreeSet<u64>,
    pub(crate) was_locked_out: BTreeSet<u64>,
    pub(crate) published: BTreeMap<String, Notice>,
    pub(crate) carried: BTreeMap<(UserId, String), String>,
    /// Events that were in a mail.
    pub(crate) mailed: BTreeSet<(UserId, String)>,
    /// The mails that were made, since when the present hour is counted, and the mail of its rest.
    pub(crate) hours: BTreeMap<UserId, (Millis, u32, Option<String>)>,
    /// A recipient who joined a window with an event.
    pub(crate) joined: BTreeSet<(String, UserId)>,
    /// The mails of the rest of an hour.
    pub(crate) rests: BTreeSet<String>,
    /// When the windows of recipients were closed, by generation.
    pub(crate) closed: BTreeMap<(String, UserId), Millis>,
    pub(crate) faults: Vec<String>,
    pub(crate) counts: Counts,
    pub(crate) traced: bool,
}

pub(crate) fn organization() -> OrganizationId {
    "o".to_owned().try_into().unwrap()
}

pub(crate) fn user(number: u64) -> UserId {
    format!("u{number:03}").try_into().unwrap()
}

pub(crate) fn number(user: &UserId) -> u64 {
    user.as_str()[1..].parse().unwrap()
}

pub(crate) fn document(thread: u64) -> DocumentId {
    format!("d{}", thread / 2).try_into().unwrap()
}

impl State {
    pub(crate) fn new(plan: Plan, traced: bool) -> Self {
        let mut state = Self {
            dice: Dice::new(plan.seed ^ 0x5EED),
            now: START,
            line: Line::default(),
            rows: Table::default(),
            index: BTreeMap::new(),
            lagging: VecDeque::new(),
            sweep_at: Millis::MAX,
            raised: Vec::new(),
            numbers: BTreeMap::new(),
            delay: plan.delay,
            limits: vec![(0, plan.limits)],
            service: true,
            was_off: false,
            wants: BTreeMap::new(),
            unwanted: BTreeMap::new(),
            sights: BTreeMap::new(),
            deleted: BTreeMap::new(),
            locked_out: BTreeSet::new(),
            was_locked_out: BTreeSet::new(),
            published: BTreeMap::new(),
            carried: BTreeMap::new(),
            mailed: BTreeSet::new(),
            hours: BTreeMap::new(),
            joined: BTreeSet::new(),
            rests: BTreeSet::new(),
            closed: BTreeMap::new(),
            faults: Vec::new(),
            counts: Counts::default(),
            traced,
            plan,
        };
        for (number, (at, _)) in state.plan.acts.clone().into_iter().enumerate() {
            state.line.at(at, Item::Act(number));
        }
        state
    }

    pub(crate) fn trace(&self, line: impl FnOnce() -> String) {
        if self.traced {
            eprintln!("{:>11} {}", self.now - START, line());
        }
    }

    pub(crate) fn fault(&mut self, fault: String) {
        self.trace(|| format!("FAULT {fault}"));
        self.faults.push(fault);
    }

    /// Whether something goes wrong that goes wrong so many times in 10,000.
    pub(crate) fn wrong(&mut self, in_10_000: u64) -> bool {
        self.now < self.plan.calm && self.dice.chance(in_10_000)
    }

    /// A message to be received at that time at the earliest; the queue counts in seconds.
    pub(crate) fn send(&mut self, body: MessageBody, at: Millis) {
        let jitter = 5 + self.dice.below(400);
        let jitter = if self.wrong(300) { jitter * 300 } else { jitter };
        let delay = at.saturating_sub(self.now).div_ceil(1000) * 1000;
        let visible = self.now + delay + jitter;
        if self.wrong(self.plan.duplicate) {
            let again = visible + self.dice.below(5_000);
            self.line.at(again, Item::Deliver(Message { body: body.clone(), receives: 1 }));
        }
        self.line.at(visible, Item::Deliver(Message { body, receives: 1 }));
    }

    /// A hint: it may get lost, and one for the far future is left to the sweep.
    pub(crate) fn hint(&mut self, key: RowKey, at: Millis) {
        if at > self.now + 840_000 {
            return;
        }
        if self.wrong(self.plan.loss) {
            self.counts.count("lost");
            return;
        }
        self.send(MessageBody::Wake(key), at);
    }

    pub(crate) fn stored(&self, key: &RowKey) -> Option<StoredRow> {
        self.rows.live(key, self.now)
    }

    /// All of the changes or none, by a machine whose clock shows that time.
    pub(crate) fn commit(&mut self, changes: Vec<Change>, clock: Millis) -> Committed {
        assert!((1..=100).contains(&changes.len()), "{} changes", changes.len());
        let keys: BTreeSet<&RowKey> = changes.iter().map(key_of).collect();
        if keys.len() != changes.len() {
            self.fault("a row is changed twice in one commit".to_owned());
            return Committed::Conflict;
        }
        if !changes.iter().all(|change| self.holds(change)) {
            self.counts.count("conflicts");
            return Committed::Conflict;
        }
        let has_windows = keys.iter().any(|key| matches!(key, RowKey::Windows { .. }));
        let version = self.line.serial().to_string();
        for change in changes {
            if self.is_lost(&change) {
                continue;
            }
            // Rows of the conformance suite belong to no worker.
            if !self.plan.acts.is_empty() {
                crate::check::change(self, &change, clock);
            }
            let key = key_of(&change).clone();
            let due = match &change {
                Change::Put { row, .. } => {
                    self.trace(|| format!("put {key:?} {:?} {}", row.due, row.body["state"]));
                    row.due
                }
                Change::Delete { .. } => {
                    self.trace(|| format!("delete {key:?}"));
                    None
                }
            };
            self.rows.make(change, &version);
            let lag = self.dice.below(self.plan.index_lag);
            let earliest = self.lagging.back().map_or(0, |(at, ..)| *at);
            self.lagging.push_back(((self.now + lag).max(earliest), key, due));
            if let Some(due) = due {
                let minute = |at: Millis| at / 60_000 * 60_000;
                let next = minute(due.saturating_sub(120_000)).max(minute(self.now) + 60_000);
                self.sweep_at = self.sweep_at.min(next);
            }
        }
        if has_windows && !self.plan.acts.is_empty() {
            crate::check::windows(self);
        }
        Committed::Written { version }
    }

    fn holds(&self, change: &Change) -> bool {
        let is_update = !matches!(change, Change::Put { seen: None, .. });
        match (self.plan.mutant, key_of(change)) {
            (Some(Mutant::NoWindowVersions), RowKey::Windows { .. }) => return true,
            (Some(Mutant::NoPageVersions), RowKey::Pending { .. } | RowKey::Recipients { .. })
                if is_update =>
            {
                return true;
            }
            (Some(Mutant::NoMailVersions), RowKey::Mail { .. }) => return true,
            (Some(Mutant::NoQuotaVersions), RowKey::Quota { .. }) => return true,
            _ => {}
        }
        self.rows.is_as_seen(change, self.now)
    }

    fn is_lost(&self, change: &Change) -> bool {
        let is_upper = matches!(
            change,
            Change::Put { key: RowKey::Windows { from: Some(_), .. }, seen: None, .. }
        );
        let is_own = matches!(
            change,
            Change::Put { key: RowKey::Windows { of: Some(_), .. }, seen: None, .. }
        );
        (is_upper && self.plan.mutant == Some(Mutant::SplitLosesTheUpperHalf))
            || (is_own && self.plan.mutant == Some(Mutant::LeavingLosesTheWindow))
    }

    /// Updates the index up to now.
    pub(crate) fn catch_up(&mut self) {
        while self.lagging.front().is_some_and(|(at, ..)| *at <= self.now) {
            match self.lagging.pop_front() {
                Some((_, key, Some(due))) => self.index.insert(key, due),
                Some((_, key, None)) => self.index.remove(&key),
                None => None,
            };
        }
    }

    pub(crate) fn is_index_behind(&self) -> bool {
        !self.lagging.is_empty()
    }
}
