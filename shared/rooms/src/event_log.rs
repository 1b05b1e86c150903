//! The recent events of a document, for subscribers who return.
//!
//! The worker that relays an event writes it here first, and reads the members afterwards; a
//! returning subscriber writes its member first, and reads this log afterwards. So no event is
//! missed. Events are logged while the document has, or recently had, subscribers: the counter of
//! the document (`journal/counter.rs` of the store) has the position since which that is so without a gap.
//! Events of an earlier life of the document are nobody's.

use std::collections::{BTreeMap, BTreeSet};

use aws::{Query, Value};
use error::{Error, Result};
use model::{AnnotationId, DocumentId, Millis, comment::Thread, life::Fate, live::LiveEvent};
use store::{
    journal::{LastPosition, LogStart},
    prelude::*,
};
use tenancy::{
    layout::{EXPIRES, Entity, Key, Table, WRITTEN, item},
    prelude::*,
    scopes::{Currency, report},
};

use crate::{features::OrganizationLive, member::Member};

/// Lifetime of a logged event in milliseconds.
const LIFETIME: Millis = 2 * 60 * 60 * 1000;
/// Maximum number of events that a returning subscriber gets.
const MAX_MISSED: usize = 100;
/// Events are relayed in any order: those relayed so shortly before the last known one are sent
/// again, in milliseconds.
const OVERLAP: Millis = 60_000;

/// How old an event is that is compared with its document before it is relayed, in milliseconds: of
/// younger ones nobody learns more than by a right that has just ended.
const LATE: Millis = 5_000;

const EVENT: &str = "event";
const POSITION: &str = "position";
const AT: &str = "at";

/// Events that a returning subscriber missed.
pub struct MissedEvents {
    /// The number of the last event: of the document, or the last one that these contain.
    pub position: u64,
    /// Events after the last known one, in order, and some before it.
    pub events: Vec<LiveEvent>,
    /// Whether these are all.
    pub is_complete: bool,
}

/// A logged event with its position and the time of its relay.
struct LoggedEvent {
    position: u64,
    at: Millis,
    event: LiveEvent,
}

fn log_key(document: &DocumentId) -> Key {
    Key::pair("live-event", document.as_str())
}

impl OrganizationLive<'_> {
    /// The key of the row of an event, and its time, which lists and clean-up compare with the life of
    /// the document.
    fn row_of(self, event: &LiveEvent, position: u64) -> aws::Item {
        let sort = log_key(&event.document_id).and(POSITION, &format!("{position:020}"));
        let mut row = item::key(self.0.partition(), &sort);
        row.extend(event.at.map(|at| (WRITTEN.to_owned(), Value::N(at.to_string()))));
        row
    }

    /// Whether an event that is relayed late is of an earlier life of its document.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn is_outlived(self, event: &LiveEvent) -> Result<bool> {
        let db = self.0.tenant().db();
        let now = db.clock().now();
        if event.at.is_none_or(|at| now.saturating_sub(at) < LATE) {
            return Ok(false);
        }
        let row = self.row_of(event, event.position.unwrap_or_default());
        let containers = db.containers_of(std::slice::from_ref(&row), Currency::Now).await?;
        Ok(containers.fate(&row) != Fate::Here)
    }

    /// Logs an event that is about to be relayed. Repeating it is safe.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn log_event(self, event: &LiveEvent) -> Result<()> {
        let Some(position) = event.position else { return Ok(()) };
        let now = self.0.tenant().db().clock().real().millis();
        let mut row = self.row_of(event, position);
        let text = serde_json::to_string(event).map_err(Error::internal)?;
        let numbers = [
            (POSITION, position),
            (AT, now),
            (EXPIRES, now.saturating_add(LIFETIME).div_ceil(1000)),
        ];
        row.insert(EVENT.to_owned(), Value::S(text));
        row.extend(numbers.map(|(name, number)| (name.to_owned(), Value::N(number.to_string()))));
        self.0.tenant().db().dynamo().put(Table::Realtime.name(), row, None).await.map_err(report)
    }

    /// The events of a document after `since`, for a subscriber whose member exists.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn missed_since(
        self,
        document: &DocumentId,
        since: Option<u64>,
    ) -> Result<MissedEvents> {
        let LastPosition { position, log_start } =
            self.0.counters().last_position(document).await?;
        let Some(since) = since else {
            return Ok(MissedEvents { position, events: vec![], is_complete: true });
        };
        let newest = self.newest_events(document).await?;
        let is_complete = since == position || self.has_all_since(since, log_start, &newest);
        // The last known one itself may not be relayed yet, or be of a kind that is not.
        let relayed = newest.iter().find(|logged| logged.position <= since).map(|logged| logged.at);
        let oldest = self.0.tenant().db().clock().real().millis().saturating_sub(LIFETIME);
        let late = relayed.map_or(Millis::MAX, |at| at.saturating_sub(OVERLAP).max(oldest));
        let is_missed = |logged: &LoggedEvent| {
            logged.position > since || (logged.position < since && logged.at >= late)
        };
        let mut missed: Vec<LoggedEvent> = newest.into_iter().filter(is_missed).collect();
        missed.sort_by_key(|logged| logged.position);
        // Later events are numbered, but not yet relayed.
        let last = missed.last().map_or(since, |logged| logged.position.max(since));
        let events = missed.into_iter().map(|logged| logged.event).collect();
        Ok(MissedEvents {
            position: if is_complete { last } else { position },
            events,
            is_complete,
        })
    }

    /// Whether the newest events are all that were relayed after `since`. One that is as old or
    /// older shows that none has expired.
    fn has_all_since(self, since: u64, start: Option<LogStart>, newest: &[LoggedEvent]) -> bool {
        let now = self.0.tenant().db().clock().real().millis();
        let is_fresh = |at: Millis| at.saturating_add(LIFETIME) > now;
        let Some(start) = start.filter(|start| start.position <= since) else { return false };
        let reaches_back = newest.iter().any(|logged| logged.position <= since);
        let is_known = newest.iter().any(|logged| logged.position <= since && is_fresh(logged.at));
        (is_known || is_fresh(start.at)) && (reaches_back || newest.len() <= MAX_MISSED)
    }

    /// The newest logged events.
    async fn newest_events(self, document: &DocumentId) -> Result<Vec<LoggedEvent>> {
        let members = self.0.collection::<Member>();
        let query = Query { ascending: false, ..members.rows().under(log_key(document).prefix()) };
        let rows = members.rows().first_items(query, MAX_MISSED + 1).await?;
        let unreadable = || Error::internal("a logged event that cannot be read");
        let read = |row: &aws::Item| {
            let text = row.get(EVENT)?.as_s().ok()?;
            let (position, at) = item::number(row, POSITION).zip(item::number(row, AT))?;
            Some(LoggedEvent { position, at, event: serde_json::from_str(text).ok()? })
        };
        rows.iter().map(|row| read(row).ok_or_else(unreadable)).collect()
    }

    /// Threads that exist, whoever calls.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn threads_of(
        self,
        document: &DocumentId,
        threads: BTreeSet<AnnotationId>,
    ) -> Result<BTreeMap<AnnotationId, Thread>> {
        if threads.is_empty() {
            return Ok(BTreeMap::new());
        }
        let annotations = self.0.collection::<Thread>();
        let place = |thread| Thread::place(&(document.clone(), thread)).into_key();
        let keys: Vec<Key> = threads.into_iter().map(place).collect();
        let found =
            annotations.rows().db().get_all(Thread::TABLE, self.0.partition(), keys).await?;
        let known = found.into_values().map(|item| {
            let thread = annotations.rows().decode(item)?;
            Ok((thread.annotation_id.clone(), thread))
        });
        known.collect()
    }
}
