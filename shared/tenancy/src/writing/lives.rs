//! Beginnings of containers: a deletion stamps the end on the tombstone (`ends.rs`), and what is added
//! over that, or over what an earlier life of the organization left, begins where it ended.

use std::collections::BTreeSet;

use aws::{Condition, Failure, Item, Value, Write};
use error::{Error, Result};
use model::{OrganizationId, event::Event, life::Life};

use super::unit::{CommitOutcome, ExpectedItem, Unit, absent, present, settle, unchanged, vacant};
use crate::{
    layout::{Container, IN, NEWEST, SINCE, Table, VERSION, item, lives, outer},
    prelude::*,
    reading::{Collection, Rows, new_version},
    scopes::{ATTEMPTS, Currency, Found, back_off, place_of, report},
};

/// The present life of the organization in which containers are added; for organizations, the first.
#[derive(Clone, Copy, Debug)]
pub struct Within<'a> {
    /// The organization.
    pub organization: &'a OrganizationId,
    /// Life of the organization.
    pub life: Life,
}

/// The occupant that an addition found in its place.
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
    /// An existing item is read only if there is one. Where an earlier life left something, the
    /// addition emits the deletion that it found unfinished.
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
            let life = |n: &usize| match &places[*n] {
                Ok(Place::Left { life, .. }) => Some(*life),
                _ => None,
            };
            let left: Vec<usize> = open.iter().copied().filter(|n| life(n).is_some()).collect();
            let is_there = match left.iter().filter_map(life).max() {
                None => Ok(true),
                Some(newest) => self.reach(newest).await,
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
    pub async fn begun(
        &self,
        entity: &E,
        within: Within<'_>,
        known: &Found,
    ) -> Result<Option<Unit>> {
        let place = self.place_in(entity, known, within.life)?;
        if let Place::Left { life, .. } = place {
            // An organization that is not there is added with it.
            self.reach(life).await?;
        }
        match place {
            Place::Taken => Ok(None),
            place => self.beginning(entity, within, &place, vec![]).map(Some),
        }
    }

    /// Whether the organization is there: what is added over a tombstone that its deletion has left
    /// would begin after that. Read after the tombstone; a later deletion takes it along, also one
    /// that began before `newest`, because the organization notes that life.
    async fn reach(&self, newest: Life) -> Result<bool> {
        let Some(outer) = outer(self.partition.as_str()) else { return Ok(true) };
        for attempt in 0..ATTEMPTS {
            let key = item::at(&outer.tenant, &outer.sort);
            let found = self.db.read_keys(Table::Resources, vec![key], Currency::Now).await?;
            let Some(found) = found.into_iter().find(item::is_there) else { return Ok(false) };
            if lives::newest(&found) >= newest || self.note(newest, &found).await? {
                return Ok(true);
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// Notes the newest life in an organization as it was read; false when it was changed since.
    async fn note(&self, newest: Life, organization: &Item) -> Result<bool> {
        let unchanged = unchanged(&item::version(organization)?);
        let mut noted = organization.clone();
        noted.insert(NEWEST.to_owned(), Value::N(newest.since().to_string()));
        noted.insert(VERSION.to_owned(), Value::S(new_version()?));
        item::remember(&mut noted, organization, self.db.clock.now());
        let put = self.db.dynamo().put(Table::Resources.name(), noted, Some(unchanged));
        match put.await {
            Ok(()) => Ok(true),
            Err(Failure::Condition(_)) => Ok(false),
            Err(failure) => Err(report(failure)),
        }
    }

    fn at(&self, entity: &E) -> (String, String) {
        place_of(&item::key(&self.partition, &E::place(&entity.id()).0))
    }

    /// The occupant of the place of an entity.
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
