//! Entries: events with subscribers, one row each.

use aws::{Failure, Item, Value};
use error::{Error, Result};
use model::Millis;

use crate::{
    layout::{EXPIRES, Key, Table, item},
    scopes::{TenantStore, report},
    writing::{EVENT_BODY, StoredEvent, absent},
};

/// Retention of an entry, in milliseconds.
const KEPT: Millis = 90 * 24 * 60 * 60 * 1000;
/// Largest text of an entry; beyond it the event has ids only. An item has room for 400 KB.
const MAX_BYTES: usize = 360_000;

impl TenantStore {
    /// Stores an entry with recipients for an event of this tenant, unless it exists.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn keep_event(&self, stored: &StoredEvent) -> Result<()> {
        let partition = self.entries(stored.event.organization_id());
        let mut item: Item = item::key(&partition, &Key::of("event", &stored.id));
        let body = stored.text(MAX_BYTES)?;
        let expires = self.real_now().saturating_add(KEPT) / 1000;
        item.insert(EVENT_BODY.to_owned(), Value::S(body));
        item.insert(EXPIRES.to_owned(), Value::N(expires.to_string()));
        match self.db.dynamo.put(Table::Events.name(), item, Some(absent())).await {
            Ok(()) | Err(Failure::Condition(_)) => Ok(()),
            Err(failure @ Failure::Conflict) => Err(Error::unavailable(failure)),
            Err(failure) => Err(report(failure)),
        }
    }
}
