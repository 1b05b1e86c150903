//! Lists with two directions, newest first (contract `webhook-endpoints.get`).
//!
//! An iterator is a direction and a position between two items, so it stays valid when items are
//! added or removed.

use std::sync::Arc;

use aws::{Item, Query, Value};
use error::{Error, Result};
use keyring::{Keyring, Purpose};
use model::{PageToken, WalkSize};

use super::page::foreign;
use crate::{
    layout::{Entity, item},
    prelude::*,
    scopes::TenantStore,
};

/// Default page size.
const DEFAULT_SIZE: u64 = 50;
/// Sorts behind every character of the listed sort keys.
const LAST: char = '~';

/// Position, direction and size of a page.
pub struct Walk {
    pub(crate) limit: usize,
    pub(crate) from: Option<From>,
    keyring: Arc<Keyring>,
    binding: String,
}

/// A position between two items, by sort key: the page has items created before or after it.
pub(crate) struct From {
    older: bool,
    than: String,
}

/// One page of a list, newest first.
#[derive(Debug)]
pub struct Walked<E> {
    /// The items.
    pub items: Vec<E>,
    /// The next page, of older items; none when there are none.
    pub iterator: Option<PageToken>,
    /// The previous page, of newer items; none on the first page.
    pub prev_iterator: Option<PageToken>,
}

impl TenantStore {
    /// The requested page. `filters` are all parameters of the list besides the tenant: an iterator
    /// is valid only for the same operation and filters.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when the iterator is altered, foreign, or of another list.
    pub fn walk(
        &self,
        operation: &str,
        filters: &str,
        size: Option<WalkSize>,
        iterator: Option<&PageToken>,
    ) -> Result<Walk> {
        let keyring = Arc::clone(&self.db.keyring);
        let binding = format!("{}\n{operation}\n{filters}\nwalk", self.partition().as_str());
        let read = |token: &PageToken| {
            let payload =
                keyring.decrypt(Purpose::PageToken, binding.as_bytes(), token.as_str())?;
            let (older, than) = serde_json::from_slice(&payload).ok()?;
            Some(From { older, than })
        };
        let from = iterator.map(|token| read(token).ok_or_else(|| foreign("iterator")));
        let (from, limit) = (from.transpose()?, size.map_or(DEFAULT_SIZE, WalkSize::get) as usize);
        Ok(Walk { limit, from, keyring, binding })
    }
}

impl Walk {
    /// Maximum number of items.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Whether this is the first page.
    pub fn is_first(&self) -> bool {
        self.from.is_none()
    }

    /// The query of this page.
    pub fn query(&self, query: Query) -> Query {
        let Some(from) = &self.from else { return Query { ascending: false, ..query } };
        let start: Item = [(item::PK, &query.partition.1), (item::SK, &from.than)]
            .map(|(name, text)| (name.to_owned(), Value::S(text.clone())))
            .into();
        Query { ascending: !from.older, start: Some(start), ..query }
    }

    /// The query of rows that contain several entries: the row in which a page ends is read again.
    pub fn query_rows(&self, query: Query) -> Query {
        let Some(from) = &self.from else { return Query { ascending: false, ..query } };
        // The row, and the least text behind it or the greatest before it.
        let row = from.than.rsplit_once('#').map_or(from.than.as_str(), |(row, _)| row);
        let than = if from.older { format!("{row}{LAST}") } else { without_last(row) };
        let from = Some(From { older: from.older, than });
        let (keyring, binding) = (Arc::clone(&self.keyring), self.binding.clone());
        Self { limit: self.limit, from, keyring, binding }.query(query)
    }

    /// Whether its direction is towards newer items.
    pub fn is_back(&self) -> bool {
        self.from.as_ref().is_some_and(|from| !from.older)
    }

    /// Whether there are items in its direction.
    pub fn has_to_come(&self, sort: &str) -> bool {
        let Some(from) = &self.from else { return true };
        if from.older { sort < from.than.as_str() } else { sort > from.than.as_str() }
    }

    /// The page from the results of its query, of which there may be more.
    pub fn walked<E: Entity>(&self, items: Vec<E>, more: bool) -> Result<Walked<E>> {
        self.walked_by(items, more, |entity| String::from(E::place(&entity.id()).0))
    }

    /// The page from results with other keys.
    pub fn walked_by<T>(
        &self,
        mut items: Vec<T>,
        more: bool,
        sort: impl Fn(&T) -> String,
    ) -> Result<Walked<T>> {
        let is_back = self.is_back();
        if is_back {
            items.reverse();
        }
        // An empty page has its own position on both sides.
        let than = self.from.as_ref().map_or("", |from| from.than.as_str());
        let last = || items.last().map_or_else(|| format!("{than}{LAST}"), &sort);
        let first = || items.first().map_or_else(|| without_last(than), &sort);
        let (has_older, has_newer) =
            if is_back { (true, more) } else { (more, self.from.is_some()) };
        let iterator = has_older.then(|| self.token(true, &last())).transpose()?;
        let prev_iterator = has_newer.then(|| self.token(false, &first())).transpose()?;
        Ok(Walked { items, iterator, prev_iterator })
    }

    fn token(&self, older: bool, than: &str) -> Result<PageToken> {
        let payload = serde_json::to_vec(&(older, than)).map_err(Error::internal)?;
        let text = self.keyring.encrypt(Purpose::PageToken, self.binding.as_bytes(), &payload)?;
        Ok(PageToken::from_store(text))
    }
}

fn without_last(text: &str) -> String {
    let mut text = text.to_owned();
    text.pop();
    text
}
