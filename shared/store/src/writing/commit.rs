//! Conditional writes: one item each where that is all, in transactions where several items change
//! together.
//!
//! A unit is what must happen as a whole: a change with its events. Units are independent: one that
//! is refused does not undo another, although they may share a call.

use std::collections::BTreeMap;

use aws::{BatchWrite, Cancellation, Condition, Failure, Item, Value, Write};
use error::{Error, Result};
use futures_util::{StreamExt, stream};

use super::{
    event::{Emitted, carry},
    statements,
};
use crate::{
    layout::{GONE, VERSION, item},
    scopes::{ATTEMPTS, Db, PARALLEL, back_off, place_of, report},
};

/// Limits of one DynamoDB transaction, with room for what encoding adds.
const MAX_WRITES: usize = 100;
const MAX_BYTES: usize = 3_500_000;

/// Writes that happen together or not at all. The first one decides whether the unit is refused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unit {
    pub(crate) writes: Vec<Write>,
    /// What it tells of, in order.
    pub(crate) emitted: Vec<Emitted>,
    /// The version its first write stamps; tells a refusal from the echo of our own lost call.
    pub(crate) version: Option<String>,
    /// What its first write finds, if it may share a call with others at the price of a single one.
    pub(crate) finds: Option<Finds>,
    /// Rows by which the item is found. One is believed only while the item lists it: so new ones
    /// are written before the unit, and old ones removed behind it.
    pub(crate) links: Links,
}

/// What a write finds in the place of its item.
#[derive(Clone, Debug)]
pub(crate) enum Finds {
    /// Nothing.
    Nothing,
    /// An item of this version, with these attributes that the new one has not.
    Version(String, Vec<String>),
}

/// Rows by which an item is found, as they change with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    pub(crate) added: Vec<Item>,
    /// Keys.
    pub(crate) removed: Vec<Item>,
}

/// What became of a unit.
#[derive(Debug)]
pub(crate) enum Fate {
    Done,
    /// The condition of this write, counted in the unit, did not hold.
    Refused(usize),
    Failed(Error),
}

fn gone() -> (String, String) {
    ("#gone".to_owned(), GONE.to_owned())
}

pub(crate) fn absent() -> Condition {
    Condition {
        expression: format!("(attribute_not_exists({}) OR attribute_exists(#gone))", item::PK),
        names: [gone()].into(),
        ..Condition::default()
    }
}

pub(crate) fn present() -> Condition {
    Condition {
        expression: format!("(attribute_exists({}) AND attribute_not_exists(#gone))", item::PK),
        names: [gone()].into(),
        ..Condition::default()
    }
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
    bytes: usize,
}

impl Transaction {
    /// Takes the unit in, unless it does not fit. No item may occur twice in a transaction, but a
    /// check is dispensable where an earlier unit checks or writes the same item: it is about the
    /// state which that unit leaves behind, and both commit together.
    fn take(&mut self, n: usize, unit: &Unit) -> bool {
        let bytes: usize = unit.writes.iter().map(bytes).sum();
        let clash = unit
            .writes
            .iter()
            .any(|write| !is_check(write) && self.places.contains_key(&place(write)));
        let writes = self.writes.len() + unit.writes.len();
        let full = writes > MAX_WRITES || self.bytes + bytes > MAX_BYTES;
        if !self.writes.is_empty() && (clash || full) {
            return false;
        }
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

    /// Makes units of distinct items; answers for each, in order.
    pub(crate) async fn commit_all(&self, mut units: Vec<Unit>) -> Vec<Fate> {
        let mut fates: Vec<Option<Fate>> = units.iter().map(|_| None).collect();
        for (unit, fate) in units.iter_mut().zip(&mut fates) {
            let emitted = std::mem::take(&mut unit.emitted);
            let carried = carry(&mut unit.writes, emitted, &mut unit.version, &self.clock);
            *fate = carried.err().map(Fate::Failed);
        }
        self.write_links(&units, &mut fates, |links| {
            links.added.iter().cloned().map(BatchWrite::Put).collect()
        })
        .await;
        let open: Vec<usize> = (0..units.len()).filter(|&n| fates[n].is_none()).collect();
        let (single, several): (Vec<usize>, Vec<usize>) =
            open.into_iter().partition(|&n| units[n].is_single());
        match single.as_slice() {
            [] => {}
            [n] => fates[*n] = Some(self.write_one(&units[*n]).await),
            _ => self.write_singles(&units, single, &mut fates).await,
        }
        self.write_several(&units, several, &mut fates).await;
        let fates: Vec<Fate> = fates.into_iter().map(|fate| fate.unwrap_or(Fate::Done)).collect();
        // What stays is not believed any more, and goes with the next removal.
        let is_done = |fate: &Fate| matches!(fate, Fate::Done);
        let mut rest: Vec<Option<Fate>> =
            fates.iter().map(|fate| (!is_done(fate)).then_some(Fate::Done)).collect();
        self.write_links(&units, &mut rest, |links| {
            links.removed.iter().cloned().map(BatchWrite::Delete).collect()
        })
        .await;
        fates
    }

    /// Writes rows of the units without a fate; those whose rows could not be written fail.
    async fn write_links(
        &self,
        units: &[Unit],
        fates: &mut [Option<Fate>],
        of: impl Fn(&Links) -> Vec<BatchWrite>,
    ) {
        let mut tables: BTreeMap<&'static str, (Vec<usize>, Vec<BatchWrite>)> = BTreeMap::new();
        for (n, unit) in units.iter().enumerate().filter(|(n, _)| fates[*n].is_none()) {
            let Some(write) = unit.writes.first() else { continue };
            let (of_units, writes) = tables.entry(place(write).0).or_default();
            let links = of(&unit.links);
            of_units.extend(links.iter().map(|_| n));
            writes.extend(links);
        }
        for (table, (of_units, writes)) in tables {
            let written = self.write_all_named(table, writes).await;
            for (n, result) in of_units.into_iter().zip(written) {
                if let Err(error) = result {
                    fates[n].get_or_insert(Fate::Failed(error));
                }
            }
        }
    }

    /// Makes a unit of one write as a single call.
    pub(crate) async fn write_one(&self, unit: &Unit) -> Fate {
        for attempt in 0..ATTEMPTS {
            let written = match unit.writes.first() {
                Some(Write::Put { table, item, condition }) => {
                    self.dynamo.put(table, item.clone(), condition.clone()).await
                }
                Some(Write::Delete { table, key, condition }) => {
                    self.dynamo.delete(table, key.clone(), condition.clone()).await
                }
                _ => return Fate::Done,
            };
            match written {
                Ok(()) => return Fate::Done,
                Err(Failure::Condition(Some(found))) if unit.made(&found) => return Fate::Done,
                Err(Failure::Condition(_)) => return Fate::Refused(0),
                Err(Failure::Conflict) => back_off(attempt).await,
                Err(failure) => return Fate::Failed(report(failure)),
            }
        }
        Fate::Failed(Error::aborted())
    }

    /// Makes units of one write each. Those that say what they find share calls at the price of
    /// single writes; the others share transactions, which cost twice as much.
    async fn write_singles(&self, units: &[Unit], members: Vec<usize>, fates: &mut [Option<Fate>]) {
        let (shared, others): (Vec<usize>, Vec<usize>) =
            members.into_iter().partition(|&n| units[n].finds.is_some());
        let (free, others): (Vec<usize>, Vec<usize>) =
            others.into_iter().partition(|&n| units[n].unconditional().is_some());
        let mut writes: BTreeMap<&'static str, (Vec<usize>, Vec<BatchWrite>)> = BTreeMap::new();
        for n in free {
            let Some((table, write)) = units[n].unconditional() else { continue };
            let (of_units, writes) = writes.entry(table).or_default();
            of_units.push(n);
            writes.push(write);
        }
        for (table, (of_units, writes)) in writes {
            let written = self.write_all_named(table, writes).await;
            for (n, result) in of_units.into_iter().zip(written) {
                fates[n] = Some(result.map_or_else(Fate::Failed, |()| Fate::Done));
            }
        }
        let mut tables: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
        for n in shared {
            tables.entry(place(&units[n].writes[0]).0).or_default().push(n);
        }
        let mut calls = Vec::new();
        for (table, members) in tables {
            for chunk in statements::chunks(units, members) {
                calls.push(self.execute(units, table, chunk));
            }
        }
        let sent: Vec<Vec<(usize, Fate)>> = stream::iter(calls).buffered(PARALLEL).collect().await;
        for (n, fate) in sent.into_iter().flatten() {
            fates[n] = Some(fate);
        }
        self.write_several(units, others, fates).await;
    }

    /// Makes units in as few transactions as they fit in.
    async fn write_several(&self, units: &[Unit], members: Vec<usize>, fates: &mut [Option<Fate>]) {
        let mut rest = members.as_slice();
        while !rest.is_empty() {
            let mut transaction = Transaction::default();
            let fitting = rest.iter().take_while(|&&n| transaction.take(n, &units[n])).count();
            let (now, later) = rest.split_at(fitting.max(1));
            self.transact(units, now.to_vec(), fates).await;
            rest = later;
        }
    }

    /// Makes the members that are not refused in one transaction.
    async fn transact(&self, units: &[Unit], mut members: Vec<usize>, fates: &mut [Option<Fate>]) {
        let mut conflicts = 0;
        while !members.is_empty() && conflicts < ATTEMPTS {
            let mut transaction = Transaction::default();
            for &n in &members {
                transaction.take(n, &units[n]);
            }
            let writes = transaction.writes.iter().map(|(write, _)| write).cloned().collect();
            let reasons = match self.dynamo.transact(writes).await {
                Ok(()) => return,
                Err(Failure::Conflict) => vec![],
                Err(Failure::Canceled(reasons)) => reasons,
                Err(failure) => {
                    let unavailable = matches!(failure, Failure::Unavailable(_));
                    return fail(members, fates, unavailable, &failure.to_string());
                }
            };
            let before = members.len();
            for (reason, (_, needed_by)) in reasons.into_iter().zip(&transaction.writes) {
                for &(n, position) in needed_by {
                    let fate = match &reason {
                        Cancellation::None | Cancellation::Conflict => continue,
                        // It was made by a call that seemed to have failed.
                        Cancellation::Condition(Some(found))
                            if position == 0 && units[n].made(found) =>
                        {
                            Fate::Done
                        }
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
    /// Whether it may be sent as a single call, which is cheaper than a transaction. An update may
    /// not: repeated after a lost reply it would be made twice.
    fn is_single(&self) -> bool {
        match self.writes.as_slice() {
            [] | [Write::Delete { .. }] => true,
            [Write::Put { condition, .. }] => condition.is_none() || self.version.is_some(),
            _ => false,
        }
    }

    /// Its write, if that is all and has no condition.
    fn unconditional(&self) -> Option<(&'static str, BatchWrite)> {
        match self.writes.as_slice() {
            [Write::Put { table, item, condition: None }] => {
                Some((*table, BatchWrite::Put(item.clone())))
            }
            [Write::Delete { table, key, condition: None }] => {
                Some((*table, BatchWrite::Delete(key.clone())))
            }
            _ => None,
        }
    }

    /// Whether the item that was found is what this unit made of it, or came of that.
    pub(crate) fn made(&self, found: &Item) -> bool {
        self.version.as_deref().is_some_and(|version| item::had_version(found, version))
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

pub(crate) fn bytes(write: &Write) -> usize {
    match write {
        Write::Put { item, .. } => item::size(item),
        Write::Delete { key, .. } | Write::Check { key, .. } => item::size(key),
        Write::Update { key, update, .. } => item::size(key) + item::size(&update.values),
    }
}
