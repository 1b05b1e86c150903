//! Limits of the number of items of a kind.
//!
//! One item counts all additions ever, so that the limit holds under concurrency. When the count
//! reaches the limit, the existing items are counted, because some were deleted since.

use aws::{Item, Query, Update, Value, Write};
use error::{Error, Result};

use crate::{
    layout::{Entity, Key, VERSION, WRITTEN, item},
    reading::{Collection, new_version},
    scopes::{ATTEMPTS, back_off},
    writing::Unit,
};

/// A limit.
pub(super) struct Limit {
    /// Key of the number.
    pub(super) counter: Key,
    /// The limit.
    pub(super) most: usize,
    /// Sort key prefix of the counted items.
    pub(super) prefix: String,
}

impl<E: Entity> Collection<E> {
    /// Reserves room for up to this many items; returns the number available.
    ///
    /// # Errors
    /// UNAVAILABLE; ABORTED under contention.
    pub(super) async fn take_room(&self, limit: &Limit, wanted: usize) -> Result<usize> {
        if wanted == 0 {
            return Ok(0);
        }
        for attempt in 0..ATTEMPTS {
            if let Some(before) = limit.most.checked_sub(wanted) {
                let added = self.counted(limit, "ADD #count :n", "#count <= :seen", wanted, before);
                if self.db.commit(added?).await.made()? {
                    return Ok(wanted);
                }
            }
            let item = self.db.get(E::TABLE, &self.partition, &limit.counter).await?;
            let seen = item.as_ref().and_then(number).unwrap_or(0);
            let query = Query { only: vec![item::SK], ..self.under(limit.prefix.clone()) };
            let there = self.all_items(query, 2 * limit.most).await?.len();
            let room = wanted.min(limit.most.saturating_sub(there));
            let set = self.counted(limit, ", #count = :n", "#count = :seen", there + room, seen);
            if self.db.commit(set?).await.made()? {
                return Ok(room);
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    /// Updates the count, if it does not exist or a condition holds.
    fn counted(
        &self,
        limit: &Limit,
        change: &str,
        condition: &str,
        n: usize,
        seen: usize,
    ) -> Result<Unit> {
        let version = new_version()?;
        let names = [("#count", COUNT), ("#version", VERSION), ("#written", WRITTEN)];
        let values = [
            (":n", Value::N(n.to_string())),
            (":seen", Value::N(seen.to_string())),
            (":version", Value::S(version.clone())),
            (":now", Value::N(self.db.clock.now().to_string())),
        ];
        let update = Update {
            expression: format!("SET #version = :version, #written = :now {change}"),
            condition: Some(format!("attribute_not_exists(#count) OR {condition}")),
            names: names.map(|(name, of)| (name.to_owned(), of.to_owned())).into(),
            values: values.map(|(name, value)| (name.to_owned(), value)).into(),
        };
        let key = item::key(&self.partition, &limit.counter);
        let write = Write::Update { table: E::TABLE.name(), key, update };
        Ok(Unit { writes: vec![write], version: Some(version), ..Unit::default() })
    }
}

const COUNT: &str = "count";

fn number(item: &Item) -> Option<usize> {
    item.get(COUNT)?.as_n().ok()?.parse().ok()
}
