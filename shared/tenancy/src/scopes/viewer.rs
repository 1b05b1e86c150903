//! End users, and what they see.

use std::sync::Arc;

use model::{Email, Millis, OrganizationId, Text, UserId, resource::Resource, user::Person};
use serde::{Deserialize, Serialize};

use crate::layout::Entity;

/// Claims of an end user's token.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndUser {
    /// The user.
    #[serde(rename = "sub")]
    pub user_id: UserId,
    /// Display name.
    pub name: Option<Text>,
    /// E-mail address.
    pub email: Option<Email>,
    /// Whether the user is an administrator.
    pub is_admin: bool,
    /// Rights granted by the token.
    pub permissions: Permissions,
    /// The only organization it is valid in; absent: in all of the tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<OrganizationId>,
}

/// Rights in a token.
#[derive(Debug, Serialize, Deserialize)]
pub struct Permissions {
    /// Resources of the rights.
    pub resources: Vec<Resource>,
}

impl EndUser {
    /// The user, with the profile in the token.
    pub fn person(&self) -> Person {
        let name = self.name.as_ref().and_then(|name| name.to_string().try_into().ok());
        Person { name, email: self.email.clone(), ..Person::from_id(self.user_id.clone()) }
    }
}

/// An end user's view of an organization.
#[derive(Clone)]
pub struct Viewer {
    pub(super) user: Arc<EndUser>,
    /// When the token was issued, in epoch milliseconds.
    pub(super) issued_at: Millis,
    pub(super) organization: Option<OrganizationId>,
}

impl Viewer {
    /// The end user, as the token has it.
    pub fn user(&self) -> &Arc<EndUser> {
        &self.user
    }

    /// When the token was issued, in epoch milliseconds.
    pub fn issued_at(&self) -> Millis {
        self.issued_at
    }

    /// The user.
    pub fn user_id(&self) -> &UserId {
        &self.user.user_id
    }

    /// The same user's view of an organization.
    pub(crate) fn at(self, organization: &OrganizationId) -> Self {
        Self { organization: Some(organization.clone()), ..self }
    }

    pub(crate) fn sees<E: Entity>(&self, entity: &E) -> bool {
        let at = self.organization.as_ref();
        at.is_none_or(|organization| entity.is_visible(&self.user.user_id, organization))
    }
}
