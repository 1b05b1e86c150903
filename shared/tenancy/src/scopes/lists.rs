//! Queries: without tombstones, and without what is of an earlier life of its container.

use std::collections::{BTreeSet, HashMap};

use aws::{Boxed, Item, Query, QueryPage};
use error::Result;
use futures_util::future::try_join;

use super::{
    containers::{At, Containers},
    db::{Currency, Db, place_of, report},
};
use crate::layout::{IN, KEPT, PK, SINCE, SK, Table, WRITTEN, is_judged, item, text};

/// Rows that a list leaves out besides tombstones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sight {
    /// Rows of earlier lives and of containers that are gone.
    Present,
    /// Nothing.
    Everything,
}

impl Db {
    /// One page of the results of a query, without tombstones and without rows of earlier lives;
    /// those of an index are read from the table. The containers are read beside the query, or with
    /// the items of an index.
    pub fn query(&self, query: Query) -> Boxed<'_, Result<QueryPage>> {
        self.query_with(query, Sight::Present)
    }

    /// One page of the results of a query with rows of earlier lives, which clean-up looks for.
    pub fn query_everything(&self, query: Query) -> Boxed<'_, Result<QueryPage>> {
        self.query_with(query, Sight::Everything)
    }

    fn query_with(&self, mut query: Query, sight: Sight) -> Boxed<'_, Result<QueryPage>> {
        Box::pin(async move {
            let mut containers = Containers::default();
            let prefix = match &query.prefix {
                Some((name, prefix)) if *name == SK && query.index.is_none() => prefix.clone(),
                _ => String::new(),
            };
            let is_of_rows = sight == Sight::Present && is_judged(&prefix);
            if !query.only.is_empty() {
                query.only.push(item::GONE);
                let needed = if is_of_rows { &[PK, SK, IN, KEPT, SINCE, WRITTEN][..] } else { &[] };
                let needed = needed.iter().filter(|name| !query.only.contains(*name));
                let needed: Vec<&'static str> = needed.copied().collect();
                query.only.extend(needed);
            }
            let (table, (name, group)) = (query.table, query.partition.clone());
            let is_listed =
                query.index.is_some() && query.only.is_empty() && table == Table::Resources.name();
            let beside = match is_of_rows {
                true => containers.wanted([(group.as_str(), prefix.as_str())]),
                false => BTreeSet::new(),
            };
            let read = async { self.dynamo.query(query).await.map_err(report) };
            let ask = self.ask(&mut containers, beside, Currency::TimedCache);
            let (mut found, ()) = try_join(read, ask).await?;
            if is_listed {
                let beside = match sight {
                    Sight::Present => Some(&mut containers),
                    Sight::Everything => None,
                };
                found.items = self.listed(found.items, name, &group, beside).await?;
            }
            if sight == Sight::Present && (is_of_rows || is_listed) {
                containers.note_groups(&found.items);
                found.items.retain(item::is_there);
                found.items = self.of_present_lives(found.items, &mut containers).await?;
            }
            found.items.retain(item::is_there);
            Ok(found)
        })
    }

    /// The items that belong to their containers, of which those that are missing are read.
    async fn of_present_lives(
        &self,
        mut items: Vec<Item>,
        containers: &mut Containers,
    ) -> Result<Vec<Item>> {
        let judged = items.iter().filter(|item| is_judged(text(item, SK)));
        self.read_containers(containers, judged, Currency::TimedCache).await?;
        containers.retain_admitted(&mut items);
        Ok(items)
    }

    /// The current items of the keys in an index, without those that left its partition `group`,
    /// the attribute `name`, since. Containers that follow from the keys are read with them.
    async fn listed(
        &self,
        keys: Vec<Item>,
        name: &str,
        group: &str,
        mut containers: Option<&mut Containers>,
    ) -> Result<Vec<Item>> {
        let places: Vec<At> = keys.iter().map(place_of).collect();
        let beside = containers.as_ref().map(|known| beside(known, &places, group));
        let mut beside = beside.unwrap_or_default();
        if let Some(containers) = containers.as_deref_mut() {
            self.supply(containers, &mut beside);
        }
        let wanted: BTreeSet<&At> = places.iter().chain(&beside).collect();
        let wanted = wanted.into_iter().map(|(partition, sort)| item::at(partition, sort));
        let found =
            self.read_keys(Table::Resources, wanted.collect(), Currency::TimedCache).await?;
        let mut found: HashMap<At, Item> =
            found.into_iter().map(|item| (place_of(&item), item)).collect();
        if let Some(containers) = containers {
            let read = || beside.iter().filter_map(|place| found.get(place));
            self.has_seen(&beside, read());
            containers.note(beside.clone(), read());
            containers.hide_from(self.viewer.as_ref());
        }
        let is_in_group = |item: &Item| match item.get(name) {
            Some(aws::Value::S(partition)) => partition == group,
            _ => false,
        };
        let items = places.iter().filter_map(|place| found.remove(place));
        Ok(items.filter(is_in_group).collect())
    }
}

/// The containers to read with the listed items: those that follow from their keys, and the document
/// of the list, which its items may name in a member.
fn beside(known: &Containers, places: &[At], group: &str) -> BTreeSet<At> {
    let judged: Vec<(&str, &str)> = places
        .iter()
        .filter(|(_, sort)| is_judged(sort))
        .map(|(partition, sort)| (partition.as_str(), sort.as_str()))
        .collect();
    if judged.is_empty() {
        return BTreeSet::new();
    }
    let mut wanted = known.wanted(judged);
    let document = group.rfind("#document#").and_then(|at| group.get(at + 1..));
    wanted.extend(known.wanted_for(group, document));
    wanted
}
