//! The ports of the drivers: every call takes a while, may fail, and may be the last.

use std::{collections::BTreeMap, sync::Arc};

use error::{Error, Result};
use model::{Millis, OrganizationId, UserId};
use notification::{
    Activity, ActivityState, BatchLimits, Candidate, Candidates, Change, Channel, Committed,
    Eligibility, Hint, Notice, NotifiableEvent, PendingEvent, Reason, RecipientPage, Recipients,
    RowBody as _, RowKey, Rows, SeenCheck, StoredRow, TenantData,
};
use parking_lot::Mutex;
use simulator::until;

use crate::{
    check,
    plan::Mutant,
    state::{Item, State, number},
};

/// A machine that runs a driver.
pub(crate) struct Machine {
    pub(crate) state: Arc<Mutex<State>>,
    pub(crate) task: u64,
    pub(crate) skew: i64,
}

impl Machine {
    /// The state at the time of a call's effect, unless the call fails before it.
    async fn call(&self) -> Result<()> {
        let at = {
            let mut state = self.state.lock();
            let (latency, stall) = (state.plan.latency, state.plan.stall);
            let mut at = state.now + state.dice.below(latency) + 1;
            if state.wrong(stall) {
                at += 100_000;
            }
            state.line.at(at, Item::Poll(self.task));
            at
        };
        until(at, || self.state.lock().now).await;
        self.fault()
    }

    fn fault(&self) -> Result<()> {
        let mut state = self.state.lock();
        let fault = state.plan.fault;
        if state.wrong(fault) { Err(Error::unavailable("simulated")) } else { Ok(()) }
    }

    pub(crate) fn clock(&self) -> Millis {
        self.state.lock().now.saturating_add_signed(self.skew)
    }
}

impl Rows for Machine {
    fn now(&self) -> Millis {
        let early = self.state.lock().plan.mutant == Some(Mutant::FiresEarly);
        self.clock() + if early { 8_000 } else { 0 }
    }

    fn new_id(&self) -> String {
        format!("G{:010}", self.state.lock().line.serial())
    }

    async fn load(&self, keys: &[RowKey]) -> Result<Vec<Option<StoredRow>>> {
        assert!((1..=100).contains(&keys.len()));
        self.call().await?;
        let state = self.state.lock();
        let forgets = state.plan.mutant == Some(Mutant::HalfDoneIsDoneAgain);
        let seen = |key: &RowKey| match state.stored(key) {
            Some(stored) if forgets => Some(forgetful(key, stored)),
            stored => stored,
        };
        Ok(keys.iter().map(seen).collect())
    }

    async fn commit(&self, changes: Vec<Change>) -> Result<Committed> {
        self.call().await?;
        let clock = self.clock();
        let committed = self.state.lock().commit(changes, clock);
        self.fault()?;
        Ok(committed)
    }

    async fn wake(&self, hints: Vec<Hint>) -> Result<()> {
        self.call().await?;
        let mut state = self.state.lock();
        for Hint { key, at } in hints {
            // The sender computes the delay by its own clock.
            let at = at.saturating_add_signed(-self.skew);
            state.hint(key, at);
        }
        Ok(())
    }
}

impl TenantData for Machine {
    async fn recipients(
        &self,
        event: &NotifiableEvent,
        after: Option<&UserId>,
        limit: usize,
    ) -> Result<Candidates> {
        self.call().await?;
        let mut state = self.state.lock();
        let limit = if state.dice.chance(2000) { 1 } else { limit };
        let number = state.numbers[&event.id];
        let all = &state.raised[number].recipients;
        let loses = state.plan.mutant == Some(Mutant::LosesAtTheBorder) && after.is_some();
        let repeats = state.plan.mutant == Some(Mutant::RepeatsAtTheBorder) && limit > 1;
        let is_left = |user: &UserId| {
            after.is_none_or(|after| *user > *after || (repeats && *user == *after))
        };
        let mut rest = all.iter().filter(|(user, _)| is_left(user)).skip(usize::from(loses));
        let users: Vec<Candidate> = rest
            .by_ref()
            .take(limit)
            .map(|(user, channels)| Candidate {
                user_id: user.clone(),
                channels: *channels,
                open: *channels,
                mine: channels.email,
                named: false,
            })
            .collect();
        let last = users.last().map(|user| user.user_id.clone());
        Ok(Candidates { users, next: rest.next().and(last) })
    }

    async fn eligibility(
        &self,
        _: &OrganizationId,
        activities: &[Activity],
        seen: SeenCheck,
    ) -> Result<Vec<Eligibility>> {
        self.call().await?;
        let state = self.state.lock();
        let decide =
            |activity: &Activity| state.eligibility(number(&activity.user_id), activity, seen);
        let mut decided: Vec<Eligibility> = activities.iter().map(decide).collect();
        if let (Some(Mutant::FirstOwnsTheDigest), Some(Eligibility::Ineligible(reason))) =
            (state.plan.mutant, decided.first())
        {
            decided = vec![Eligibility::Ineligible(*reason); decided.len()];
        }
        Ok(decided)
    }

    async fn batching(&self) -> Result<BatchLimits> {
        self.call().await?;
        Ok(self.state.lock().limits.last().unwrap().1)
    }

    async fn publish(&self, notice: &Notice) -> Result<Vec<String>> {
        self.call().await?;
        let clock = self.clock();
        check::publish(&mut self.state.lock(), notice, clock);
        self.fault()?;
        Ok(vec![check::published_id(notice); notice.recipients.len()])
    }
}

/// Defect: a page that forgets its finished recipients.
fn forgetful(key: &RowKey, stored: StoredRow) -> StoredRow {
    let forget = |page: &mut RecipientPage| {
        for group in page.groups.iter_mut().filter(|_| page.due.is_none()) {
            if let ActivityState::Delivered { .. } = group.state {
                group.state = ActivityState::Batched { until: 0 };
            }
        }
    };
    let (version, row) = (stored.version, stored.row);
    let row = match key {
        RowKey::Pending { .. } if !row.body.is_null() => {
            let mut event = PendingEvent::from_row(row).unwrap();
            forget(&mut event.first);
            event.to_row().unwrap()
        }
        RowKey::Recipients { .. } => {
            let mut recipients = Recipients::from_row(row).unwrap();
            forget(&mut recipients.page);
            recipients.to_row().unwrap()
        }
        _ => row,
    };
    StoredRow { version, row }
}

impl State {
    fn eligibility(&self, user: u64, activity: &Activity, seen: SeenCheck) -> Eligibility {
        let thread = self.raised[self.numbers[activity.event_id()]].thread;
        if self.deleted.contains_key(&thread) {
            return Eligibility::Ineligible(Reason::Deleted);
        }
        if self.locked_out.contains(&user) {
            return Eligibility::Ineligible(Reason::NoAccess);
        }
        let sights = self.sights.get(&(user, thread));
        let has_seen = sights.is_some_and(|all| all.iter().any(|at| *at >= activity.t0));
        if has_seen && seen == SeenCheck::Counts {
            return Eligibility::Ineligible(Reason::Seen);
        }
        if !self.service {
            return Eligibility::Ineligible(Reason::ServiceOff);
        }
        let Some(wanted) = self.wants.get(&user) else { return Eligibility::FULL };
        let muted = Channel::ALL.into_iter().filter(|channel| !wanted.has(*channel));
        let withheld: BTreeMap<Channel, Reason> =
            muted.map(|channel| (channel, Reason::Muted)).collect();
        Eligibility::Eligible { withheld }
    }
}
