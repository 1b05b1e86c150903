//! Conditional writes: single writes where possible, transactions where several items change
//! together.
//!
//! A unit is atomic: a change with its events. Units are independent: a refused one does not undo
//! another, although they may share a call.

use std::collections::BTreeMap;

use aws::{BatchWrite, Boxed, Failure, Write};
use error::Error;
use futures_util::{StreamExt, stream};

use super::{
    event::carry,
    statements,
    unit::{Fate, Unit, place},
};
use crate::scopes::{ATTEMPTS, Db, PARALLEL, back_off, report};

impl Db {
    /// Executes one unit.
    pub async fn commit(&self, unit: Unit) -> Fate {
        self.commit_all(vec![unit]).await.pop().unwrap_or(Fate::Done)
    }

    /// Executes units of distinct items; returns a result for each, in order.
    pub fn commit_all<'a>(&'a self, mut units: Vec<Unit>) -> Boxed<'a, Vec<Fate>> {
        Box::pin(async move {
            let mut fates: Vec<Option<Fate>> = units.iter().map(|_| None).collect();
            for (unit, fate) in units.iter_mut().zip(&mut fates) {
                let emitted = std::mem::take(&mut unit.emitted);
                let carried = carry(&mut unit.writes, emitted, &mut unit.version, &self.clock);
                *fate = carried.err().map(Fate::Failed);
            }
            self.write_links(&units, &mut fates).await;
            let open: Vec<usize> = (0..units.len()).filter(|&n| fates[n].is_none()).collect();
            let (single, several): (Vec<usize>, Vec<usize>) =
                open.into_iter().partition(|&n| units[n].is_single());
            match single.as_slice() {
                [] => {}
                [n] => fates[*n] = Some(self.write_one(&units[*n]).await),
                _ => self.write_singles(&units, single, &mut fates).await,
            }
            self.write_several(&units, several, &mut fates).await;
            let fates: Vec<Fate> =
                fates.into_iter().map(|fate| fate.unwrap_or(Fate::Done)).collect();
            self.remove_surplus(&units, &fates).await;
            fates
        })
    }

    /// Removes the surplus rows of executed units. What remains is ignored.
    async fn remove_surplus(&self, units: &[Unit], fates: &[Fate]) {
        let mut tables: BTreeMap<&'static str, Vec<BatchWrite>> = BTreeMap::new();
        let done = units.iter().zip(fates).filter(|(_, fate)| matches!(fate, Fate::Done));
        for (unit, _) in done {
            let Some(write) = unit.writes.first() else { continue };
            let keys = unit.surplus.iter().cloned().map(BatchWrite::Delete);
            tables.entry(place(write).0).or_default().extend(keys);
        }
        for (table, writes) in tables {
            self.write_all_named(table, writes).await;
        }
    }

    /// Writes link rows of the undecided units; units whose rows could not be written fail.
    async fn write_links(&self, units: &[Unit], fates: &mut [Option<Fate>]) {
        let mut tables: BTreeMap<&'static str, (Vec<usize>, Vec<BatchWrite>)> = BTreeMap::new();
        for (n, unit) in units.iter().enumerate().filter(|(n, _)| fates[*n].is_none()) {
            let Some(write) = unit.writes.first() else { continue };
            let (of_units, writes) = tables.entry(place(write).0).or_default();
            of_units.extend(unit.links.iter().map(|_| n));
            writes.extend(unit.links.iter().cloned().map(BatchWrite::Put));
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

    /// Executes a unit of one write as a single call.
    pub async fn write_one(&self, unit: &Unit) -> Fate {
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

    /// Executes units of one write each. Units that name the expected item share calls at the price
    /// of single writes; the others share transactions, which cost twice as much.
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
}
