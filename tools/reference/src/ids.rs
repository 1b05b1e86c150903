//! The few names of a small world.

/// An organization, one of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Org(pub u8);

/// A folder, one of two of an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Folder(pub u8);

/// A document, one of three of an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Doc(pub u8);

/// A thread, one of two of a document, by the id that the caller chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadNo(pub u8);

/// A token, one of three, by the order of the slots that they are kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tok(pub u8);

/// The text that a call wrote, which no other call of the history writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark(pub u16);

/// A document of an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At(pub Org, pub Doc);

/// A person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum User {
    Ada,
    Bob,
    Eve,
    Stranger,
}

impl User {
    /// Everybody.
    pub const ALL: [Self; 4] = [Self::Ada, Self::Bob, Self::Eve, Self::Stranger];
}

/// The caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// The tenant's server.
    Server,
    /// The end user to whom the token of this slot was issued.
    Holder(Tok),
}

/// The user or group that a grant or a mention names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holder {
    User(User),
    /// The one group of the organization.
    Group,
}

/// Where a right belongs, within an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    Organization,
    Folder(Folder),
    Document(Doc),
}

impl Level {
    /// Each level of an organization.
    #[must_use]
    pub fn all() -> [Self; 6] {
        [
            Self::Organization,
            Self::Folder(Folder(0)),
            Self::Folder(Folder(1)),
            Self::Document(Doc(0)),
            Self::Document(Doc(1)),
            Self::Document(Doc(2)),
        ]
    }
}

/// The role of a right; each role allows what the ones before it allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Viewer,
    Commenter,
    Editor,
}

/// The access type: who has access at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    Public,
    OrganizationPrivate,
    Restricted,
}

/// The visibility of a thread for others than its author.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Visibility {
    Public,
    Organization(Org),
    Only(User),
}

/// The settings of the API key of a history. All have inbox and mail notifications on for every
/// event, activities on and immutable, and private comments by end users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyKind {
    /// The default access type is `public`; everybody is an editor there.
    Open,
    /// `organizationPrivate`.
    Closed,
    /// `restricted`, and notifications are delayed by a minute.
    Restricted,
    /// `public`, and `publicAccessRole` is `viewer`.
    Readable,
}

impl KeyKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Open, Self::Closed, Self::Restricted, Self::Readable];

    /// `defaultDocumentAccessType`.
    #[must_use]
    pub fn access(self) -> Access {
        match self {
            Self::Open | Self::Readable => Access::Public,
            Self::Closed => Access::OrganizationPrivate,
            Self::Restricted => Access::Restricted,
        }
    }

    /// `publicAccessRole`.
    #[must_use]
    pub fn public_role(self) -> Role {
        if self == Self::Readable { Role::Viewer } else { Role::Editor }
    }

    /// Milliseconds from an event to its delivery.
    #[must_use]
    pub fn delay(self) -> u64 {
        if self == Self::Restricted { 60_000 } else { 0 }
    }
}
