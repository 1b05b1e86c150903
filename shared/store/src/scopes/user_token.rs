//! Tokens of end users (contract `access.tokens`).

use std::sync::Arc;

use aws::Boxed;
use error::{Error, Result};
use keyring::{Keyring, Purpose};
use model::{
    ApiKeyId, Email, Millis, OrganizationId, Text, UserId, access::TOKEN_LIFETIME,
    resource::Resource, user::Person,
};
use serde::{Deserialize, Serialize};

use super::scope::{Store, TenantStore};
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

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Claims<'a> {
    #[serde(flatten)]
    user: &'a EndUser,
    api_key: &'a ApiKeyId,
    /// Epoch seconds.
    iat: u64,
    /// The same in milliseconds, to be compared with revocations.
    issued_at: Millis,
    /// Epoch seconds.
    exp: u64,
}

/// A verified token.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Issued {
    #[serde(flatten)]
    user: Arc<EndUser>,
    pub(crate) api_key: ApiKeyId,
    /// Epoch milliseconds; 0 in tokens of earlier versions, which are older than any revocation.
    #[serde(default)]
    issued_at: Millis,
    /// Epoch seconds.
    pub(crate) exp: u64,
}

impl Issued {
    /// Its user.
    pub(crate) fn user(&self) -> &UserId {
        &self.user.user_id
    }

    /// Whether it has the same user and tenant.
    pub(crate) fn is_of_same_user(&self, other: &Self) -> bool {
        self.api_key == other.api_key && self.user.user_id == other.user.user_id
    }
}

fn denied() -> Error {
    Error::denied("Invalid token of an end user.")
}

/// An end user's view of an organization.
#[derive(Clone)]
pub(crate) struct Viewer {
    user: Arc<EndUser>,
    /// When the token was issued, in epoch milliseconds.
    issued_at: Millis,
    organization: Option<OrganizationId>,
}

impl Viewer {
    /// The end user, as the token has it.
    pub(crate) fn user(&self) -> &Arc<EndUser> {
        &self.user
    }

    /// When the token was issued, in epoch milliseconds.
    pub(crate) fn issued_at(&self) -> Millis {
        self.issued_at
    }

    /// The user.
    pub(crate) fn user_id(&self) -> &UserId {
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

impl EndUser {
    /// The user, with the profile in the token.
    pub fn person(&self) -> Person {
        let name = self.name.as_ref().and_then(|name| name.to_string().try_into().ok());
        Person { name, email: self.email.clone(), ..Person::of(self.user_id.clone()) }
    }

    /// A token of the user for an API key, issued at `now`.
    pub(crate) fn token(&self, keyring: &Keyring, api_key: &ApiKeyId, now: Millis) -> String {
        let iat = now / 1000;
        let claims = Claims { user: self, api_key, iat, issued_at: now, exp: iat + TOKEN_LIFETIME };
        keyring.issue_jwt(Purpose::UserToken, &claims)
    }
}

impl Store {
    /// Admits an end user by a token, from a page of `origin` if any.
    ///
    /// # Errors
    /// PERMISSION_DENIED, also when the token has expired.
    pub fn open_end_user<'a>(
        &'a self,
        token: &'a str,
        origin: Option<&'a str>,
    ) -> Boxed<'a, Result<TenantStore>> {
        Box::pin(async move {
            let issued = self.issued(token)?;
            self.renew_clock(&issued.api_key).await?;
            self.open_issued(&issued, origin).await
        })
    }

    /// The claims of a token, if it was issued here.
    pub(crate) fn issued(&self, token: &str) -> Result<Issued> {
        self.db.keyring.verify_jwt(Purpose::UserToken, token).ok_or_else(denied)
    }

    /// Like [`Store::open_end_user`], for a verified token.
    pub(crate) async fn open_issued(
        &self,
        Issued { user, api_key, issued_at, exp }: &Issued,
        origin: Option<&str>,
    ) -> Result<TenantStore> {
        let mut tenant = self.open_for_end_users(api_key, origin).await?.ok_or_else(denied)?;
        if exp.saturating_mul(1000) <= tenant.now() {
            return Err(Error::denied("The token of the end user has expired."));
        }
        if tenant.api_key().end_users_since.is_some_and(|since| *issued_at <= since) {
            return Err(Error::denied("The token of the end user was revoked."));
        }
        let (user, issued_at) = (Arc::clone(user), *issued_at);
        tenant.db.viewer = Some(Viewer { user, issued_at, organization: None });
        Ok(tenant)
    }
}

impl TenantStore {
    /// The end user of the call, if any.
    pub fn end_user(&self) -> Option<&EndUser> {
        self.db.viewer.as_ref().map(|viewer| viewer.user.as_ref())
    }
}
