//! Units of several writes, in as few transactions as possible.

use std::collections::BTreeMap;

use aws::{Cancellation, Failure, Write};
use error::Error;

use crate::scopes::{ATTEMPTS, Db, back_off};
use crate::writing::unit::{CommitOutcome, Unit, bytes, is_check, place};

/// Limits of one DynamoDB transaction, with room for what encoding adds.
const MAX_WRITES: usize = 100;
const MAX_BYTES: usize = 3_500_000;

/// Writes of one transaction, each with the units that need it.
#[derive(Default)]
struct Transaction {
    writes: Vec<(Write, Vec<(usize, usize)>)>,
    places: BTreeMap<(&'static str, (String, String)), usize>,
    bytes: usize,
}

impl Transaction {
    /// Adds the unit, unless it does not fit. No item may occur twice in a transaction, but a check
    /// is unnecessary if an earlier unit checks or writes the same item: it concerns the state
    /// after that unit, and both commit together.
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
    /// Executes units in as few transactions as possible.
    pub(super) async fn write_several(
        &self,
        units: &[Unit],
        members: Vec<usize>,
        outcomes: &mut [Option<CommitOutcome>],
    ) {
        let mut rest = members.as_slice();
        while !rest.is_empty() {
            let mut transaction = Transaction::default();
            let fitting = rest.iter().take_while(|&&n| transaction.take(n, &units[n])).count();
            let (now, later) = rest.split_at(fitting.max(1));
            self.transact(units, now.to_vec(), outcomes).await;
            rest = later;
        }
    }

    /// Executes the members that are not refused in one transaction.
    async fn transact(
        &self,
        units: &[Unit],
        mut members: Vec<usize>,
        outcomes: &mut [Option<CommitOutcome>],
    ) {
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
                    return fail(members, outcomes, unavailable, &failure.to_string());
                }
            };
            let before = members.len();
            for (reason, (_, needed_by)) in reasons.into_iter().zip(&transaction.writes) {
                for &(n, position) in needed_by {
                    let outcome = match &reason {
                        Cancellation::None | Cancellation::Conflict => continue,
                        // A call that seemed to have failed has executed the unit.
                        Cancellation::Condition(Some(found))
                            if position == 0 && units[n].has_written(found) =>
                        {
                            CommitOutcome::Done
                        }
                        Cancellation::Condition(_) => CommitOutcome::Refused(position),
                        Cancellation::Other(cause) => {
                            CommitOutcome::Failed(Error::internal(cause.clone()))
                        }
                    };
                    outcomes[n].get_or_insert(outcome);
                }
            }
            members.retain(|&n| outcomes[n].is_none());
            if members.len() == before {
                back_off(conflicts).await;
                conflicts += 1;
            }
        }
        for n in members {
            outcomes[n] = Some(CommitOutcome::Failed(Error::aborted()));
        }
    }
}

fn fail(
    members: Vec<usize>,
    outcomes: &mut [Option<CommitOutcome>],
    unavailable: bool,
    cause: &str,
) {
    for n in members {
        let error = if unavailable { Error::unavailable } else { Error::internal };
        outcomes[n] = Some(CommitOutcome::Failed(error(cause.to_owned())));
    }
}
