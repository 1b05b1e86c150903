//! The counter rows of documents. Only the journal writes them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aws::{Condition, Failure, Item, Update, Value};
use error::{Error, Result};
use model::{DocumentId, Millis, event::Event};
use tenancy::{
    layout::{Key, Table, WRITTEN, item},
    prelude::*,
    scopes::{TenantRef, report},
};

use super::{
    memory::Memory,
    numbering::{Counter, Run, Swap},
};
use crate::{
    journal::{Counters, Events, StoredEvent},
    prelude::*,
    schedule::SystemStore,
};

/// The last number.
const SEQ: &str = "seq";
/// End of the document's subscriptions, in epoch milliseconds.
const LISTENED: &str = "live";
/// Time before that end at which it is extended, in milliseconds.
const RENEWED: Millis = 60 * 60 * 1000;
/// Start of the log of its events, in epoch milliseconds, and the last number before it.
const LOG_START: &str = "log";
const LOG_FIRST: &str = "first";
/// The last run of each lane.
const LANES: &str = "lanes";
const POSITION: &str = "at";
const FIRST: &str = "first";
const DIGESTS: &str = "digests";

/// The document of an event's counter.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CountedIn(Key);

/// The outcome of an update of a counter row.
enum RowUpdate {
    Written,
    /// The condition does not hold for this row.
    Refused(Option<Item>),
}

impl CountedIn {
    pub(super) fn of_event(tenant: &TenantRef, event: &Event) -> Option<Self> {
        let (document, organization) = (event.sequenced_in()?, event.organization_id()?);
        let key = Key::pair("key", tenant.as_str()).and("organization", organization.as_str());
        Some(Self(key.and("document", document.as_str())))
    }

    fn place(&self) -> (Key, Key) {
        (self.0.clone(), Key::named("counter"))
    }
}

/// The number of the last event of a document.
pub struct LastPosition {
    /// The number; 0 before the first event.
    pub position: u64,
    /// The start of the log of its events, once it had subscribers.
    pub log_start: Option<LogStart>,
}

/// The start of the log of a document's events, which its subscribers have caused.
pub struct LogStart {
    /// The number of the last event before it.
    pub position: u64,
    /// Time of the start, in epoch milliseconds.
    pub at: Millis,
}

fn named<const N: usize>(names: [&str; N]) -> HashMap<String, String> {
    names.map(|name| (format!("#{name}"), name.to_owned())).into()
}

fn numbers<const N: usize>(values: [(&str, Millis); N]) -> Item {
    values.map(|(name, at)| (format!(":{name}"), Value::N(at.to_string()))).into()
}

impl SystemStore {
    /// The counters of documents, in order, cached or read.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn counters(&self, documents: &[CountedIn]) -> Result<Vec<Option<Counter>>> {
        let memory = self.db.cache::<Memory>();
        let remembered = documents.iter().map(|document| memory.counters.get(document));
        let remembered: Vec<Option<Counter>> = remembered.collect();
        let unknown = documents.iter().zip(&remembered).filter(|(_, counter)| counter.is_none());
        let places: BTreeSet<(Key, Key)> = unknown.map(|(document, _)| document.place()).collect();
        let found = match places.is_empty() {
            true => HashMap::new(),
            false => self.db.get_across(Table::Events, places).await?,
        };
        let counter = |(document, remembered): (&CountedIn, Option<Counter>)| {
            let (partition, sort) = document.place();
            match (remembered, found.get(&(partition.into(), sort.into()))) {
                (Some(counter), _) => Ok(Some(counter)),
                (None, item) => item.filter(|row| row.contains_key(SEQ)).map(decode).transpose(),
            }
        };
        documents.iter().zip(remembered).map(counter).collect()
    }

    /// Writes a counter if its last number is `seen`, or if there is none and `seen` is 0.
    ///
    /// # Errors
    /// UNAVAILABLE: the write may have happened. INTERNAL.
    pub async fn swap_counter(
        &self,
        document: &CountedIn,
        seen: u64,
        counter: &Counter,
    ) -> Result<Swap> {
        let (partition, sort) = document.place();
        let mut set = encode(counter);
        set.insert(WRITTEN.to_owned(), Value::N(self.now().to_string()));
        // The end of subscriptions stays.
        let update = set_all(set, if seen == 0 { never_counted() } else { last_is(seen) });
        let key = item::key(&partition, &sort);
        match self.db.dynamo().update(Table::Events.name(), key, update).await {
            Ok(row) => {
                let memory = self.db.cache::<Memory>();
                memory.counters.put(document.clone(), counter.clone(), 1);
                memory.listened.put(document.clone(), item::number(&row, LISTENED).unwrap_or(0), 1);
                Ok(Swap::Done)
            }
            Err(Failure::Condition(found)) => {
                let found = found.filter(|row| row.contains_key(SEQ));
                let found = found.as_ref().map(decode).transpose()?;
                if let Some(found) = &found {
                    self.db.cache::<Memory>().counters.put(document.clone(), found.clone(), 1);
                }
                Ok(Swap::Refused(found))
            }
            Err(failure @ Failure::Conflict) => Err(Error::unavailable(failure)),
            Err(failure) => Err(report(failure)),
        }
    }
}

impl Counters<'_> {
    /// Extends the subscriptions of a document until `until`: events numbered from now on are
    /// relayed and logged.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn note_subscribers(self, document: &DocumentId, until: Millis) -> Result<()> {
        let now = self.0.tenant().db().clock().real().millis();
        let start = Update {
            expression: "SET #live = :until, #log = :now, #first = if_not_exists(#seq, :zero)"
                .to_owned(),
            condition: Some("attribute_not_exists(#live) OR #live < :now".to_owned()),
            names: named([LISTENED, LOG_START, LOG_FIRST, SEQ]),
            values: numbers([("until", until), ("now", now), ("zero", 0)]),
        };
        let RowUpdate::Refused(row) = self.update_row(document, start).await? else {
            return Ok(());
        };
        let soon = until.saturating_sub(RENEWED);
        if row.and_then(|row| item::number(&row, LISTENED)).is_some_and(|until| until >= soon) {
            return Ok(());
        }
        let extension = Update {
            expression: "SET #live = :until".to_owned(),
            condition: Some("#live < :soon".to_owned()),
            names: named([LISTENED]),
            values: numbers([("until", until), ("soon", soon)]),
        };
        self.update_row(document, extension).await.map(drop)
    }

    /// Updates the counter row of a document.
    async fn update_row(self, document: &DocumentId, update: Update) -> Result<RowUpdate> {
        let (partition, sort) = self.counted_in(document).place();
        let key = item::key(&partition, &sort);
        match self.0.tenant().db().dynamo().update(Table::Events.name(), key, update).await {
            Ok(_) => Ok(RowUpdate::Written),
            Err(Failure::Condition(row)) => Ok(RowUpdate::Refused(row)),
            Err(failure) => Err(report(failure)),
        }
    }

    /// The number of the last event of a document, and the start of its log.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn last_position(self, document: &DocumentId) -> Result<LastPosition> {
        let (partition, sort) = self.counted_in(document).place();
        let row =
            self.0.tenant().db().get(Table::Events, &partition, &sort).await?.unwrap_or_default();
        let log_start = item::number(&row, LOG_FIRST).zip(item::number(&row, LOG_START));
        let log_start = log_start.map(|(position, at)| LogStart { position, at });
        Ok(LastPosition { position: item::number(&row, SEQ).unwrap_or(0), log_start })
    }

    fn counted_in(self, document: &DocumentId) -> CountedIn {
        CountedIn(self.0.partition().and("document", document.as_str()))
    }

    /// Whether an event numbered now may have subscribers: earlier subscriptions are known, and
    /// later subscribers read its effect.
    fn is_listened(self, document: &DocumentId) -> bool {
        let until = self.0.tenant().db().cache::<Memory>().listened.get(&self.counted_in(document));
        until.is_none_or(|until| self.0.tenant().db().clock().real().millis() < until)
    }
}

impl Events<'_> {
    /// Whether connected clients may listen to an event.
    pub fn is_listened(self, stored: &StoredEvent) -> bool {
        let place = stored.event.organization_id().zip(stored.event.sequenced_in());
        place.is_some_and(|(organization, document)| {
            self.0.organization(organization).counters().is_listened(document)
        })
    }
}

/// Sets attributes.
fn set_all(set: Item, condition: Condition) -> Update {
    let Condition { expression, mut names, mut values } = condition;
    let mut steps = Vec::with_capacity(set.len());
    for (name, value) in set {
        let at = steps.len();
        steps.push(format!("#set{at} = :set{at}"));
        names.insert(format!("#set{at}"), name);
        values.insert(format!(":set{at}"), value);
    }
    let expression_of_steps = format!("SET {}", steps.join(", "));
    Update { expression: expression_of_steps, condition: Some(expression), names, values }
}

fn never_counted() -> Condition {
    Condition {
        expression: "attribute_not_exists(#seq)".to_owned(),
        names: [("#seq".to_owned(), SEQ.to_owned())].into(),
        values: Item::new(),
    }
}

fn last_is(seen: u64) -> Condition {
    Condition {
        expression: "#seq = :seen".to_owned(),
        names: [("#seq".to_owned(), SEQ.to_owned())].into(),
        values: [(":seen".to_owned(), Value::N(seen.to_string()))].into(),
    }
}

fn encode(counter: &Counter) -> Item {
    let lane = |(name, run): (&String, &Run)| {
        let members = [
            (POSITION, Value::S(run.position.to_string())),
            (FIRST, Value::N(run.first.to_string())),
            (DIGESTS, Value::B(aws::Blob::new(run.digests.concat()))),
        ];
        let members = members.map(|(name, value)| (name.to_owned(), value));
        (name.clone(), Value::M(members.into()))
    };
    let lanes = Value::M(counter.lanes.iter().map(lane).collect());
    let seq = Value::N(counter.last.to_string());
    [(SEQ.to_owned(), seq), (LANES.to_owned(), lanes)].into()
}

fn decode(item: &Item) -> Result<Counter> {
    let broken = || Error::internal("a counter that cannot be read");
    let run = |members: &Item| {
        let position = members.get(POSITION)?.as_s().ok()?.parse().ok()?;
        let digests = members.get(DIGESTS)?.as_b().ok()?.as_ref().as_chunks().0.to_vec();
        Some(Run { position, first: item::number(members, FIRST)?, digests })
    };
    let lanes = item.get(LANES).and_then(|lanes| lanes.as_m().ok()).ok_or_else(broken)?;
    let lane =
        |(name, lane): (&String, &Value)| Some((name.clone(), lane.as_m().ok().and_then(run)?));
    let lanes: Option<BTreeMap<String, Run>> = lanes.iter().map(lane).collect();
    let (last, lanes) = item::number(item, SEQ).zip(lanes).ok_or_else(broken)?;
    Ok(Counter { last, lanes })
}

#[cfg(test)]
mod tests {
    use aws::Value;
    use model::Millis;
    use tenancy::layout::{Key, item};

    use super::{CountedIn, LISTENED, LOG_FIRST, LOG_START, decode, encode};
    use crate::journal::numbering::{Counter, Position, RUN, Run};

    fn counter(lanes: &[&str]) -> Counter {
        let position = Position::new("2026-11-20T00:00:00.000", "4421584500000000017450439091", 3);
        let run = Run { position, first: 4_000_000_000, digests: vec![[7; 8]; RUN] };
        let lanes = lanes.iter().map(|name| ((*name).to_owned(), run.clone()));
        Counter { last: 4_000_000_031, lanes: lanes.collect() }
    }

    #[test]
    fn a_counter_is_read_as_it_was_written() {
        for counter in [counter(&["Resources", "Crdt"]), counter(&[])] {
            assert_eq!(decode(&encode(&counter)).unwrap(), counter);
        }
        assert!(decode(&[].into()).is_err());
    }

    /// Two full runs and a key of ordinary ids are one write unit.
    #[test]
    fn a_counter_fits_into_one_unit() {
        let key = Key::pair("key", &"k".repeat(40)).and("organization", &"o".repeat(36));
        let document = CountedIn(key.and("document", &"d".repeat(36)));
        let (partition, sort) = document.place();
        let mut row = item::key(&partition, &sort);
        row.extend(encode(&counter(&["Resources", "Crdt"])));
        for name in [LISTENED, LOG_START, LOG_FIRST] {
            row.insert(name.to_owned(), Value::N(Millis::MAX.to_string()));
        }
        assert!(item::size(&row) + 30 <= 1024, "{}", item::size(&row));
    }
}
