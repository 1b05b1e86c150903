//! Units: atomic groups of writes with their events, which the changed item carries, and their
//! results.

use aws::{BatchWrite, Condition, Item, Value, Write};
use error::{Error, Result, Status};
use model::{Millis, clock::ClockOffset, event::Event};
use serde::{Deserialize, Serialize};

use super::ids::new_id;
use crate::{
    layout::{EVENTS, GONE, Key, MAX_ITEM_BYTES, Table, VERSION, item},
    reading::new_version,
    scopes::{Clock, TenantRef, place_of},
};

/// Writes that succeed together or not at all. The first one decides whether the unit is refused.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub(crate) writes: Vec<Write>,
    /// Entries of the unit, in order.
    pub(crate) emitted: Vec<Emitted>,
    /// The version stamped by its first write; distinguishes a refusal from our own earlier call
    /// with a lost reply.
    pub(crate) version: Option<String>,
    /// The expected item of its first write, if the unit may share a call at the price of a single
    /// write.
    pub(crate) expected: Option<ExpectedItem>,
    /// New link rows. A link row is valid only while the item lists it, so they are written before
    /// the unit. Old ones are removed by its writes.
    pub(crate) links: Vec<Item>,
    /// Keys of rows to be removed after the unit.
    pub(crate) surplus: Vec<Item>,
}

/// The expected item of a write.
#[derive(Clone, Debug)]
pub(crate) enum ExpectedItem {
    /// None.
    Absent,
    /// An item with this version, and the attributes `removed` that the new one does not have.
    Version { version: String, removed: Vec<String> },
}

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

/// The outcome of a unit.
#[derive(Debug)]
pub enum CommitOutcome {
    /// The unit was executed.
    Done,
    /// The condition of this write, by its position in the unit, did not hold.
    Refused(usize),
    /// The unit failed; it may have been executed when the error is UNAVAILABLE.
    Failed(Error),
}

fn gone() -> (String, String) {
    ("#gone".to_owned(), GONE.to_owned())
}

/// The condition that there is no item, or a tombstone.
pub fn absent() -> Condition {
    Condition {
        expression: format!("(attribute_not_exists({}) OR attribute_exists(#gone))", item::PK),
        names: [gone()].into(),
        ..Condition::default()
    }
}

/// The condition that there is no item, and no tombstone either: what begins a life has to know the
/// end of the one before.
pub fn vacant() -> Condition {
    Condition { expression: format!("attribute_not_exists({})", item::PK), ..Condition::default() }
}

/// The condition that there is an item.
pub fn present() -> Condition {
    Condition {
        expression: format!("(attribute_exists({}) AND attribute_not_exists(#gone))", item::PK),
        names: [gone()].into(),
        ..Condition::default()
    }
}

/// The condition that an item has this version.
pub fn unchanged(version: &str) -> Condition {
    Condition {
        expression: "#version = :version".to_owned(),
        names: [("#version".to_owned(), VERSION.to_owned())].into(),
        values: [(":version".to_owned(), Value::S(version.to_owned()))].into(),
    }
}

impl Unit {
    /// A unit of these writes.
    pub fn new(writes: Vec<Write>) -> Self {
        Self { writes, ..Self::default() }
    }

    /// With these events.
    #[must_use]
    pub fn emitting(self, emitted: Vec<Emitted>) -> Self {
        Self { emitted, ..self }
    }

    /// With the version that its first write stamps.
    #[must_use]
    pub fn versioned(self, version: String) -> Self {
        Self { version: Some(version), ..self }
    }

    /// With these link rows, written before it.
    #[must_use]
    pub fn linking(self, links: Vec<Item>) -> Self {
        Self { links, ..self }
    }

    /// Writes of the unit.
    pub fn writes(&self) -> &[Write] {
        &self.writes
    }

    /// Writes of the unit, for changes.
    pub fn writes_mut(&mut self) -> &mut Vec<Write> {
        &mut self.writes
    }

    /// Writes of the unit alone.
    pub fn into_writes(self) -> Vec<Write> {
        self.writes
    }

    /// The version that its first write stamps, if any.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Whether it may be sent as a single call, which is cheaper than a transaction. An update may
    /// not: repeated after a lost reply it would be applied twice.
    pub(super) fn is_single(&self) -> bool {
        match self.writes.as_slice() {
            [] | [Write::Delete { .. }] => true,
            [Write::Put { condition, .. }] => condition.is_none() || self.version.is_some(),
            _ => false,
        }
    }

    /// Write of the unit, if it is the only one and unconditional.
    pub(super) fn unconditional(&self) -> Option<(&'static str, BatchWrite)> {
        match self.writes.as_slice() {
            [Write::Put { table, item, condition: None }] => {
                Some((*table, BatchWrite::Put(item.clone())))
            }
            [Write::Delete { table, key, condition: None }] => {
                Some((*table, BatchWrite::Delete(key.clone())))
            }
            _ => None,
        }
    }

    /// Whether the existing item is the result of this unit, or of later writes.
    pub(crate) fn has_written(&self, found: &Item) -> bool {
        self.version.as_deref().is_some_and(|version| item::had_version(found, version))
    }
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
        _ => new_version()?,
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
        if item::size(item) + text.len() + EVENTS.len() > MAX_ITEM_BYTES {
            let message = "The resource has no room left for the change and its events.";
            return Err(Error::exhausted(message));
        }
    }
    item.insert(EVENTS.to_owned(), Value::S(text));
    Ok(())
}

impl CommitOutcome {
    /// Whether the unit was executed. A refusal is no error.
    pub fn was_executed(self) -> Result<bool> {
        match self {
            CommitOutcome::Done => Ok(true),
            CommitOutcome::Refused(_) => Ok(false),
            CommitOutcome::Failed(error) => Err(error),
        }
    }

    /// Whether the unit was executed; a unit refused under contention may be tried again.
    pub fn won_race(self) -> Result<bool> {
        match self {
            CommitOutcome::Failed(error) if error.status == Status::Aborted => Ok(false),
            outcome => outcome.was_executed(),
        }
    }
}

/// The first failure of units; a refused one was executed before, or is no longer needed.
pub fn no_failure(outcomes: Vec<CommitOutcome>) -> Result<()> {
    outcomes.into_iter().try_for_each(|outcome| outcome.was_executed().map(drop))
}

/// The result of a unit whose refusal means `refused`.
pub fn settle(outcome: CommitOutcome, refused: impl FnOnce(usize) -> Error) -> Result<()> {
    match outcome {
        CommitOutcome::Done => Ok(()),
        CommitOutcome::Refused(position) => Err(refused(position)),
        CommitOutcome::Failed(error) => Err(error),
    }
}

pub(super) fn place(write: &Write) -> (&'static str, (String, String)) {
    match write {
        Write::Put { table, item, .. } => (table, place_of(item)),
        Write::Delete { table, key, .. }
        | Write::Update { table, key, .. }
        | Write::Check { table, key, .. } => (table, place_of(key)),
    }
}

pub(super) fn is_check(write: &Write) -> bool {
    matches!(write, Write::Check { .. })
}

pub(super) fn bytes(write: &Write) -> usize {
    match write {
        Write::Put { item, .. } => item::size(item),
        Write::Delete { key, .. } | Write::Check { key, .. } => item::size(key),
        Write::Update { key, update, .. } => item::size(key) + item::size(&update.values),
    }
}
