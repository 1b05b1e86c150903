//! Visibility inside a document, in addition to access to the document (contract `comments`).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{OrganizationId, UserId};

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

impl Visibility {
    /// Whether a user with access to the document sees it. `organization` is the organization of
    /// the request.
    pub fn admits(&self, user: &UserId, organization: &OrganizationId) -> bool {
        match self.kind {
            VisibilityType::Public => true,
            VisibilityType::OrganizationPrivate => {
                self.user_ids.contains(user)
                    || self.organization_id.as_ref() == Some(organization)
                    || self.organization_ids.contains(organization)
            }
            VisibilityType::Restricted => self.user_ids.contains(user),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::Visibility;

    #[test]
    fn only_those_named_see_what_is_not_public() {
        let admits = |visibility, user: &str, organization: &str| {
            let visibility: Visibility = from_value(visibility).unwrap();
            let organization = organization.to_owned().try_into().unwrap();
            visibility.admits(&user.to_owned().try_into().unwrap(), &organization)
        };
        assert!(admits(json!({}), "ada", "acme"));
        let restricted = json!({ "type": "restricted", "userIds": ["ada"] });
        assert!(admits(restricted.clone(), "ada", "acme"));
        assert!(!admits(restricted, "bob", "acme"));
        let private = json!({
            "type": "organizationPrivate", "organizationId": "acme", "organizationIds": ["b"],
            "userIds": ["eve"],
        });
        for (user, organization, expected) in
            [("ada", "acme", true), ("ada", "b", true), ("eve", "c", true), ("ada", "c", false)]
        {
            assert_eq!(admits(private.clone(), user, organization), expected, "{user}");
        }
    }
}
