//! The outbox: events, written with the change they tell of.

use aws::{Item, Value, Write};
use error::{Error, Result};
use model::{
    Millis,
    event::{Event, EventRef},
};
use serde::{Deserialize, Serialize};

use crate::{
    clock::Clock,
    entity::Table,
    item::{self, EXPIRES},
    key::Key,
    scope::{TenantRef, TenantStore},
};

/// How long an event is kept, in milliseconds.
const KEPT: Millis = 30 * 24 * 60 * 60 * 1000;
/// Largest text of an event; beyond it the event tells ids only. An item has room for 400 KB.
const MAX_BYTES: usize = 360_000;

/// An event as it lies in the outbox and travels on the stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredEvent {
    /// Unique, and increasing with time; that of a document's event follows from its `seq`.
    pub id: String,
    /// The number of the event in its document, from 1 without gaps; none where it has no document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// When it happened.
    pub at: Millis,
    /// How far the time of the tenant was ahead then, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ahead: Millis,
    /// Whose it is.
    pub tenant: TenantRef,
    /// What happened.
    pub event: Event,
}

/// The attribute that holds a [`StoredEvent`] as JSON text.
pub const EVENT_BODY: &str = "body";

/// An event to be written in the partition of the organization it happened in.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) tenant: TenantRef,
    pub(crate) partition: Key,
    pub(crate) event: Event,
}

impl Told {
    /// Where its document counts its events, if it has a document.
    pub(crate) fn counter(&self) -> Option<Key> {
        self.event.sequenced_in().map(|document| Key::of("sequence", document.as_str()))
    }

    /// Writes it, as the event number `seq` of its document.
    pub(crate) fn write(&self, clock: &Clock, seq: Option<u64>) -> Result<Write> {
        let (at, ahead) = (clock.now(), clock.tenant_ahead());
        let id = match (self.counter(), seq) {
            (Some(counter), Some(seq)) => {
                let place = format!("{}\n{}\n{seq}", self.partition.as_str(), counter.as_str());
                let digest = u128::from_str_radix(&keyring::sha256_hex(&place)[..32], 16);
                ulid::Ulid::from_parts(at, digest.map_err(Error::internal)?).to_string()
            }
            _ => new_id(at)?,
        };
        let (tenant, event) = (self.tenant.clone(), self.event.clone());
        let stored = StoredEvent { id, seq, at, ahead, tenant, event };
        let mut item: Item = item::key(&self.partition, &Key::of("event", &stored.id));
        item.insert(EVENT_BODY.to_owned(), Value::S(stored.text(MAX_BYTES)?));
        item.insert(EXPIRES.to_owned(), stored.expiry());
        Ok(Write::Put { table: Table::Events.name(), item, condition: None })
    }
}

impl StoredEvent {
    /// It as JSON; beyond so many bytes it says ids only.
    pub(crate) fn text(&self, max: usize) -> Result<String> {
        let text = serde_json::to_string(self).map_err(Error::internal)?;
        if text.len() <= max {
            return Ok(text);
        }
        let mut short = self.clone();
        short.event.truncate();
        serde_json::to_string(&short).map_err(Error::internal)
    }

    /// When an entry of it may vanish.
    pub(crate) fn expiry(&self) -> Value {
        Value::N(((self.at + KEPT) / 1000).to_string())
    }

    /// Its place.
    pub fn to_ref(&self) -> EventRef {
        let organization_id = self.event.organization_id().cloned();
        EventRef { organization_id, event_id: self.id.clone() }
    }
}

impl TenantStore {
    /// An event of the outbox, if it is still kept.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn event(&self, event: &EventRef) -> Result<Option<StoredEvent>> {
        let partition = match &event.organization_id {
            Some(organization) => self.organization(organization).partition,
            None => self.partition(),
        };
        let place = Key::of("event", &event.event_id);
        let found = self.db.get(Table::Events, &partition, &place).await?;
        let Some(item) = found else { return Ok(None) };
        let body = item.get(EVENT_BODY).and_then(|body| body.as_s().ok());
        let body = body.ok_or_else(|| Error::internal("an event without its body"))?;
        serde_json::from_str(body).map(Some).map_err(Error::internal)
    }
}

fn is_zero(ahead: &Millis) -> bool {
    *ahead == 0
}

/// A ULID: unique, and increasing with time.
pub(crate) fn new_id(at: Millis) -> Result<String> {
    let random = u128::from_be_bytes(keyring::random_bytes()?);
    Ok(ulid::Ulid::from_parts(at, random).to_string())
}

/// A ULID, also where the system has no randomness to give: it is unique in this process then.
pub(crate) fn unique_id(clock: &Clock) -> String {
    let at = clock.now();
    new_id(at).unwrap_or_else(|_| ulid::Ulid::from_parts(at, clock.tick().into()).to_string())
}
