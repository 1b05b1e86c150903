//! Reading entities and deciding what becomes of each: written, removed or left, together with what
//! is written beside it and what is told of it.

use std::{collections::BTreeSet, sync::Arc};

use aws::{Item, Write};
use error::{Error, Result};
use model::{DocumentId, event::Event};

use crate::{
    collection::{Collection, missing, new_version},
    commit::{Fate, Unit, absent, unchanged},
    db::{ATTEMPTS, back_off},
    entity::{Entity, Table},
    item,
    key::Key,
    sequence::{self, Counters},
};

/// The writes of something beside the entity, made in the partition of the entity.
type Beside<E> = Arc<dyn Fn(&Collection<E>) -> Result<Vec<Write>> + Send + Sync>;

/// What becomes of an entity.
pub struct Edit<E> {
    entity: E,
    kind: Kind,
    events: Vec<Event>,
    beside: Vec<Beside<E>>,
    needed: Vec<Needed>,
}

/// Something that has to exist for an edit to be made.
#[derive(Clone)]
pub struct Needed {
    check: Write,
    missing: String,
}

impl Needed {
    pub(crate) fn of<E: Entity>(collection: &Collection<E>, id: &E::Id) -> Self {
        let missing = missing::<E>(id).message.into_owned();
        Self { check: collection.exists(id), missing }
    }
}

/// What an edit writes; behind `checks` it is about what is needed, in this order.
struct Prepared {
    unit: Unit,
    checks: usize,
    needed: Vec<Needed>,
}

#[derive(PartialEq, Eq)]
enum Kind {
    Put,
    Remove,
    Keep,
}

impl<E: Entity> Edit<E> {
    fn new(entity: E, kind: Kind) -> Self {
        Self { entity, kind, events: vec![], beside: vec![], needed: vec![] }
    }

    /// It is written like this.
    pub fn put(entity: E) -> Self {
        Self::new(entity, Kind::Put)
    }

    /// It is removed.
    pub fn remove(entity: E) -> Self {
        Self::new(entity, Kind::Remove)
    }

    /// It stays as it is; nothing is written, and nothing is told.
    pub fn keep(entity: E) -> Self {
        Self::new(entity, Kind::Keep)
    }

    /// Others are told of it.
    #[must_use]
    pub fn tell(mut self, event: Event) -> Self {
        self.events.push(event);
        self
    }

    /// It is made only while this exists; otherwise the answer is NOT_FOUND.
    #[must_use]
    pub fn needs(mut self, needed: Needed) -> Self {
        self.needed.push(needed);
        self
    }

    /// Something else of the same scope is written with it, whether it was there or not.
    #[must_use]
    pub fn and_put<F: Entity>(mut self, other: F) -> Self {
        self.beside.push(Arc::new(move |near| {
            let near = near.near::<F>();
            let item = near.encode(&other, &new_version()?)?;
            let mut writes = near.linked(&item);
            writes.push(Write::Put { table: F::TABLE.name(), item, condition: None });
            Ok(writes)
        }));
        self
    }

    /// Something else of the same scope is removed with it, if it is there. Not for what is found
    /// by links: those would stay.
    #[must_use]
    pub fn and_remove<F: Entity>(mut self, id: F::Id) -> Self
    where
        F::Id: 'static,
    {
        self.beside.push(Arc::new(move |near| {
            let key = item::key(&near.partition, &F::place(&id).0);
            Ok(vec![Write::Delete { table: F::TABLE.name(), key, condition: None }])
        }));
        self
    }
}

impl<E: Entity> Collection<E> {
    /// Entities of another kind in the same scope.
    pub(crate) fn near<F: Entity>(&self) -> Collection<F> {
        Collection {
            db: self.db.clone(),
            tenant: self.tenant.clone(),
            partition: self.partition.clone(),
            entity: std::marker::PhantomData,
        }
    }

    /// Reads entities, lets `edit` decide what becomes of each, and makes it so; again, when
    /// somebody else changed it meanwhile. Answers for each, in order of `ids`, which are distinct,
    /// with the entity as it was written, removed or left. `edit` gets the position of the id.
    ///
    /// `told` are the documents that events may tell of: naming them saves a call.
    ///
    /// # Errors
    /// UNAVAILABLE when nothing could be read.
    pub async fn edit_all(
        &self,
        ids: &[E::Id],
        told: &[DocumentId],
        mut edit: impl FnMut(usize, Option<E>) -> Result<Edit<E>> + Send,
    ) -> Result<Vec<Result<E>>> {
        let mut results: Vec<Option<Result<E>>> = ids.iter().map(|_| None).collect();
        for attempt in 0..ATTEMPTS {
            let open: Vec<usize> = (0..ids.len()).filter(|&n| results[n].is_none()).collect();
            if open.is_empty() {
                break;
            }
            let sorts: Vec<Key> = open.iter().map(|&n| E::place(&ids[n]).0).collect();
            let (mut found, counters) = self.read_counting(&sorts, told).await?;
            let (mut units, mut edited) = (Vec::new(), Vec::new());
            for (n, sort) in open.into_iter().zip(sorts) {
                let item = found.remove(sort.as_str());
                match self.prepare(item, |stored| edit(n, stored)) {
                    Err(error) => results[n] = Some(Err(error)),
                    Ok((None, entity)) => results[n] = Some(Ok(entity)),
                    Ok((Some(Prepared { unit, checks, needed }), entity)) => {
                        units.push(unit);
                        edited.push((n, entity, checks, needed));
                    }
                }
            }
            let fates = self.db.commit_counting(units, counters).await;
            let mut refused = false;
            for (fate, (n, entity, checks, mut needed)) in fates.into_iter().zip(edited) {
                match fate {
                    Fate::Done => results[n] = Some(Ok(entity)),
                    Fate::Refused(at) if at >= checks && at - checks < needed.len() => {
                        let Needed { missing, .. } = needed.swap_remove(at - checks);
                        results[n] = Some(Err(Error::not_found(missing)));
                    }
                    Fate::Refused(_) => refused = true,
                    Fate::Failed(error) => results[n] = Some(Err(error)),
                }
            }
            if refused {
                back_off(attempt).await;
            }
        }
        Ok(results
            .into_iter()
            .map(|result| result.unwrap_or_else(|| Err(Error::aborted())))
            .collect())
    }

    /// As [`Collection::edit_all`], for one entity.
    ///
    /// # Errors
    /// Whatever `edit` returns; ABORTED when others kept changing it.
    pub async fn edit(
        &self,
        id: &E::Id,
        told: &[DocumentId],
        mut edit: impl FnMut(Option<E>) -> Result<Edit<E>> + Send,
    ) -> Result<E> {
        let mut edited =
            self.edit_all(std::slice::from_ref(id), told, |_, found| edit(found)).await?;
        edited.pop().unwrap_or_else(|| Err(Error::aborted()))
    }

    /// The unit that makes an edit of what was found, unless it changes nothing.
    fn prepare(
        &self,
        item: Option<Item>,
        edit: impl FnOnce(Option<E>) -> Result<Edit<E>>,
    ) -> Result<(Option<Prepared>, E)> {
        let seen = item.as_ref().map(item::version).transpose()?;
        let condition = seen.as_deref().map_or_else(absent, unchanged);
        let before: BTreeSet<String> =
            item.iter().flat_map(item::links).map(str::to_owned).collect();
        let stored = item.map(|item| self.decode(item)).transpose()?;
        let Edit { entity, kind, events, beside, needed } = edit(stored)?;
        let table = E::TABLE.name();
        let mut unit = match kind {
            Kind::Keep => return Ok((None, entity)),
            Kind::Put => {
                let version = new_version()?;
                let item = self.encode(&entity, &version)?;
                let links = self.linked(&item).into_iter();
                let mut writes: Vec<Write> =
                    links.filter(|link| !is_among(link, &before)).collect();
                let after = item::links(&item);
                let gone = before.iter().filter(|link| !after.contains(link.as_str()));
                writes.extend(gone.map(|link| self.unlink(link)));
                writes.insert(0, Write::Put { table, item, condition: Some(condition) });
                Unit { writes, version: Some(version), ..Unit::default() }
            }
            // What is not there need not be removed.
            Kind::Remove if seen.is_none() => return Ok((None, entity)),
            Kind::Remove => {
                let key = item::key(&self.partition, &E::place(&entity.id()).0);
                let mut writes = vec![Write::Delete { table, key, condition: Some(condition) }];
                writes.extend(before.iter().map(|link| self.unlink(link)));
                Unit { writes, ..Unit::default() }
            }
        };
        for beside in beside {
            unit.writes.extend(beside(self)?);
        }
        unit.told = self.told(events);
        let checks = unit.writes.len();
        unit.writes.extend(needed.iter().map(|needed| needed.check.clone()));
        Ok((Some(Prepared { unit, checks, needed }), entity))
    }

    fn unlink(&self, sort: &str) -> Write {
        let key = item::named_key(&self.partition, sort);
        Write::Delete { table: E::TABLE.name(), key, condition: None }
    }

    /// Reads items by sort key, and the counters of documents with them.
    async fn read_counting(
        &self,
        sorts: &[Key],
        told: &[DocumentId],
    ) -> Result<(std::collections::HashMap<String, Item>, Counters)> {
        let counter = |document: &DocumentId| Key::of("sequence", document.as_str());
        let at = |sort: Key| (self.partition.clone(), sort);
        let counters: BTreeSet<sequence::Place> =
            told.iter().map(|document| at(counter(document))).collect();
        let mut places: BTreeSet<(Key, Key)> = sorts.iter().cloned().map(at).collect();
        let mut read = match E::TABLE {
            Table::Resources => {
                places.extend(counters.iter().cloned());
                self.db.get_across(Table::Resources, places).await?
            }
            table => self.db.get_across(table, places).await?,
        };
        let counters = match E::TABLE {
            Table::Resources => sequence::take(&mut read, counters),
            // Counted when it comes to that.
            _ => Counters::default(),
        };
        Ok((read.into_iter().map(|((_, sort), item)| (sort, item)).collect(), counters))
    }
}

fn is_among(link: &Write, links: &BTreeSet<String>) -> bool {
    let Write::Put { item, .. } = link else { return false };
    matches!(item.get(item::SK), Some(aws::Value::S(sort)) if links.contains(sort))
}
