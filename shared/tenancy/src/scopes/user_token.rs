//! Tokens of end users (contract `access.tokens`).

use std::sync::Arc;

use aws::Boxed;
use error::{Error, Result};
use keyring::{Keyring, Purpose};
use model::{ApiKeyId, Millis, UserId, api_key::ApiKey, permissions::TokenLifetime};
use serde::{Deserialize, Serialize};

use super::{
    admission::Readmit,
    scope::{Store, TenantStore},
    viewer::EndUser,
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Claims<'a> {
    #[serde(flatten)]
    user: &'a EndUser,
    api_key: &'a ApiKeyId,
    /// Epoch seconds.
    iat: u64,
    /// Time of issue in epoch milliseconds, to be compared with revocations.
    issued_at: Millis,
    /// The last reset of all tokens that the issuer knew, in epoch milliseconds; 0 if none.
    known_reset: Millis,
    /// Epoch seconds.
    exp: u64,
}

/// A verified token.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Issued {
    #[serde(flatten)]
    pub(super) user: Arc<EndUser>,
    pub(super) api_key: ApiKeyId,
    /// Epoch milliseconds; 0 in tokens of earlier versions, which are older than any revocation.
    #[serde(default)]
    pub(super) issued_at: Millis,
    /// Absent in tokens of earlier versions.
    known_reset: Option<Millis>,
    /// Epoch seconds.
    pub(super) exp: u64,
}

impl Issued {
    /// The API key of its tenant.
    pub fn api_key(&self) -> &ApiKeyId {
        &self.api_key
    }

    /// When it expires, in epoch seconds.
    pub fn expires(&self) -> u64 {
        self.exp
    }

    /// User of the token.
    pub fn user(&self) -> &UserId {
        &self.user.user_id
    }

    /// Whether it was issued by who did not know the last reset of all tokens, which may be a holder
    /// of the lost auth token at a process that remembered the key.
    pub(super) fn is_before(&self, reset: Millis) -> bool {
        match self.known_reset {
            Some(known) => known < reset,
            None => self.issued_at <= reset,
        }
    }

    /// Whether it has the same user and tenant.
    pub fn is_of_same_user(&self, other: &Self) -> bool {
        self.api_key == other.api_key && self.user.user_id == other.user.user_id
    }
}

pub(super) fn denied_user() -> Error {
    Error::denied("Invalid token of an end user.")
}

impl EndUser {
    /// A token of the user for an API key, issued at `now`.
    pub fn token(
        &self,
        keyring: &Keyring,
        key: &ApiKey,
        lifetime: TokenLifetime,
        now: Millis,
    ) -> String {
        let iat = now / 1000;
        let claims = Claims {
            user: self,
            api_key: &key.id,
            iat,
            issued_at: now,
            known_reset: key.end_users_since.unwrap_or(0),
            exp: iat + lifetime.get(),
        };
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
            let issued = Readmit(self).issued(token)?;
            self.renew_clock(&issued.api_key).await?;
            Readmit(self).end_user(&issued, origin).await
        })
    }
}

/// The tenant without the end user of the call. Only features import it: what decides whether the
/// user sees something is read without asking that.
pub trait AsServer {
    /// The tenant, as its server sees it.
    fn as_server(&self) -> TenantStore;
}

impl AsServer for TenantStore {
    fn as_server(&self) -> TenantStore {
        let mut tenant = self.clone();
        tenant.db.viewer = None;
        tenant
    }
}

impl TenantStore {
    /// The end user of the call, if any.
    pub fn end_user(&self) -> Option<&EndUser> {
        self.db.viewer.as_ref().map(|viewer| viewer.user().as_ref())
    }
}
