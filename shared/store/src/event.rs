//! The outbox: events, written with the change they tell of.

use aws::{Item, Value, Write};
use error::{Error, Result};
use model::{Millis, event::Event};
use serde::{Deserialize, Serialize};

use crate::{
    clock::Clock,
    entity::Table,
    item::{self, EXPIRES},
    key::Key,
    scope::TenantRef,
};

/// How long an event is kept, in milliseconds.
const KEPT: Millis = 30 * 24 * 60 * 60 * 1000;

/// An event as it lies in the outbox and travels on the stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredEvent {
    /// Unique, and increasing with time.
    pub id: String,
    /// When it happened.
    pub at: Millis,
    /// Whose it is.
    pub tenant: TenantRef,
    /// What happened.
    pub event: Event,
}

/// The attribute that holds a [`StoredEvent`] as JSON text.
pub const EVENT_BODY: &str = "body";

pub(crate) fn write(
    tenant: &TenantRef,
    partition: &Key,
    clock: &Clock,
    event: Event,
) -> Result<Write> {
    let at = clock.now();
    let stored = StoredEvent { id: new_id(at)?, at, tenant: tenant.clone(), event };
    let mut item: Item = item::key(partition, &Key::of("event", &stored.id));
    let body = serde_json::to_string(&stored).map_err(Error::internal)?;
    item.insert(EVENT_BODY.to_owned(), Value::S(body));
    item.insert(EXPIRES.to_owned(), Value::N(((at + KEPT) / 1000).to_string()));
    Ok(Write::Put { table: Table::Events.name(), item, condition: None })
}

/// A ULID: unique, and increasing with time.
pub(crate) fn new_id(at: Millis) -> Result<String> {
    let random = u128::from_be_bytes(keyring::random_bytes()?);
    Ok(ulid::Ulid::from_parts(at, random).to_string())
}
