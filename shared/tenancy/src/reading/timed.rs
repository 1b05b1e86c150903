//! Lists by time. A page costs what its items cost, whichever page it is.

use std::ops::RangeInclusive;

use aws::Query;
use error::Result;
use model::Millis;

use super::{Page, Paged, cursor, sort_name, start_key};
use crate::{
    layout::{EVER, Entity, Index, Key},
    reading::Rows,
};

/// Maximum number of items read for one page, where filters drop most of them.
pub const MAX_SCANNED: usize = 2_000;

impl<E: Entity> Rows<'_, E> {
    /// The query of a group of an index in a time span.
    pub fn during(
        self,
        index: Index,
        group: &Key,
        span: RangeInclusive<Millis>,
        newest_first: bool,
    ) -> Query {
        let [name, partition, sort] = index.names();
        let bound = |time: &Millis, end: &str| format!("{}#{time:013}{end}", E::KIND);
        let (first, last) = (*span.start(), (*span.end()).min(*EVER.end()));
        Query {
            index: Some(name),
            partition: (partition, self.0.partition.join(group).into()),
            prefix: None,
            // `$` sorts behind `#`; without it nothing is found, as in an empty time span.
            between: Some(match first <= last {
                true => (sort, bound(&first, ""), bound(&last, "$")),
                false => (sort, bound(&first, ""), bound(&first, "")),
            }),
            ascending: !newest_first,
            ..self.under(String::new())
        }
    }

    /// One page of the results of a query that `keep` keeps. A page is short if the filter keeps
    /// little; the next one continues behind the items read.
    pub async fn page_where(
        self,
        query: Query,
        page: &Page,
        mut keep: impl FnMut(&E) -> bool,
    ) -> Result<Paged<E>> {
        let mut start = page.cursor.as_deref().map(|to| start_key(&query, to)).transpose()?;
        let sort = sort_name(&query);
        let (mut kept, mut scanned) = (Vec::new(), 0);
        loop {
            let wanted = (page.limit - kept.len()).max(1);
            let from = Query { start: start.take(), ..query.clone() };
            let (items, more) = self.fetch(from, wanted).await?;
            scanned += items.len();
            let last = items.last().map(|last| {
                cursor(last, sort).into_iter().map(str::to_owned).collect::<Vec<String>>()
            });
            self.learn(&items).await?;
            for item in items {
                kept.extend(self.visible(item)?.filter(|entity| keep(entity)));
            }
            let Some(last) = last.filter(|_| more) else {
                return Ok(Paged { items: kept, next: None });
            };
            if kept.len() >= page.limit || scanned >= MAX_SCANNED {
                let cursor: Vec<&str> = last.iter().map(String::as_str).collect();
                return Ok(Paged { items: kept, next: Some(page.token(&cursor)?) });
            }
            start = Some(start_key(&query, &last)?);
        }
    }
}

/// One page of items read by id, in the order of an index.
pub fn page_of<E: Entity>(
    found: impl Iterator<Item = E>,
    index: Index,
    newest_first: bool,
    page: &Page,
) -> Result<Paged<E>> {
    let sort = |entity: &E| {
        let mut indexes = entity.indexes().into_iter();
        let indexed = indexes.find(|indexed| indexed.index == index);
        indexed.map(|indexed| String::from(indexed.sort)).unwrap_or_default()
    };
    let mut sorted: Vec<(String, E)> = found.map(|entity| (sort(&entity), entity)).collect();
    sorted.sort_by(|(a, _), (b, _)| if newest_first { b.cmp(a) } else { a.cmp(b) });
    if let Some(after) = page.cursor.as_deref().and_then(<[String]>::first) {
        sorted.retain(|(sort, _)| if newest_first { sort < after } else { sort > after });
    }
    let more = sorted.len() > page.limit;
    sorted.truncate(page.limit);
    let next = match sorted.last() {
        Some((last, _)) if more => Some(page.token(&[last])?),
        _ => None,
    };
    Ok(Paged { items: sorted.into_iter().map(|(_, entity)| entity).collect(), next })
}
