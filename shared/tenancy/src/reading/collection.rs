//! Reading all entities of one kind in one scope.

use std::{
    collections::{BTreeMap, BTreeSet},
    marker::PhantomData,
};

use aws::{Item, Query, Value};
use error::{Error, Result};
use model::life::{Life, Stand};

use super::page::{Page, Paged};
use crate::{
    layout::{Entity, Index, Key, home, item, lives},
    prelude::*,
    reading::Rows,
    scopes::{Currency, Db, TenantRef},
};

/// Entities of one kind in one scope.
pub struct Collection<E> {
    pub(crate) db: Db,
    pub(crate) tenant: TenantRef,
    pub(crate) partition: Key,
    pub(crate) entity: PhantomData<fn() -> E>,
}

/// Size of items on one page; a reply of a function may have 6 MB.
pub const MAX_PAGE_BYTES: usize = 3_000_000;
/// Maximum number of calls for one page.
const MAX_ROUNDS: usize = 100;

impl<E> Collection<E> {
    /// The entities of one kind in a partition.
    pub fn new(db: &Db, tenant: TenantRef, partition: Key) -> Self {
        Self { db: db.clone(), tenant, partition, entity: PhantomData }
    }
}

impl<E: Entity> Collection<E> {
    /// The entity.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn get(&self, id: &E::Id) -> Result<E> {
        self.find(id).await?.ok_or_else(|| missing::<E>(id))
    }

    /// The entity, if it exists.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn find(&self, id: &E::Id) -> Result<Option<E>> {
        let found = self.rows().read(std::slice::from_ref(id)).await?.remove(id);
        self.rows().learn(&found).await?;
        found.map_or(Ok(None), |item| self.rows().visible(item))
    }

    /// The entity, or since when it is absent.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn find_standing(&self, id: &E::Id) -> Result<Stand<E>> {
        let found = self.db.get_standing(E::TABLE, &self.partition, &E::place(id).0).await?;
        self.rows().standing(found)
    }

    /// The existing entities, by id.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn find_all(
        &self,
        ids: impl IntoIterator<Item = E::Id>,
    ) -> Result<BTreeMap<E::Id, E>> {
        let ids: Vec<E::Id> = ids.into_iter().collect();
        let items = self.rows().read(&ids).await?;
        self.rows().learn(items.values()).await?;
        let visible = |(id, item)| Ok(self.rows().visible(item)?.map(|entity| (id, entity)));
        items.into_iter().filter_map(|found| visible(found).transpose()).collect()
    }

    /// One page of all entities of this kind, in the order of their ids.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list(&self, page: &Page) -> Result<Paged<E>> {
        self.rows().page(self.rows().under(format!("{}#", E::KIND)), page).await
    }

    /// One page of the existing entities, in the order of their ids.
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

    /// The size of an entity as an item, which may be too large to be stored.
    ///
    /// # Errors
    /// INTERNAL.
    pub fn size(&self, entity: &E) -> Result<usize> {
        let (keyring, now) = (&self.db.keyring, self.db.clock.now());
        let item = item::encode_of_any_size(keyring, &self.partition, entity, "", now)?;
        Ok(item::size(&item))
    }
}

impl<E: Entity> Rows<'_, E> {
    /// The existing items of the present life of their containers, by id.
    pub async fn read(self, ids: &[E::Id]) -> Result<BTreeMap<E::Id, Item>> {
        let sorts: BTreeSet<String> = ids.iter().map(|id| E::place(id).0.into()).collect();
        let sorts = sorts.into_iter().collect();
        let mut items =
            self.0.db.get_beside(E::TABLE, &self.0.partition, sorts, Currency::TimedCache).await?;
        items.retain_present();
        let mut by_id = BTreeMap::new();
        for id in ids {
            if let Some(item) = items.take(E::place(id).0.as_str()) {
                by_id.insert(id.clone(), item);
            }
        }
        Ok(by_id)
    }

    /// The query of all sort keys with a prefix, in the partition that follows from it.
    pub fn under(self, prefix: String) -> Query {
        Query {
            table: E::TABLE.name(),
            index: None,
            partition: (item::PK, home(&self.0.partition, &prefix).into()),
            prefix: Some((item::SK, prefix)),
            up_to: None,
            between: None,
            start: None,
            limit: 0,
            ascending: true,
            only: vec![],
        }
    }

    /// The query of the index partition `group`, for entities of this kind.
    pub fn indexed(self, group: &Key) -> Query {
        Query {
            index: Some(Index::Container.names()[0]),
            partition: (item::INDEX_PK, self.0.partition.join(group).into()),
            prefix: Some((item::INDEX_SK, format!("{}#", E::KIND))),
            ..self.under(String::new())
        }
    }

    /// One page of the results of a query.
    pub async fn page(self, query: Query, page: &Page) -> Result<Paged<E>> {
        let start = page.cursor.as_deref().map(|cursor| start_key(&query, cursor)).transpose()?;
        let sort = sort_name(&query);
        let (items, more) = self.fetch(Query { start, ..query }, page.limit).await?;
        let next = match items.last() {
            Some(last) if more => Some(page.token(&cursor(last, sort))?),
            _ => None,
        };
        self.learn(&items).await?;
        let items = items.into_iter().filter_map(|item| self.visible(item).transpose());
        Ok(Paged { items: items.collect::<Result<_>>()?, next })
    }

    /// Up to `limit` items, and whether there are more: one extra item is read, so that the last
    /// page is known as such.
    pub async fn fetch(self, mut query: Query, limit: usize) -> Result<(Vec<Item>, bool)> {
        let mut items: Vec<Item> = Vec::new();
        let mut bytes = 0;
        for _ in 0..MAX_ROUNDS {
            let wanted = limit + 1 - items.len();
            query.limit = i32::try_from(wanted).unwrap_or(i32::MAX);
            let found = self.0.db.query(query.clone()).await?;
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

    /// All results of a query.
    pub async fn all(self, query: Query, limit: usize) -> Result<Vec<E>> {
        let items = self.all_items(query, limit).await?;
        self.learn(&items).await?;
        items.into_iter().filter_map(|item| self.visible(item).transpose()).collect()
    }

    /// All items that a query finds, at most `limit`.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when there are more.
    pub async fn all_items(self, query: Query, limit: usize) -> Result<Vec<Item>> {
        let items = self.first_items(query, limit + 1).await?;
        if items.len() > limit {
            let noun = E::NOUN;
            let message = format!("There are more than {limit} {noun}s; narrow the filter.");
            return Err(Error::exhausted(message));
        }
        Ok(items)
    }

    /// The first results of a query.
    pub async fn first_items(self, query: Query, limit: usize) -> Result<Vec<Item>> {
        let (mut items, mut start) = (Vec::new(), query.start.clone());
        loop {
            let found = self.0.db.query(Query { start, limit: 1000, ..query.clone() }).await?;
            items.extend(found.items);
            items.truncate(limit);
            start = found.next;
            if start.is_none() || items.len() == limit {
                return Ok(items);
            }
        }
    }

    /// The entity as an item of this scope.
    pub fn encode(self, entity: &E, version: &str) -> Result<Item> {
        item::encode(&self.0.db.keyring, &self.0.partition, entity, version, self.0.db.clock.now())
    }

    /// Reads what decides whether the end user of the call sees items, as far as it is not known.
    /// Without it, what is for the members of an organization is hidden.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn learn<'i>(self, items: impl IntoIterator<Item = &'i Item>) -> Result<()> {
        let Some(viewer) = &self.0.db.viewer else { return Ok(()) };
        let visibilities: Vec<_> = items.into_iter().filter_map(E::visibility_in).collect();
        viewer.learn(&visibilities).await
    }

    /// The entity in an item, unless it is hidden from the end user of the call.
    pub fn visible(self, item: Item) -> Result<Option<E>> {
        let entity = self.decode(item)?;
        let is_visible = self.0.db.viewer.as_ref().is_none_or(|viewer| viewer.sees(&entity));
        Ok(is_visible.then_some(entity))
    }

    /// The result of a read of a container by its key: the container, or since when it is absent.
    /// `item` is as read, with tombstones ([`Db::get_across_standing`]).
    pub fn standing(self, item: Option<Item>) -> Result<Stand<E>> {
        let Some(item) = item else { return Ok(Stand::Absent(Life::FIRST)) };
        let life = lives::life(&item);
        Ok(match item::is_there(&item) {
            true => Stand::There(self.decode(item)?, life),
            false => Stand::Absent(life),
        })
    }

    /// The partition and sort key of an entity, for reads across partitions.
    pub fn place_of(self, id: &E::Id) -> (Key, Key) {
        (self.0.partition.clone(), E::place(id).0)
    }

    /// The entity in an item.
    pub fn decode(self, item: Item) -> Result<E> {
        item::decode(&self.0.db.keyring, item)
    }
}

/// A new version of an item.
pub fn new_version() -> Result<String> {
    keyring::random_text::<12>()
}

/// NOT_FOUND for an entity.
pub fn missing<E: Entity>(id: &E::Id) -> Error {
    let noun = E::NOUN;
    match E::shown(id) {
        "" => Error::not_found(format!("There is no {noun}.")),
        id => Error::not_found(format!("There is no {noun} {id}.")),
    }
}

/// ALREADY_EXISTS for an entity.
pub fn existing<E: Entity>(id: &E::Id) -> Error {
    Error::exists(format!("There is a {} {} already.", E::NOUN, E::shown(id)))
}

/// The name of a query's sort key.
pub fn sort_name(query: &Query) -> &'static str {
    let index = |index: &Index| Some(index.names()[0]) == query.index;
    let index = Index::ALL.into_iter().find(index).filter(|_| query.index.is_some());
    index.map_or(item::SK, |index| index.names()[2])
}

/// The sort keys of an item, for the continuation behind it.
pub fn cursor<'a>(item: &'a Item, sort: &str) -> Vec<&'a str> {
    let text = |name| match item.get(name) {
        Some(Value::S(text)) => Some(text.as_str()),
        _ => None,
    };
    [item::SK, sort, item::PK].into_iter().map(|name| text(name).unwrap_or_default()).collect()
}

/// The item before the start of a query. Only tokens of this list reach this function.
pub fn start_key(query: &Query, cursor: &[String]) -> Result<Item> {
    let [sort, index_sort, partition] = cursor else {
        return Err(Error::internal("a page token of another shape"));
    };
    let mut start: Item = [(item::PK, partition), (item::SK, sort)]
        .map(|(name, text)| (name.to_owned(), Value::S(text.clone())))
        .into();
    if query.index.is_some() {
        start.insert(query.partition.0.to_owned(), Value::S(query.partition.1.clone()));
        start.insert(sort_name(query).to_owned(), Value::S(index_sort.clone()));
    }
    Ok(start)
}
