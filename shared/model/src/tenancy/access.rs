//! Access types (who has access to a resource) and access roles, viewer or editor
//! (contract `permissions`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DocumentId, FolderId, Millis, UserId};

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

impl AccessType {
    /// The effective right of a user in a resource. `own` is the right there or in a folder above,
    /// `organization` that in the organization: the closer one sets the role, but a right in the
    /// organization does not open a restricted resource.
    pub fn admit(self, own: Option<Held>, organization: Option<Held>) -> Option<Held> {
        match self {
            Self::Public => Some(own.or(organization).unwrap_or_default()),
            Self::OrganizationPrivate => own.or(organization),
            Self::Restricted => own,
        }
    }
}

/// A right at one level, by membership or grant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// The granted role.
    pub access_role: AccessRole,
    /// Expiry in epoch **seconds**; never when absent.
    pub expires_at: Option<u64>,
}

/// The role of a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AccessRole {
    /// Read only.
    Viewer,
    /// Read and write.
    #[default]
    Editor,
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

/// A right granted to a user for one resource, apart from membership.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    /// The user.
    pub user_id: UserId,
    /// The resource of the right.
    pub level: Level,
    /// The granted role.
    pub access_role: AccessRole,
    /// Expiry in epoch **seconds**, as sent; never when absent.
    pub expires_at: Option<u64>,
    /// When it was granted or taken away, in epoch milliseconds: tokens of before have no right at
    /// this level by themselves. 0 in grants of earlier versions.
    #[serde(default)]
    pub since: Millis,
    /// Set when the right was taken away: how much of the tokens of before ends.
    #[serde(default)]
    pub revoked: Option<Revoked>,
}

/// What a revocation takes from tokens that were issued before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Revoked {
    /// The right at its level.
    Level,
    /// The right at its level, the organization, and all rights inside.
    Inside,
}

/// Lifetime of the token of an end user, in seconds.
pub const TOKEN_LIFETIME: u64 = 48 * 60 * 60;

impl Grant {
    /// When the record of a revocation is not needed any more, in epoch milliseconds: an hour after
    /// the last token of before has expired.
    pub fn forgotten_at(&self) -> Option<Millis> {
        self.revoked.map(|_| self.since.saturating_add((TOKEN_LIFETIME + 3600) * 1000))
    }

    /// The record that a right was taken away.
    pub fn revoked(user_id: UserId, level: Level, revoked: Revoked, now: Millis) -> Self {
        let (access_role, revoked) = (AccessRole::default(), Some(revoked));
        Self { user_id, level, access_role, expires_at: None, since: now, revoked }
    }

    /// When the right was taken away or expired, if that is over.
    pub fn ended_at(&self, now: Millis) -> Option<Millis> {
        let expired = || self.expires_at.map(|seconds| seconds.saturating_mul(1000));
        match self.revoked {
            Some(_) => Some(self.since),
            None => expired().filter(|at| *at <= now),
        }
    }

    /// Whether the grant is valid.
    pub fn holds_at(&self, now: Millis) -> bool {
        let is_over = self.expires_at.is_some_and(|seconds| seconds.saturating_mul(1000) <= now);
        self.revoked.is_none() && !is_over
    }
}

impl Held {
    /// The right from membership and grant at the same level: the grant, while it is valid.
    pub fn at(membership: Option<AccessRole>, grant: Option<&Grant>, now: Millis) -> Option<Self> {
        let by_grant =
            |grant: &Grant| Self { access_role: grant.access_role, expires_at: grant.expires_at };
        let member = membership.map(|access_role| Self { access_role, expires_at: None });
        grant.filter(|grant| grant.holds_at(now)).map(by_grant).or(member)
    }
}

#[cfg(test)]
mod tests {
    use super::{AccessRole, AccessType, Grant, Held, Level};

    const VIEWER: Held = Held { access_role: AccessRole::Viewer, expires_at: Some(9) };
    const EDITOR: Held = Held { access_role: AccessRole::Editor, expires_at: None };

    #[test]
    fn everybody_may_edit_what_is_public_unless_a_right_says_less() {
        let public = AccessType::Public;
        assert_eq!(public.admit(None, None), Some(EDITOR));
        assert_eq!(public.admit(None, Some(VIEWER)), Some(VIEWER));
        assert_eq!(public.admit(Some(VIEWER), Some(EDITOR)), Some(VIEWER));
    }

    #[test]
    fn what_is_private_opens_to_members_and_to_holders_of_a_right_of_its_own() {
        let private = AccessType::OrganizationPrivate;
        assert_eq!(private.admit(None, None), None);
        assert_eq!(private.admit(None, Some(VIEWER)), Some(VIEWER));
        assert_eq!(private.admit(Some(EDITOR), None), Some(EDITOR));
        assert_eq!(private.admit(Some(EDITOR), Some(VIEWER)), Some(EDITOR));
    }

    #[test]
    fn what_is_restricted_is_not_opened_by_the_organization() {
        let restricted = AccessType::Restricted;
        assert_eq!(restricted.admit(None, Some(EDITOR)), None);
        assert_eq!(restricted.admit(Some(VIEWER), Some(EDITOR)), Some(VIEWER));
    }

    #[test]
    fn a_grant_comes_before_membership_until_it_ends() {
        let grant = Grant {
            user_id: "u".to_owned().try_into().unwrap(),
            level: Level::Organization,
            access_role: AccessRole::Viewer,
            expires_at: Some(9),
            since: 0,
            revoked: None,
        };
        let member = Some(AccessRole::Editor);
        assert_eq!(Held::at(member, Some(&grant), 8_999), Some(VIEWER));
        assert_eq!(Held::at(member, Some(&grant), 9_000), Some(EDITOR));
        assert_eq!(Held::at(None, Some(&grant), 9_000), None);
        assert_eq!(Held::at(None, None, 0), None);
    }
}
