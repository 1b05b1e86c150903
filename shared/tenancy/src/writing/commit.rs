//! Conditional writes: single writes where possible, transactions where several items change
//! together.
//!
//! A unit is atomic: a change with its events. Units are independent: a refused one does not undo
//! another, although they may share a call.

mod statements;
mod transaction;

use std::collections::BTreeMap;

use aws::{BatchWrite, Boxed, Failure, Item, Write};
use error::Error;
use futures_util::{StreamExt, stream};

use super::unit::{CommitOutcome, Unit, carry, place};
use crate::scopes::{ATTEMPTS, Db, Found, PARALLEL, back_off, place_of, report};

impl Db {
    /// Executes one unit.
    pub async fn commit(&self, unit: Unit) -> CommitOutcome {
        self.commit_all(vec![unit]).await.pop().unwrap_or(CommitOutcome::Done)
    }

    /// Like [`Db::commit_all`]; adds the items that refused units, where a refusal brings them.
    pub(crate) async fn commit_finding(
        &self,
        mut units: Vec<Unit>,
        found: &mut Found,
    ) -> Vec<CommitOutcome> {
        match units.as_mut_slice() {
            [unit] if unit.is_single() && unit.emitted.is_empty() && unit.links.is_empty() => {
                let (outcome, item) = self.write_one_finding(unit).await;
                found.extend(item.map(|item| (place_of(&item), item)));
                vec![outcome]
            }
            _ => self.commit_all(units).await,
        }
    }

    /// Executes units of distinct items; returns a result for each, in order.
    pub fn commit_all<'a>(&'a self, mut units: Vec<Unit>) -> Boxed<'a, Vec<CommitOutcome>> {
        Box::pin(async move {
            let mut outcomes: Vec<Option<CommitOutcome>> = units.iter().map(|_| None).collect();
            for (unit, outcome) in units.iter_mut().zip(&mut outcomes) {
                let emitted = std::mem::take(&mut unit.emitted);
                let carried = carry(&mut unit.writes, emitted, &mut unit.version, &self.clock);
                *outcome = carried.err().map(CommitOutcome::Failed);
            }
            self.write_links(&units, &mut outcomes).await;
            let open: Vec<usize> = (0..units.len()).filter(|&n| outcomes[n].is_none()).collect();
            let (single, several): (Vec<usize>, Vec<usize>) =
                open.into_iter().partition(|&n| units[n].is_single());
            match single.as_slice() {
                [] => {}
                [n] => outcomes[*n] = Some(self.write_one(&units[*n]).await),
                _ => self.write_singles(&units, single, &mut outcomes).await,
            }
            self.write_several(&units, several, &mut outcomes).await;
            let outcomes: Vec<CommitOutcome> = outcomes
                .into_iter()
                .map(|outcome| outcome.unwrap_or(CommitOutcome::Done))
                .collect();
            self.remove_surplus(&units, &outcomes).await;
            outcomes
        })
    }

    /// Removes the surplus rows of executed units. Rows that remain are ignored.
    async fn remove_surplus(&self, units: &[Unit], outcomes: &[CommitOutcome]) {
        let mut tables: BTreeMap<&'static str, Vec<BatchWrite>> = BTreeMap::new();
        let done = units
            .iter()
            .zip(outcomes)
            .filter(|(_, outcome)| matches!(outcome, CommitOutcome::Done));
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
    async fn write_links(&self, units: &[Unit], outcomes: &mut [Option<CommitOutcome>]) {
        let mut tables: BTreeMap<&'static str, (Vec<usize>, Vec<BatchWrite>)> = BTreeMap::new();
        for (n, unit) in units.iter().enumerate().filter(|(n, _)| outcomes[*n].is_none()) {
            let Some(write) = unit.writes.first() else { continue };
            let (of_units, writes) = tables.entry(place(write).0).or_default();
            of_units.extend(unit.links.iter().map(|_| n));
            writes.extend(unit.links.iter().cloned().map(BatchWrite::Put));
        }
        for (table, (of_units, writes)) in tables {
            let written = self.write_all_named(table, writes).await;
            for (n, result) in of_units.into_iter().zip(written) {
                if let Err(error) = result {
                    outcomes[n].get_or_insert(CommitOutcome::Failed(error));
                }
            }
        }
    }

    /// Executes a unit of one write as a single call.
    pub async fn write_one(&self, unit: &Unit) -> CommitOutcome {
        self.write_one_finding(unit).await.0
    }

    /// Executes a unit of one write as a single call, and returns the item that refused it.
    async fn write_one_finding(&self, unit: &Unit) -> (CommitOutcome, Option<Item>) {
        for attempt in 0..ATTEMPTS {
            let written = match unit.writes.first() {
                Some(Write::Put { table, item, condition }) => {
                    self.dynamo.put(table, item.clone(), condition.clone()).await
                }
                Some(Write::Delete { table, key, condition }) => {
                    self.dynamo.delete(table, key.clone(), condition.clone()).await
                }
                _ => return (CommitOutcome::Done, None),
            };
            match written {
                Ok(()) => return (CommitOutcome::Done, None),
                Err(Failure::Condition(Some(found))) if unit.has_written(&found) => {
                    return (CommitOutcome::Done, None);
                }
                Err(Failure::Condition(found)) => return (CommitOutcome::Refused(0), found),
                Err(Failure::Conflict) => back_off(attempt).await,
                Err(failure) => return (CommitOutcome::Failed(report(failure)), None),
            }
        }
        (CommitOutcome::Failed(Error::aborted()), None)
    }

    /// Executes units of one write each. Units that name the expected item share calls at the price
    /// of single writes; the others share transactions, which cost twice as much.
    async fn write_singles(
        &self,
        units: &[Unit],
        members: Vec<usize>,
        outcomes: &mut [Option<CommitOutcome>],
    ) {
        let (shared, rest): (Vec<usize>, Vec<usize>) =
            members.into_iter().partition(|&n| units[n].expected.is_some());
        let (free, transacted): (Vec<usize>, Vec<usize>) =
            rest.into_iter().partition(|&n| units[n].unconditional().is_some());
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
                outcomes[n] =
                    Some(result.map_or_else(CommitOutcome::Failed, |()| CommitOutcome::Done));
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
        let sent: Vec<Vec<(usize, CommitOutcome)>> =
            stream::iter(calls).buffered(PARALLEL).collect().await;
        for (n, outcome) in sent.into_iter().flatten() {
            outcomes[n] = Some(outcome);
        }
        self.write_several(units, transacted, outcomes).await;
    }
}
