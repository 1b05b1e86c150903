//! Entries: events with subscribers, one row each.

use aws::{Failure, Item, Value};
use error::{Error, Result};
use model::{
    MessageId, Millis, OrganizationId,
    clock::ClockOffset,
    event::{Event, EventRef, EventType},
};
use serde::{Deserialize, Serialize};
use tenancy::{
    layout::{EXPIRES, Key, Table, item, message_place},
    prelude::*,
    scopes::{TenantRef, report},
    writing::absent,
};

use crate::journal::{Events, numbering::EventEntry};

/// Retention of an entry, in milliseconds.
const RETENTION: Millis = 90 * 24 * 60 * 60 * 1000;
/// Largest text of an entry; beyond it the event has ids only. An item has room for 400 KB.
const MAX_BYTES: usize = 360_000;

/// An event as stored and sent to queues.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredEvent {
    /// Unique, increasing with time, and derived from the write that carried it.
    pub id: String,
    /// The number of the event in its document, from 1 without gaps; none outside documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// Time of the event.
    pub at: Millis,
    /// Offset of the tenant's clock at that time.
    #[serde(default, skip_serializing_if = "ClockOffset::is_zero")]
    pub ahead: ClockOffset,
    /// The tenant.
    pub tenant: TenantRef,
    /// The event.
    pub event: Event,
}

/// The attribute that holds a [`StoredEvent`] as JSON text.
pub const EVENT_BODY: &str = "body";

impl StoredEvent {
    /// Whether people may be notified of it. The trace records excluded users.
    pub fn is_for_people(&self) -> bool {
        match &self.event {
            Event::Domain(event) => event.notify || event.event == EventType::NotificationAdd,
            _ => false,
        }
    }

    /// The event as JSON, without who may be told of it; beyond this size with ids only.
    ///
    /// # Errors
    /// INTERNAL.
    pub fn text(&self, max: usize) -> Result<String> {
        let mut stored = self.clone();
        if let Event::Domain(event) = &mut stored.event {
            event.visibility = None;
        }
        let text = serde_json::to_string(&stored).map_err(Error::internal)?;
        if text.len() <= max {
            return Ok(text);
        }
        stored.event.truncate();
        serde_json::to_string(&stored).map_err(Error::internal)
    }

    /// The event, with ids only when its JSON exceeds this size.
    ///
    /// # Errors
    /// INTERNAL.
    pub fn within(&self, max: usize) -> Result<Self> {
        let mut short: Self = serde_json::from_str(&self.text(max)?).map_err(Error::internal)?;
        // The short form keeps the visibility, which decides who may be told.
        if let (Event::Domain(short), Event::Domain(own)) = (&mut short.event, &self.event) {
            short.visibility.clone_from(&own.visibility);
        }
        Ok(short)
    }

    /// The id of the event as a message of webhooks.
    ///
    /// # Errors
    /// INTERNAL when the event has no id.
    pub fn message_id(&self) -> Result<MessageId> {
        let id = MessageId::try_from(format!("msg_{}", self.id));
        id.map_err(|error| Error::internal(error.to_string()))
    }

    /// Reference to the event.
    pub fn to_ref(&self) -> EventRef {
        let organization_id = self.event.organization_id().cloned();
        EventRef { organization_id, event_id: self.id.clone() }
    }
}

impl Events<'_> {
    /// Stores an entry with recipients for an event of this tenant, unless it exists.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn keep(self, stored: &StoredEvent) -> Result<()> {
        let partition = self.entries(stored.event.organization_id());
        let mut item: Item = item::key(&partition, &Key::pair("event", &stored.id));
        let body = stored.text(MAX_BYTES)?;
        let expires = self.0.real_now().saturating_add(RETENTION).millis() / 1000;
        item.insert(EVENT_BODY.to_owned(), Value::S(body));
        item.insert(EXPIRES.to_owned(), Value::N(expires.to_string()));
        match self.0.db().dynamo().put(Table::Events.name(), item, Some(absent())).await {
            Ok(()) | Err(Failure::Condition(_)) => Ok(()),
            Err(failure @ Failure::Conflict) => Err(Error::unavailable(failure)),
            Err(failure) => Err(report(failure)),
        }
    }

    /// The entry of an event with recipients, if it is still stored.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn get(self, event: &EventRef) -> Result<Option<StoredEvent>> {
        let partition = self.entries(event.organization_id.as_ref());
        let place = Key::pair("event", &event.event_id);
        let found = self.0.db().get(Table::Events, &partition, &place).await?;
        found.map(|item| event_in(&item)).transpose()
    }

    /// The entry of an event: for recipients, or as a message of webhooks.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn find_entry(self, stored: &StoredEvent) -> Result<EventEntry> {
        let places = [
            (self.entries(stored.event.organization_id()), Key::pair("event", &stored.id)),
            (self.0.partition().clone(), message_place(&stored.message_id()?)),
        ];
        let found = self.0.db().get_across(Table::Events, places.into()).await?;
        match found.into_values().next() {
            Some(item) => Ok(EventEntry::Stored { seq: event_in(&item)?.seq }),
            None => Ok(EventEntry::Missing),
        }
    }

    /// Key of entries with recipients.
    pub(crate) fn entries(self, organization: Option<&OrganizationId>) -> Key {
        match organization {
            Some(id) => self.0.organization(id).partition().clone(),
            None => self.0.partition().clone(),
        }
    }
}

/// The event of an entry.
fn event_in(item: &Item) -> Result<StoredEvent> {
    let body = item.get(EVENT_BODY).and_then(|body| body.as_s().ok());
    let body = body.ok_or_else(|| Error::internal("an entry without its event"))?;
    serde_json::from_str(body).map_err(Error::internal)
}
