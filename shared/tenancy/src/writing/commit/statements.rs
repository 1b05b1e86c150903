//! Units of one conditional write each, sent together at the price of single writes.

use aws::{Failure, Statement, Write};
use futures_util::{StreamExt, stream};

use crate::writing::unit::{CommitOutcome, ExpectedItem, Unit, bytes};
use crate::{
    layout::{PK, SK, VERSION},
    scopes::{ATTEMPTS, Db, PARALLEL, back_off, report, report_shared},
};

/// Limits of one call, with room for what encoding adds.
const MAX_STATEMENTS: usize = 25;
const MAX_BYTES: usize = 3_500_000;

/// Units grouped into calls.
pub(crate) fn chunks(units: &[Unit], members: Vec<usize>) -> Vec<Vec<usize>> {
    let mut chunks: Vec<Vec<usize>> = Vec::new();
    let mut size = 0;
    for n in members {
        let own: usize = units[n].writes.iter().map(bytes).sum();
        match chunks.last_mut() {
            Some(chunk) if chunk.len() < MAX_STATEMENTS && size + own <= MAX_BYTES => {
                size += own;
                chunk.push(n);
            }
            _ => {
                size = own;
                chunks.push(vec![n]);
            }
        }
    }
    chunks
}

fn statement(unit: &Unit) -> Option<Statement> {
    let Some(Write::Put { item, .. }) = unit.writes.first() else { return None };
    let expected = unit.expected.as_ref()?;
    let (item, key) = (item.clone(), [PK, SK]);
    Some(match expected {
        ExpectedItem::Absent => Statement::Insert { item, key },
        ExpectedItem::Version { version, removed } => {
            let unless_changed = (VERSION, version.clone());
            // The events were attached since.
            let removed = removed.iter().filter(|name| !item.contains_key(*name)).cloned();
            let removed = removed.collect();
            Statement::Replace { item, key, removed, unless_changed }
        }
    })
}

impl Db {
    /// Executes units in one call; returns a result for each.
    pub(crate) async fn execute(
        &self,
        units: &[Unit],
        table: &'static str,
        mut members: Vec<usize>,
    ) -> Vec<(usize, CommitOutcome)> {
        let mut outcomes = Vec::new();
        let mut alone = Vec::new();
        for attempt in 0..ATTEMPTS {
            let statements = members.iter().filter_map(|&n| statement(&units[n])).collect();
            let answers = match self.dynamo.execute(table, statements).await {
                Ok(answers) => answers,
                Err(failure) => {
                    let failed = |n| (n, CommitOutcome::Failed(report_shared(&failure)));
                    outcomes.extend(members.into_iter().map(failed));
                    return outcomes;
                }
            };
            let mut repeated = Vec::new();
            for (n, answer) in members.into_iter().zip(answers) {
                match answer {
                    Ok(()) => outcomes.push((n, CommitOutcome::Done)),
                    Err(Failure::Condition(Some(found))) if units[n].has_written(&found) => {
                        outcomes.push((n, CommitOutcome::Done));
                    }
                    // The existing item may be a tombstone, or made by this write.
                    Err(Failure::Condition(None)) => alone.push(n),
                    Err(Failure::Condition(Some(_))) => {
                        outcomes.push((n, CommitOutcome::Refused(0)))
                    }
                    Err(Failure::Conflict | Failure::Unavailable(_)) => repeated.push(n),
                    Err(failure) => outcomes.push((n, CommitOutcome::Failed(report(failure)))),
                }
            }
            members = repeated;
            if members.is_empty() {
                break;
            }
            back_off(attempt).await;
        }
        outcomes.extend(
            members.into_iter().map(|n| (n, CommitOutcome::Failed(error::Error::aborted()))),
        );
        let writes: Vec<_> = alone.iter().map(|&n| self.write_one(&units[n])).collect();
        let written: Vec<CommitOutcome> = stream::iter(writes).buffered(PARALLEL).collect().await;
        outcomes.extend(alone.into_iter().zip(written));
        outcomes
    }
}
