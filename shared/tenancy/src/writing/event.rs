//! Events, carried by the changed item.

use aws::{Value, Write};
use error::{Error, Result};
use model::{Millis, clock::ClockOffset, event::Event};
use serde::{Deserialize, Serialize};

use crate::{
    layout::{EVENTS, Key, MAX_ITEM_BYTES, Table, item},
    scopes::{Clock, TenantRef},
};

/// The events of one write, as the item carries them in the attribute `_events`. The next write
/// replaces them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Carried {
    /// The version stamped by the write: distinguishes its events from those of other writes.
    pub version: String,
    /// Time of the event.
    pub at: Millis,
    /// Offset of the tenant's clock at that time.
    #[serde(default, skip_serializing_if = "ClockOffset::is_zero")]
    pub ahead: ClockOffset,
    /// The tenant.
    pub tenant: TenantRef,
    /// Events in order.
    pub events: Vec<Event>,
}

/// A new event of the scope.
#[derive(Clone, Debug)]
pub struct Emitted {
    pub(crate) tenant: TenantRef,
    pub(crate) partition: Key,
    pub(crate) event: Event,
}

/// Whether the stream of a table is read for events.
fn has_stream(table: &str) -> bool {
    [Table::Resources, Table::Crdt].iter().any(|known| known.name() == table)
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
            let place = Key::pair("event", &new_id(clock.now())?);
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
    let at = clock.real().shown_to_tenant(ahead);
    let mut carried = Carried { version: stamp, at, ahead, tenant, events };
    let mut text = serde_json::to_string(&carried).map_err(Error::internal)?;
    if item::size(item) + text.len() + EVENTS.len() > MAX_ITEM_BYTES {
        carried.events.iter_mut().for_each(Event::truncate);
        text = serde_json::to_string(&carried).map_err(Error::internal)?;
    }
    item.insert(EVENTS.to_owned(), Value::S(text));
    Ok(())
}

/// A ULID: unique, and increasing with time.
pub fn new_id(at: Millis) -> Result<String> {
    let random = u128::from_be_bytes(keyring::random_bytes()?);
    Ok(ulid::Ulid::from_parts(at, random).to_string())
}

/// A ULID, also without system randomness: then it is unique within this process.
pub(crate) fn unique_id(clock: &Clock) -> String {
    let at = clock.now();
    new_id(at).unwrap_or_else(|_| ulid::Ulid::from_parts(at, clock.tick().into()).to_string())
}
