//! Pending work beyond the delay of SQS: rows in a sparse index by due time, released by a timer.
//!
//! A row is authoritative and a delayed message only a hint for it. The timer sends hints that are
//! due soon, and repeats those that seem lost.

use std::collections::BTreeSet;

use aws::{Item, Query, Update, Value, Write};
use error::{Error, Result};
use model::{Millis, clock::WallTime};
use tenancy::{
    layout::{Key, Table, item, item::key},
    prelude::*,
    scopes::{Db, Deadline, Store, TenantStore, place_of},
    writing::{Unit, new_id, no_failure, settle},
};

use crate::schedule::Schedule;

const INDEX: &str = "due";
const SHARD: &str = "dueShard";
/// Time of the timer's next check of a row, in real time.
const NEXT: &str = "hintAt";
/// Partitions of the index: it is written in the order of time, which would overload a single one.
const SHARDS: u64 = 4;
/// The index by tenant, for testing keys.
const OF_TENANT: &str = "clock";
const TENANT: &str = "clockKey";
/// Due time of a row, in real time.
const AT: &str = "dueAt";
/// Due time of a row, by the clock of its tenant.
const DUE: &str = "due";
/// Time of the last hint, and the number of hints that the timer tried to send.
const HINTED: &str = "hintedAt";
const HINTS: &str = "hints";
/// Marks rows that stay until their worker changes them.
const STAYS: &str = "stays";

/// Look-ahead of the timer: two of its ticks.
const AHEAD: Millis = 120_000;
/// A hint counts as lost when its row is overdue by this much.
const LOST: Millis = 60_000;
/// The delay before a repeated hint doubles up to this many times.
const MAX_DOUBLINGS: u64 = 10;

/// The hint for a row.
#[derive(Clone, Debug)]
pub struct Wake {
    /// The queue of the worker.
    pub queue: String,
    /// The message.
    pub body: String,
    /// Whether the writer sends the first hint itself.
    pub hinted: bool,
}

/// A row with a due hint.
#[derive(Clone, Debug)]
pub struct Due {
    /// Queue of the message.
    pub queue: String,
    /// The message.
    pub body: String,
    /// Tenant of the row.
    pub group: String,
    /// Arrival time of its hint, in epoch milliseconds of the process.
    pub at: Millis,
    /// Due time by the clock of its tenant.
    pub due: Millis,
    /// Sort key of the row in the index, and the name of that key.
    order: String,
    by: &'static str,
    stays: bool,
    hinted: Option<Millis>,
    hints: u64,
    key: Item,
}

/// The attributes that arm a row: due at `due`, by the clock of the tenant.
pub(super) fn arm(tenant: &TenantStore, id: &str, due: Millis, wake: &Wake, stays: bool) -> Item {
    let at = WallTime::when_tenant_shows(due, tenant.clock_ahead()).millis();
    // For a hint that the writer sends, the timer only checks whether it was lost.
    let next = if wake.hinted { at.saturating_add(LOST) } else { at };
    let shard = id.bytes().map(u64::from).sum::<u64>() % SHARDS;
    let group = tenant.api_key().id.as_str();
    let text = [
        (SHARD, shard.to_string()),
        (AT, format!("{at:013}#{id}")),
        (NEXT, format!("{next:013}#{id}")),
        ("queue", wake.queue.clone()),
        ("wake", wake.body.clone()),
        ("group", group.to_owned()),
    ];
    let mut item: Item =
        text.map(|(name, text)| (name.to_owned(), Value::S(text))).into_iter().collect();
    item.insert(DUE.to_owned(), Value::N(due.to_string()));
    if wake.hinted {
        item.insert(HINTED.to_owned(), Value::N(tenant.real_now().to_string()));
    }
    if stays {
        item.insert(STAYS.to_owned(), Value::Bool(true));
    }
    if tenant.api_key().kind == model::api_key::KeyType::Testing {
        item.insert(TENANT.to_owned(), Value::S(group.to_owned()));
    }
    item
}

impl Schedule<'_> {
    /// Stores a message for a queue until `at`, by the clock of the tenant.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn send_later(self, queue: &str, body: String, at: Millis) -> Result<()> {
        let id = new_id(self.0.real_now().millis())?;
        let place = Key::pair("message", &id);
        let mut row = key(&place, &place);
        let wake = Wake { queue: queue.to_owned(), body, hinted: false };
        row.extend(arm(self.0, &id, at, &wake, false));
        let write = Write::Put { table: Table::Schedule.name(), item: row, condition: None };
        let unit = Unit::new(vec![write]);
        settle(self.0.db().commit(unit).await, |_| Error::internal("refused without a condition"))
    }

    /// Arms the first write of a unit, whose row is due at `at`.
    ///
    /// # Errors
    /// The errors of `wake`.
    pub fn armed(
        self,
        mut unit: Unit,
        at: Option<Millis>,
        wake: impl FnOnce() -> Result<Wake>,
    ) -> Result<Unit> {
        if let (Some(at), Some(Write::Put { item, .. })) = (at, unit.writes_mut().first_mut()) {
            let (partition, sort) = place_of(item);
            let id = &keyring::sha256_hex(&format!("{partition}#{sort}"))[..32];
            item.extend(arm(self.0, id, at, &wake()?, true));
        }
        Ok(unit)
    }

    /// Rows of a testing key that are due by its clock, from `start` on, and the continuation.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn due(self, start: Option<DueStart>) -> Result<(Vec<Due>, Option<DueStart>)> {
        let partition = (TENANT, self.0.api_key().id.as_str().to_owned());
        let (now, real) = (self.0.now(), self.0.real_now().millis());
        let (found, next) = due(self.0.db(), [OF_TENANT, AT], partition, now, start).await?;
        let is_due = found.into_iter().filter(|row| row.due <= now);
        Ok((is_due.map(|row| Due { at: row.at.min(real), ..row }).collect(), next))
    }
}

/// Start of a page of due rows.
#[derive(Clone, Debug)]
pub struct DueStart(Item);

impl Due {
    /// Identifies the row.
    pub fn id(&self) -> &str {
        &self.order
    }

    /// Number of hints that the timer tried to send after the first.
    pub fn hints(&self) -> u64 {
        self.hints
    }

    /// Whether a hint is due: the first one soon, others at their time.
    fn needs_hint(&self, now: Millis) -> bool {
        self.hinted.is_none() || self.at <= now
    }

    /// Time of the next check after a hint: at growing intervals without progress.
    fn next(&self, hints: u64, now: Millis) -> Millis {
        let wait = LOST << hints.min(MAX_DOUBLINGS);
        self.at.max(now).saturating_add(wait)
    }
}

/// The scope of the service itself, across tenants: it releases due rows and numbers events.
pub struct SystemStore {
    pub(crate) db: Db,
}

impl SystemStore {
    pub(crate) fn new(store: &Store) -> Self {
        Self { db: store.db().clone() }
    }

    /// Shards of the schedule, each a list of its own.
    pub const SHARDS: u64 = SHARDS;

    /// The time of the process.
    pub fn now(&self) -> Millis {
        self.db.clock().now()
    }

    /// Whether a deadline of the process has passed.
    pub fn is_past(&self, deadline: Deadline) -> bool {
        self.db.clock().is_past(deadline)
    }

    /// Rows of a shard with a due hint, the oldest first, from `start` on, and the continuation.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn due(
        &self,
        shard: u64,
        start: Option<DueStart>,
    ) -> Result<(Vec<Due>, Option<DueStart>)> {
        let now = self.db.clock().now();
        let partition = (SHARD, shard.to_string());
        let (mut found, next) = due(&self.db, [INDEX, NEXT], partition, now + AHEAD, start).await?;
        found.retain(|row| row.needs_hint(now));
        Ok((found, next))
    }

    /// Records sent or refused hints: sent messages are deleted, all other rows get a later check.
    /// If this fails, a hint is repeated, which is harmless, because all workers are idempotent.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn settle(&self, sent: Vec<Due>, refused: Vec<Due>) -> Result<()> {
        let (rows, messages): (Vec<_>, Vec<_>) = sent.into_iter().partition(|due| due.stays);
        let gone = messages.into_iter().map(|due| aws::BatchWrite::Delete(due.key)).collect();
        let gone = self.db.write_all(Table::Schedule, gone).await.into_iter().collect();
        let now = self.db.clock().now();
        let noted = rows.into_iter().chain(refused);
        let noted = noted.map(|due| Unit::new(vec![note(due, now)]));
        // A refused row was changed meanwhile by the worker of the hint.
        no_failure(self.db.commit_all(noted.collect()).await)?;
        gone
    }
}

/// Records a hint, unless its row was armed again meanwhile.
fn note(due: Due, now: Millis) -> Write {
    let hints = if due.hinted.is_some() { due.hints + 1 } else { due.hints };
    let number = |n: u64| Value::N(n.to_string());
    let (_, id) = due.order.split_once('#').unwrap_or_default();
    let next = format!("{:013}#{id}", due.next(hints, now));
    let values = [
        (":now", number(now)),
        (":hints", number(hints)),
        (":next", Value::S(next)),
        (":order", Value::S(due.order)),
    ];
    let names = [("#hinted", HINTED), ("#hints", HINTS), ("#next", NEXT), ("#order", due.by)];
    let update = Update {
        expression: "SET #hinted = :now, #hints = :hints, #next = :next".to_owned(),
        condition: Some("#order = :order".to_owned()),
        names: names.map(|(name, of)| (name.to_owned(), of.to_owned())).into(),
        values: values.map(|(name, value)| (name.to_owned(), value)).into(),
    };
    Write::Update { table: Table::Schedule.name(), key: due.key, update }
}

/// Rows of a part of an index, given with its sort key, that are due by `until`; the oldest first.
async fn due(
    db: &Db,
    [index, by]: [&'static str; 2],
    partition: (&'static str, String),
    until: Millis,
    start: Option<DueStart>,
) -> Result<(Vec<Due>, Option<DueStart>)> {
    /// Rows read at a time.
    const AT_ONCE: i32 = 100;
    let query = Query {
        table: Table::Schedule.name(),
        index: Some(index),
        partition,
        prefix: None,
        up_to: Some((by, format!("{until:013}$"))),
        between: None,
        start: start.map(|start| start.0),
        limit: AT_ONCE,
        ascending: true,
        only: vec![],
    };
    let found = db.query(query).await?;
    let rows = found.items.into_iter().filter_map(|row| read(row, by));
    Ok((rows.collect(), found.next.map(DueStart)))
}

fn read(mut row: Item, by: &'static str) -> Option<Due> {
    let number = |row: &Item, name: &str| match row.get(name) {
        Some(Value::N(n)) => n.parse().ok(),
        _ => None,
    };
    let (due, hinted) = (number(&row, DUE), number(&row, HINTED));
    let (hints, stays) = (number(&row, HINTS).unwrap_or(0), row.contains_key(STAYS));
    let mut text = |name: &str| match row.remove(name) {
        Some(Value::S(text)) => Some(text),
        _ => None,
    };
    let (queue, body, group) = (text("queue")?, text("wake")?, text("group")?);
    let order = text(by)?;
    let at = order.split('#').next()?.parse().ok()?;
    let due = due.unwrap_or(at);
    let keys = BTreeSet::from([item::PK, item::SK]);
    row.retain(|name, _| keys.contains(name.as_str()));
    Some(Due { queue, body, group, at, due, order, by, stays, hinted, hints, key: row })
}

#[cfg(test)]
mod tests {
    use super::{AHEAD, Due, Item, LOST, NEXT};

    const NOW: u64 = 1_000_000_000;

    fn due(at: u64, hinted: Option<u64>, hints: u64) -> Due {
        let text = String::new;
        let (queue, body, group, order) = (text(), text(), text(), text());
        let key = Item::new();
        let stays = true;
        Due { queue, body, group, at, due: at, order, by: NEXT, stays, hinted, hints, key }
    }

    #[test]
    fn what_is_near_is_hinted_for_the_first_time_ahead_and_again_at_its_time() {
        assert!(due(NOW + AHEAD, None, 0).needs_hint(NOW));
        assert!(!due(NOW + 1, Some(NOW - LOST), 0).needs_hint(NOW));
        assert!(due(NOW, Some(NOW - LOST), 0).needs_hint(NOW));
    }

    #[test]
    fn a_hint_is_believed_until_its_row_is_overdue() {
        assert_eq!(due(NOW + AHEAD, None, 0).next(0, NOW), NOW + AHEAD + LOST);
        assert_eq!(due(NOW - 1, None, 0).next(0, NOW), NOW + LOST);
    }

    #[test]
    fn a_row_that_nothing_comes_of_is_hinted_less_and_less_often_and_never_forgotten() {
        let wait = |hints: u64| due(NOW, Some(NOW), 0).next(hints, NOW) - NOW;
        assert_eq!([0, 1, 2, 3].map(wait), [1, 2, 4, 8].map(|n| n * LOST));
        assert_eq!(wait(10), wait(1_000_000), "17 hours at most");
    }
}
