//! Conditional writes, packed into as few transactions as they fit in.
//!
//! A unit is what must happen as a whole: a change and its event. Units are independent: one that
//! is refused does not undo another, although they share a transaction.

use std::collections::{BTreeMap, BTreeSet};

use aws::{Cancellation, Condition, Failure, Item, Value, Write};
use error::{Error, Result};

use crate::{
    db::{ATTEMPTS, Db, back_off, place_of, report},
    event::Told,
    item::{self, VERSION},
    sequence::{self, Counters},
};

/// Limits of one DynamoDB transaction, with room for what encoding adds.
const MAX_WRITES: usize = 100;
const MAX_BYTES: usize = 3_500_000;

/// Writes that happen together or not at all. The first one decides whether the unit is refused.
#[derive(Default)]
pub(crate) struct Unit {
    pub(crate) writes: Vec<Write>,
    /// What it tells of; each document numbers its events in the order of the units.
    pub(crate) told: Vec<Told>,
    /// The version its first write stamps; tells a refusal from the echo of our own lost call.
    pub(crate) version: Option<String>,
}

/// What became of a unit.
#[derive(Debug)]
pub(crate) enum Fate {
    Done,
    /// The condition of this write, counted in the unit, did not hold.
    Refused(usize),
    Failed(Error),
}

pub(crate) fn absent() -> Condition {
    Condition { expression: format!("attribute_not_exists({})", item::PK), ..Condition::default() }
}

pub(crate) fn present() -> Condition {
    Condition { expression: format!("attribute_exists({})", item::PK), ..Condition::default() }
}

pub(crate) fn unchanged(version: &str) -> Condition {
    Condition {
        expression: "#version = :version".to_owned(),
        names: [("#version".to_owned(), VERSION.to_owned())].into(),
        values: [(":version".to_owned(), Value::S(version.to_owned()))].into(),
    }
}

/// Writes of one transaction, each with the units that need it.
#[derive(Default)]
struct Transaction {
    writes: Vec<(Write, Vec<(usize, usize)>)>,
    places: BTreeMap<(&'static str, (String, String)), usize>,
    counters: BTreeSet<sequence::Place>,
    events: usize,
    bytes: usize,
}

impl Transaction {
    /// Takes the unit in, unless it does not fit. No item may occur twice in a transaction, but a
    /// check is dispensable where an earlier unit checks or writes the same item: it is about the
    /// state which that unit leaves behind, and both commit together.
    fn take(&mut self, n: usize, unit: &Unit) -> bool {
        let bytes: usize = unit.writes.iter().map(bytes).sum::<usize>()
            + unit.told.iter().map(|told| told.event.size()).sum::<usize>();
        let counters = unit.told.iter().filter_map(sequence::place);
        let counters: BTreeSet<_> = counters.chain(self.counters.iter().cloned()).collect();
        let clash = unit
            .writes
            .iter()
            .any(|write| !is_check(write) && self.places.contains_key(&place(write)));
        let writes = self.writes.len() + unit.writes.len() + self.events + unit.told.len();
        let full = writes + counters.len() > MAX_WRITES || self.bytes + bytes > MAX_BYTES;
        if !self.writes.is_empty() && (clash || full) {
            return false;
        }
        self.counters = counters;
        self.events += unit.told.len();
        for (position, write) in unit.writes.iter().enumerate() {
            match self.places.get(&place(write)) {
                Some(&at) if is_check(&self.writes[at].0) => self.writes[at].1.push((n, position)),
                Some(_) => {}
                None => {
                    self.places.insert(place(write), self.writes.len());
                    self.writes.push((write.clone(), vec![(n, position)]));
                }
            }
        }
        self.bytes += bytes;
        true
    }
}

impl Db {
    /// Makes one unit.
    pub(crate) async fn commit(&self, unit: Unit) -> Fate {
        self.commit_all(vec![unit]).await.pop().unwrap_or(Fate::Done)
    }

    /// Makes units in order; answers for each.
    pub(crate) async fn commit_all(&self, units: Vec<Unit>) -> Vec<Fate> {
        self.commit_counting(units, Counters::default()).await
    }

    /// As [`Db::commit_all`], where counters of events were read already.
    pub(crate) async fn commit_counting(
        &self,
        units: Vec<Unit>,
        mut counters: Counters,
    ) -> Vec<Fate> {
        if let [unit] = units.as_slice()
            && let Some((table, item, condition)) = unit.single_put()
        {
            return vec![self.put(unit, table, item, condition).await];
        }
        let mut fates: Vec<Option<Fate>> = units.iter().map(|_| None).collect();
        let mut next = 0;
        while next < units.len() {
            let mut members = Vec::new();
            let mut transaction = Transaction::default();
            while next < units.len() && transaction.take(next, &units[next]) {
                members.push(next);
                next += 1;
            }
            self.transact(&units, members, &mut fates, &mut counters).await;
        }
        fates.into_iter().map(|fate| fate.unwrap_or(Fate::Done)).collect()
    }

    async fn put(
        &self,
        unit: &Unit,
        table: &str,
        item: &Item,
        condition: &Option<Condition>,
    ) -> Fate {
        for attempt in 0..ATTEMPTS {
            match self.dynamo.put(table, item.clone(), condition.clone()).await {
                Ok(()) => return Fate::Done,
                Err(Failure::Condition(Some(found))) if unit.made(&found) => return Fate::Done,
                Err(Failure::Condition(_)) => return Fate::Refused(0),
                Err(Failure::Conflict) => back_off(attempt).await,
                Err(failure) => return Fate::Failed(report(failure)),
            }
        }
        Fate::Failed(Error::aborted())
    }

    /// Makes the members that are not refused in one transaction.
    async fn transact(
        &self,
        units: &[Unit],
        mut members: Vec<usize>,
        fates: &mut [Option<Fate>],
        counters: &mut Counters,
    ) {
        let mut conflicts = 0;
        while !members.is_empty() && conflicts < ATTEMPTS {
            let mut transaction = Transaction::default();
            for &n in &members {
                transaction.take(n, &units[n]);
            }
            let told: Vec<&Told> = members.iter().flat_map(|&n| &units[n].told).collect();
            let numbered = match counters.number(self, &told).await {
                Ok(numbered) => numbered,
                Err(error) => {
                    let unavailable = error.status == error::Status::Unavailable;
                    return fail(members, fates, unavailable, &format!("{error:?}"));
                }
            };
            let writes = transaction.writes.iter().map(|(write, _)| write);
            let writes = writes.chain(&numbered.writes).cloned().collect();
            let reasons = match self.dynamo.transact(writes).await {
                Ok(()) => return counters.made(numbered),
                Err(Failure::Conflict) => vec![],
                Err(Failure::Canceled(reasons)) => reasons,
                Err(failure) => {
                    let unavailable = matches!(failure, Failure::Unavailable(_));
                    return fail(members, fates, unavailable, &failure.to_string());
                }
            };
            counters.refused(&numbered, reasons.get(transaction.writes.len()..).unwrap_or(&[]));
            let before = members.len();
            for (reason, (_, needed_by)) in reasons.into_iter().zip(&transaction.writes) {
                for &(n, position) in needed_by {
                    let fate = match &reason {
                        Cancellation::None | Cancellation::Conflict => continue,
                        Cancellation::Condition(_) => Fate::Refused(position),
                        Cancellation::Other(cause) => Fate::Failed(Error::internal(cause.clone())),
                    };
                    fates[n].get_or_insert(fate);
                }
            }
            members.retain(|&n| fates[n].is_none());
            if members.len() == before {
                back_off(conflicts).await;
                conflicts += 1;
            }
        }
        for n in members {
            fates[n] = Some(Fate::Failed(Error::aborted()));
        }
    }
}

fn fail(members: Vec<usize>, fates: &mut [Option<Fate>], unavailable: bool, cause: &str) {
    for n in members {
        let error = if unavailable { Error::unavailable } else { Error::internal };
        fates[n] = Some(Fate::Failed(error(cause.to_owned())));
    }
}

impl Unit {
    /// What it writes, if it may be sent as a single call, which is cheaper than a transaction. A
    /// conditional delete may not: were its reply lost, the repeat would find nothing and look
    /// refused.
    fn single_put(&self) -> Option<(&'static str, &Item, &Option<Condition>)> {
        match self.writes.as_slice() {
            [Write::Put { table, item, condition }] if self.told.is_empty() => {
                let is_safe = condition.is_none() || self.version.is_some();
                is_safe.then_some((table, item, condition))
            }
            _ => None,
        }
    }

    fn made(&self, found: &Item) -> bool {
        self.version.is_some() && item::version(found).ok() == self.version
    }
}

/// A fate as a result, for a unit whose refusal means `refused`.
pub(crate) fn settle(fate: Fate, refused: impl FnOnce(usize) -> Error) -> Result<()> {
    match fate {
        Fate::Done => Ok(()),
        Fate::Refused(position) => Err(refused(position)),
        Fate::Failed(error) => Err(error),
    }
}

fn place(write: &Write) -> (&'static str, (String, String)) {
    match write {
        Write::Put { table, item, .. } => (table, place_of(item)),
        Write::Delete { table, key, .. }
        | Write::Update { table, key, .. }
        | Write::Check { table, key, .. } => (table, place_of(key)),
    }
}

fn is_check(write: &Write) -> bool {
    matches!(write, Write::Check { .. })
}

fn bytes(write: &Write) -> usize {
    match write {
        Write::Put { item, .. } => item::size(item),
        Write::Delete { key, .. } | Write::Check { key, .. } => item::size(key),
        Write::Update { key, update, .. } => item::size(key) + item::size(&update.values),
    }
}
