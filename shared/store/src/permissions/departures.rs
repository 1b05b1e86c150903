//! Users who leave a level: the membership and the grant there end, and the rights in tokens of
//! before. A user who leaves the organization loses every right in it at once; the rows of these
//! rights are removed by the clean-up of the event.

use std::collections::{BTreeMap, BTreeSet};

use aws::Write;
use error::{Error, Result};
use model::{
    Millis, UserId,
    event::Event,
    permissions::{Grant, Level},
    user::User,
};
use tenancy::{
    layout::{Entity, item},
    prelude::*,
    reading::{missing, new_version},
    scopes::{ATTEMPTS, back_off},
    writing::{CommitOutcome, Unit, absent, after_long, present, unchanged},
};

use crate::{permissions::Permissions, prelude::*, users::Users};

/// The record that a departure leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Remains {
    /// A record, for ever.
    Record,
    /// A record, until the last token of before has expired.
    Nothing,
}

/// The users whose rights end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    /// Members and others.
    All,
    /// Users who are no members.
    Others,
}

impl Users<'_> {
    /// Ends memberships of a level with the grants there; returns a result for each user, in the
    /// order of the ids, which are distinct. Leaving the organization is an event, and ends all
    /// other rights there, also those of a user who is no member.
    ///
    /// # Errors
    /// NOT_FOUND for a user who is no member.
    pub async fn remove(self, level: &Level, ids: &[UserId]) -> Vec<Result<()>> {
        self.depart(level, ids, Remains::Record).await
    }

    /// Ends all rights of a user in the organization, member or not, for an erasure: nothing remains
    /// when the last token of before has expired. A departure since `at`, in epoch milliseconds, is
    /// not repeated.
    ///
    /// # Errors
    /// UNAVAILABLE, ABORTED.
    pub(crate) async fn expel(self, user: &UserId, at: Millis) -> Result<()> {
        let id = (Level::Organization, user.clone());
        let departed = self.0.permissions().grants().find(&id).await?;
        let is_done = departed
            .is_some_and(|grant| grant.is_erased && grant.left >= at && grant.granted.is_none());
        if is_done && self.all().find(&id).await?.is_none() {
            return Ok(());
        }
        let ids = std::slice::from_ref(user);
        match self.depart(&Level::Organization, ids, Remains::Nothing).await.pop() {
            Some(Err(error)) if error.status != error::Status::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// When those of the users who ever left the organization last did so, in epoch milliseconds.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn departures(self, ids: &[UserId]) -> Result<BTreeMap<UserId, Millis>> {
        let ids = ids.iter().map(|id| (Level::Organization, id.clone()));
        let found = self.0.permissions().grants().find_all(ids).await?;
        let left = found.into_values().filter(|grant| grant.left > 0);
        Ok(left.map(|grant| (grant.user_id, grant.left)).collect())
    }

    /// A departure that took long counts once more when it is done: tokens that were issued
    /// meanwhile end as well, and so do rights that were given. A user who was added again
    /// meanwhile stays. The call returns in a later millisecond, so that what follows it counts.
    async fn depart(self, level: &Level, ids: &[UserId], remains: Remains) -> Vec<Result<()>> {
        let clock = self.0.tenant().db().clock();
        let began = clock.now();
        let mut last = began;
        let mut results = self.end_all(level, ids, Who::All, remains, &mut last).await;
        if after_long(clock, began).is_none() {
            clock.pass(last).await;
            return results;
        }
        let departed = |result: &Result<()>| match result {
            Ok(()) => true,
            Err(error) => *level == Level::Organization && error.status == error::Status::NotFound,
        };
        let departed = (0..ids.len()).filter(|n| departed(&results[*n])).collect::<Vec<_>>();
        let again: Vec<UserId> = departed.iter().map(|n| ids[*n].clone()).collect();
        let again = self.end_all(level, &again, Who::Others, remains, &mut last).await;
        for (n, again) in departed.into_iter().zip(again) {
            if let Err(error) = again
                && error.status != error::Status::NotFound
            {
                results[n] = Err(error);
            }
        }
        clock.pass(last).await;
        results
    }

    /// `last` becomes the last time of an end, in epoch milliseconds.
    async fn end_all(
        self,
        level: &Level,
        ids: &[UserId],
        who: Who,
        remains: Remains,
        last: &mut Millis,
    ) -> Vec<Result<()>> {
        let mut results: Vec<Option<Result<()>>> = ids.iter().map(|_| None).collect();
        // Users who turned out to be no members.
        let mut others = vec![who == Who::Others; ids.len()];
        for attempt in 0..ATTEMPTS {
            let open: Vec<usize> = (0..ids.len()).filter(|n| results[*n].is_none()).collect();
            if open.is_empty() {
                break;
            }
            let keys: Vec<_> = open.iter().map(|n| (level.clone(), ids[*n].clone())).collect();
            let grants = self.0.permissions().grants();
            let mut found = match grants.rows().read(&keys).await {
                Ok(found) => found,
                Err(error) => return ids.iter().map(|_| Err(again(&error))).collect(),
            };
            let (mut units, mut members) = (Vec::new(), Vec::new());
            *last = self.0.tenant().db().clock().now();
            for (n, key) in open.into_iter().zip(keys) {
                let stored = found.remove(&key);
                match self.departure(&key, stored, *last, others[n], remains) {
                    Ok(unit) => {
                        units.push(unit);
                        members.push(n);
                    }
                    Err(error) => results[n] = Some(Err(error)),
                }
            }
            let outcomes = self.0.tenant().db().commit_all(units).await;
            let mut is_contended = false;
            for (outcome, n) in outcomes.into_iter().zip(members) {
                let no_member = || missing::<User>(&(level.clone(), ids[n].clone()));
                match outcome {
                    CommitOutcome::Done if others[n] => results[n] = Some(Err(no_member())),
                    CommitOutcome::Done => results[n] = Some(Ok(())),
                    CommitOutcome::Failed(error) => results[n] = Some(Err(error)),
                    // Only a departure from the organization ends more than what is at its level.
                    CommitOutcome::Refused(0) if !others[n] && *level == Level::Organization => {
                        others[n] = true;
                    }
                    CommitOutcome::Refused(0) if !others[n] => {
                        results[n] = Some(Err(no_member()));
                    }
                    CommitOutcome::Refused(1) if who == Who::Others => results[n] = Some(Ok(())),
                    // Added since it turned out to be no member.
                    CommitOutcome::Refused(1) if others[n] => {
                        (others[n], is_contended) = (false, true);
                    }
                    CommitOutcome::Refused(_) => is_contended = true,
                }
            }
            if is_contended {
                back_off(attempt).await;
            }
        }
        let results = results.into_iter();
        results.map(|result| result.unwrap_or_else(|| Err(Error::aborted()))).collect()
    }

    /// The unit that ends a membership, or for a user who is no member, the rights beside it alone.
    fn departure(
        self,
        id: &(Level, UserId),
        stored: Option<aws::Item>,
        now: Millis,
        is_other: bool,
        remains: Remains,
    ) -> Result<Unit> {
        let (level, user) = id;
        let (users, grants) = (self.0.users().all(), self.0.permissions().grants());
        let condition = stored.as_ref().map(item::version).transpose()?;
        let condition = condition.as_deref().map_or_else(absent, unchanged);
        let mut grant = match stored {
            Some(stored) => grants.rows().decode(stored)?,
            None => Grant::none(user.clone(), level.clone()),
        };
        let event = match level {
            Level::Organization => {
                grant.leave(now);
                grant.is_erased = remains == Remains::Nothing;
                let organization_id = self.0.id().clone();
                Some(Event::UserDeleted { organization_id, user_id: user.clone(), since: None })
            }
            Level::Document(_) | Level::Folder(_) => {
                grant.end(now);
                None
            }
        };
        let version = new_version()?;
        let item = grants.rows().encode(&grant, &version)?;
        let put = Write::Put { table: Grant::TABLE.name(), item, condition: Some(condition) };
        if is_other {
            let key = item::key(self.0.partition(), &User::place(id).into_key());
            let check = Write::Check { table: User::TABLE.name(), key, condition: absent() };
            let unit = Unit::new(vec![put, check]).versioned(version);
            return Ok(unit.emitting(grants.rows().emitted(event)));
        }
        let mut unit = users.rows().deleted(id, event, present())?;
        unit.writes_mut().push(put);
        Ok(unit)
    }
}

impl Permissions<'_> {
    /// Notes that the rows of users at the organization were read: whether they left it is known to
    /// further lists of this call.
    pub(crate) fn has_read<'u>(self, users: impl IntoIterator<Item = &'u UserId>) {
        let place = |user: &UserId| {
            let id = (Level::Organization, user.clone());
            (self.0.partition().clone().into(), Grant::place(&id).into_key().into())
        };
        let places: BTreeSet<(String, String)> = users.into_iter().map(place).collect();
        self.0.tenant().db().has_seen(&places, []);
    }
}

/// The failure of one user as that of another.
fn again(error: &Error) -> Error {
    Error::unavailable(error.message.clone())
}
