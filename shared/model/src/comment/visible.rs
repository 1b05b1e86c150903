use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    OrganizationId, UserId,
    visibility::{Visibility, VisibilityType},
};

/// Maximum number of further organizations whose members see a thread: a reader's call may have to
/// ask each of them.
const MAX_ORGANIZATIONS: usize = 30;

/// The visibility of a thread as sent; public when `type` is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(try_from = "Sent")]
#[schemars(rename = "NewVisibility")]
pub struct SentVisibility(Visibility);

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Sent {
    /// Visibility.
    #[serde(rename = "type")]
    kind: Option<VisibilityType>,
    /// The organization whose members see it; required for `organizationPrivate`.
    organization_id: Option<OrganizationId>,
    /// Further organizations whose members see it.
    organization_ids: Option<BTreeSet<OrganizationId>>,
    /// Users who see it; required for `restricted`.
    user_ids: Option<BTreeSet<UserId>>,
}

impl TryFrom<Sent> for SentVisibility {
    type Error = &'static str;

    fn try_from(sent: Sent) -> Result<Self, &'static str> {
        let kind = sent.kind.unwrap_or_default();
        let user_ids = sent.user_ids.unwrap_or_default();
        Ok(Self(match kind {
            VisibilityType::Public => Visibility::default(),
            VisibilityType::OrganizationPrivate if sent.organization_id.is_none() => {
                return Err("must have an organizationId when its type is organizationPrivate");
            }
            VisibilityType::OrganizationPrivate
                if sent
                    .organization_ids
                    .as_ref()
                    .is_some_and(|ids| ids.len() > MAX_ORGANIZATIONS) =>
            {
                return Err("must have at most 30 organizationIds");
            }
            VisibilityType::Restricted if user_ids.is_empty() => {
                return Err("must have userIds when its type is restricted");
            }
            VisibilityType::OrganizationPrivate => Visibility {
                kind,
                organization_id: sent.organization_id,
                organization_ids: sent.organization_ids.unwrap_or_default(),
                user_ids,
            },
            VisibilityType::Restricted => Visibility { kind, user_ids, ..Visibility::default() },
        }))
    }
}

impl SentVisibility {
    /// Whether not everybody with access to the document sees it.
    pub(super) fn is_private(&self) -> bool {
        self.0.kind != VisibilityType::Public
    }

    /// Visibility of a thread; its author always sees it.
    pub fn for_author(self, author: &UserId) -> Visibility {
        let mut visibility = self.0;
        if visibility.kind != VisibilityType::Public {
            visibility.user_ids.insert(author.clone());
        }
        visibility
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json, to_value};

    use super::SentVisibility;
    use crate::UserId;

    fn of_ada(json: Value) -> Result<Value, serde_json::Error> {
        let author = UserId::try_from("ada".to_owned()).unwrap();
        from_value::<SentVisibility>(json).map(|sent| to_value(sent.for_author(&author)).unwrap())
    }

    #[test]
    fn the_author_always_sees_it() {
        assert_eq!(
            of_ada(json!({ "type": "restricted", "userIds": ["bob"] })).unwrap(),
            json!({ "type": "restricted", "userIds": ["ada", "bob"] })
        );
        assert_eq!(
            of_ada(json!({ "type": "organizationPrivate", "organizationId": "acme" })).unwrap(),
            json!({ "type": "organizationPrivate", "organizationId": "acme", "userIds": ["ada"] })
        );
        assert_eq!(of_ada(json!({ "userIds": ["bob"] })).unwrap(), json!({ "type": "public" }));
    }

    #[test]
    fn what_is_private_says_to_whom() {
        for json in [
            json!({ "type": "restricted" }),
            json!({ "type": "restricted", "userIds": [] }),
            json!({ "type": "organizationPrivate", "userIds": ["a"] }),
            json!({ "type": "secret" }),
        ] {
            assert!(of_ada(json.clone()).is_err(), "{json}");
        }
    }
}
