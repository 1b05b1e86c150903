//! The recent events of a document, for subscribers who return.
//!
//! The worker that relays an event writes it here first, and reads the members afterwards; a
//! returning subscriber writes its member first, and reads this log afterwards. So no event is
//! missed. Events are logged while the document has, or recently had, subscribers: the counter of
//! the document (`journal/counter.rs`) has the position since which that is so without a gap.

use std::collections::{BTreeMap, BTreeSet};

use aws::{Query, Value};
use error::{Error, Result};
use model::{
    AnnotationId, DocumentId, Millis, comment::Annotation, live::LiveEvent, visibility::Visibility,
};
use tenancy::{
    layout::{EXPIRES, Entity, Key, Table, item},
    prelude::*,
    scopes::report,
};

use super::Member;
use crate::{features::Live, journal::Counted, prelude::*};

/// Lifetime of a logged event in milliseconds.
const LIFETIME: Millis = 2 * 60 * 60 * 1000;
/// Maximum number of events that a returning subscriber gets.
const MAX_MISSED: usize = 100;
/// Events are relayed in any order: those relayed so shortly before the last known one are sent
/// again, in milliseconds.
const OVERLAP: Millis = 60_000;

const EVENT: &str = "event";
const POSITION: &str = "position";
const AT: &str = "at";

/// What a returning subscriber missed.
pub struct Missed {
    /// The number of the last event: of the document, or the last one that these contain.
    pub position: u64,
    /// Events after the last known one, in order, and some before it.
    pub events: Vec<LiveEvent>,
    /// Whether these are all.
    pub is_complete: bool,
}

/// A logged event with its position and the time of its relay.
struct Logged {
    position: u64,
    at: Millis,
    event: LiveEvent,
}

fn log_of(document: &DocumentId) -> Key {
    Key::pair("live-event", document.as_str())
}

impl Live<'_> {
    /// Logs an event that is about to be relayed. Repeating it is safe.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn log_event(self, event: &LiveEvent) -> Result<()> {
        let Some(position) = event.position else { return Ok(()) };
        let now = self.0.tenant().db().clock().real().millis();
        let sort = log_of(&event.document_id).and(POSITION, &format!("{position:020}"));
        let mut row = item::key(self.0.partition(), &sort);
        let text = serde_json::to_string(event).map_err(Error::internal)?;
        let numbers = [
            (POSITION, position),
            (AT, now),
            (EXPIRES, now.saturating_add(LIFETIME).div_ceil(1000)),
        ];
        row.insert(EVENT.to_owned(), Value::S(text));
        row.extend(numbers.map(|(name, it)| (name.to_owned(), Value::N(it.to_string()))));
        self.0.tenant().db().dynamo().put(Table::Realtime.name(), row, None).await.map_err(report)
    }

    /// The events of a document after `since`, for a subscriber whose member exists.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn missed_since(self, document: &DocumentId, since: Option<u64>) -> Result<Missed> {
        let Counted { position, log_start } = self.0.counters().counted(document).await?;
        let Some(since) = since else {
            return Ok(Missed { position, events: vec![], is_complete: true });
        };
        let newest = self.newest(document).await?;
        let is_complete = since == position || self.has_all_since(since, log_start, &newest);
        let relayed = newest.iter().find(|it| it.position == since).map(|it| it.at);
        let late = relayed.map_or(Millis::MAX, |at| at.saturating_sub(OVERLAP));
        let is_missed = |it: &Logged| it.position > since || (it.position < since && it.at >= late);
        let mut missed: Vec<Logged> = newest.into_iter().filter(is_missed).collect();
        missed.sort_by_key(|it| it.position);
        // Later events are numbered, but not yet relayed.
        let last = missed.last().map_or(since, |it| it.position.max(since));
        let events = missed.into_iter().map(|it| it.event).collect();
        Ok(Missed { position: if is_complete { last } else { position }, events, is_complete })
    }

    /// Whether the newest events are all that were relayed after `since`. One that is as old or
    /// older shows that none has expired.
    fn has_all_since(self, since: u64, start: Option<(u64, Millis)>, newest: &[Logged]) -> bool {
        let now = self.0.tenant().db().clock().real().millis();
        let is_fresh = |at: Millis| at.saturating_add(LIFETIME) > now;
        let Some((_, at)) = start.filter(|(first, _)| *first <= since) else { return false };
        let reaches_back = newest.iter().any(|it| it.position <= since);
        let is_known = newest.iter().any(|it| it.position <= since && is_fresh(it.at));
        (is_known || is_fresh(at)) && (reaches_back || newest.len() <= MAX_MISSED)
    }

    /// The newest logged events.
    async fn newest(self, document: &DocumentId) -> Result<Vec<Logged>> {
        let members = self.0.collection::<Member>();
        let query = Query { ascending: false, ..members.rows().under(log_of(document).prefix()) };
        let rows = members.rows().first_items(query, MAX_MISSED + 1).await?;
        let unreadable = || Error::internal("a logged event that cannot be read");
        let read = |row: &aws::Item| {
            let text = row.get(EVENT)?.as_s().ok()?;
            let (position, at) = item::number(row, POSITION).zip(item::number(row, AT))?;
            Some(Logged { position, at, event: serde_json::from_str(text).ok()? })
        };
        rows.iter().map(|row| read(row).ok_or_else(unreadable)).collect()
    }

    /// The visibilities of threads that exist, whoever calls.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn visibilities_of(
        self,
        document: &DocumentId,
        threads: BTreeSet<AnnotationId>,
    ) -> Result<BTreeMap<AnnotationId, Visibility>> {
        if threads.is_empty() {
            return Ok(BTreeMap::new());
        }
        let annotations = self.0.collection::<Annotation>();
        let place = |thread| Annotation::place(&(document.clone(), thread)).into_key();
        let keys: Vec<Key> = threads.into_iter().map(place).collect();
        let found =
            annotations.rows().db().get_all(Annotation::TABLE, self.0.partition(), keys).await?;
        let known = found.into_values().map(|item| {
            let annotation = annotations.rows().decode(item)?;
            Ok((annotation.annotation_id, annotation.visibility))
        });
        known.collect()
    }
}
