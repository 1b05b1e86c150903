//! Several lists by time, read as one: link rows of a user, and items to everybody.

use std::{cmp::Reverse, collections::BTreeMap, ops::RangeInclusive};

use aws::{Item, Query, Value};
use error::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, future::try_join_all, stream};
use model::Millis;

use super::collection::{MAX_PAGE_BYTES, sort_name, start_key};
use crate::{
    layout::{EVER, Entity, Index, Key, home, item},
    reading::Rows,
    scopes::PARALLEL,
};

/// Items read at a time.
const AT_ONCE: usize = 100;

/// A list by time.
pub enum List {
    /// A group of an index.
    Group(Index, Key),
    /// Link rows to other items.
    Linked(Key),
}

/// The keys of an entity: in its table, and in every list by time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The sort key in the table.
    pub sort: String,
    /// The sort key in lists by time.
    pub time: String,
}

impl At {
    /// The position in a page token.
    pub fn of_cursor(cursor: Option<&[String]>) -> Result<Option<Self>> {
        match cursor {
            None => Ok(None),
            Some([sort, time]) => Ok(Some(Self { sort: sort.clone(), time: time.clone() })),
            Some(_) => Err(Error::internal("a page token of another shape")),
        }
    }

    /// The position for a page token.
    pub fn cursor(&self) -> [&str; 2] {
        [&self.sort, &self.time]
    }

    /// Whether this position is behind another.
    pub fn is_behind(&self, other: &Self, newest_first: bool) -> bool {
        if newest_first { self.time < other.time } else { self.time > other.time }
    }
}

/// The next entries of merged lists.
pub struct Chunk<E> {
    /// The entries, in order.
    pub items: Vec<(At, E)>,
    /// The end, which may be behind the last item; none when nothing was read.
    pub last: Option<At>,
    /// Whether there are more.
    pub more: bool,
    /// Size of the entries.
    pub bytes: usize,
}

/// A row of a list: the item itself, or its link row.
struct MergedRow {
    at: At,
    target: RowTarget,
}

enum RowTarget {
    Item(Item),
    Link(String),
}

impl<E: Entity> Rows<'_, E> {
    /// The first `limit` entries of merged lists, without duplicates. For an entry of two lists,
    /// the later list is preferred.
    pub async fn merged(
        self,
        lists: &[List],
        newest_first: bool,
        after: Option<&At>,
        limit: usize,
    ) -> Result<Chunk<E>> {
        self.merged_in(lists, &EVER, newest_first, after, limit).await
    }

    /// Like [`Rows::merged`], in a time span.
    pub async fn merged_in(
        self,
        lists: &[List],
        span: &RangeInclusive<Millis>,
        newest_first: bool,
        after: Option<&At>,
        limit: usize,
    ) -> Result<Chunk<E>> {
        let reads = lists.iter().map(|list| self.read_list(list, span, newest_first, after, limit));
        let read = try_join_all(reads).await?;
        let (rows, more) = match newest_first {
            true => merge(read, limit, |row: &MergedRow| Reverse(row.at.time.clone())),
            false => merge(read, limit, |row: &MergedRow| row.at.time.clone()),
        };
        let mut chunk = Chunk { items: Vec::with_capacity(rows.len()), last: None, more, bytes: 0 };
        let mut rows = rows.into_iter().peekable();
        while rows.peek().is_some() {
            let some_rows: Vec<MergedRow> = rows.by_ref().take(AT_ONCE).collect();
            let link_target = |row: &MergedRow| match row.target {
                RowTarget::Item(_) => None,
                RowTarget::Link(_) => Some(row.at.sort.clone()),
            };
            let targets: Vec<String> = some_rows.iter().filter_map(link_target).collect();
            let mut linked = self.0.db.get_named(E::TABLE, &self.0.partition, &targets).await?;
            let items = some_rows.iter().filter_map(|row| match &row.target {
                RowTarget::Item(item) => Some(item),
                RowTarget::Link(_) => None,
            });
            self.learn(items.chain(linked.values())).await?;
            for MergedRow { at, target } in some_rows {
                if chunk.bytes > MAX_PAGE_BYTES {
                    return Ok(Chunk { more: true, ..chunk });
                }
                chunk.last = Some(at.clone());
                let item = match target {
                    RowTarget::Item(item) => Some(item),
                    // A stray link row may exist.
                    RowTarget::Link(link) => match linked.get(&at.sort) {
                        Some(item) if self.links().links_of(item)?.contains(&link) => {
                            linked.remove(&at.sort)
                        }
                        _ => None,
                    },
                };
                if let Some(item) = item {
                    chunk.bytes += item::size(&item);
                    chunk.items.extend(self.visible(item)?.map(|entity| (at, entity)));
                }
            }
        }
        Ok(chunk)
    }

    /// The first `limit` entities of each query, and whether it has more.
    pub async fn lists(self, queries: Vec<Query>, limit: usize) -> Result<Vec<(Vec<E>, bool)>> {
        let reads = stream::iter(queries).map(|query| async move {
            let (items, more) = self.fetch(query, limit).await?;
            let found = items.into_iter().map(|item| self.decode(item));
            Ok::<_, Error>((found.collect::<Result<_>>()?, more))
        });
        reads.buffered(PARALLEL).try_collect().await
    }

    async fn read_list(
        self,
        list: &List,
        span: &RangeInclusive<Millis>,
        newest_first: bool,
        after: Option<&At>,
        limit: usize,
    ) -> Result<(Vec<MergedRow>, bool)> {
        let (query, head) = match list {
            List::Group(index, group) => {
                (self.during(*index, group, span.clone(), newest_first), None)
            }
            List::Linked(key) => {
                let prefix = key.join(&Key::named(E::KIND)).prefix();
                let bound = |time: &Millis, end: &str| format!("{prefix}{time:013}{end}");
                // `$` sorts behind `#`.
                let between = (*span != EVER)
                    .then(|| (item::SK, bound(span.start(), ""), bound(span.end(), "$")));
                let query = self.under(prefix.clone());
                let prefix = query.prefix.filter(|_| between.is_none());
                let query = Query { prefix, between, ascending: !newest_first, ..query };
                (query, Some(key.prefix()))
            }
        };
        let start = after.map(|at| match &head {
            None => {
                let partition = home(&self.0.partition, &at.sort).into();
                start_key(&query, &[at.sort.clone(), at.time.clone(), partition])
            }
            Some(head) => {
                let link = format!("{head}{}", at.time);
                start_key(&query, &[link.clone(), link, query.partition.1.clone()])
            }
        });
        let start = start.transpose()?;
        let sort = sort_name(&query);
        let (items, more) = self.fetch(Query { start, ..query }, limit).await?;
        let row = |item: Item| {
            let text = |name: &str| match item.get(name) {
                Some(Value::S(text)) => text.clone(),
                _ => String::new(),
            };
            match &head {
                None => {
                    let at = At { sort: text(item::SK), time: text(sort) };
                    MergedRow { at, target: RowTarget::Item(item) }
                }
                Some(head) => {
                    let link = text(item::SK);
                    let time = link.strip_prefix(head.as_str()).unwrap_or_default().to_owned();
                    let at = At { sort: text(item::TARGET), time };
                    MergedRow { at, target: RowTarget::Link(link) }
                }
            }
        };
        Ok((items.into_iter().map(row).collect(), more))
    }
}

/// The first entries of merged sorted lists, without duplicates, and whether there are more. Each
/// list has a flag whether it is unfinished: nothing is known beyond its last element.
pub fn merge<T, S: Ord + Clone>(
    lists: Vec<(Vec<T>, bool)>,
    limit: usize,
    sort: impl Fn(&T) -> S,
) -> (Vec<T>, bool) {
    let unfinished = lists.iter().filter(|(_, more)| *more);
    let horizon = unfinished.filter_map(|(items, _)| items.last()).map(&sort).min();
    let items = lists.into_iter().flat_map(|(items, _)| items);
    let mut merged: BTreeMap<S, T> = items.map(|item| (sort(&item), item)).collect();
    let all = merged.len();
    if let Some(horizon) = &horizon {
        merged.retain(|sort, _| sort <= horizon);
    }
    let more = horizon.is_some() || merged.len() < all || merged.len() > limit;
    (merged.into_values().take(limit).collect(), more)
}

#[cfg(test)]
mod tests {
    use super::merge;

    #[test]
    fn beyond_the_end_of_an_unfinished_list_nothing_is_known() {
        let merged = |lists, limit| merge(lists, limit, |n: &u8| *n);
        assert_eq!(merged(vec![(vec![1, 2], true), (vec![1, 5], false)], 2), (vec![1, 2], true));
        assert_eq!(merged(vec![(vec![3, 4], true), (vec![1, 2], true)], 2), (vec![1, 2], true));
        assert_eq!(merged(vec![(vec![1], false), (vec![2], false)], 2), (vec![1, 2], false));
        assert_eq!(merged(vec![(vec![1, 2], false), (vec![2, 3], false)], 2), (vec![1, 2], true));
        assert_eq!(merged(vec![(vec![], false)], 2), (vec![], false));
        // A list may end early because its elements are large.
        assert_eq!(merged(vec![(vec![1], true), (vec![5], false)], 3), (vec![1], true));
    }
}
