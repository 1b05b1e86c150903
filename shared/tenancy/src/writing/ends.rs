//! Ends of containers: a deletion stamps the end on the tombstone ([`super::lives`]).

use std::collections::BTreeSet;

use aws::{Condition, Item, Value};
use error::{Error, Result, Status};
use model::{Millis, event::Event, life::Life};

use super::unit::{present, unchanged};
use crate::{
    layout::{Container, ENDED, NEWEST, SINCE, item, lives},
    prelude::*,
    reading::{Collection, missing},
    scopes::{Clock, Currency, place_of},
};

/// How long what ends something may take, in milliseconds, before the end is written once more: what
/// was written or given meanwhile ends as well.
const LONG: Millis = 1_000;

/// The present time, in epoch milliseconds, if an end that began at `began` has taken so long that it
/// has to be written once more with this time.
pub fn after_long(clock: &Clock, began: Millis) -> Option<Millis> {
    Some(clock.now()).filter(|now| now.saturating_sub(began) >= LONG)
}

impl<E: Container> Collection<E> {
    /// Removes containers with distinct ids; returns a result for each, in order. Their tombstones
    /// have the time at which this call began and no expiry: the clean-up that finds nothing more
    /// sets it. The call returns in a later millisecond, so that what follows it is of the next life.
    /// If it took long, they get the time at which it was done, with the event once more: what was
    /// written meanwhile goes as well.
    pub async fn end_all(
        &self,
        ids: &[E::Id],
        event: impl Fn(&E::Id) -> Option<Event>,
    ) -> Vec<Result<()>> {
        let now = self.db.clock.now();
        let unit =
            |id: &E::Id| self.rows().ended(id, event(id), Life::FIRST.ended(now), began(now));
        let mut results = self.rows().commit_each(ids, unit, |id, _| missing::<E>(id)).await;
        let done: Vec<usize> = (0..ids.len()).filter(|n| results[*n].is_ok()).collect();
        let done = done.iter().map(|n| &ids[*n]);
        let mut last = self.end_again(done, &event, Life::FIRST.ended(now)).await;
        // Either there is none, or it began later by the clock of another machine.
        let refused = |n: &usize| match &results[*n] {
            Err(error) => error.status == Status::NotFound,
            Ok(()) => false,
        };
        let refused: Vec<usize> = (0..ids.len()).filter(refused).collect();
        let later = self.end_later(refused.iter().map(|n| (&ids[*n], event(&ids[*n])))).await;
        for (n, later) in refused.into_iter().zip(later) {
            match later {
                Ok(Some(end)) => {
                    last = last.max(self.end_again(std::iter::once(&ids[n]), &event, end).await);
                    results[n] = Ok(());
                }
                Ok(None) => {}
                Err(error) => results[n] = Err(error),
            }
        }
        if results.iter().any(Result::is_ok) {
            self.db.clock.pass(last).await;
        }
        results
    }

    /// Removes a container, like [`Collection::end_all`].
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn end(&self, id: &E::Id, event: Event) -> Result<()> {
        let mut ended =
            self.end_all(std::slice::from_ref(id), |_| Some(event.clone())).await.into_iter();
        ended.next().unwrap_or_else(|| Err(missing::<E>(id)))
    }

    /// Ends later what ended at a time that is long past now, unless it was added again meanwhile;
    /// returns the end, in epoch milliseconds.
    async fn end_again<'a>(
        &self,
        ids: impl Iterator<Item = &'a E::Id>,
        event: &impl Fn(&E::Id) -> Option<Event>,
        end: Life,
    ) -> Millis
    where
        E::Id: 'a,
    {
        let ids: Vec<&E::Id> = ids.collect();
        let long = after_long(&self.db.clock, end.since()).filter(|_| !ids.is_empty());
        let Some(now) = long else { return end.since() };
        let unit = |id: &&E::Id| self.rows().ended(id, event(id), Life::after(now), at_end(end));
        let ended = self.rows().commit_each(&ids, unit, |id, _| missing::<E>(id)).await;
        for failed in ended.into_iter().filter_map(Result::err) {
            if failed.status != Status::NotFound {
                tracing::warn!(error = ?failed, "What was written during a deletion stays.");
            }
        }
        now
    }

    /// Ends containers whose lives began after the call, or which were added meanwhile; returns the
    /// end of each, none if there is none.
    async fn end_later(
        &self,
        ended: impl Iterator<Item = (&E::Id, Option<Event>)>,
    ) -> Vec<Result<Option<Life>>> {
        let ended: Vec<(&E::Id, Option<Event>)> = ended.collect();
        let places: BTreeSet<_> =
            ended.iter().map(|(id, _)| (self.partition.clone(), E::place(id).0)).collect();
        if places.is_empty() {
            return vec![];
        }
        let found = match self.db.get_across_standing(E::TABLE, places, Currency::Now).await {
            Ok(found) => found,
            Err(error) => {
                let cause = format!("{error:?}");
                return ended.iter().map(|_| Err(Error::unavailable(cause.clone()))).collect();
            }
        };
        let now = self.db.clock.now();
        let mut ends = Vec::with_capacity(ended.len());
        for (id, event) in ended {
            let key = item::key(&self.partition, &E::place(id).0);
            let item = found.get(&place_of(&key)).filter(|item| item::is_there(item));
            ends.push(match item {
                Some(item) => self.end_as_read(id, event, item, now).await,
                None => Ok(None),
            });
        }
        ends
    }

    /// The end of a container that was read.
    ///
    /// # Errors
    /// ABORTED when it was changed since.
    async fn end_as_read(
        &self,
        id: &E::Id,
        event: Option<Event>,
        item: &Item,
        now: Millis,
    ) -> Result<Option<Life>> {
        let (life, version) = (lives::newest(item).ended(now), item::version(item)?);
        let unit = self.rows().ended(id, event, life, unchanged(&version))?;
        match self.db.commit(unit).await.was_executed()? {
            true => Ok(Some(life)),
            // The container was changed, or ended, since it was read.
            false => Err(Error::aborted()),
        }
    }
}

/// The condition that there is the tombstone of a container that ended then.
fn at_end(end: Life) -> Condition {
    let ended = [("#ended".to_owned(), ENDED.to_owned())];
    Condition {
        expression: "#ended = :ended".to_owned(),
        names: ended.into(),
        values: [(":ended".to_owned(), Value::N(end.since().to_string()))].into(),
    }
}

/// The condition that there is a container that began before a time, with all that is in it.
fn began(now: Millis) -> Condition {
    let mut condition = present();
    condition.names.insert("#since".to_owned(), SINCE.to_owned());
    condition.names.insert("#newest".to_owned(), NEWEST.to_owned());
    condition.values.insert(":now".to_owned(), Value::N(now.to_string()));
    condition.expression.push_str(
        " AND (attribute_not_exists(#since) OR #since < :now) \
         AND (attribute_not_exists(#newest) OR #newest < :now)",
    );
    condition
}
