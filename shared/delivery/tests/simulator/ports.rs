//! The ports of the drivers: every call takes a while, may fail, and may be the last.

use std::{
    collections::BTreeMap,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll},
};

use delivery::{
    Activity, Candidate, Candidates, Change, Channel, Event, Limits, Notice, Reason, RowKey, Rows,
    SeenCheck, Stored, Verdict, World,
};
use error::{Error, Result};
use model::{Millis, OrganizationId, UserId};

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

/// Ready when the call has had its time.
struct Call<'a> {
    machine: &'a Machine,
    at: Option<Millis>,
}

impl Future for Call<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        let mut state = self.machine.lock();
        match self.at {
            Some(at) if state.now >= at => Poll::Ready(()),
            Some(_) => Poll::Pending,
            None => {
                let latency = state.plan.latency;
                let stall = state.plan.stall;
                let mut at = state.now + state.dice.below(latency) + 1;
                if state.wrong(stall) {
                    at += 100_000;
                }
                state.at(at, Item::Poll(self.machine.task));
                drop(state);
                self.at = Some(at);
                Poll::Pending
            }
        }
    }
}

impl Machine {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// The state at the time of a call's effect, unless the call fails before it.
    async fn call(&self) -> Result<()> {
        Call { machine: self, at: None }.await;
        self.fault()
    }

    fn fault(&self) -> Result<()> {
        let mut state = self.lock();
        let fault = state.plan.fault;
        if state.wrong(fault) { Err(Error::unavailable("simulated")) } else { Ok(()) }
    }

    pub(crate) fn clock(&self) -> Millis {
        self.lock().now.saturating_add_signed(self.skew)
    }
}

impl Rows for Machine {
    fn now(&self) -> Millis {
        let early = self.lock().plan.mutant == Some(Mutant::FiresEarly);
        self.clock() + if early { 8_000 } else { 0 }
    }

    fn new_id(&self) -> String {
        format!("G{:010}", self.lock().serial())
    }

    async fn load(&self, keys: &[RowKey]) -> Result<Vec<Option<Stored>>> {
        assert!((1..=100).contains(&keys.len()));
        self.call().await?;
        let state = self.lock();
        Ok(keys.iter().map(|key| state.stored(key)).collect())
    }

    async fn commit(&self, changes: Vec<Change>) -> Result<bool> {
        self.call().await?;
        let clock = self.clock();
        let is_done = self.lock().commit(changes, clock);
        self.fault()?;
        Ok(is_done)
    }

    async fn wake(&self, hints: Vec<(RowKey, Millis)>) -> Result<()> {
        self.call().await?;
        let mut state = self.lock();
        for (key, at) in hints {
            // The sender computes the delay by its own clock.
            let at = at.saturating_add_signed(-self.skew);
            state.hint(key, at);
        }
        Ok(())
    }
}

impl World for Machine {
    async fn audience(
        &self,
        event: &Event,
        after: Option<&UserId>,
        limit: usize,
    ) -> Result<Candidates> {
        self.call().await?;
        let mut state = self.lock();
        let limit = if state.dice.chance(2000) { 1 } else { limit };
        let number = state.numbers[&event.id];
        let all = &state.raised[number].recipients;
        let mut rest = all.iter().filter(|(user, _)| after.is_none_or(|after| *user > after));
        let users: Vec<Candidate> = rest
            .by_ref()
            .take(limit)
            .map(|(user, channels)| Candidate {
                user_id: user.clone(),
                channels: *channels,
                mine: channels.email,
            })
            .collect();
        let last = users.last().map(|user| user.user_id.clone());
        Ok(Candidates { users, next: rest.next().and(last) })
    }

    async fn verdicts(
        &self,
        _: &OrganizationId,
        user: &UserId,
        activities: &[Activity],
        seen: SeenCheck,
    ) -> Result<Vec<Verdict>> {
        self.call().await?;
        let state = self.lock();
        let verdict = |activity: &Activity| state.verdict(number(user), activity, seen);
        let mut verdicts: Vec<Verdict> = activities.iter().map(verdict).collect();
        if let (Some(Mutant::FirstOwnsTheDigest), Some(Verdict::Drop(reason))) =
            (state.plan.mutant, verdicts.first())
        {
            verdicts = vec![Verdict::Drop(*reason); verdicts.len()];
        }
        Ok(verdicts)
    }

    async fn batching(&self) -> Result<Limits> {
        self.call().await?;
        Ok(self.lock().limits.last().unwrap().1)
    }

    async fn publish(&self, notice: &Notice) -> Result<()> {
        self.call().await?;
        let clock = self.clock();
        check::publish(&mut self.lock(), notice, clock);
        self.fault()
    }
}

impl State {
    fn verdict(&self, user: u64, activity: &Activity, seen: SeenCheck) -> Verdict {
        let thread = self.raised[self.numbers[&activity.event_id]].thread;
        if self.deleted.contains_key(&thread) {
            return Verdict::Drop(Reason::Deleted);
        }
        if self.locked_out.contains(&user) {
            return Verdict::Drop(Reason::NoAccess);
        }
        let sights = self.sights.get(&(user, thread));
        let has_seen = sights.is_some_and(|all| all.iter().any(|at| *at >= activity.t0));
        if has_seen && seen == SeenCheck::Counts {
            return Verdict::Drop(Reason::Seen);
        }
        if !self.service {
            return Verdict::Drop(Reason::ServiceOff);
        }
        let Some(wanted) = self.wants.get(&user) else { return Verdict::KEEP };
        let muted = Channel::ALL.into_iter().filter(|channel| !wanted.has(*channel));
        let withheld: BTreeMap<Channel, Reason> = muted.map(|it| (it, Reason::Muted)).collect();
        Verdict::Keep { withheld }
    }
}
