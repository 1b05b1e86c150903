//! Reading entities and deciding about each: written, removed or left, with further writes and
//! events.

use std::sync::Arc;

use aws::{Item, Write};
use error::{Error, Result};
use model::{DocumentId, Millis, event::Event};

use super::{
    stamp::{is_stamped, keep_age},
    strays,
    unit::{CommitOutcome, ExpectedItem, Unit, absent, unchanged},
};
use crate::{
    layout::{Entity, Key, item, listed},
    prelude::*,
    reading::{Collection, missing, new_version},
    scopes::{ATTEMPTS, Containers, Currency, WithContainers, back_off},
};

/// Further writes, in the partition of the entity.
type FurtherWrites<E> = Arc<dyn Fn(&Collection<E>) -> Result<Vec<Write>> + Send + Sync>;

/// A prerequisite: a container of the same scope.
pub(super) struct Need {
    sort: Key,
    /// The error when it is missing.
    missing: Error,
}

/// The decision about an entity.
pub struct Edit<E> {
    pub(super) entity: E,
    kind: Kind,
    /// Whether it keeps nothing of what was there.
    is_anew: bool,
    events: Vec<Event>,
    further: Vec<FurtherWrites<E>>,
    needs: Vec<Need>,
    /// Documents to list before it, whatever its outcome.
    listings: Vec<(DocumentId, Millis)>,
}

/// Link rows removed together with the change of their item.
pub(super) const MAX_REMOVED: usize = 30;

/// Size of the events of one edit: they have to fit into the item that carries them.
const MAX_EVENT_BYTES: usize = 300_000;

/// An edit as a unit, unless nothing changes.
pub(super) struct Prepared<E> {
    /// Position among the edits of a call.
    pub(super) position: usize,
    pub(super) unit: Option<Unit>,
    pub(super) entity: E,
    pub(super) needs: Vec<Need>,
}

/// The outcome of a prepared edit.
pub(super) struct Executed<E> {
    pub(super) position: usize,
    /// None after a concurrent change.
    pub(super) result: Option<Result<E>>,
    /// The link rows that were written, if it is not executed.
    pub(super) strays: Vec<Item>,
}

#[derive(PartialEq, Eq)]
enum Kind {
    Put,
    Remove,
    Keep,
}

impl<E: Entity> Edit<E> {
    fn new(entity: E, kind: Kind) -> Self {
        let (events, further, needs, listings) = (vec![], vec![], vec![], vec![]);
        Self { entity, kind, is_anew: false, events, further, needs, listings }
    }

    /// Writes the entity. Over another one it is as old as that, of which it keeps a part: it ends
    /// with what that was in.
    pub fn put(entity: E) -> Self {
        Self::new(entity, Kind::Put)
    }

    /// Writes the entity, and keeps nothing of what was there.
    pub fn anew(entity: E) -> Self {
        Self { is_anew: true, ..Self::put(entity) }
    }

    /// Deletes the entity.
    pub fn remove(entity: E) -> Self {
        Self::new(entity, Kind::Remove)
    }

    /// Leaves the entity; nothing is written, and there is no event.
    pub fn keep(entity: E) -> Self {
        Self::new(entity, Kind::Keep)
    }

    /// The entity to write, for adjustment; none without a write.
    pub fn written(&mut self) -> Option<&mut E> {
        (self.kind == Kind::Put).then_some(&mut self.entity)
    }

    /// Adds an event.
    #[must_use]
    pub fn emit(mut self, event: Event) -> Self {
        self.events.push(event);
        self
    }

    /// Lists a document in the partition of the scope, before the write and whatever its outcome.
    #[must_use]
    pub fn listing(mut self, document: &DocumentId, now: Millis) -> Self {
        self.listings.push((document.clone(), now));
        self
    }

    /// Requires a container of the same scope, in the present life of the organization, otherwise
    /// NOT_FOUND. It is read with the entity; if it is deleted before the write, the item is of no
    /// later life and is removed by clean-up.
    #[must_use]
    pub fn requires<F: Entity>(mut self, id: &F::Id) -> Self
    where
        F::Id: 'static,
    {
        self.needs.push(Need { sort: F::place(id).0, missing: missing::<F>(id) });
        self
    }

    /// Writes another entity of the same scope as well, whether it exists or not.
    #[must_use]
    pub fn and_put<F: Entity>(mut self, other: F) -> Self {
        self.further.push(Arc::new(move |sibling| {
            let sibling = sibling.rows().sibling::<F>();
            let item = sibling.rows().encode(&other, &new_version()?)?;
            let put = |item| Write::Put { table: F::TABLE.name(), item, condition: None };
            Ok(sibling.rows().links().linked(&item)?.into_iter().chain([item]).map(put).collect())
        }));
        self
    }

    /// Writes another existing entity of the same scope as well. Its link rows stay unchanged.
    #[must_use]
    pub fn and_replace<F: Entity>(mut self, other: F) -> Self {
        self.further.push(Arc::new(move |sibling| {
            let item = sibling.rows().sibling::<F>().rows().encode(&other, &new_version()?)?;
            Ok(vec![Write::Put { table: F::TABLE.name(), item, condition: None }])
        }));
        self
    }

    /// Removes another entity of the same scope as well, if it exists. Not for entities with link
    /// rows, which would remain.
    #[must_use]
    pub fn and_remove<F: Entity>(mut self, id: F::Id) -> Self
    where
        F::Id: 'static,
    {
        self.further.push(Arc::new(move |sibling| {
            let key = item::key(&sibling.partition, &F::place(&id).0);
            Ok(vec![Write::Delete { table: F::TABLE.name(), key, condition: None }])
        }));
        self
    }
}

impl<E: Entity> Collection<E> {
    /// Reads entities, lets `edit` decide about each, and executes that; retries after a concurrent
    /// change. Returns a result for each, in the order of `ids`, which are distinct, with the
    /// entity as it was written, removed or left. `edit` gets the position of the id.
    ///
    /// # Errors
    /// UNAVAILABLE when nothing could be read.
    pub async fn edit_all(
        &self,
        ids: &[E::Id],
        mut edit: impl FnMut(usize, Option<E>) -> Result<Edit<E>> + Send,
    ) -> Result<Vec<Result<E>>> {
        let mut results: Vec<Option<Result<E>>> = ids.iter().map(|_| None).collect();
        let mut strays: Vec<Vec<Item>> = ids.iter().map(|_| vec![]).collect();
        for attempt in 0..ATTEMPTS {
            let open: Vec<usize> = (0..ids.len()).filter(|&n| results[n].is_none()).collect();
            if open.is_empty() {
                break;
            }
            let sorts: Vec<Key> = open.iter().map(|&n| E::place(&ids[n]).0).collect();
            let WithContainers { mut items, mut containers } =
                self.db.get_beside(E::TABLE, &self.partition, texts(&sorts), Currency::Now).await?;
            self.rows().learn(items.values()).await?;
            let mut prepared = Vec::new();
            for (n, sort) in open.into_iter().zip(sorts) {
                let item = items.remove(sort.as_str()).filter(item::is_there);
                let is_present = item.as_ref().is_some_and(|item| containers.admits(item));
                match self.prepare(n, item, is_present, |stored| edit(n, stored)) {
                    Err(error) => results[n] = Some(Err(error)),
                    Ok(edit) if edit.unit.is_none() => results[n] = Some(Ok(edit.entity)),
                    Ok(mut edit) => {
                        if let Some(unit) = edit.unit.as_mut().filter(|_| !strays[n].is_empty()) {
                            self.without_strays(unit, &strays[n])?;
                        }
                        prepared.push(edit);
                    }
                }
            }
            let mut refused = false;
            for executed in self.execute(prepared, &mut containers).await {
                refused |= executed.result.is_none();
                let n = executed.position;
                results[n] = executed.result;
                strays[n].extend(executed.strays);
            }
            if refused {
                back_off(attempt).await;
            }
        }
        for (n, rows) in strays.into_iter().enumerate() {
            if !matches!(results[n], Some(Ok(_))) {
                self.remove_strays(&E::place(&ids[n]).0, rows).await;
            }
        }
        Ok(results
            .into_iter()
            .map(|result| result.unwrap_or_else(|| Err(Error::aborted())))
            .collect())
    }

    /// Executes edits; returns the outcome of each.
    pub(super) async fn execute(
        &self,
        mut prepared: Vec<Prepared<E>>,
        containers: &mut Containers,
    ) -> Vec<Executed<E>> {
        let mut executed = self.placed(&mut prepared, containers).await;
        let units: Vec<Unit> = prepared.iter_mut().filter_map(|edit| edit.unit.take()).collect();
        let rows: Vec<Vec<Item>> = units.iter().map(strays::rows_of).collect();
        let outcomes = self.db.commit_all(units).await.into_iter().zip(rows);
        executed.extend(outcomes.zip(prepared).map(|((outcome, rows), edit)| {
            let (result, strays) = match outcome {
                CommitOutcome::Done => (Some(Ok(edit.entity)), vec![]),
                CommitOutcome::Refused(_) => (None, rows),
                CommitOutcome::Failed(error) => (Some(Err(error)), rows),
            };
            Executed { position: edit.position, result, strays }
        }));
        executed
    }

    /// Stamps edits with the lives of their containers, which are read unless they were with the
    /// entities. Removes edits with a missing prerequisite, which fail.
    async fn placed(
        &self,
        prepared: &mut Vec<Prepared<E>>,
        containers: &mut Containers,
    ) -> Vec<Executed<E>> {
        let scope = self.partition.as_str();
        let new = prepared.iter().filter_map(|edit| match edit.unit.as_ref()?.writes.first()? {
            Write::Put { item, .. } if is_stamped(item) => Some(item),
            _ => None,
        });
        let mut wanted = containers.wanted_by(new);
        let needs = prepared.iter().flat_map(|edit| &edit.needs);
        wanted.extend(containers.wanted_for(scope, needs.map(|need| need.sort.as_str())));
        if let Err(error) = self.db.ask(containers, wanted, Currency::Now).await {
            let cause = format!("{error:?}");
            let failed = |edit: Prepared<E>| {
                let result = Some(Err(Error::unavailable(cause.clone())));
                Executed { position: edit.position, result, strays: vec![] }
            };
            return prepared.drain(..).map(failed).collect();
        }
        let viewer = self.db.viewer.as_ref();
        let is_late =
            |unit: &Unit| unit.is_overtaken(containers, viewer) || unit.is_orphan(containers);
        let mut failed = Vec::new();
        prepared.retain_mut(|edit| {
            if let Some(unit) = &mut edit.unit {
                unit.stamp(containers, self.db.counts_from());
            }
            let is_missing = |need: &Need| !containers.named(scope, need.sort.as_str()).is_there();
            let missing = edit.needs.iter().position(is_missing);
            let error = match missing.map(|at| edit.needs.remove(at).missing) {
                Some(missing) => missing,
                // The container that the call has seen is gone.
                None if edit.unit.as_ref().is_some_and(is_late) => Error::aborted(),
                None => return true,
            };
            let result = Some(Err(error));
            failed.push(Executed { position: edit.position, result, strays: vec![] });
            false
        });
        failed
    }

    /// Like [`Collection::edit_all`], for one entity.
    ///
    /// # Errors
    /// The errors of `edit`; ABORTED under contention.
    pub async fn edit(
        &self,
        id: &E::Id,
        mut edit: impl FnMut(Option<E>) -> Result<Edit<E>> + Send,
    ) -> Result<E> {
        let mut edited = self.edit_all(std::slice::from_ref(id), |_, found| edit(found)).await?;
        edited.pop().unwrap_or_else(|| Err(Error::aborted()))
    }

    /// Turns the read state into an edit. An item that is not of the present life is absent for the
    /// edit, and is replaced.
    pub(super) fn prepare(
        &self,
        position: usize,
        item: Option<Item>,
        is_present: bool,
        edit: impl FnOnce(Option<E>) -> Result<Edit<E>>,
    ) -> Result<Prepared<E>> {
        let seen = item.as_ref().map(item::version).transpose()?;
        let condition = Some(seen.as_deref().map_or_else(absent, unchanged));
        let before = item.clone().unwrap_or_default();
        let item = item.filter(|_| is_present);
        let stored = item.map_or(Ok(None), |item| self.rows().visible(item))?;
        let is_known = stored.is_some();
        let Edit { entity, kind, is_anew, mut events, further, needs, listings } = edit(stored)?;
        let (table, now) = (E::TABLE.name(), self.db.clock.now());
        let is_removed = kind == Kind::Remove;
        let version = new_version()?;
        let nothing = |entity| Prepared { position, unit: None, entity, needs: vec![] };
        let mut item = match kind {
            Kind::Keep => return Ok(nothing(entity)),
            // A missing item need not be removed.
            Kind::Remove if seen.is_none() => return Ok(nothing(entity)),
            Kind::Put => self.rows().encode(&entity, &version)?,
            Kind::Remove => {
                let key = item::key(&self.partition, &E::place(&entity.id()).0);
                item::tombstone(&key, &version, now)
            }
        };
        item::remember(&mut item, &before, now);
        if is_known && kind == Kind::Put && !is_anew {
            keep_age(&mut item, &before);
        }
        let (mut links, removed_links) =
            self.changed_links(&before, &item, entity.expires().is_some())?;
        links.extend(listings.iter().map(|(document, at)| listed(&self.partition, document, *at)));
        let expected = match seen {
            None => ExpectedItem::Absent,
            Some(version) => {
                let removed = before.keys().filter(|name| !item.contains_key(*name));
                ExpectedItem::Version { version, removed: removed.cloned().collect() }
            }
        };
        let mut unit = Unit { version: Some(version), links, ..Unit::default() };
        unit.writes.push(Write::Put { table, item, condition });
        // With the item: a change that lists such a row again has read this one, and writes the row
        // after it. Others go behind it with a removed item; those of one that stays are ignored.
        let mut removed = removed_links.into_iter();
        let with_it = removed.by_ref().take(MAX_REMOVED);
        unit.writes.extend(with_it.map(|key| Write::Delete { table, key, condition: None }));
        if is_removed {
            unit.surplus = removed.collect();
        }
        for further in further {
            unit.writes.extend(further(self)?);
        }
        let share = MAX_EVENT_BYTES / events.len().max(1);
        events.iter_mut().filter(|event| event.size() > share).for_each(Event::truncate);
        unit.emitted = self.rows().emitted(events);
        unit.expected = Some(expected).filter(|_| unit.writes.len() == 1);
        Ok(Prepared { position, unit: Some(unit), entity, needs })
    }

    /// The changed link rows of an item: new ones, and the keys of old ones.
    pub(super) fn changed_links(
        &self,
        before: &Item,
        after: &Item,
        expires: bool,
    ) -> Result<(Vec<Item>, Vec<Item>)> {
        let (old, new) =
            (self.rows().links().links_of(before)?, self.rows().links().links_of(after)?);
        let is_new = |row: &Item| match row.get(item::SK) {
            Some(aws::Value::S(sort)) => !old.contains(sort),
            _ => false,
        };
        // The expiry of a link row follows its target.
        let added =
            self.rows().links().linked(after)?.into_iter().filter(|row| expires || is_new(row));
        let removed = old.difference(&new).map(|sort| item::named_key(&self.partition, sort));
        Ok((added.collect(), removed.collect()))
    }
}

pub(super) fn texts(sorts: &[Key]) -> Vec<String> {
    sorts.iter().map(|sort| sort.as_str().to_owned()).collect()
}
