//! Access types (who has access to a resource), access roles, and what is stored of rights
//! (contract `permissions`).

mod members;
pub mod rights;

pub use members::{EndUserMembers, Member, Own, Sends, paths};

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Bounded, DocumentId, FolderId, Millis, UserId};

/// Access type of a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum AccessType {
    /// Every end user of the API key, whatever rights their token names.
    #[default]
    Public,
    /// Members of the organization.
    OrganizationPrivate,
    /// Users with a right to the resource itself or a folder above it.
    Restricted,
}

impl fmt::Display for AccessType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Public => "public",
            Self::OrganizationPrivate => "organizationPrivate",
            Self::Restricted => "restricted",
        })
    }
}

impl FromStr for AccessType {
    type Err = &'static str;

    /// Reads the name on the wire, as settings of a deployment have it.
    fn from_str(name: &str) -> Result<Self, &'static str> {
        match name {
            "public" => Ok(Self::Public),
            "organizationPrivate" => Ok(Self::OrganizationPrivate),
            "restricted" => Ok(Self::Restricted),
            _ => Err("must be public, organizationPrivate or restricted"),
        }
    }
}

impl AccessType {
    /// The default for documents of new keys, unless the deployment names another (decision 111).
    pub const OF_NEW_KEYS: Self = Self::OrganizationPrivate;
}

/// The role of a user. A later one may do all that an earlier one may.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum AccessRole {
    /// Reads.
    Viewer,
    /// Reads, comments and reacts.
    Commenter,
    /// Reads and writes.
    #[default]
    Editor,
}

/// The right that a call needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// To read.
    Read,
    /// To comment and react.
    Comment,
    /// To change contents of a document.
    Edit,
}

impl Need {
    /// The least role that allows it.
    pub const fn role(self) -> AccessRole {
        match self {
            Self::Read => AccessRole::Viewer,
            Self::Comment => AccessRole::Commenter,
            Self::Edit => AccessRole::Editor,
        }
    }
}

impl AccessRole {
    /// Whether the role allows what a call needs.
    pub fn allows(self, need: Need) -> bool {
        self >= need.role()
    }
}

/// The level of a membership or grant within an organization.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "level", content = "id")]
pub enum Level {
    /// The organization itself.
    Organization,
    /// One folder of it.
    Folder(FolderId),
    /// One document of it.
    Document(DocumentId),
}

/// A right that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// The role.
    pub role: AccessRole,
    /// Expiry in epoch **seconds**; never when absent.
    pub until: Option<u64>,
    /// When it was given, in epoch milliseconds.
    pub at: Millis,
}

impl Given {
    /// When it expires, in epoch milliseconds; never when absent.
    pub fn ends(&self) -> Option<Millis> {
        self.until.map(|seconds| seconds.saturating_mul(1000))
    }

    /// Whether it has expired.
    pub fn is_over(&self, now: Millis) -> bool {
        self.ends().is_some_and(|ends| ends <= now)
    }
}

/// The right granted to a user at a level, apart from membership, and the ends of rights. Each is
/// kept for itself, so that none of them takes another one away, and ends only grow.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Grant {
    /// The user.
    pub user_id: UserId,
    /// The resource of the right.
    pub level: Level,
    /// The granted right, expired or not. Its time is 0 in rows of earlier versions: that of the
    /// write.
    pub granted: Option<Given>,
    /// When a right at this level was last taken away, in epoch milliseconds; 0 for never. Rights in
    /// tokens of before are over.
    pub ended: Millis,
    /// At the organization: when the user last left it, in epoch milliseconds; 0 for never. All that
    /// was said in it before is over.
    pub left: Millis,
    /// Whether the user was erased: then nothing is left of the row when no token of before is.
    pub is_erased: bool,
}

/// The members of the row. Members of earlier versions are read, and replaced with the next write.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    user_id: UserId,
    level: Level,
    #[serde(skip_serializing_if = "Option::is_none")]
    access_role: Option<AccessRole>,
    /// Epoch **seconds**, as sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<Millis>,
    #[serde(default, skip_serializing_if = "is_never")]
    ended: Millis,
    #[serde(default, skip_serializing_if = "is_never")]
    left: Millis,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_erased: bool,
    /// Of earlier versions: the time of the grant or of the end.
    #[serde(default, skip_serializing)]
    since: Millis,
    /// Of earlier versions: what ended.
    #[serde(default, skip_serializing)]
    revoked: Option<Revoked>,
}

/// Scope of a revocation that an earlier version stored.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Revoked {
    /// The right at its level.
    Level,
    /// The right to the organization, and all rights inside it.
    Inside,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is that of serde")]
const fn is_never(at: &Millis) -> bool {
    *at == 0
}

impl From<Stored> for Grant {
    fn from(stored: Stored) -> Self {
        let Stored { user_id, level, access_role, expires_at, given, ended, left, .. } = stored;
        let (ended, left) = match stored.revoked {
            None => (ended, left),
            Some(Revoked::Level) => (ended.max(stored.since), left),
            Some(Revoked::Inside) => (ended.max(stored.since), left.max(stored.since)),
        };
        let granted = match (stored.revoked, access_role) {
            (None, Some(role)) => {
                Some(Given { role, until: expires_at, at: given.unwrap_or(stored.since) })
            }
            (Some(_), _) | (None, None) => None,
        };
        Self { user_id, level, granted, ended, left, is_erased: stored.is_erased }
    }
}

impl From<Grant> for Stored {
    fn from(grant: Grant) -> Self {
        let Grant { user_id, level, granted, ended, left, is_erased } = grant;
        Self {
            user_id,
            level,
            access_role: granted.map(|given| given.role),
            expires_at: granted.and_then(|given| given.until),
            given: granted.map(|given| given.at),
            ended,
            left,
            is_erased,
            since: 0,
            revoked: None,
        }
    }
}

/// Longest lifetime of the token of an end user, and the one of a token that asks for none, in
/// seconds.
pub const TOKEN_LIFETIME: u64 = 48 * 60 * 60;

/// The lifetime of the token of an end user, in seconds: a minute to 48 hours.
pub type TokenLifetime = Bounded<60, TOKEN_LIFETIME>;

impl Grant {
    /// Nothing said yet.
    pub const fn none(user_id: UserId, level: Level) -> Self {
        Self { user_id, level, granted: None, ended: 0, left: 0, is_erased: false }
    }

    /// When the record of an erased user is not needed any more, in epoch milliseconds: an hour
    /// after the last token of before has expired. Other ends stay: who has left is told nothing,
    /// however long ago it was.
    pub fn forgotten_at(&self) -> Option<Millis> {
        let last = self.ended.max(self.left);
        let is_over = self.is_erased && self.granted.is_none();
        is_over.then(|| last.saturating_add((TOKEN_LIFETIME + 3600) * 1000))
    }

    /// Gives a right, later than the ends of which the caller knows, and not before the right that it
    /// replaces: a later call may have given that after an end of which this one does not know.
    pub fn give(&mut self, role: AccessRole, until: Option<u64>, now: Millis, after: Millis) {
        let before = self.granted.map_or(0, |given| given.at);
        let at = given_after(now, after.max(self.left)).max(before);
        (self.granted, self.is_erased) = (Some(Given { role, until, at }), false);
    }

    /// Takes the right away, with those in tokens of before.
    pub fn end(&mut self, now: Millis) {
        self.granted = None;
        self.ended = self.ended.max(now);
    }

    /// Takes all rights in the organization away.
    pub fn leave(&mut self, now: Millis) {
        self.end(now);
        self.left = self.left.max(now);
    }
}

/// The time of what is said now: later than the end of what it replaces, whatever the clock of this
/// machine says.
pub const fn given_after(now: Millis, end: Millis) -> Millis {
    if now > end || end == 0 { now } else { end.saturating_add(1) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{AccessRole, Given, Grant, Level, Need};
    use crate::UserId;

    fn user() -> UserId {
        "u".to_owned().try_into().unwrap()
    }

    fn read(mut members: Value) -> Grant {
        members["userId"] = json!("u");
        members["level"] = json!({ "level": "organization" });
        serde_json::from_value(members).unwrap()
    }

    #[test]
    fn a_role_allows_what_a_lesser_one_does() {
        let roles = [AccessRole::Viewer, AccessRole::Commenter, AccessRole::Editor];
        let allowed = |role: AccessRole| {
            [Need::Read, Need::Comment, Need::Edit].map(|need| role.allows(need))
        };
        assert_eq!(
            roles.map(allowed),
            [[true, false, false], [true, true, false], [true, true, true]]
        );
    }

    #[test]
    fn no_fact_takes_another_away_and_ends_only_grow() {
        let mut grant = Grant::none(user(), Level::Organization);
        grant.leave(5);
        grant.give(AccessRole::Viewer, None, 5, 0);
        assert_eq!(grant.granted.map(|given| given.at), Some(6), "later than the departure");
        assert_eq!((grant.left, grant.ended), (5, 5));
        grant.end(9);
        grant.leave(7);
        assert_eq!((grant.left, grant.ended, grant.granted), (7, 9, None));
        let stored = serde_json::to_value(&grant).unwrap();
        assert_eq!((&stored["left"], &stored["ended"]), (&json!(7), &json!(9)));
        assert_eq!(stored.get("accessRole"), None);
    }

    #[test]
    fn only_what_is_left_of_an_erased_user_expires() {
        let mut grant = Grant::none(user(), Level::Organization);
        grant.leave(5);
        assert_eq!(grant.forgotten_at(), None);
        grant.is_erased = true;
        assert_eq!(grant.forgotten_at(), Some(5 + 49 * 3600 * 1000));
        grant.give(AccessRole::Viewer, None, 9, 0);
        assert_eq!(grant.forgotten_at(), None);
    }

    #[test]
    fn rows_of_earlier_versions_say_the_same() {
        let granted = read(json!({ "accessRole": "viewer", "expiresAt": 9, "since": 3 }));
        assert_eq!(
            granted.granted,
            Some(Given { role: AccessRole::Viewer, until: Some(9), at: 3 })
        );
        let level = read(json!({ "accessRole": "editor", "since": 4, "revoked": "level" }));
        assert_eq!((level.granted, level.ended, level.left), (None, 4, 0));
        let inside = read(json!({ "accessRole": "editor", "since": 4, "revoked": "inside" }));
        assert_eq!((inside.granted, inside.ended, inside.left), (None, 4, 4));
    }
}
