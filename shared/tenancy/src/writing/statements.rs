//! Units of one conditional write each, sent together at the price of single writes.

use aws::{Failure, Statement, Write};
use futures_util::{StreamExt, stream};

use super::unit::{Fate, Finds, Unit, bytes};
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
    let (Some(Write::Put { item, .. }), Some(finds)) = (unit.writes.first(), &unit.finds) else {
        return None;
    };
    let (item, key) = (item.clone(), [PK, SK]);
    Some(match finds {
        Finds::Nothing => Statement::Insert { item, key },
        Finds::Version(version, removed) => {
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
    ) -> Vec<(usize, Fate)> {
        let mut fates = Vec::new();
        let mut alone = Vec::new();
        for attempt in 0..ATTEMPTS {
            let statements = members.iter().filter_map(|&n| statement(&units[n])).collect();
            let answers = match self.dynamo.execute(table, statements).await {
                Ok(answers) => answers,
                Err(failure) => {
                    let failed = |n| (n, Fate::Failed(report_shared(&failure)));
                    fates.extend(members.into_iter().map(failed));
                    return fates;
                }
            };
            let mut again = Vec::new();
            for (n, answer) in members.into_iter().zip(answers) {
                match answer {
                    Ok(()) => fates.push((n, Fate::Done)),
                    Err(Failure::Condition(Some(found))) if units[n].made(&found) => {
                        fates.push((n, Fate::Done));
                    }
                    // The existing item may be a tombstone, or made by this write.
                    Err(Failure::Condition(None)) => alone.push(n),
                    Err(Failure::Condition(Some(_))) => fates.push((n, Fate::Refused(0))),
                    Err(Failure::Conflict | Failure::Unavailable(_)) => again.push(n),
                    Err(failure) => fates.push((n, Fate::Failed(report(failure)))),
                }
            }
            members = again;
            if members.is_empty() {
                break;
            }
            back_off(attempt).await;
        }
        fates.extend(members.into_iter().map(|n| (n, Fate::Failed(error::Error::aborted()))));
        let ones: Vec<_> = alone.iter().map(|&n| self.write_one(&units[n])).collect();
        let ones: Vec<Fate> = stream::iter(ones).buffered(PARALLEL).collect().await;
        fates.extend(alone.into_iter().zip(ones));
        fates
    }
}
