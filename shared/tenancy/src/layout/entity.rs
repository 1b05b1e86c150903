use aws::Item;
use model::{
    Millis, OrganizationId, UserId,
    people::Names,
    visibility::{Membership, Visibility},
};
use serde::{Serialize, de::DeserializeOwned};

use super::key::Key;

/// Tables differ by lifecycle (backups, streams, expiry), not by resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// Data of callers; backed up.
    Resources,
    /// The journal: the last number of each document, and entries of events with subscribers.
    Events,
    /// Pending work.
    Schedule,
    /// Presence, live state, connections and stored replies of idempotent calls; all but live state
    /// expire.
    Realtime,
    /// Documents of editors: logs of updates and snapshots.
    Crdt,
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 5] =
        [Self::Resources, Self::Events, Self::Schedule, Self::Realtime, Self::Crdt];

    /// The name, without the prefix of the deployment.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Resources => "Resources",
            Self::Events => "Events",
            Self::Schedule => "Schedule",
            Self::Realtime => "Realtime",
            Self::Crdt => "Crdt",
        }
    }
}

/// A resource stored as one item. Its partition is its scope's; it names only its sort key.
pub trait Entity: Clone + Serialize + DeserializeOwned + Names + Send + Sync + 'static {
    /// Head of the sort key of all entities of this kind.
    const KIND: &'static str;
    /// Noun of the entity in messages: "There is no … x."
    const NOUN: &'static str = Self::KIND;
    /// Table of the entity.
    const TABLE: Table = Table::Resources;
    /// Members of free JSON, stored as text: DynamoDB has neither the depth nor the numbers of
    /// JSON.
    const JSON: &'static [&'static str] = &[];
    /// Names of members, at any depth, whose text is sealed at rest.
    const SECRETS: &'static [&'static str] = &[];
    /// Whether others add to it: then one that would be too large is full, and not invalid.
    #[doc(hidden)]
    const FILLS: bool = false;
    /// Whether the partition of its index is independent of the scope's.
    #[doc(hidden)]
    const INDEXED_ALONE: bool = false;
    /// Id of an entity among its siblings.
    type Id: Clone + Ord + Send + Sync;

    /// Id of the entity.
    fn id(&self) -> Self::Id;

    /// The id in replies.
    fn shown(id: &Self::Id) -> &str;

    /// Sort key of the entity.
    #[doc(hidden)]
    fn place(id: &Self::Id) -> Place;

    /// Index entries of the entity, inside the same scope: at most one in each index.
    #[doc(hidden)]
    fn indexes(&self) -> Vec<Indexed> {
        vec![]
    }

    /// Whether an end user with access to its document may see it.
    #[doc(hidden)]
    fn is_visible(
        &self,
        _viewer: &UserId,
        _member_of: &dyn Fn(&OrganizationId) -> Membership,
    ) -> bool {
        true
    }

    /// The visibility in an item, if entities of this kind have one.
    #[doc(hidden)]
    fn visibility_in(_item: &Item) -> Option<Visibility> {
        None
    }

    /// Link rows of the entity, of which there may be many.
    #[doc(hidden)]
    fn links(&self) -> Vec<Link> {
        vec![]
    }

    /// Whether the item lists its link rows. Otherwise they follow from the entity, and many of
    /// them do not make it large.
    #[doc(hidden)]
    const LISTS_LINKS: bool = true;

    /// Expiry, if any.
    #[doc(hidden)]
    fn expires(&self) -> Option<Millis> {
        None
    }
}

/// A sort key. Opaque outside this crate, so that other crates cannot construct one.
pub struct Place(pub(crate) Key);

impl Place {
    /// The place of a sort key.
    pub fn new(key: Key) -> Self {
        Self(key)
    }

    /// The sort key.
    pub fn into_key(self) -> Key {
        self.0
    }
}

/// An index of [`Table::Resources`]; each holds several kinds of entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// By container: a workspace, a folder, a user, a document.
    Container,
    /// By kind and time.
    Kind,
    /// By creator and time.
    Actor,
    /// By target and time.
    Target,
}

impl Index {
    /// Every index.
    pub const ALL: [Self; 4] = [Self::Container, Self::Kind, Self::Actor, Self::Target];

    /// Name of the index, with the names of its partition and sort key.
    pub const fn names(self) -> [&'static str; 3] {
        match self {
            Self::Container => ["GSI1", "GSI1PK", "GSI1SK"],
            Self::Kind => ["GSI2", "GSI2PK", "GSI2SK"],
            Self::Actor => ["GSI3", "GSI3PK", "GSI3SK"],
            Self::Target => ["GSI4", "GSI4PK", "GSI4SK"],
        }
    }
}

/// An index entry: partition (behind that of the scope) and sort key.
pub struct Indexed {
    pub(crate) index: Index,
    pub(crate) partition: Key,
    pub(crate) sort: Key,
}

impl Indexed {
    /// A place in [`Index::Container`].
    pub(crate) fn within(partition: Key, sort: Key) -> Vec<Self> {
        vec![Self { index: Index::Container, partition, sort }]
    }
}

/// A link row: its sort key, in the scope of the entity.
pub struct Link(pub(crate) Key);

impl Link {
    /// The link row with a sort key.
    pub fn new(key: Key) -> Self {
        Self(key)
    }

    /// The sort key.
    pub fn into_key(self) -> Key {
        self.0
    }

    /// The link row from a user to an item sorted by `sort`, which begins with its kind.
    pub fn of_user(user: &UserId, sort: &Key) -> Self {
        Self(linked_to(user).join(sort))
    }

    /// The link row from a user whom an item names in passing.
    pub(crate) fn beside(user: &UserId, sort: &Key) -> Self {
        Self::of_user(user, &Key::named("beside").join(sort))
    }
}

/// Key prefix of the link rows to entities that name the user in passing, for the export and the
/// erasure of the user's data. Entities that name many are in the rows of [`UserId::crowd`].
pub fn named_beside<E: Entity>(user: &UserId) -> Key {
    linked_to(user).join(&Key::named("beside")).join(&Key::named(E::KIND))
}

/// Partition of a user's link rows.
pub fn linked_to(user: &UserId) -> Key {
    Key::pair("link", user.as_str())
}
