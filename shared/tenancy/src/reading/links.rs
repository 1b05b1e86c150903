//! Link rows: rows of users that lead to items.

use std::collections::BTreeSet;

use aws::{Item, Value};
use error::Result;

use super::Rows;
use crate::{
    layout::{Entity, item},
    scopes::Currency,
};

/// The entity to which a link row leads.
pub struct Followed<E> {
    /// The sort key of the link row.
    pub link: String,
    /// The size of the item.
    pub size: usize,
    /// The entity.
    pub entity: E,
}

/// The link rows of the items of a collection, for features.
pub struct Links<'a, E>(Rows<'a, E>);

impl<E> Clone for Links<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Links<'_, E> {}

impl<'a, E: Entity> Rows<'a, E> {
    /// The link rows of the collection.
    pub fn links(self) -> Links<'a, E> {
        Links(self)
    }
}

impl<E: Entity> Links<'_, E> {
    /// The items of link rows, in order, each with its sort key. A row that its target does not
    /// list is ignored, and so is one without a target.
    pub async fn follow(self, links: &[Item]) -> Result<Vec<(String, E)>> {
        let followed = self.follow_sized(links).await?.into_iter();
        Ok(followed.map(|followed| (followed.link, followed.entity)).collect())
    }

    /// The items of link rows as [`Self::follow`] reads them, each with its size.
    pub async fn follow_sized(self, links: &[Item]) -> Result<Vec<Followed<E>>> {
        let text = |row: &Item, name: &str| match row.get(name) {
            Some(Value::S(text)) => Some(text.clone()),
            _ => None,
        };
        let pair = |row| text(row, item::SK).zip(text(row, item::TARGET));
        let pairs: Vec<(String, String)> = links.iter().filter_map(pair).collect();
        let targets: Vec<String> = pairs.iter().map(|(_, target)| target.clone()).collect();
        let found = self.0.0.db.get_named(E::TABLE, &self.0.0.partition, &targets).await?;
        self.0.learn(found.values()).await?;
        let mut followed = Vec::with_capacity(pairs.len());
        for (link, target) in pairs {
            if let Some(item) = found.get(&target)
                && self.links_of(item)?.contains(link.as_str())
            {
                let (size, entity) = (item::size(item), self.0.visible(item.clone())?);
                followed.extend(entity.map(|entity| Followed { link, size, entity }));
            }
        }
        Ok(followed)
    }

    /// The stored items of link rows, of whatever life of their containers, and whether they list
    /// the rows or not: for an erasure, which no deletion may stop.
    pub async fn targets(self, links: &[Item]) -> Result<Vec<Item>> {
        let target = |row: &Item| match row.get(item::TARGET) {
            Some(Value::S(target)) => Some(target.clone()),
            _ => None,
        };
        let targets: BTreeSet<String> = links.iter().filter_map(target).collect();
        let key = |target: &String| item::named_key(&self.0.0.partition, target);
        let keys = targets.iter().map(key).collect();
        let mut found = self.0.0.db.read_keys(E::TABLE, keys, Currency::Now).await?;
        found.retain(item::is_there);
        Ok(found)
    }

    /// The link rows of an item.
    pub fn linked(self, item: &Item) -> Result<Vec<Item>> {
        let target = item.get(item::SK).cloned();
        let now = Value::N(self.0.0.db.clock.now().to_string());
        let link = |sort: String| {
            let mut row = item::named_key(&self.0.0.partition, &sort);
            row.extend(target.clone().map(|target| (item::TARGET.to_owned(), target)));
            row.insert(item::WRITTEN.to_owned(), now.clone());
            let expires = item.get(item::EXPIRES).cloned();
            row.extend(expires.map(|at| (item::EXPIRES.to_owned(), at)));
            row
        };
        Ok(self.links_of(item)?.into_iter().map(link).collect())
    }

    /// The sort keys of the link rows of an item.
    pub fn links_of(self, item: &Item) -> Result<BTreeSet<String>> {
        if E::LISTS_LINKS {
            return Ok(item::links(item));
        }
        if item.is_empty() || !item::is_there(item) {
            return Ok(BTreeSet::new());
        }
        let links = self.0.decode(item.clone())?.links();
        Ok(links.into_iter().map(|link| link.0.into()).collect())
    }
}
