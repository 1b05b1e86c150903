//! Beginnings and ends of containers: a deletion stamps the end on the tombstone, and what is added
//! over that, or over what an earlier life of the organization left, begins where it ended.

use std::collections::BTreeSet;

use aws::{Condition, Item, Value, Write};
use error::{Error, Result, Status};
use model::{Millis, OrganizationId, event::Event, life::Life};

use super::unit::{CommitOutcome, ExpectedItem, Unit, absent, present, settle, unchanged, vacant};
use crate::{
    layout::{Container, IN, SINCE, Table, item, lives, outer},
    prelude::*,
    reading::{Collection, Rows, missing},
    scopes::{ATTEMPTS, Currency, Found, back_off, place_of},
};

/// The present life of the organization in which containers are added; for organizations, the first.
#[derive(Clone, Copy, Debug)]
pub struct Within<'a> {
    /// The organization.
    pub organization: &'a OrganizationId,
    /// Its life.
    pub life: Life,
}

/// What an addition found in its place.
enum Place {
    /// Nothing.
    Vacant,
    /// A tombstone, or a container of an earlier life of the organization, of this version.
    Left { life: Life, version: String, unfinished: bool },
    /// A container.
    Taken,
}

impl<E: Container> Collection<E> {
    /// Adds containers with distinct ids; returns a result for each, in order. `checks` are the
    /// prerequisites of one, whose refusals `refused` names by their position; that of an existing
    /// container is the one behind them. `known` are items that were read in their places.
    ///
    /// What is there is read only if something is. Over what an earlier life left, the addition
    /// emits the deletion that it found unfinished.
    pub async fn begin_all(
        &self,
        entities: &[E],
        within: Within<'_>,
        known: &Found,
        checks: impl Fn(&E) -> Vec<Write>,
        refused: impl Fn(&E, usize) -> Error,
    ) -> Vec<Result<()>> {
        let mut results: Vec<Option<Result<()>>> = entities.iter().map(|_| None).collect();
        let known = entities.iter().map(|entity| self.place_in(entity, known, within.life));
        let mut places: Vec<Result<Place>> = known.collect();
        for attempt in 0..ATTEMPTS {
            let (mut units, mut members) = (Vec::new(), Vec::new());
            let open: Vec<usize> = (0..entities.len()).filter(|n| results[*n].is_none()).collect();
            let is_left = |n: &usize| matches!(places[*n], Ok(Place::Left { .. }));
            let left: Vec<usize> = open.iter().copied().filter(is_left).collect();
            let is_there = match left.is_empty() {
                true => Ok(true),
                false => self.is_in_organization().await,
            };
            for n in left {
                match &is_there {
                    Ok(true) => {}
                    Ok(false) => results[n] = Some(Err(Error::aborted())),
                    Err(error) => results[n] = Some(Err(Error::unavailable(format!("{error:?}")))),
                }
            }
            let open = open.into_iter().filter(|n| results[*n].is_none()).collect::<Vec<_>>();
            for n in open {
                let entity = &entities[n];
                let place = std::mem::replace(&mut places[n], Ok(Place::Vacant));
                let unit = place.and_then(|place| match place {
                    Place::Taken => Err(refused(entity, checks(entity).len())),
                    place => self.beginning(entity, within, &place, checks(entity)),
                });
                match unit {
                    Ok(unit) => {
                        units.push(unit);
                        members.push(n);
                    }
                    Err(error) => results[n] = Some(Err(error)),
                }
            }
            let (mut occupied, mut found) = (Vec::new(), Found::new());
            let outcomes = self.db.commit_finding(units, &mut found).await;
            for (outcome, n) in outcomes.into_iter().zip(members) {
                let entity = &entities[n];
                match outcome {
                    CommitOutcome::Refused(at) if at == checks(entity).len() => occupied.push(n),
                    outcome => results[n] = Some(settle(outcome, |at| refused(entity, at))),
                }
            }
            if occupied.is_empty() {
                break;
            }
            if attempt > 0 {
                back_off(attempt).await;
            }
            let missing = occupied.iter().filter(|n| !found.contains_key(&self.at(&entities[**n])));
            let missing = missing.map(|n| (self.partition.clone(), E::place(&entities[*n].id()).0));
            let missing: BTreeSet<_> = missing.collect();
            if !missing.is_empty() {
                let read = self.db.get_across_standing(E::TABLE, missing, Currency::Now).await;
                match read {
                    Ok(read) => found.extend(read),
                    Err(error) => {
                        let cause = format!("{error:?}");
                        for n in occupied.drain(..) {
                            results[n] = Some(Err(Error::unavailable(cause.clone())));
                        }
                    }
                }
            }
            for n in occupied {
                places[n] = self.place_in(&entities[n], &found, within.life);
            }
        }
        let results = results.into_iter();
        results.map(|result| result.unwrap_or_else(|| Err(Error::aborted()))).collect()
    }

    /// The unit that adds a container over what a read with tombstones found in its place; none if
    /// it exists.
    ///
    /// # Errors
    /// INTERNAL.
    pub fn begun(&self, entity: &E, within: Within<'_>, known: &Found) -> Result<Option<Unit>> {
        match self.place_in(entity, known, within.life)? {
            Place::Taken => Ok(None),
            place => self.beginning(entity, within, &place, vec![]).map(Some),
        }
    }

    /// Whether the organization is there: what is added over a tombstone that its deletion has left
    /// would begin after that. Read after the tombstone; a later deletion takes it along.
    async fn is_in_organization(&self) -> Result<bool> {
        let Some(outer) = outer(self.partition.as_str()) else { return Ok(true) };
        let key = item::at(&outer.tenant, &outer.sort);
        let found = self.db.read_keys(Table::Resources, vec![key], Currency::Now).await?;
        Ok(found.iter().any(item::is_there))
    }

    fn at(&self, entity: &E) -> (String, String) {
        place_of(&item::key(&self.partition, &E::place(&entity.id()).0))
    }

    /// What is in the place of an entity.
    fn place_in(&self, entity: &E, found: &Found, outer: Life) -> Result<Place> {
        let Some(item) = found.get(&self.at(entity)) else { return Ok(Place::Vacant) };
        let (life, version) = (lives::life(item), item::version(item)?);
        Ok(match item::is_there(item) {
            true if life >= outer => Place::Taken,
            unfinished => Place::Left { life: life.max(outer), version, unfinished },
        })
    }

    fn beginning(
        &self,
        entity: &E,
        within: Within<'_>,
        place: &Place,
        mut checks: Vec<Write>,
    ) -> Result<Unit> {
        let mut entity = entity.clone();
        let (life, condition, expected) = match place {
            Place::Left { life, version, .. } => (*life, unchanged(version), None),
            Place::Vacant | Place::Taken => (within.life, vacant(), Some(ExpectedItem::Absent)),
        };
        entity.begin(life);
        let is_left = matches!(place, Place::Left { unfinished: true, .. });
        let event = is_left.then(|| entity.deletion(within.organization, life));
        let mut unit = self.rows().put_if(&entity, condition, event)?;
        unit.expected = expected.filter(|_| checks.is_empty());
        checks.append(&mut unit.writes);
        unit.writes = checks;
        Ok(unit)
    }

    /// Removes containers with distinct ids; returns a result for each, in order. Their tombstones
    /// have the time at which this call began and no expiry: the clean-up that finds nothing more
    /// sets it. The call returns in a later millisecond, so that what follows it is of the next life.
    pub async fn end_all(
        &self,
        ids: &[E::Id],
        event: impl Fn(&E::Id) -> Option<Event>,
    ) -> Vec<Result<()>> {
        let now = self.db.clock.now();
        let unit =
            |id: &E::Id| self.rows().ended(id, event(id), Life::FIRST.ended(now), began(now));
        let mut results = self.rows().commit_each(ids, unit, |id, _| missing::<E>(id)).await;
        let mut last = now;
        // Either there is none, or it began later by the clock of another machine.
        let refused = |n: &usize| match &results[*n] {
            Err(error) => error.status == Status::NotFound,
            Ok(()) => false,
        };
        let refused: Vec<usize> = (0..ids.len()).filter(refused).collect();
        let later = self.end_later(refused.iter().map(|n| (&ids[*n], event(&ids[*n]))), now).await;
        for (n, later) in refused.into_iter().zip(later) {
            match later {
                Ok(Some(end)) => {
                    last = last.max(end.since());
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

    /// Ends containers whose lives began after `now`; returns the end of each, none if there is none.
    async fn end_later(
        &self,
        ended: impl Iterator<Item = (&E::Id, Option<Event>)>,
        now: Millis,
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

    async fn end_as_read(
        &self,
        id: &E::Id,
        event: Option<Event>,
        item: &Item,
        now: Millis,
    ) -> Result<Option<Life>> {
        let (life, version) = (lives::life(item).ended(now), item::version(item)?);
        let unit = self.rows().ended(id, event, life, unchanged(&version))?;
        Ok(self.db.commit(unit).await.was_executed()?.then_some(life))
    }
}

impl<E: Container> Rows<'_, E> {
    /// The unit that removes a container at the end of a life, on a condition.
    pub(crate) fn ended(
        self,
        id: &E::Id,
        event: Option<Event>,
        end: Life,
        condition: Condition,
    ) -> Result<Unit> {
        let mut unit = self.deleted(id, event, condition)?;
        if let Some(Write::Put { item, .. }) = unit.writes.first_mut() {
            lives::end(item, end);
        }
        Ok(unit)
    }

    /// A check that refuses its unit unless the container exists in this life.
    pub fn lives(self, id: &E::Id, life: Life) -> Write {
        let key = item::key(&self.0.partition, &E::place(id).0);
        Write::Check { table: E::TABLE.name(), key, condition: in_life(life) }
    }
}

/// The condition that there is no item that was added in this life of its container.
pub fn not_in(life: Life) -> Condition {
    let mut condition = absent();
    if !life.is_first() {
        condition.names.insert("#in".to_owned(), IN.to_owned());
        condition.values.insert(":in".to_owned(), Value::N(life.since().to_string()));
        condition.expression =
            format!("({} OR attribute_not_exists(#in) OR #in <> :in)", condition.expression);
    }
    condition
}

/// The condition that there is a container in this life.
pub fn in_life(life: Life) -> Condition {
    let mut condition = present();
    condition.names.insert("#since".to_owned(), SINCE.to_owned());
    let is = match life.is_first() {
        true => " AND attribute_not_exists(#since)",
        false => {
            let since = Value::N(life.since().to_string());
            condition.values.insert(":since".to_owned(), since);
            " AND #since = :since"
        }
    };
    condition.expression.push_str(is);
    condition
}

/// The condition that there is a container that began before a time.
fn began(now: Millis) -> Condition {
    let mut condition = present();
    condition.names.insert("#since".to_owned(), SINCE.to_owned());
    condition.values.insert(":now".to_owned(), Value::N(now.to_string()));
    condition.expression.push_str(" AND (attribute_not_exists(#since) OR #since < :now)");
    condition
}
