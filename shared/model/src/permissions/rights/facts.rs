//! Facts that decide on rights: a place, a person, a token, and the settings of the key.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    DocumentId, FolderId, GroupId, Millis,
    life::{Life, Stand},
    permissions::{AccessRole, AccessType, Given, Level},
};

/// The place that a right would open: an organization, a folder or a document, with all that is
/// above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The organization.
    pub organization: Stand<OrganizationFacts>,
    /// The subject of the decision.
    pub subject: Subject,
}

/// The kind of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The organization itself.
    Organization,
    /// The first folder of this way.
    Folder(Way),
    /// A document, in the first folder of this way.
    Document {
        /// Id of the document.
        id: DocumentId,
        /// Facts about the document.
        document: Stand<DocumentFacts>,
        /// The folders above it.
        way: Way,
    },
}

/// The existing folders from the nearest one to the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The nearest first.
    pub folders: Vec<FolderFacts>,
    /// The end behind the last folder.
    pub top: Top,
}

/// The end of a way upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Top {
    /// The organization: the way is whole.
    Reached,
    /// A folder that is not there.
    Missing(Life),
    /// More folders than can lie in each other.
    TooDeep,
}

impl Way {
    /// The way of what lies in no folder.
    pub const fn none() -> Self {
        Self { folders: vec![], top: Top::Reached }
    }
}

/// Facts about an organization that decide on rights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrganizationFacts {
    /// Whether its end users are locked out.
    pub disabled: bool,
    /// Groups with a right to the organization.
    pub holders: Holders,
}

/// Facts about a folder that decide on rights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderFacts {
    /// Id of the folder.
    pub id: FolderId,
    /// Life of the folder.
    pub life: Life,
    /// Access type of the folder.
    pub setting: Setting,
    /// The life of the folder that it was put into.
    pub placed: Life,
    /// Groups with a right to it.
    pub holders: Holders,
}

/// Facts about a document that decide on rights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentFacts {
    /// Whether its end users are locked out.
    pub disabled: bool,
    /// Access type of the document.
    pub setting: Setting,
    /// The life of the folder that it was put into.
    pub placed: Life,
    /// Groups with a right to it.
    pub holders: Holders,
}

/// The access type of a document or folder, as set there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The access type of the container above.
    Inherited,
    /// The access type set here.
    Own(AccessType),
}

/// The access type of what has these settings, the nearest first: that of the first that has one,
/// else the default of the key.
pub fn nearest(settings: impl IntoIterator<Item = Setting>, default: AccessType) -> AccessType {
    let mut own = settings.into_iter().filter_map(|setting| match setting {
        Setting::Own(access) => Some(access),
        Setting::Inherited => None,
    });
    own.next().unwrap_or(default)
}

/// Groups with a right at a level.
pub type Holders = BTreeMap<GroupId, GroupRight>;

/// The right of a group at a level, as stored with the container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredRight", into = "StoredRight")]
pub struct GroupRight {
    /// The right.
    pub given: Given,
    /// The life of the group that holds it.
    pub of: Life,
}

#[derive(Serialize, Deserialize)]
struct StoredRight {
    role: AccessRole,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<u64>,
    given: Millis,
    #[serde(default, skip_serializing_if = "Life::is_first")]
    of: Life,
}

impl From<StoredRight> for GroupRight {
    fn from(stored: StoredRight) -> Self {
        let StoredRight { role, until, given, of } = stored;
        Self { given: Given { role, until, at: given }, of }
    }
}

impl From<GroupRight> for StoredRight {
    fn from(right: GroupRight) -> Self {
        let GroupRight { given: Given { role, until, at }, of } = right;
        Self { role, until, given: at, of }
    }
}

/// Facts stored about a user in an organization.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// The last departure from the organization, in epoch milliseconds; 0 without one.
    pub left: Millis,
    /// The user's groups.
    pub groups: BTreeMap<GroupId, Joined>,
    /// Stand of those groups that hold a right of the place.
    pub group_lives: BTreeMap<GroupId, Stand<()>>,
    /// Rights and ends of rights at each level.
    pub at: BTreeMap<Level, LevelRights>,
}

/// A membership in a group, as stored with the membership in the organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// The life of the group that the user joined.
    #[serde(default, skip_serializing_if = "Life::is_first")]
    pub of: Life,
    /// When the user joined, in epoch milliseconds.
    #[serde(rename = "given")]
    pub at: Millis,
}

/// The rights of a user at a level, and their end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelRights {
    /// The grant, expired or not.
    pub grant: Option<Given>,
    /// The membership.
    pub member: Option<Given>,
    /// When a right there was last taken away, in epoch milliseconds; 0 for never.
    pub ended: Millis,
}

/// Whether the caller brings rights of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// Only what is stored counts.
    Stored,
    /// Rights in a token count as well.
    Token(&'a Token),
}

/// Rights in the token of a user, in one organization.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Token {
    /// When it was issued, in epoch milliseconds.
    pub issued: Millis,
    /// Role, and expiry in epoch **seconds**.
    pub rights: BTreeMap<Level, (AccessRole, Option<u64>)>,
}

/// The settings of the key, and the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Epoch milliseconds.
    pub now: Millis,
    /// The access type of what says nothing else.
    pub default: AccessType,
    /// The role of a user without a right in a public resource.
    pub public_role: AccessRole,
}

/// The access of a place, before any person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The folder or document is not there, or the way to it is broken.
    Absent,
    /// Organizations have no access type.
    Organization,
    /// The effective type, and where it is set.
    Typed(AccessType, Setting),
}

impl Access {
    /// The effective type, if there is one.
    pub const fn access_type(self) -> Option<AccessType> {
        match self {
            Self::Typed(effective, _) => Some(effective),
            Self::Absent | Self::Organization => None,
        }
    }
}

impl Target {
    /// The access of the place: the type of the nearest that has one, else the default of the key.
    pub fn access(&self, rules: &Rules) -> Access {
        let (own, way) = match &self.subject {
            Subject::Organization => return Access::Organization,
            Subject::Folder(way) => (way.folders.first().map(|folder| folder.setting), way),
            Subject::Document { document: Stand::There(document, _), way, .. } => {
                (Some(document.setting), way)
            }
            Subject::Document { document: Stand::Absent(_), .. } => return Access::Absent,
        };
        let (Some(own), None) = (own, self.broken()) else { return Access::Absent };
        let settings = [own].into_iter().chain(way.folders.iter().map(|folder| folder.setting));
        Access::Typed(nearest(settings, rules.default), own)
    }

    /// When what a folder or an existing document lies in ended, in epoch milliseconds: the latest
    /// time of which nobody knows; none if all of it is there.
    pub fn broken(&self) -> Option<Millis> {
        let organization = match self.organization {
            Stand::There(_, life) => life,
            Stand::Absent(end) => return Some(end_of(end)),
        };
        let (mut placed, way) = match &self.subject {
            Subject::Organization => return None,
            Subject::Folder(way) => (None, way),
            Subject::Document { document: Stand::Absent(_), .. } => return None,
            Subject::Document { document: Stand::There(document, life), way, .. } => {
                if *life < organization {
                    return Some(end_of(organization));
                }
                (Some(document.placed), way)
            }
        };
        for folder in &way.folders {
            if placed.is_some_and(|placed| placed < folder.life) {
                return Some(end_of(folder.life));
            }
            if folder.life < organization {
                return Some(end_of(organization));
            }
            placed = Some(folder.placed);
        }
        match way.top {
            Top::Reached => None,
            Top::Missing(end) => Some(end_of(end)),
            Top::TooDeep => Some(Millis::MAX),
        }
    }
}

/// The time of an end, in epoch milliseconds. One that left no trace may be of any time.
fn end_of(life: Life) -> Millis {
    if life.is_first() { Millis::MAX } else { life.since() }
}
