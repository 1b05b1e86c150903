//! Units: atomic groups of writes, and their results.

use aws::{BatchWrite, Condition, Item, Value, Write};
use error::{Error, Result, Status};

use super::event::Emitted;
use crate::{
    layout::{GONE, VERSION, item},
    scopes::place_of,
};

/// Writes that succeed together or not at all. The first one decides whether the unit is refused.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub(crate) writes: Vec<Write>,
    /// Its entries, in order.
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

/// The outcome of a unit.
#[derive(Debug)]
pub enum CommitOutcome {
    /// It was executed.
    Done,
    /// The condition of this write, by its position in the unit, did not hold.
    Refused(usize),
    /// It failed; it may have been executed when the error is UNAVAILABLE.
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

    /// Its writes.
    pub fn writes(&self) -> &[Write] {
        &self.writes
    }

    /// Its writes, for changes.
    pub fn writes_mut(&mut self) -> &mut Vec<Write> {
        &mut self.writes
    }

    /// Its writes alone.
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

    /// Its write, if it is the only one and unconditional.
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
