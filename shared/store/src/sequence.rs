//! The counters that number the events of each document (a compare-and-set inside the transaction
//! that writes them).

use std::collections::{BTreeMap, BTreeSet};

use aws::{Cancellation, Item, Update, Value, Write};
use error::Result;

use crate::{
    db::{Db, place_of},
    entity::Table,
    event::Told,
    item::{self, WRITTEN},
    key::Key,
};

const SEQ: &str = "seq";

/// Where a counter lies: partition and sort key.
pub(crate) type Place = (Key, Key);

/// Counters as they were last seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counters(BTreeMap<Place, u64>);

/// The writes that number and keep the events of one transaction, and the counters they count on.
pub(crate) struct Numbered {
    pub(crate) writes: Vec<Write>,
    counters: Vec<(Place, u64)>,
}

/// The counter of an event, if its document counts.
pub(crate) fn place(told: &Told) -> Option<Place> {
    told.counter().map(|counter| (told.partition.clone(), counter))
}

impl Counters {
    /// Takes over what was read; a counter that was not found is at 0.
    pub(crate) fn saw(&mut self, place: Place, item: Option<&Item>) {
        self.0.insert(place, item.map_or(0, seq));
    }

    /// Numbers events in order; reads the counters that were not seen yet.
    pub(crate) async fn number(&mut self, db: &Db, told: &[&Told]) -> Result<Numbered> {
        let wanted: BTreeSet<Place> = told.iter().filter_map(|told| place(told)).collect();
        let unseen: BTreeSet<Place> =
            wanted.iter().filter(|place| !self.0.contains_key(place)).cloned().collect();
        if !unseen.is_empty() {
            let found = db.get_across(Table::Resources, unseen.clone()).await?;
            for place in unseen {
                let name = (place.0.as_str().to_owned(), place.1.as_str().to_owned());
                self.saw(place, found.get(&name));
            }
        }
        let now = db.clock.now();
        let mut next: BTreeMap<Place, u64> = BTreeMap::new();
        let mut writes = Vec::with_capacity(told.len() + wanted.len());
        for told in told {
            let seq = place(told).map(|place| {
                let seen = self.0.get(&place).copied().unwrap_or(0);
                let last = next.entry(place).or_insert(seen);
                *last += 1;
                *last
            });
            writes.push(told.write(&db.clock, seq)?);
        }
        for (place, last) in &next {
            let seen = self.0.get(place).copied().unwrap_or(0);
            let condition = match seen {
                0 => "attribute_not_exists(#seq)".to_owned(),
                _ => "#seq = :seen".to_owned(),
            };
            let mut values: Item = [(":last", *last), (":now", now)]
                .map(|(name, n)| (name.to_owned(), Value::N(n.to_string())))
                .into();
            if seen > 0 {
                values.insert(":seen".to_owned(), Value::N(seen.to_string()));
            }
            let names = [("#seq", SEQ), ("#written", WRITTEN)];
            let update = Update {
                expression: "SET #seq = :last, #written = :now".to_owned(),
                condition: Some(condition),
                names: names.map(|(name, of)| (name.to_owned(), of.to_owned())).into(),
                values,
            };
            let key = item::key(&place.0, &place.1);
            writes.push(Write::Update { table: Table::Resources.name(), key, update });
        }
        Ok(Numbered { writes, counters: next.into_iter().collect() })
    }

    /// Takes note that the transaction was made.
    pub(crate) fn made(&mut self, numbered: Numbered) {
        self.0.extend(numbered.counters);
    }

    /// Takes note of why the transaction was not made: somebody else counted meanwhile. `reasons`
    /// are those of the numbered writes.
    pub(crate) fn refused(&mut self, numbered: &Numbered, reasons: &[Cancellation]) {
        let of_counters = reasons.len().saturating_sub(numbered.counters.len());
        for (reason, (place, _)) in reasons[of_counters..].iter().zip(&numbered.counters) {
            if let Cancellation::Condition(found) = reason {
                match found {
                    Some(item) => self.0.insert(place.clone(), seq(item)),
                    None => self.0.remove(place),
                };
            }
        }
    }
}

/// What an item of a counter says.
pub(crate) fn seq(item: &Item) -> u64 {
    match item.get(SEQ) {
        Some(Value::N(n)) => n.parse().unwrap_or(0),
        _ => 0,
    }
}

/// Takes the counters out of items that were read together with others.
pub(crate) fn take(
    items: &mut std::collections::HashMap<(String, String), Item>,
    places: BTreeSet<Place>,
) -> Counters {
    let mut counters = Counters::default();
    for place in places {
        let name = (place.0.as_str().to_owned(), place.1.as_str().to_owned());
        let item = items.remove(&name);
        debug_assert!(item.as_ref().is_none_or(|item| place_of(item) == name));
        counters.saw(place, item.as_ref());
    }
    counters
}
