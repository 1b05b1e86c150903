//! Rows by which an entity is found, where it has more of them than fit into its transaction.
//!
//! A row counts only when what it leads to names it. So rows may come before the entity and go
//! after it: one that was left behind is never followed.

use aws::{Failure, Value, Write};
use error::{Error, Result};

use crate::{
    commit::{MAX_WRITES, Unit},
    db::{ATTEMPTS, Db, back_off, report},
    item,
};

/// Head of the sort key of every such row.
pub(crate) const KIND: &str = "link";

/// Rows that do not fit.
#[derive(Default)]
pub(crate) struct Spilled {
    /// Written before the unit.
    pub(crate) ahead: Vec<Write>,
    /// Removed after the unit.
    pub(crate) behind: Vec<Write>,
}

/// Takes out of a unit the rows for which a transaction has no room.
pub(crate) fn spill(unit: &mut Unit) -> Spilled {
    let mut spilled = Spilled::default();
    // An event comes with the counter that numbers it.
    let room = MAX_WRITES.saturating_sub(2 * unit.told.len());
    let mut excess = unit.writes.len().saturating_sub(room);
    if excess == 0 {
        return spilled;
    }
    let mut kept = Vec::with_capacity(room);
    for write in std::mem::take(&mut unit.writes).into_iter().rev() {
        match write {
            Write::Put { ref item, condition: None, .. } if excess > 0 && is_link(item) => {
                spilled.ahead.push(write);
                excess -= 1;
            }
            Write::Delete { ref key, condition: None, .. } if excess > 0 && is_link(key) => {
                spilled.behind.push(write);
                excess -= 1;
            }
            write => kept.push(write),
        }
    }
    kept.reverse();
    unit.writes = kept;
    spilled
}

fn is_link(row: &aws::Item) -> bool {
    let Some(Value::S(sort)) = row.get(item::SK) else { return false };
    sort.split_once('#').is_some_and(|(kind, _)| kind == KIND)
}

impl Db {
    /// Writes or removes rows, as many at a time as a transaction takes.
    pub(crate) async fn write_links(&self, rows: &[Write]) -> Result<()> {
        for rows in rows.chunks(MAX_WRITES) {
            self.write_some_links(rows).await?;
        }
        Ok(())
    }

    async fn write_some_links(&self, rows: &[Write]) -> Result<()> {
        for attempt in 0..ATTEMPTS {
            match self.dynamo.transact(rows.to_vec()).await {
                Ok(()) => return Ok(()),
                Err(Failure::Conflict | Failure::Canceled(_)) => back_off(attempt).await,
                Err(failure) => return Err(report(failure)),
            }
        }
        Err(Error::aborted())
    }
}

#[cfg(test)]
mod tests {
    use aws::Write;

    use super::spill;
    use crate::{
        commit::{Unit, present},
        item,
        key::Key,
    };

    fn delete(kind: &'static str, n: usize) -> Write {
        let key = item::key(&Key::of("key", "k"), &Key::of(kind, &n.to_string()));
        let condition = (kind != "link").then(present);
        Write::Delete { table: "Resources", key, condition }
    }

    #[test]
    fn only_links_that_do_not_fit_are_taken_out() {
        for (links, rest) in [(0, 0), (99, 0), (100, 1), (350, 251)] {
            let mut writes = vec![delete("notification", 0)];
            writes.extend((0..links).map(|n| delete("link", n)));
            let mut unit = Unit { writes, ..Unit::default() };
            let spilled = spill(&mut unit);
            assert_eq!((spilled.ahead.len(), spilled.behind.len()), (0, rest), "{links}");
            assert_eq!(unit.writes.len(), 1 + links - rest);
            assert!(matches!(unit.writes[0], Write::Delete { condition: Some(_), .. }));
        }
    }
}
