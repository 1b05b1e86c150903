//! Events: carried by the changed item, and stored as entries of the journal if they have
//! subscribers.

use aws::{Item, Value, Write};
use error::{Error, Result};
use model::{
    Millis, OrganizationId,
    event::{Event, EventRef},
};
use serde::{Deserialize, Serialize};

use crate::{
    layout::{EVENTS, Key, MAX_ITEM_BYTES, Table, item},
    scopes::{Clock, TenantRef, TenantStore},
    webhooks::messages,
};

/// The events of one write, as the item carries them in the attribute `_events`. The next write
/// replaces them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Carried {
    /// The version stamped by the write: distinguishes its events from those of other writes.
    pub version: String,
    /// Time of the event.
    pub at: Millis,
    /// Offset of the tenant's clock at that time, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ahead: Millis,
    /// The tenant.
    pub tenant: TenantRef,
    /// Events in order.
    pub events: Vec<Event>,
}

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
    /// Offset of the tenant's clock at that time, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ahead: Millis,
    /// The tenant.
    pub tenant: TenantRef,
    /// The event.
    pub event: Event,
}

/// The attribute that holds a [`StoredEvent`] as JSON text.
pub const EVENT_BODY: &str = "body";

/// A new event of the scope.
#[derive(Clone, Debug)]
pub(crate) struct Emitted {
    pub(crate) tenant: TenantRef,
    pub(crate) partition: Key,
    pub(crate) event: Event,
}

/// Whether the stream of a table is read for events.
fn has_stream(table: &str) -> bool {
    [Table::Resources, Table::Crdt].iter().any(|it| it.name() == table)
}

/// Attaches the events to one of the writes: the first put or removal in a table with a stream, or
/// a write of their own. A removal becomes a tombstone.
pub(crate) fn carry(
    writes: &mut Vec<Write>,
    emitted: Vec<Emitted>,
    version: &mut Option<String>,
    clock: &Clock,
) -> Result<()> {
    let Some(Emitted { tenant, partition, .. }) = emitted.first().cloned() else { return Ok(()) };
    let puts = |write: &Write| match write {
        Write::Put { table, .. } | Write::Delete { table, .. } => has_stream(table),
        Write::Update { .. } | Write::Check { .. } => false,
    };
    let carrier = match writes.iter().position(puts) {
        Some(at) => at,
        None => {
            let place = Key::of("event", &new_id(clock.now())?);
            let table = Table::Resources.name();
            let key = item::key(&partition, &place);
            writes.push(Write::Delete { table, key, condition: None });
            writes.len() - 1
        }
    };
    let decides = carrier == 0;
    let stamp = match version {
        Some(version) if decides => version.clone(),
        _ => crate::reading::new_version()?,
    };
    if let Write::Delete { table, key, condition } = &writes[carrier] {
        let item = item::tombstone(key, &stamp, clock.now());
        writes[carrier] = Write::Put { table, item, condition: condition.clone() };
        if decides {
            *version = Some(stamp.clone());
        }
    }
    let Write::Put { item, .. } = &mut writes[carrier] else { return Ok(()) };
    let events: Vec<Event> = emitted.into_iter().map(|emitted| emitted.event).collect();
    // An event that moves the clock has the new time.
    let moved_to = |event: &Event| match event {
        Event::ClockAdvanced { ahead } => Some(*ahead),
        _ => None,
    };
    let ahead = events.iter().find_map(moved_to).unwrap_or(clock.tenant_ahead());
    let at = clock.real().saturating_add(ahead);
    let mut carried = Carried { version: stamp, at, ahead, tenant, events };
    let mut text = serde_json::to_string(&carried).map_err(Error::internal)?;
    if item::size(item) + text.len() + EVENTS.len() > MAX_ITEM_BYTES {
        carried.events.iter_mut().for_each(Event::truncate);
        text = serde_json::to_string(&carried).map_err(Error::internal)?;
    }
    item.insert(EVENTS.to_owned(), Value::S(text));
    Ok(())
}

impl StoredEvent {
    /// The event as JSON; beyond this size with ids only.
    pub(crate) fn text(&self, max: usize) -> Result<String> {
        let text = serde_json::to_string(self).map_err(Error::internal)?;
        if text.len() <= max {
            return Ok(text);
        }
        let mut short = self.clone();
        short.event.truncate();
        serde_json::to_string(&short).map_err(Error::internal)
    }

    /// The event, with ids only when its JSON exceeds this size.
    ///
    /// # Errors
    /// INTERNAL.
    pub fn within(&self, max: usize) -> Result<Self> {
        serde_json::from_str(&self.text(max)?).map_err(Error::internal)
    }

    /// Its reference.
    pub fn to_ref(&self) -> EventRef {
        let organization_id = self.event.organization_id().cloned();
        EventRef { organization_id, event_id: self.id.clone() }
    }
}

impl TenantStore {
    /// The entry of an event with recipients, if it is still stored.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn event(&self, event: &EventRef) -> Result<Option<StoredEvent>> {
        let partition = self.entries(event.organization_id.as_ref());
        let place = Key::of("event", &event.event_id);
        let found = self.db.get(Table::Events, &partition, &place).await?;
        found.map(|item| kept(&item)).transpose()
    }

    /// The number in the entry of an event, if there is one: for recipients, or as a message of
    /// webhooks.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn kept_number(&self, stored: &StoredEvent) -> Result<Option<Option<u64>>> {
        let places = [
            (self.entries(stored.event.organization_id()), Key::of("event", &stored.id)),
            (self.partition(), messages::place(&messages::message_id(stored)?)),
        ];
        let found = self.db.get_across(Table::Events, places.into()).await?;
        found.into_values().next().map(|item| Ok(kept(&item)?.seq)).transpose()
    }

    /// Key of entries with recipients.
    pub(crate) fn entries(&self, organization: Option<&OrganizationId>) -> Key {
        organization.map_or_else(|| self.partition(), |id| self.organization(id).partition)
    }
}

/// The event of an entry.
fn kept(item: &Item) -> Result<StoredEvent> {
    let body = item.get(EVENT_BODY).and_then(|body| body.as_s().ok());
    let body = body.ok_or_else(|| Error::internal("an entry without its event"))?;
    serde_json::from_str(body).map_err(Error::internal)
}

fn is_zero(ahead: &Millis) -> bool {
    *ahead == 0
}

/// A ULID: unique, and increasing with time.
pub(crate) fn new_id(at: Millis) -> Result<String> {
    let random = u128::from_be_bytes(keyring::random_bytes()?);
    Ok(ulid::Ulid::from_parts(at, random).to_string())
}

/// A ULID, also without system randomness: then it is unique within this process.
pub(crate) fn unique_id(clock: &Clock) -> String {
    let at = clock.now();
    new_id(at).unwrap_or_else(|_| ulid::Ulid::from_parts(at, clock.tick().into()).to_string())
}
