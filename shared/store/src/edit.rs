//! Reading entities and deciding what becomes of each: written, removed or left, together with what
//! is written beside it and what is told of it.

use std::{collections::BTreeSet, sync::Arc};

use aws::{Item, Write};
use error::{Error, Result};
use model::{DocumentId, event::Event};

use crate::{
    collection::{Collection, existing, new_version},
    commit::{Fate, Unit, absent, unchanged},
    db::{ATTEMPTS, back_off},
    entity::{Entity, Table},
    item,
    key::Key,
    sequence::{self, Counters},
};

/// The writes of something beside the entity, made in the partition of the entity.
type Beside<E> = Arc<dyn Fn(&Collection<E>) -> Result<Vec<Write>> + Send + Sync>;

/// A look at something beside the entity, made in the partition of the entity.
type Check<E> = Arc<dyn Fn(&Collection<E>) -> Write + Send + Sync>;
/// Something that has to be there, and the failure when it is not.
type Need<E> = (Check<E>, fn(&str) -> Error, String);

/// What becomes of an entity.
pub struct Edit<E> {
    entity: E,
    kind: Kind,
    events: Vec<Event>,
    beside: Vec<Beside<E>>,
    needs: Vec<Need<E>>,
}

/// Writes of one edit, with room for the counter of its events.
const MAX_WRITES: usize = 96;
/// Bytes of the events of one edit; a transaction has 4 MB, and the entity may take a tenth.
const MAX_EVENT_BYTES: usize = 2_400_000;

/// An edit as it is made: a unit, unless nothing changes, and rows that did not fit into it. Such
/// a row is believed only while its target lists it: one too many does no harm. So new ones are
/// written before the unit, and old ones removed behind it.
struct Prepared<E> {
    unit: Option<Unit>,
    entity: E,
    /// Where in the unit something is needed, and the failure when it is not there.
    needs: Vec<(usize, Error)>,
    early: Vec<Write>,
    late: Vec<Write>,
}

impl<E> Prepared<E> {
    fn nothing(entity: E) -> Self {
        Self { unit: None, entity, needs: vec![], early: vec![], late: vec![] }
    }
}

#[derive(PartialEq, Eq)]
enum Kind {
    Put,
    Remove,
    Keep,
}

impl<E: Entity> Edit<E> {
    fn new(entity: E, kind: Kind) -> Self {
        Self { entity, kind, events: vec![], beside: vec![], needs: vec![] }
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

    /// Something else of the same scope has to be there, or nothing is written: NOT_FOUND.
    #[must_use]
    pub fn requires<F: Entity>(mut self, id: &F::Id) -> Self
    where
        F::Id: 'static,
    {
        let (shown, id) = (F::shown(id).to_owned(), id.clone());
        let check: Check<E> = Arc::new(move |near| near.near::<F>().exists(&id));
        let failure = |shown: &str| Error::not_found(format!("There is no {} {shown}.", F::NOUN));
        self.needs.push((check, failure, shown));
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
            let mut prepared = Vec::new();
            for (n, sort) in open.into_iter().zip(sorts) {
                let item = found.remove(sort.as_str());
                match self.prepare(item, |stored| edit(n, stored)) {
                    Err(error) => results[n] = Some(Err(error)),
                    Ok(one) if one.unit.is_none() => results[n] = Some(Ok(one.entity)),
                    Ok(one) => prepared.push((n, one)),
                }
            }
            let mut refused = false;
            for (n, result) in self.make(prepared, counters).await {
                refused |= result.is_none();
                results[n] = result;
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

    /// Adds entities with distinct ids, with what is written beside them and told of them;
    /// answers for each, in order. Nothing is read for it but the counters of events.
    pub async fn create_all(&self, edits: Vec<Edit<E>>) -> Vec<Result<E>> {
        let mut results: Vec<Option<Result<E>>> = edits.iter().map(|_| None).collect();
        let (mut prepared, mut ids) = (Vec::new(), Vec::new());
        for (n, edit) in edits.into_iter().enumerate() {
            ids.push(edit.entity.id());
            match self.prepare(None, |_| Ok(edit)) {
                Err(error) => results[n] = Some(Err(error)),
                Ok(one) if one.unit.is_none() => results[n] = Some(Ok(one.entity)),
                Ok(one) => prepared.push((n, one)),
            }
        }
        for (n, result) in self.make(prepared, Counters::default()).await {
            results[n] = Some(result.unwrap_or_else(|| Err(existing::<E>(&ids[n]))));
        }
        let made = results.into_iter();
        made.map(|result| result.unwrap_or_else(|| Err(Error::aborted()))).collect()
    }

    /// Makes edits; answers for each, with nothing where somebody else changed the entity.
    async fn make(
        &self,
        mut prepared: Vec<(usize, Prepared<E>)>,
        counters: Counters,
    ) -> Vec<(usize, Option<Result<E>>)> {
        let mut results = Vec::new();
        let (mut units, mut ready) = (Vec::new(), Vec::new());
        for (n, one) in &mut prepared {
            match self.write_links(std::mem::take(&mut one.early)).await {
                Err(error) => results.push((*n, Some(Err(error)))),
                Ok(()) => {
                    units.extend(one.unit.take());
                    ready.push(*n);
                }
            }
        }
        prepared.retain(|(n, _)| ready.contains(n));
        let fates = self.db.commit_counting(units, counters).await;
        for (fate, (n, one)) in fates.into_iter().zip(prepared) {
            let result = match fate {
                Fate::Done => {
                    // What stays is not believed any more, and goes with the next removal.
                    let _ = self.write_links(one.late).await;
                    Some(Ok(one.entity))
                }
                Fate::Refused(at) => {
                    let need = one.needs.into_iter().find(|(position, _)| *position == at);
                    need.map(|(_, error)| Err(error))
                }
                Fate::Failed(error) => Some(Err(error)),
            };
            results.push((n, result));
        }
        results
    }

    async fn write_links(&self, links: Vec<Write>) -> Result<()> {
        if links.is_empty() {
            return Ok(());
        }
        let units = links.chunks(MAX_WRITES);
        let units = units.map(|links| Unit { writes: links.to_vec(), ..Unit::default() });
        let mut fates = self.db.commit_all(units.collect()).await.into_iter();
        fates.try_for_each(|fate| crate::commit::settle(fate, |_| Error::aborted()))
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

    /// What makes an edit of what was found.
    fn prepare(
        &self,
        item: Option<Item>,
        edit: impl FnOnce(Option<E>) -> Result<Edit<E>>,
    ) -> Result<Prepared<E>> {
        let seen = item.as_ref().map(item::version).transpose()?;
        let condition = seen.as_deref().map_or_else(absent, unchanged);
        let before: BTreeSet<String> = item.iter().flat_map(item::links).collect();
        let stored = item.map(|item| self.decode(item)).transpose()?;
        let Edit { entity, kind, mut events, beside, needs } = edit(stored)?;
        let table = E::TABLE.name();
        let (first, version, mut early, mut late) = match kind {
            Kind::Keep => return Ok(Prepared::nothing(entity)),
            Kind::Put => {
                let version = new_version()?;
                let item = self.encode(&entity, &version)?;
                let links = self.linked(&item).into_iter();
                // A row that expires goes on with what it leads to.
                let renewed = entity.expires().is_some();
                let new = links.filter(|link| renewed || !is_among(link, &before)).collect();
                let after = item::links(&item);
                let gone = before.iter().filter(|link| !after.contains(link.as_str()));
                let gone = gone.map(|link| self.unlink(link)).collect();
                let put = Write::Put { table, item, condition: Some(condition) };
                (put, Some(version), new, gone)
            }
            // What is not there need not be removed.
            Kind::Remove if seen.is_none() => return Ok(Prepared::nothing(entity)),
            Kind::Remove => {
                let key = item::key(&self.partition, &E::place(&entity.id()).0);
                let delete = Write::Delete { table, key, condition: Some(condition) };
                let gone = before.iter().map(|link| self.unlink(link)).collect();
                (delete, None, Vec::new(), gone)
            }
        };
        let mut unit = Unit { writes: vec![first], version, ..Unit::default() };
        for beside in beside {
            unit.writes.extend(beside(self)?);
        }
        let mut failures = Vec::new();
        for (check, failure, shown) in needs {
            failures.push((unit.writes.len(), failure(&shown)));
            unit.writes.push(check(self));
        }
        let mut room = MAX_WRITES.saturating_sub(unit.writes.len() + events.len());
        for links in [&mut early, &mut late] {
            let fitting = room.min(links.len());
            unit.writes.extend(links.drain(..fitting));
            room -= fitting;
        }
        let share = MAX_EVENT_BYTES / events.len().max(1);
        events.iter_mut().filter(|event| event.size() > share).for_each(Event::truncate);
        unit.told = self.told(events);
        Ok(Prepared { unit: Some(unit), entity, needs: failures, early, late })
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
