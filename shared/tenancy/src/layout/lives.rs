//! The lives of containers on items ([`model::life`]).

use aws::{Item, Value};
use model::{Millis, life::Life};

use super::item;

/// When the life of a container before the present one ended ([`model::life`]); absent in the
/// first.
pub const SINCE: &str = "_since";
/// The newest life of what is in an organization and was added again: the organization ends later, so
/// that a deletion that began before takes it along. Absent without one.
pub const NEWEST: &str = "_newest";
/// When the container ended that a tombstone replaces.
pub const ENDED: &str = "_ended";
/// The life of the container of a row, as the call that added the row had read it; absent in the
/// first.
pub const IN: &str = "_in";
/// Of a row that needs no container and was changed: the time of the oldest thing that it keeps, in epoch
/// milliseconds. Absent if it is that of the write.
pub const KEPT: &str = "_kept";

/// When the user of a record last left the organization: that user's stay begins there. Absent for who
/// never did.
const LEFT: &str = "left";

/// Retention of the tombstone of a container after its clean-up was confirmed, in milliseconds:
/// eight days, longer than anything that waits.
const CONFIRMED: Millis = 8 * 24 * 60 * 60 * 1000;

/// The present life of a container, or the one that begins where its tombstone ends; of a record of
/// departures, the stay of its user. A tombstone of earlier versions, without the time of the end,
/// ended when it was written.
pub fn life(item: &Item) -> Life {
    let since = match item::is_there(item) {
        true => item::number(item, SINCE).or_else(|| item::number(item, LEFT)),
        false => item::number(item, ENDED).or_else(|| item::number(item, item::WRITTEN)),
    };
    Life::after(since.unwrap_or(0))
}

/// The newest life of a container and what was added to it again.
pub fn newest(item: &Item) -> Life {
    life(item).max(Life::after(item::number(item, NEWEST).unwrap_or(0)))
}

/// The life in which an item was added to its container.
pub fn in_life(item: &Item) -> Life {
    Life::after(item::number(item, IN).unwrap_or(0))
}

/// The time from which a row counts that needs no container, in epoch milliseconds: it is as old as the
/// oldest thing that it keeps, so that a change brings nothing of one life into the next.
pub fn age(item: &Item) -> Option<Millis> {
    item::number(item, KEPT).or_else(|| item::number(item, item::WRITTEN))
}

/// Makes a tombstone that of a container: with the time of the end, and without an expiry, which a
/// clean-up sets that finds nothing more ([`expiring`]).
pub fn end(tombstone: &mut Item, end: Life) {
    tombstone.insert(ENDED.to_owned(), Value::N(end.since().to_string()));
    tombstone.remove(item::EXPIRES);
}

/// The expiry of the tombstone of a container whose clean-up was confirmed at `now`, in epoch
/// seconds: nothing can be under way any more that has seen the container.
pub fn expiring(now: Millis) -> u64 {
    now.saturating_add(CONFIRMED).div_ceil(1000)
}

/// Makes a changed item as old as the one that it was.
pub(crate) fn keep(item: &mut Item, before: &Item) {
    item.extend(age(before).map(|age| (KEPT.to_owned(), Value::N(age.to_string()))));
}

/// The life of the container in which an item is added.
pub(crate) fn put_in(item: &mut Item, life: Life) {
    match life.is_first() {
        true => item.remove(IN),
        false => item.insert(IN.to_owned(), Value::N(life.since().to_string())),
    };
}
