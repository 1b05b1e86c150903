//! A tenant in memory, whose clock the test moves; nothing goes wrong here.

use std::{
    collections::{BTreeMap, BTreeSet},
    pin::pin,
    task::Poll,
};

use conformance::Table;
use error::Result;
use model::{Millis, OrganizationId, UserId, event::EventType, notification::NotificationSource};
use notification::{
    Activity, ActivityState, BatchLimits, Candidate, Candidates, Change, Channel, Channels,
    Committed, Eligibility, Hint, Mail, Notice, NotifiableEvent, PageRef, Policy, Reason, Row,
    RowBody, RowKey, Rows, SeenCheck, StoredRow, TenantData, WindowLimits, Windows, activities_of,
    intake, wake,
};
use parking_lot::Mutex;
use serde_json::Value;
use simulator::poll;

pub(crate) const T0: Millis = 1_800_000_000_000;

#[derive(Default)]
pub(crate) struct State {
    pub(crate) now: Millis,
    serial: u64,
    rows: Table,
    pub(crate) hints: Vec<Hint>,
    pub(crate) users: BTreeMap<String, Channels>,
    pub(crate) limits: BatchLimits,
    pub(crate) drops: BTreeMap<String, Reason>,
    pub(crate) seen: BTreeSet<String>,
    pub(crate) withheld: BTreeMap<Channel, Reason>,
    pub(crate) published: Vec<Notice>,
    /// The rows that were loaded, and the sizes of those that were written.
    pub(crate) loads: Vec<RowKey>,
    pub(crate) puts: Vec<(RowKey, usize)>,
    /// The rows that are woken before the next commit, as if concurrently.
    pub(crate) concurrent_wakes: Option<Vec<RowKey>>,
}

pub(crate) struct MemoryTenant(pub(crate) Mutex<State>);

/// Runs what never waits.
pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    match poll(pin!(future)) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
}

pub(crate) fn window(seconds: u64, max: u64) -> Option<WindowLimits> {
    Some(WindowLimits { seconds, max })
}

pub(crate) fn event(id: &str, t0: Millis) -> NotifiableEvent {
    NotifiableEvent {
        id: id.to_owned(),
        organization_id: "o".to_owned().try_into().unwrap(),
        document_id: "d".to_owned().try_into().unwrap(),
        annotation_id: None,
        comment_id: None,
        kind: EventType::CommentAdd,
        source: NotificationSource::Comment,
        actor_id: None,
        t0,
        facts: Value::Null,
    }
}

impl MemoryTenant {
    /// One recipient, `u`, who wants everything.
    pub(crate) fn new(limits: BatchLimits) -> Self {
        let users = [("u".to_owned(), Channels::ALL)].into();
        Self(Mutex::new(State { now: T0, limits, users, ..State::default() }))
    }

    pub(crate) fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.0.lock())
    }

    pub(crate) fn accept(&self, event: NotifiableEvent, delay: Option<u64>) {
        let policy = self.policy(delay);
        now(intake(self, self, event, policy)).unwrap();
    }

    /// The configuration, with every channel on.
    pub(crate) fn policy(&self, delay: Option<u64>) -> Policy {
        let limits = self.with(|state| state.limits);
        Policy { delay, channels: Channels::ALL, open: Channels::ALL, limits }
    }

    /// An event of now.
    pub(crate) fn raise(&self, id: &str, delay: Option<u64>) {
        self.accept(event(id, self.with(|state| state.now)), delay);
    }

    pub(crate) fn wake(&self, key: &RowKey) {
        now(wake(self, self, key)).unwrap();
    }

    /// Wakes the rows due by then, each at its time.
    pub(crate) fn until(&self, time: Millis) {
        for _ in 0..10_000 {
            let Some((due, key)) = self.next().filter(|(due, _)| *due <= time) else {
                return self.with(|state| state.now = time);
            };
            self.with(|state| state.now = state.now.max(due));
            self.wake(&key);
        }
        panic!("it never ends: {:?}", self.next());
    }

    /// Wakes the hinted rows that are due.
    pub(crate) fn hints(&self) {
        let now = self.with(|state| state.now);
        for hint in self.with(|state| std::mem::take(&mut state.hints)) {
            if hint.at <= now {
                self.wake(&hint.key);
            }
        }
    }

    /// The next due row, except mails.
    pub(crate) fn next(&self) -> Option<(Millis, RowKey)> {
        self.with(|state| {
            let others = state.rows.iter().filter(|(key, _)| !matches!(key, RowKey::Mail { .. }));
            others.filter_map(|(key, row)| Some((row.due?, key.clone()))).min()
        })
    }

    /// The event for `u`, who is on its first page.
    pub(crate) fn activity(&self, id: &str) -> Activity {
        let user = "u".to_owned().try_into().unwrap();
        now(activities_of(self, &user, &[PageRef::first(id)])).unwrap().pop().unwrap()
    }

    /// Why an activity was dropped.
    pub(crate) fn dropped(&self, id: &str) -> BTreeMap<Channel, Reason> {
        match self.activity(id).state {
            ActivityState::Dropped { reasons, .. } => reasons,
            other => panic!("{id}: {other:?}"),
        }
    }

    /// The events of each notification, and when it was delivered after the start.
    pub(crate) fn delivered(&self) -> Vec<(Millis, Vec<String>)> {
        let delivered = |notice: &Notice| {
            let ids = notice.activities().iter().map(|activity| activity.event_id().to_owned());
            (notice.at - T0, ids.collect())
        };
        self.with(|state| state.published.iter().map(delivered).collect())
    }

    /// Replaces the content of a row.
    pub(crate) fn store(&self, key: &RowKey, body: Value) {
        let row = Windows::from_row(Row { body: body.clone(), due: None, expires: None }).unwrap();
        let row = Row { body, ..row.to_row().unwrap() };
        let version = self.new_id();
        self.with(|state| state.rows.insert(key.clone(), row, &version));
    }

    /// The JSON of a row.
    pub(crate) fn json(&self, key: &RowKey) -> String {
        self.with(|state| state.rows.get(key).unwrap().row.body.to_string())
    }

    pub(crate) fn keys(&self) -> Vec<RowKey> {
        self.with(|state| state.rows.iter().map(|(key, _)| key.clone()).collect())
    }

    pub(crate) fn mails(&self) -> Vec<Mail> {
        self.with(|state| {
            let mails = state.rows.iter().filter(|(key, _)| matches!(key, RowKey::Mail { .. }));
            mails.map(|(_, row)| Mail::from_row(row.clone()).unwrap()).collect()
        })
    }
}

impl Rows for MemoryTenant {
    fn now(&self) -> Millis {
        self.with(|state| state.now)
    }

    fn new_id(&self) -> String {
        self.with(|state| {
            state.serial += 1;
            format!("g{}", state.serial)
        })
    }

    async fn load(&self, keys: &[RowKey]) -> Result<Vec<Option<StoredRow>>> {
        assert!((1..=100).contains(&keys.len()));
        Ok(self.with(|state| {
            state.loads.extend_from_slice(keys);
            keys.iter().map(|key| state.rows.live(key, state.now)).collect()
        }))
    }

    async fn commit(&self, changes: Vec<Change>) -> Result<Committed> {
        assert!((1..=100).contains(&changes.len()));
        for key in self.with(|state| state.concurrent_wakes.take()).unwrap_or_default() {
            self.wake(&key);
        }
        let version = self.new_id();
        Ok(self.with(|state| {
            if !changes.iter().all(|change| state.rows.is_as_seen(change, state.now)) {
                return Committed::Conflict;
            }
            for change in changes {
                if let Change::Put { key, row, .. } = &change {
                    state.puts.push((key.clone(), row.body.to_string().len()));
                }
                state.rows.make(change, &version);
            }
            Committed::Written { version }
        }))
    }

    async fn wake(&self, hints: Vec<Hint>) -> Result<()> {
        self.with(|state| state.hints.extend(hints));
        Ok(())
    }
}

impl TenantData for MemoryTenant {
    async fn recipients(
        &self,
        _: &NotifiableEvent,
        after: Option<&UserId>,
        limit: usize,
    ) -> Result<Candidates> {
        Ok(self.with(|state| {
            let candidates = state.users.iter().map(|(id, channels)| {
                let user_id: UserId = id.clone().try_into().unwrap();
                Candidate {
                    user_id,
                    channels: *channels,
                    open: *channels,
                    mine: true,
                    named: false,
                }
            });
            let is_left =
                |candidate: &Candidate| after.is_none_or(|after| candidate.user_id > *after);
            let mut rest = candidates.filter(is_left);
            let users: Vec<Candidate> = rest.by_ref().take(limit).collect();
            let last = users.last().map(|candidate| candidate.user_id.clone());
            Candidates { users, next: rest.next().and(last) }
        }))
    }

    async fn eligibility(
        &self,
        _: &OrganizationId,
        activities: &[Activity],
        seen: SeenCheck,
    ) -> Result<Vec<Eligibility>> {
        Ok(self.with(|state| {
            let decide = |activity: &Activity| match state.drops.get(activity.event_id()) {
                Some(reason) => Eligibility::Ineligible(*reason),
                None if seen == SeenCheck::Counts && state.seen.contains(activity.event_id()) => {
                    Eligibility::Ineligible(Reason::Seen)
                }
                None => Eligibility::Eligible { withheld: state.withheld.clone() },
            };
            activities.iter().map(decide).collect()
        }))
    }

    async fn batching(&self) -> Result<BatchLimits> {
        Ok(self.with(|state| state.limits))
    }

    async fn publish(&self, notice: &Notice) -> Result<Vec<String>> {
        self.with(|state| state.published.push(notice.clone()));
        Ok(vec![notice.id.clone(); notice.recipients.len()])
    }
}
