//! Visibility inside a document, in addition to access to the document (contract `comments`).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    OrganizationId, UserId,
    people::{self, Names, Part, People, Rest},
};

/// Visibility.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum VisibilityType {
    /// All users with access to the document.
    #[default]
    Public,
    /// Members of the named organizations.
    OrganizationPrivate,
    /// The named users.
    Restricted,
}

/// Whether a user is a member of an organization: has a right in the organization itself, by
/// membership, grant or token. A right at a document in it is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membership {
    /// A member.
    Yes,
    /// Not a member.
    No,
    /// Not known: it was not read.
    Unknown,
}

impl From<bool> for Membership {
    fn from(is_member: bool) -> Self {
        if is_member { Self::Yes } else { Self::No }
    }
}

/// The visibility of a comment annotation, as stored and shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Visibility {
    /// Visibility.
    #[serde(rename = "type")]
    pub kind: VisibilityType,
    /// The organization whose members see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<OrganizationId>,
    /// Further organizations whose members see it.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub organization_ids: BTreeSet<OrganizationId>,
    /// Users who see it, the author among them.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub user_ids: BTreeSet<UserId>,
}

impl Names for Visibility {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self { kind: _, organization_id: _, organization_ids: _, user_ids } = self;
        people::ids(walk, Part::Beside, user_ids);
        Rest::Stays
    }
}

impl Visibility {
    /// The organizations whose members see it.
    pub fn organizations(&self) -> impl Iterator<Item = &OrganizationId> {
        let is_theirs = self.kind == VisibilityType::OrganizationPrivate;
        let named = self.organization_id.iter().chain(&self.organization_ids);
        named.filter(move |_| is_theirs)
    }

    /// Whether a user with access to the document sees it. An unknown membership admits nobody.
    pub fn admits(&self, user: &UserId, member_of: impl Fn(&OrganizationId) -> Membership) -> bool {
        match self.kind {
            VisibilityType::Public => true,
            VisibilityType::OrganizationPrivate => {
                self.user_ids.contains(user)
                    || self.organizations().any(|named| member_of(named) == Membership::Yes)
            }
            VisibilityType::Restricted => self.user_ids.contains(user),
        }
    }

    /// The organizations whose members have to be known to decide whether a user sees it.
    pub fn unknown(
        &self,
        user: &UserId,
        member_of: impl Fn(&OrganizationId) -> Membership,
    ) -> BTreeSet<OrganizationId> {
        if self.admits(user, &member_of) {
            return BTreeSet::new();
        }
        let named = self.organizations();
        named.filter(|named| member_of(named) == Membership::Unknown).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json};

    use super::{Membership, Visibility};
    use crate::{OrganizationId, UserId};

    fn read(visibility: Value, user: &str) -> (Visibility, UserId) {
        (from_value(visibility).unwrap(), user.to_owned().try_into().unwrap())
    }

    /// Whether a user sees it who is a member of one organization; of others nothing is known.
    fn admits(visibility: Value, user: &str, member_of: &str) -> bool {
        let (visibility, user) = read(visibility, user);
        visibility.admits(&user, |named| match named.as_str() == member_of {
            true => Membership::Yes,
            false => Membership::Unknown,
        })
    }

    fn private() -> Value {
        json!({
            "type": "organizationPrivate", "organizationId": "acme", "organizationIds": ["b"],
            "userIds": ["eve"],
        })
    }

    #[test]
    fn only_those_named_see_what_is_not_public() {
        assert!(admits(json!({}), "ada", "acme"));
        let restricted = json!({ "type": "restricted", "userIds": ["ada"] });
        assert!(admits(restricted.clone(), "ada", "acme"));
        assert!(!admits(restricted, "bob", "acme"));
        for (user, member_of, expected) in
            [("ada", "acme", true), ("ada", "b", true), ("eve", "c", true), ("ada", "c", false)]
        {
            assert_eq!(admits(private(), user, member_of), expected, "{user}");
        }
        let (visibility, ada) = read(private(), "ada");
        assert!(!visibility.admits(&ada, |_| Membership::No));
    }

    #[test]
    fn memberships_are_needed_only_of_whom_nothing_else_admits() {
        let unknown = |visibility: Value, user: &str, known: Membership| {
            let (visibility, user) = read(visibility, user);
            let of = |named: &OrganizationId| match named.as_str() {
                "acme" => known,
                _ => Membership::Unknown,
            };
            let unknown = visibility.unknown(&user, of).into_iter();
            unknown.map(String::from).collect::<Vec<String>>()
        };
        assert_eq!(unknown(private(), "ada", Membership::Unknown), ["acme", "b"]);
        assert_eq!(unknown(private(), "ada", Membership::No), ["b"]);
        let nothing = [""; 0];
        assert_eq!(unknown(private(), "ada", Membership::Yes), nothing);
        assert_eq!(unknown(private(), "eve", Membership::No), nothing);
        let restricted = json!({
            "type": "restricted", "organizationId": "acme", "userIds": ["eve"],
        });
        assert_eq!(unknown(restricted, "ada", Membership::Unknown), nothing);
        assert_eq!(unknown(json!({}), "ada", Membership::Unknown), nothing);
    }
}
