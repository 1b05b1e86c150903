//! Limits of the number of items of a kind.
//!
//! One item counts them, so that the limit holds under concurrency. Additions reserve room before
//! they are written; failed ones and deletions return it afterwards. Room that a crash or a
//! background deletion does not return is found when the count reaches the limit: then the existing
//! items are counted, at most once a minute if there is no room.

use aws::{Item, Query, Update, Value, Write};
use error::{Error, Result};
use model::{Millis, life::Life};
use tenancy::{
    layout::{Entity, Key, Table, VERSION, WRITTEN, item, lives},
    prelude::*,
    reading::{Collection, new_version},
    scopes::{ATTEMPTS, back_off},
    writing::Unit,
};

/// A limit.
pub(crate) struct Limit {
    /// The table of the counted items and of their number.
    pub(crate) table: Table,
    /// Key of the number.
    pub(crate) counter: Key,
    /// The limit.
    pub(crate) most: usize,
    /// Sort key prefix of the counted items.
    pub(crate) prefix: String,
    /// The life of the container of the counted items: a number of an earlier one counts as none.
    pub(crate) life: Life,
}

/// Reserves room for up to this many items; returns the number available.
///
/// # Errors
/// UNAVAILABLE; ABORTED under contention.
pub(crate) async fn take_room<E: Entity>(
    of: &Collection<E>,
    limit: &Limit,
    wanted: usize,
) -> Result<usize> {
    if wanted == 0 {
        return Ok(0);
    }
    let now = of.rows().db().clock().now();
    for attempt in 0..ATTEMPTS {
        if let Some(before) = limit.most.checked_sub(wanted) {
            let add = Change::Add(wanted);
            if of.rows().db().commit(counted(of, limit, add, before)?).await.was_executed()? {
                return Ok(wanted);
            }
        }
        let item = of.rows().db().get(limit.table, of.rows().partition(), &limit.counter).await?;
        let of_life = item.as_ref().filter(|item| item::number(item, lives::IN) == in_of(limit));
        let number = |name| of_life.and_then(|item| number(item, name));
        let seen = number(COUNT).unwrap_or(0) as usize;
        let is_known = number(FULL).is_some_and(|at| now.saturating_sub(at) < RECOUNT);
        let used = if is_known { seen } else { count(of, limit).await? };
        let room = wanted.min(limit.most.saturating_sub(used));
        if is_known && room == 0 {
            return Ok(0);
        }
        let before = item.as_ref().map(item::version).transpose()?;
        let is_full = !is_known && room < wanted;
        let set = Change::Set { n: used + room, is_full, before };
        if of.rows().db().commit(counted(of, limit, set, seen)?).await.was_executed()? {
            return Ok(room);
        }
        back_off(attempt).await;
    }
    Err(Error::aborted())
}

/// Returns the room of items that were deleted, or not added. If that fails, it is found by
/// counting.
pub(crate) async fn give_room<E: Entity>(of: &Collection<E>, limit: &Limit, n: usize) {
    if n == 0 {
        return;
    }
    let given = match counted(of, limit, Change::Remove(n), n) {
        Ok(unit) => of.rows().db().commit(unit).await.was_executed(),
        Err(error) => Err(error),
    };
    if let Err(error) = given {
        tracing::warn!(error = ?error, "The room of deleted items was not returned.");
    }
}

async fn count<E: Entity>(of: &Collection<E>, limit: &Limit) -> Result<usize> {
    let under = of.rows().under(limit.prefix.clone());
    let query = Query { table: limit.table.name(), only: vec![item::SK], limit: 1000, ..under };
    let (mut found, mut start) = (0, None);
    loop {
        let page = Query { start, ..query.clone() };
        let page = match limit.life.is_first() {
            // There is no earlier one.
            true => of.rows().db().query_everything(page).await?,
            false => of.rows().db().query(page).await?,
        };
        found += page.items.len();
        start = page.next;
        if start.is_none() || found >= 2 * limit.most {
            return Ok(found);
        }
    }
}

/// Changes the count, if it is at most `seen` before an addition in the same life, or at least that
/// before a removal. The first addition creates it.
fn counted<E: Entity>(
    of: &Collection<E>,
    limit: &Limit,
    change: Change,
    seen: usize,
) -> Result<Unit> {
    let version = new_version()?;
    let mut names = vec![("#count", COUNT), ("#version", VERSION), ("#written", WRITTEN)];
    let mut values = vec![
        (":version", Value::S(version.clone())),
        (":now", Value::N(of.rows().db().clock().now().to_string())),
    ];
    let most = (":seen", Value::N(seen.to_string()));
    let life = in_of(limit).map(|life| (":life", Value::N(life.to_string())));
    let (change, condition, n) = match change {
        Change::Add(n) => {
            names.push(("#in", lives::IN));
            values.push(most);
            values.extend(life.clone());
            let condition = match life {
                None => {
                    "(attribute_not_exists(#count) OR #count <= :seen) AND attribute_not_exists(#in)"
                }
                Some(_) => "#count <= :seen AND #in = :life",
            };
            ("ADD #count :n", condition, n.to_string())
        }
        Change::Remove(n) => {
            values.push(most);
            ("ADD #count :n", "#count >= :seen", format!("-{n}"))
        }
        Change::Set { n, is_full, before } => {
            if is_full {
                names.push(("#full", FULL));
            }
            if life.is_some() {
                names.push(("#in", lives::IN));
            }
            values.extend(life.clone());
            let change = match (life, is_full) {
                (None, false) => ", #count = :n",
                (None, true) => ", #count = :n, #full = :now",
                (Some(_), false) => ", #count = :n, #in = :life",
                (Some(_), true) => ", #count = :n, #in = :life, #full = :now",
            };
            let condition = match before {
                None => "attribute_not_exists(#count)",
                Some(before) => {
                    values.push((":before", Value::S(before)));
                    "#version = :before"
                }
            };
            (change, condition, n.to_string())
        }
    };
    values.push((":n", Value::N(n)));
    let names = names.into_iter();
    let update = Update {
        expression: format!("SET #version = :version, #written = :now {change}"),
        condition: Some(condition.to_owned()),
        names: names.map(|(name, of)| (name.to_owned(), of.to_owned())).collect(),
        values: values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
    };
    let key = item::key(of.rows().partition(), &limit.counter);
    let write = Write::Update { table: limit.table.name(), key, update };
    Ok(Unit::new(vec![write]).versioned(version))
}

enum Change {
    Add(usize),
    Remove(usize),
    /// The number, if the one that was read has this version still.
    Set {
        n: usize,
        is_full: bool,
        before: Option<String>,
    },
}

/// The stored life of the number.
fn in_of(limit: &Limit) -> Option<u64> {
    (!limit.life.is_first()).then(|| limit.life.since())
}

/// Time without another count after one that found too little room: its cost grows with the number
/// of items.
const RECOUNT: Millis = 60_000;
const COUNT: &str = "count";
/// The time of the last count that found too little room.
const FULL: &str = "fullAt";

fn number(item: &Item, name: &str) -> Option<u64> {
    item.get(name)?.as_n().ok()?.parse().ok()
}
