//! Reads of rows by key with the containers that they are in.

use std::collections::{BTreeMap, BTreeSet};

use aws::{Boxed, Item};
use error::Result;
use futures_util::future::try_join;

use super::{
    containers::{At, Containers},
    db::{Currency, Db, place_of, report},
};
use crate::layout::{Bond, Key, Table, belonging, is_judged, item};

/// Whether a row is read with its containers: it is compared with them, or is stamped with their
/// lives when it is written.
fn is_bound(sort: &str) -> bool {
    is_judged(sort) || belonging(sort).bond == Bond::Content
}

/// Rows by sort key, tombstones included, and their containers.
#[derive(Debug, Default)]
pub(crate) struct WithContainers {
    pub(crate) items: BTreeMap<String, Item>,
    pub(crate) containers: Containers,
}

impl WithContainers {
    /// Drops tombstones, and rows of which a call may not see anything.
    pub(crate) fn retain_present(&mut self) {
        let Self { items, containers } = self;
        items.retain(|sort, item| {
            item::is_there(item) && (!is_judged(sort) || containers.admits(item))
        });
    }

    pub(crate) fn take(&mut self, sort: &str) -> Option<Item> {
        self.items.remove(sort)
    }
}

impl Db {
    async fn read_own(&self, table: Table, mut keys: Vec<Item>) -> Result<Vec<Item>> {
        match keys.pop() {
            Some(key) if keys.is_empty() => {
                let found = self.dynamo.get(table.name(), key).await.map_err(report)?;
                Ok(found.into_iter().collect())
            }
            last => {
                keys.extend(last);
                self.read_keys(table, keys, Currency::Now).await
            }
        }
    }

    /// Reads rows of a scope with their containers. Containers in the same table are read with the
    /// rows in one call and as of now, unless what the call has seen of them suffices (`currency`);
    /// others beside it, as of a moment ago.
    pub(crate) fn get_beside<'a>(
        &'a self,
        table: Table,
        scope: &'a Key,
        sorts: Vec<String>,
        currency: Currency,
    ) -> Boxed<'a, Result<WithContainers>> {
        Box::pin(async move {
            if let [sort] = sorts.as_slice()
                && !is_bound(sort)
            {
                let key = item::named_key(scope, sort);
                let found = self.dynamo.get(table.name(), key).await.map_err(report)?;
                let items = found.map(|item| (sort.clone(), item)).into_iter();
                return Ok(WithContainers { items: items.collect(), ..WithContainers::default() });
            }
            let mut containers = Containers::default();
            let bound = sorts.iter().map(String::as_str).filter(|sort| is_bound(sort));
            let mut beside = containers.wanted(bound.map(|sort| (scope.as_str(), sort)));
            if currency == Currency::TimedCache {
                self.supply(&mut containers, &mut beside);
            }
            let own: BTreeSet<At> =
                sorts.iter().map(|sort| place_of(&item::named_key(scope, sort))).collect();
            let key = |(partition, sort): &At| item::at(partition, sort);
            let found = match table {
                Table::Resources => {
                    let keys = own.union(&beside).map(key).collect();
                    let found = self.read_keys(table, keys, Currency::Now).await?;
                    let is_beside = |item: &&Item| beside.contains(&place_of(item));
                    self.has_seen(&beside, found.iter().filter(is_beside));
                    containers.note(beside.clone(), found.iter().filter(is_beside));
                    containers.hide_from(self.viewer.as_ref());
                    found
                }
                _ => {
                    let read = self.read_own(table, own.iter().map(key).collect());
                    let ask = self.ask(&mut containers, beside, Currency::TimedCache);
                    try_join(read, ask).await?.0
                }
            };
            let found = found.into_iter().map(|item| (place_of(&item), item));
            let items: BTreeMap<String, Item> = found
                .filter(|(place, _)| own.contains(place))
                .map(|((_, sort), item)| (sort, item))
                .collect();
            let judged =
                items.values().filter(|item| item::is_there(item) && is_judged(&place_of(item).1));
            self.read_containers(&mut containers, judged, currency).await?;
            Ok(WithContainers { items, containers })
        })
    }
}
