//! All entities of one kind in one scope, and what can be done with them.

use std::{collections::BTreeMap, marker::PhantomData};

use aws::{BatchWrite, Condition, Item, Query, Value, Write};
use error::{Error, Result};
use model::event::Event;

use crate::{
    commit::{Fate, Unit, absent, present, settle, unchanged},
    db::{ATTEMPTS, Db, back_off},
    entity::Entity,
    event, item,
    key::Key,
    page::{Page, Paged},
    scope::TenantRef,
};

/// Entities of one kind in one scope.
pub struct Collection<E> {
    pub(crate) db: Db,
    pub(crate) tenant: TenantRef,
    pub(crate) partition: Key,
    pub(crate) entity: PhantomData<fn() -> E>,
}

/// Bytes of items in one page; a reply of a function may have 6 MB.
pub(crate) const MAX_PAGE_BYTES: usize = 3_000_000;
/// Calls one page may take.
const MAX_ROUNDS: usize = 100;

impl<E: Entity> Collection<E> {
    /// The entity.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn get(&self, id: &E::Id) -> Result<E> {
        self.find(id).await?.ok_or_else(|| missing::<E>(id))
    }

    /// The entity, if there is one.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn find(&self, id: &E::Id) -> Result<Option<E>> {
        let found = self.db.get(E::TABLE, &self.partition, &E::place(id).0).await?;
        found.map(|item| self.decode(item)).transpose()
    }

    /// Those of the entities that exist, by id.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn find_all(
        &self,
        ids: impl IntoIterator<Item = E::Id>,
    ) -> Result<BTreeMap<E::Id, E>> {
        let ids: Vec<E::Id> = ids.into_iter().collect();
        if let [id] = ids.as_slice() {
            return Ok(self
                .find(id)
                .await?
                .map(|entity| (id.clone(), entity))
                .into_iter()
                .collect());
        }
        let items = self.read(&ids).await?;
        items.into_iter().map(|(id, item)| Ok((id, self.decode(item)?))).collect()
    }

    async fn read(&self, ids: &[E::Id]) -> Result<BTreeMap<E::Id, Item>> {
        let sorts = ids.iter().map(|id| E::place(id).0);
        let mut items = self.db.get_all(E::TABLE, &self.partition, sorts).await?;
        let mut by_id = BTreeMap::new();
        for id in ids {
            if let Some(item) = items.remove(E::place(id).0.as_str()) {
                by_id.insert(id.clone(), item);
            }
        }
        Ok(by_id)
    }

    /// One page of all entities of this kind, in the order of their ids.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list(&self, page: &Page) -> Result<Paged<E>> {
        self.page(self.under(format!("{}#", E::KIND)), page).await
    }

    /// One page of those of the entities that exist, in the order of their ids.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_of(
        &self,
        ids: impl IntoIterator<Item = E::Id>,
        page: &Page,
    ) -> Result<Paged<E>> {
        let after = page.cursor.as_deref().and_then(<[String]>::first);
        let is_left = |id: &E::Id| after.is_none_or(|after| E::shown(id) > after.as_str());
        let found = self.find_all(ids.into_iter().filter(is_left)).await?;
        let more = found.len() > page.limit;
        let next = match found.keys().take(page.limit).last() {
            Some(last) if more => Some(page.token(&[E::shown(last)])?),
            _ => None,
        };
        Ok(Paged { items: found.into_values().take(page.limit).collect(), next })
    }

    /// The query of all sort keys with a beginning.
    pub(crate) fn under(&self, prefix: String) -> Query {
        Query {
            table: E::TABLE.name(),
            index: None,
            partition: (item::PK, self.partition.as_str().to_owned()),
            prefix: Some((item::SK, prefix)),
            up_to: None,
            start: None,
            limit: 0,
            ascending: true,
            only: vec![],
        }
    }

    /// The query of the index partition `group`, for entities of this kind.
    pub(crate) fn indexed(&self, group: &Key) -> Query {
        Query {
            index: Some(item::INDEX),
            partition: (item::INDEX_PK, self.partition.join(group).into()),
            prefix: Some((item::INDEX_SK, format!("{}#", E::KIND))),
            ..self.under(String::new())
        }
    }

    pub(crate) async fn page(&self, query: Query, page: &Page) -> Result<Paged<E>> {
        let start = page.cursor.as_deref().map(|cursor| start_key(&query, cursor)).transpose()?;
        let (items, more) = self.fetch(Query { start, ..query }, page.limit).await?;
        let next = match items.last() {
            Some(last) if more => Some(page.token(&cursor(last))?),
            _ => None,
        };
        let items = items.into_iter().map(|item| self.decode(item)).collect::<Result<_>>()?;
        Ok(Paged { items, next })
    }

    /// Up to `limit` items, and whether there are more: one item more is read than wanted, so
    /// that the last page knows itself.
    pub(crate) async fn fetch(&self, mut query: Query, limit: usize) -> Result<(Vec<Item>, bool)> {
        let mut items: Vec<Item> = Vec::new();
        let mut bytes = 0;
        for _ in 0..MAX_ROUNDS {
            let wanted = limit + 1 - items.len();
            query.limit = i32::try_from(wanted).unwrap_or(i32::MAX);
            let found = self.db.query(query.clone()).await?;
            bytes += found.items.iter().map(item::size).sum::<usize>();
            items.extend(found.items);
            let more = items.len() > limit;
            items.truncate(limit);
            match found.next {
                _ if more => return Ok((items, true)),
                None => return Ok((items, false)),
                Some(_) if bytes > MAX_PAGE_BYTES && !items.is_empty() => return Ok((items, true)),
                next => query.start = next,
            }
        }
        Ok((items, true))
    }

    /// Every entity a query finds.
    pub(crate) async fn all(&self, query: Query, limit: usize) -> Result<Vec<E>> {
        let items = self.all_items(query, limit).await?;
        items.into_iter().map(|item| self.decode(item)).collect()
    }

    pub(crate) async fn all_items(&self, query: Query, limit: usize) -> Result<Vec<Item>> {
        let (mut items, mut start) = (Vec::new(), query.start.clone());
        loop {
            let found = self.db.query(Query { start, limit: 1000, ..query.clone() }).await?;
            items.extend(found.items);
            if items.len() > limit {
                let noun = E::NOUN;
                let message = format!("There are more than {limit} {noun}s; ask for fewer.");
                return Err(Error::exhausted(message));
            }
            start = found.next;
            if start.is_none() {
                return Ok(items);
            }
        }
    }

    /// Adds an entity.
    ///
    /// # Errors
    /// ALREADY_EXISTS.
    pub async fn insert(&self, entity: &E, event: Option<Event>) -> Result<()> {
        let unit = self.inserted(entity, event)?;
        settle(self.db.commit(unit).await, |_| existing::<E>(&entity.id()))
    }

    /// Adds entities with distinct ids; answers for each, in order.
    pub async fn insert_all(&self, entities: &[E]) -> Vec<Result<()>> {
        self.commit_each(
            entities,
            |entity| self.inserted(entity, None),
            |entity, _| existing::<E>(&entity.id()),
        )
        .await
    }

    /// Writes an entity, whether it was there or not.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when it is too large.
    pub async fn put(&self, entity: &E) -> Result<()> {
        let version = new_version()?;
        let item = self.encode(entity, &version)?;
        let write = Write::Put { table: E::TABLE.name(), item, condition: None };
        settle(self.db.commit(Unit { writes: vec![write], version: Some(version) }).await, |_| {
            Error::internal("a write without a condition was refused")
        })
    }

    /// Writes entities with distinct ids, whether they were there or not; answers for each.
    pub async fn put_all(&self, entities: &[E]) -> Vec<Result<()>> {
        let encoded = entities.iter().map(|entity| self.encode(entity, &new_version()?));
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

    /// Reads, changes and writes back one entity together with the event that tells of it; does
    /// so again when somebody else changed it meanwhile.
    ///
    /// # Errors
    /// NOT_FOUND; ABORTED when others kept changing it; whatever `change` returns.
    pub async fn change(
        &self,
        id: &E::Id,
        mut change: impl FnMut(&mut E) -> Result<Option<Event>> + Send,
    ) -> Result<E> {
        for attempt in 0..ATTEMPTS {
            let item = self.db.get(E::TABLE, &self.partition, &E::place(id).0).await?;
            let item = item.ok_or_else(|| missing::<E>(id))?;
            let seen = item::version(&item)?;
            let mut entity = self.decode(item)?;
            let event = change(&mut entity)?;
            let unit = self.changed(&entity, &seen, event)?;
            match self.db.commit(unit).await {
                Fate::Done => return Ok(entity),
                Fate::Refused(_) => back_off(attempt).await,
                Fate::Failed(error) => return Err(error),
            }
        }
        Err(Error::aborted())
    }

    /// As [`Collection::change`], for many entities at once; answers for each, in order of `ids`,
    /// which are distinct. `change` gets the position of the id.
    ///
    /// # Errors
    /// UNAVAILABLE when nothing could be read.
    pub async fn change_all(
        &self,
        ids: &[E::Id],
        mut change: impl FnMut(usize, &mut E) -> Result<Option<Event>> + Send,
    ) -> Result<Vec<Result<E>>> {
        let mut results: Vec<Option<Result<E>>> = ids.iter().map(|_| None).collect();
        for attempt in 0..ATTEMPTS {
            let open: Vec<usize> = (0..ids.len()).filter(|&n| results[n].is_none()).collect();
            if open.is_empty() {
                break;
            }
            let wanted: Vec<E::Id> = open.iter().map(|&n| ids[n].clone()).collect();
            let mut found = self.read(&wanted).await?;
            let (mut units, mut changed) = (Vec::new(), Vec::new());
            for n in open {
                let Some(item) = found.remove(&ids[n]) else {
                    results[n] = Some(Err(missing::<E>(&ids[n])));
                    continue;
                };
                let prepared = (|| {
                    let seen = item::version(&item)?;
                    let mut entity = self.decode(item)?;
                    let event = change(n, &mut entity)?;
                    Ok((self.changed(&entity, &seen, event)?, entity))
                })();
                match prepared {
                    Err(error) => results[n] = Some(Err(error)),
                    Ok((unit, entity)) => {
                        units.push(unit);
                        changed.push((n, entity));
                    }
                }
            }
            let fates = self.db.commit_all(units).await;
            let mut refused = false;
            for (fate, (n, entity)) in fates.into_iter().zip(changed) {
                match fate {
                    Fate::Done => results[n] = Some(Ok(entity)),
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

    /// Removes an entity.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn delete(&self, id: &E::Id, event: Option<Event>) -> Result<()> {
        let unit = self.deleted(id, event, present())?;
        settle(self.db.commit(unit).await, |_| missing::<E>(id))
    }

    /// Removes entities with distinct ids; answers for each, in order.
    pub async fn delete_all(
        &self,
        ids: &[E::Id],
        event: impl Fn(&E::Id) -> Option<Event>,
    ) -> Vec<Result<()>> {
        self.commit_each(ids, |id| self.deleted(id, event(id), present()), |id, _| missing::<E>(id))
            .await
    }

    /// Makes one unit for each item. A unit that cannot be made fails alone.
    pub(crate) async fn commit_each<I>(
        &self,
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
        for (fate, n) in self.db.commit_all(units).await.into_iter().zip(members) {
            results[n] = settle(fate, |position| refused(&items[n], position));
        }
        results
    }

    pub(crate) fn inserted(&self, entity: &E, event: Option<Event>) -> Result<Unit> {
        self.written(entity, absent(), event)
    }

    pub(crate) fn changed(&self, entity: &E, seen: &str, event: Option<Event>) -> Result<Unit> {
        self.written(entity, unchanged(seen), event)
    }

    fn written(&self, entity: &E, condition: Condition, event: Option<Event>) -> Result<Unit> {
        let version = new_version()?;
        let item = self.encode(entity, &version)?;
        let mut writes =
            vec![Write::Put { table: E::TABLE.name(), item, condition: Some(condition) }];
        writes.extend(self.outbox(event)?);
        Ok(Unit { writes, version: Some(version) })
    }

    pub(crate) fn deleted(
        &self,
        id: &E::Id,
        event: Option<Event>,
        condition: Condition,
    ) -> Result<Unit> {
        let key = item::key(&self.partition, &E::place(id).0);
        let mut writes =
            vec![Write::Delete { table: E::TABLE.name(), key, condition: Some(condition) }];
        writes.extend(self.outbox(event)?);
        Ok(Unit { writes, version: None })
    }

    /// A step that lets its unit be refused unless the entity exists.
    pub(crate) fn exists(&self, id: &E::Id) -> Write {
        let key = item::key(&self.partition, &E::place(id).0);
        Write::Check { table: E::TABLE.name(), key, condition: present() }
    }

    fn outbox(&self, event: Option<Event>) -> Result<Option<Write>> {
        let write = |event| event::write(&self.tenant, &self.partition, &self.db.clock, event);
        event.map(write).transpose()
    }

    pub(crate) fn encode(&self, entity: &E, version: &str) -> Result<Item> {
        item::encode(&self.db.keyring, &self.partition, entity, version, self.db.clock.now())
    }

    pub(crate) fn decode(&self, item: Item) -> Result<E> {
        item::decode(&self.db.keyring, item)
    }
}

pub(crate) fn new_version() -> Result<String> {
    keyring::random_text::<12>()
}

pub(crate) fn missing<E: Entity>(id: &E::Id) -> Error {
    let noun = E::NOUN;
    match E::shown(id) {
        "" => Error::not_found(format!("There is no {noun}.")),
        id => Error::not_found(format!("There is no {noun} {id}.")),
    }
}

pub(crate) fn existing<E: Entity>(id: &E::Id) -> Error {
    Error::exists(format!("There is a {} {} already.", E::NOUN, E::shown(id)))
}

/// The sort keys of an item, which tell where a list goes on behind it.
fn cursor(item: &Item) -> Vec<&str> {
    let text = |name| match item.get(name) {
        Some(Value::S(text)) => Some(text.as_str()),
        _ => None,
    };
    [item::SK, item::INDEX_SK, item::PK]
        .into_iter()
        .map(|name| text(name).unwrap_or_default())
        .collect()
}

/// The item a query starts behind. Only tokens of this very list get here.
fn start_key(query: &Query, cursor: &[String]) -> Result<Item> {
    let [sort, index_sort, partition] = cursor else {
        return Err(Error::internal("a page token of another shape"));
    };
    let mut start: Item = [(item::PK, partition), (item::SK, sort)]
        .map(|(name, text)| (name.to_owned(), Value::S(text.clone())))
        .into();
    if query.index.is_some() {
        start.insert(query.partition.0.to_owned(), Value::S(query.partition.1.clone()));
        start.insert(item::INDEX_SK.to_owned(), Value::S(index_sort.clone()));
    }
    Ok(start)
}
