//! Changes of a collection: conditional, with events, one item or many.

use aws::{BatchWrite, Condition, Item, Write};
use error::{Error, Result};
use model::event::Event;

use super::{
    edit::Edit,
    unit::{Emitted, ExpectedItem, Unit, absent, present, settle, unchanged},
};
use crate::{
    layout::{Entity, item},
    prelude::*,
    reading::{Collection, Rows, existing, missing, new_version},
    scopes::{ATTEMPTS, Viewer, back_off},
};

impl<E: Entity> Rows<'_, E> {
    /// Entities of another kind in the same scope.
    pub fn sibling<F: Entity>(self) -> Collection<F> {
        Collection {
            db: self.0.db.clone(),
            tenant: self.0.tenant.clone(),
            partition: self.0.partition.clone(),
            entity: std::marker::PhantomData,
        }
    }
}

impl<E: Entity> Collection<E> {
    /// Adds an entity.
    ///
    /// # Errors
    /// ALREADY_EXISTS.
    pub async fn insert(&self, entity: &E, event: Option<Event>) -> Result<()> {
        let unit = self.rows().inserted(entity, event)?;
        settle(self.db.commit(unit).await, |_| existing::<E>(&entity.id()))
    }

    /// Adds entities with distinct ids; returns a result for each, in order.
    pub async fn insert_all(&self, entities: &[E]) -> Vec<Result<()>> {
        self.rows()
            .commit_each(
                entities,
                |entity| self.rows().inserted(entity, None),
                |entity, _| existing::<E>(&entity.id()),
            )
            .await
    }

    /// Writes an entity, whether it exists or not.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when it is too large.
    pub async fn put(&self, entity: &E) -> Result<()> {
        let version = new_version()?;
        let item = self.rows().encode(entity, &version)?;
        let write = Write::Put { table: E::TABLE.name(), item, condition: None };
        settle(
            self.db
                .commit(Unit { writes: vec![write], version: Some(version), ..Unit::default() })
                .await,
            |_| Error::internal("a write without a condition was refused"),
        )
    }

    /// Writes entities with distinct ids, whether they exist or not; returns a result for each.
    pub async fn put_all(&self, entities: &[E]) -> Vec<Result<()>> {
        let encoded = entities.iter().map(|entity| self.rows().encode(entity, &new_version()?));
        let encoded: Vec<Result<Item>> = encoded.collect();
        let writes = encoded.iter().filter_map(|item| item.as_ref().ok().cloned());
        let written = self.db.write_all(E::TABLE, writes.map(BatchWrite::Put).collect()).await;
        let mut written = written.into_iter();
        let results = encoded.into_iter().map(|item| match item {
            Ok(_) => written.next().unwrap_or(Ok(())),
            Err(error) => Err(error),
        });
        results.collect()
    }

    /// Reads, changes and writes one entity with its event; retries after a concurrent change.
    ///
    /// # Errors
    /// NOT_FOUND; ABORTED under contention; the errors of `change`.
    pub async fn change(
        &self,
        id: &E::Id,
        mut change: impl FnMut(&mut E) -> Result<Option<Event>> + Send,
    ) -> Result<E> {
        for attempt in 0..ATTEMPTS {
            let item = self.db.get(E::TABLE, &self.partition, &E::place(id).0).await?;
            let item = item.ok_or_else(|| missing::<E>(id))?;
            let seen = item::version(&item)?;
            self.rows().learn([&item]).await?;
            let mut entity = self.rows().visible(item)?.ok_or_else(|| missing::<E>(id))?;
            let event = change(&mut entity)?;
            let unit = self.rows().changed(&entity, &seen, event)?;
            if self.db.commit(unit).await.was_executed()? {
                return Ok(entity);
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// Like [`Collection::change`], for many entities; returns a result for each, in the order of
    /// `ids`, which are distinct. `change` gets the position of the id.
    ///
    /// # Errors
    /// UNAVAILABLE when nothing could be read.
    pub async fn change_all(
        &self,
        ids: &[E::Id],
        mut change: impl FnMut(usize, &mut E) -> Result<Option<Event>> + Send,
    ) -> Result<Vec<Result<E>>> {
        let change = |n: usize, found: Option<E>| {
            let mut entity = found.ok_or_else(|| missing::<E>(&ids[n]))?;
            let event = change(n, &mut entity)?;
            Ok(event.into_iter().fold(Edit::put(entity), Edit::emit))
        };
        self.edit_all(ids, change).await
    }

    /// Removes an entity.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn delete(&self, id: &E::Id, event: Option<Event>) -> Result<()> {
        let unit = self.rows().deleted(id, event, present())?;
        settle(self.db.commit(unit).await, |_| missing::<E>(id))
    }

    /// Removes entities with distinct ids; returns a result for each, in order.
    pub async fn delete_all(
        &self,
        ids: &[E::Id],
        event: impl Fn(&E::Id) -> Option<Event>,
    ) -> Vec<Result<()>> {
        self.rows()
            .commit_each(
                ids,
                |id| self.rows().deleted(id, event(id), present()),
                |id, _| missing::<E>(id),
            )
            .await
    }
}

impl<E: Entity> Rows<'_, E> {
    /// Executes one unit for each item. A failed unit fails alone.
    pub async fn commit_each<I>(
        self,
        items: &[I],
        unit: impl Fn(&I) -> Result<Unit>,
        refused: impl Fn(&I, usize) -> Error,
    ) -> Vec<Result<()>> {
        let mut results: Vec<Result<()>> = items.iter().map(|_| Ok(())).collect();
        let (mut units, mut members) = (Vec::new(), Vec::new());
        for (n, item) in items.iter().enumerate() {
            match unit(item) {
                Ok(unit) => {
                    units.push(unit);
                    members.push(n);
                }
                Err(error) => results[n] = Err(error),
            }
        }
        for (outcome, n) in self.0.db.commit_all(units).await.into_iter().zip(members) {
            results[n] = settle(outcome, |position| refused(&items[n], position));
        }
        results
    }

    /// The unit that adds an entity.
    pub fn inserted(self, entity: &E, event: Option<Event>) -> Result<Unit> {
        let unit = self.put_if(entity, absent(), event)?;
        Ok(Unit { expected: Some(ExpectedItem::Absent), ..unit })
    }

    /// The unit that writes an entity if its item still has the version `seen`.
    pub fn changed(self, entity: &E, seen: &str, event: Option<Event>) -> Result<Unit> {
        self.put_if(entity, unchanged(seen), event)
    }

    /// The unit that writes an entity over the item that was read, or where none was. It may share a
    /// call at the price of a single write. Not for entities with link rows.
    pub fn over(self, entity: &E, before: Option<&Item>) -> Result<Unit> {
        let Some(before) = before else { return self.inserted(entity, None) };
        let version = item::version(before)?;
        let mut unit = self.changed(entity, &version, None)?;
        if let Some(Write::Put { item, .. }) = unit.writes.first_mut() {
            item::remember(item, before, self.0.db.clock.now());
            let removed = before.keys().filter(|name| !item.contains_key(*name)).cloned();
            let removed = removed.collect();
            unit.expected = Some(ExpectedItem::Version { version, removed });
        }
        Ok(unit)
    }

    pub(super) fn put_if(
        self,
        entity: &E,
        condition: Condition,
        event: Option<Event>,
    ) -> Result<Unit> {
        let version = new_version()?;
        let item = self.encode(entity, &version)?;
        let links = self.links().linked(&item)?;
        let put = Write::Put { table: E::TABLE.name(), item, condition: Some(condition) };
        let emitted = self.emitted(event);
        Ok(Unit { writes: vec![put], emitted, version: Some(version), links, ..Unit::default() })
    }

    /// The unit that removes an entity on a condition.
    pub fn deleted(self, id: &E::Id, event: Option<Event>, condition: Condition) -> Result<Unit> {
        let key = item::key(&self.0.partition, &E::place(id).0);
        let version = new_version()?;
        let item = item::tombstone(&key, &version, self.0.db.clock.now());
        let write = Write::Put { table: E::TABLE.name(), item, condition: Some(condition) };
        let emitted = self.emitted(event);
        Ok(Unit { writes: vec![write], emitted, version: Some(version), ..Unit::default() })
    }

    /// A check that refuses its unit unless the entity exists.
    pub fn exists(self, id: &E::Id) -> Write {
        let key = item::key(&self.0.partition, &E::place(id).0);
        Write::Check { table: E::TABLE.name(), key, condition: present() }
    }

    /// Events of this scope, for a unit.
    pub fn emitted(self, events: impl IntoIterator<Item = Event>) -> Vec<Emitted> {
        let by = self.0.db.viewer.as_ref().map(Viewer::user_id);
        let emitted = |mut event| {
            if let Event::Domain(event) = &mut event {
                event.by_end_user = by.cloned();
            }
            Emitted { tenant: self.0.tenant.clone(), partition: self.0.partition.clone(), event }
        };
        events.into_iter().map(emitted).collect()
    }
}
