//! Link rows that a write which was not made has left.
//!
//! Link rows are written before their item. If that is refused, because it exists already or has
//! changed, they lead to an item that does not list them: nobody shows them, and no clean-up finds
//! them. The item is written again as it is, in the transaction that removes them: a change under
//! way that lists such a row is refused by that, and writes its row again.

use aws::{Item, Write};
use error::Result;

use super::{
    edit::MAX_REMOVED,
    unit::{CommitOutcome, Unit, place, unchanged},
};
use crate::{
    layout::{EVENTS, Entity, Key, VERSION, item},
    prelude::*,
    reading::{Collection, new_version},
    scopes::{ATTEMPTS, Currency, back_off, place_of},
};

/// The link rows of a unit.
pub(super) fn rows_of(unit: &Unit) -> Vec<Item> {
    unit.links.iter().filter(|row| row.contains_key(item::TARGET)).map(item::key_of).collect()
}

impl<E: Entity> Collection<E> {
    /// Removes those of the rows that the item with a sort key does not list. Rows whose removal
    /// fails are left.
    pub(super) async fn remove_strays(&self, sort: &Key, rows: Vec<Item>) {
        if !rows.is_empty() {
            let _ = self.try_to_remove_strays(sort, rows).await;
        }
    }

    async fn try_to_remove_strays(&self, sort: &Key, mut rows: Vec<Item>) -> Result<()> {
        let (table, sorts) = (E::TABLE.name(), [sort.as_str().to_owned()]);
        for attempt in 0..ATTEMPTS {
            let found =
                self.db.get_beside(E::TABLE, &self.partition, sorts.to_vec(), Currency::Now);
            let found = found.await?;
            let found = found.items.get(sort.as_str());
            let listed = match found {
                Some(item) => self.rows().links().links_of(item)?,
                None => Default::default(),
            };
            rows.retain(|row| !listed.contains(&place_of(row).1));
            if rows.is_empty() {
                return Ok(());
            }
            let removed = rows.len().min(MAX_REMOVED);
            let mut unit = Unit::default();
            if let Some(before) = found {
                let (mut item, version) = (before.clone(), new_version()?);
                item.remove(EVENTS);
                item.insert(VERSION.to_owned(), aws::Value::S(version.clone()));
                item::remember(&mut item, before, self.db.clock.now());
                let condition = Some(unchanged(&item::version(before)?));
                unit.writes.push(Write::Put { table, item, condition });
                unit.version = Some(version);
            }
            let keys = rows[..removed].iter().cloned();
            unit.writes.extend(keys.map(|key| Write::Delete { table, key, condition: None }));
            match self.db.commit(unit).await {
                CommitOutcome::Done => drop(rows.drain(..removed)),
                CommitOutcome::Refused(_) => back_off(attempt).await,
                CommitOutcome::Failed(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Lets a unit remove the rows of an earlier attempt that its item does not list.
    pub(super) fn without_strays(&self, unit: &mut Unit, rows: &[Item]) -> Result<()> {
        let Some(Write::Put { table, item, .. }) = unit.writes.first() else { return Ok(()) };
        let (table, listed) = (*table, self.rows().links().links_of(item)?);
        let is_stray = |row: &Item| !listed.contains(&place_of(row).1);
        let known: Vec<_> = unit.writes.iter().map(|write| place(write).1).collect();
        let strays = rows.iter().filter(|row| is_stray(row) && !known.contains(&place_of(row)));
        let strays: Vec<Write> = strays
            .take(MAX_REMOVED)
            .map(|key| Write::Delete { table, key: key.clone(), condition: None })
            .collect();
        if !strays.is_empty() {
            unit.expected = None;
            unit.writes.extend(strays);
        }
        Ok(())
    }
}
