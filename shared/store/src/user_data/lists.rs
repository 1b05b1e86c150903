//! Pages of the lists of a user's data, by the size of what they show.

use aws::{Item, Query, Value};
use error::{Error, Result};
use serde::Serialize;
use tenancy::{
    layout::{Entity, home, item},
    prelude::*,
    reading::{Collection, cursor, sort_name, start_key},
};

use super::export::At;

/// Size of one list in a reply, which may have 5 MB; a longer one continues on the next page.
const MAX_BYTES: usize = 1_000_000;
/// Items of link rows read at once, and at first, while their size is unknown.
const AT_ONCE: usize = 10;
const FIRST: usize = 2;

/// The views of an item, as far as they fit.
pub(super) struct Listed<V> {
    /// Views of the item.
    pub(super) views: Vec<V>,
    /// Where it continues; none when it is shown completely.
    pub(super) rest: Option<String>,
}

impl<V> Listed<V> {
    pub(super) fn one(view: V) -> Self {
        Self { views: vec![view], rest: None }
    }

    pub(super) fn none() -> Self {
        Self { views: vec![], rest: None }
    }
}

/// How the items of a list are shown.
pub(super) trait List<E>: Sync {
    /// As in replies.
    type View: Serialize + Send;

    /// The item of a group of rows, from the position `inside` on, in about `room` bytes.
    fn show(
        &self,
        group: usize,
        entity: E,
        inside: &str,
        room: usize,
    ) -> impl Future<Output = Result<Listed<Self::View>>> + Send;
}

/// A list: the results of queries, one after the other.
pub(super) struct Lists<'a, E> {
    collection: &'a Collection<E>,
    queries: Vec<Query>,
    is_linked: bool,
}

/// A page so far.
struct Filled<V> {
    shown: Vec<V>,
    bytes: usize,
}

impl<'a, E: Entity> Lists<'a, E> {
    /// The items that link rows lead to.
    pub(super) fn of_links(collection: &'a Collection<E>, queries: Vec<Query>) -> Self {
        Self { collection, queries, is_linked: true }
    }

    /// The items of an index.
    pub(super) fn of_index(collection: &'a Collection<E>, query: Query) -> Self {
        Self { collection, queries: vec![query], is_linked: false }
    }

    /// The next items, as in replies, and the continuation.
    pub(super) async fn page<L: List<E>>(
        self,
        at: At,
        limit: usize,
        list: &L,
    ) -> Result<(Vec<L::View>, At)> {
        let mut filled = Filled { shown: vec![], bytes: 0 };
        let (first, mut at) = match at {
            At::End => return Ok((vec![], At::End)),
            At::Start => (0, At::Start),
            At::Behind(row, inside) => match group_of(&row) {
                Some((group, "")) if inside.is_empty() => (group, At::Start),
                Some((group, row)) => (group, At::Behind(row.to_owned(), inside)),
                None => (0, At::Behind(row, inside)),
            },
        };
        for (group, query) in self.queries.iter().enumerate().skip(first) {
            match self.fill(&mut filled, group, query, at, limit, list).await? {
                At::End => at = At::Start,
                At::Start => {
                    return Ok((filled.shown, At::Behind(format!("{group}."), String::new())));
                }
                At::Behind(row, inside) => {
                    return Ok((filled.shown, At::Behind(format!("{group}.{row}"), inside)));
                }
            }
        }
        Ok((filled.shown, At::End))
    }

    /// Adds the next items of a query; returns the continuation.
    async fn fill<L: List<E>>(
        &self,
        filled: &mut Filled<L::View>,
        group: usize,
        query: &Query,
        at: At,
        limit: usize,
        list: &L,
    ) -> Result<At> {
        let rest = limit.saturating_sub(filled.shown.len());
        if rest == 0 {
            // The page is full; is there a next one?
            let (_, more) = self.collection.rows().fetch(query.clone(), 0).await?;
            return Ok(if more { at } else { At::End });
        }
        let head = match &query.prefix {
            Some((_, prefix)) if self.is_linked => prefix.clone(),
            _ => String::new(),
        };
        let (start, mut inside) = match &at {
            At::Behind(row, inside) if self.is_linked => {
                let sort = format!("{head}{row}");
                // Nothing is behind the position before the first row.
                let start = (!row.is_empty()).then(|| self.start(query, &sort, "")).transpose()?;
                (start, inside.clone())
            }
            At::Behind(row, time) => (Some(self.start(query, row, time)?), String::new()),
            _ => (None, String::new()),
        };
        let by = sort_name(query);
        let from = Query { start, ..query.clone() };
        let (rows, more) = self.collection.rows().fetch(from, rest).await?;
        let behind = |row: &Item| {
            let cursor = cursor(row, by);
            let time = if self.is_linked { "" } else { cursor[1] };
            let sort = cursor[0].strip_prefix(head.as_str()).unwrap_or(cursor[0]);
            At::Behind(sort.to_owned(), time.to_owned())
        };
        let mut last = at;
        // Items beyond the size of the reply are not read, as far as predictable: the next ones are
        // as large as the previous ones.
        let (mut unread, before) = (rows.as_slice(), filled.shown.len());
        while !unread.is_empty() {
            let room = match filled.shown.len() - before {
                0 => FIRST,
                count => MAX_BYTES.saturating_sub(filled.bytes) * count / filled.bytes.max(1),
            };
            if room == 0 {
                return Ok(last);
            }
            let (rows, later) = unread.split_at(room.min(AT_ONCE).min(unread.len()));
            unread = later;
            let mut found = self.entities(rows).await?.into_iter().peekable();
            for row in rows {
                // The target of a link row may be deleted.
                if let Some((_, entity)) = found.next_if(|(sort, _)| sort == sort_of(row)) {
                    let room = MAX_BYTES.saturating_sub(filled.bytes);
                    let Listed { views, rest } = list.show(group, entity, &inside, room).await?;
                    for view in &views {
                        filled.bytes += serde_json::to_string(view).map_err(Error::internal)?.len();
                    }
                    if filled.bytes > MAX_BYTES && !filled.shown.is_empty() && !views.is_empty() {
                        return Ok(last);
                    }
                    filled.shown.extend(views);
                    if let Some(rest) = rest {
                        let row = match last {
                            At::Behind(row, _) => row,
                            At::Start | At::End => String::new(),
                        };
                        return Ok(At::Behind(row, rest));
                    }
                }
                inside.clear();
                last = behind(row);
            }
        }
        Ok(if more { last } else { At::End })
    }

    fn start(&self, query: &Query, sort: &str, time: &str) -> Result<Item> {
        let partition = home(self.collection.rows().partition(), sort).into();
        start_key(query, &[sort.to_owned(), time.to_owned(), partition])
    }

    /// The entities of rows, with the sort keys of those.
    async fn entities(&self, rows: &[Item]) -> Result<Vec<(String, E)>> {
        if self.is_linked {
            return self.collection.rows().links().follow(rows).await;
        }
        let decode =
            |row: &Item| Ok((sort_of(row).to_owned(), self.collection.rows().decode(row.clone())?));
        rows.iter().map(decode).collect()
    }
}

/// The query that a row of a token belongs to, and the row.
fn group_of(row: &str) -> Option<(usize, &str)> {
    let (group, row) = row.split_once('.')?;
    Some((group.parse().ok()?, row))
}

fn sort_of(row: &Item) -> &str {
    match row.get(item::SK) {
        Some(Value::S(sort)) => sort,
        _ => "",
    }
}
