use serde::{Serialize, de::DeserializeOwned};

use crate::key::Key;

/// Tables differ by lifecycle (backups, streams, expiry), not by resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// What callers store; backed up.
    Resources,
    /// The outbox; its stream feeds the fan-out, its items expire after 30 days.
    Events,
    /// What is due later.
    Schedule,
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 3] = [Self::Resources, Self::Events, Self::Schedule];

    /// The name, without the prefix of the deployment.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Resources => "Resources",
            Self::Events => "Events",
            Self::Schedule => "Schedule",
        }
    }
}

/// A resource stored as one item. Its partition is its scope's; it names only its sort key.
pub trait Entity: Clone + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Head of the sort key of all entities of this kind.
    const KIND: &'static str;
    /// What callers know it as: "There is no … x."
    const NOUN: &'static str = Self::KIND;
    /// Where it lies.
    const TABLE: Table = Table::Resources;
    /// Members of free JSON, kept as text: DynamoDB has neither the depth nor the numbers of JSON.
    const JSON: &'static [&'static str] = &[];
    /// Names of members, at any depth, whose text is sealed at rest.
    const SECRETS: &'static [&'static str] = &[];
    /// Whether the partition of its index stands alone, not behind that of the scope.
    #[doc(hidden)]
    const INDEXED_ALONE: bool = false;
    /// What tells it from its siblings.
    type Id: Clone + Ord + Send + Sync;

    /// Its id.
    fn id(&self) -> Self::Id;

    /// The id as callers know it.
    fn shown(id: &Self::Id) -> &str;

    /// Its place in the partition.
    #[doc(hidden)]
    fn place(id: &Self::Id) -> Place;

    /// A second way to it, inside the same scope.
    #[doc(hidden)]
    fn index(&self) -> Option<Indexed> {
        None
    }
}

/// A sort key. Opaque outside this crate, so that nobody else can name one.
pub struct Place(pub(crate) Key);

/// Where an entity is found in the index: partition (behind that of the scope) and sort key.
pub struct Indexed {
    pub(crate) partition: Key,
    pub(crate) sort: Key,
}
