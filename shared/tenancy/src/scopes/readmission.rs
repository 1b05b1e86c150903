//! Credentials that a feature has kept: connections keep the token of their user.

use std::sync::Arc;

use error::{Error, Result};
use keyring::Purpose;
use model::{ApiKeyId, clock::ClockOffset};

use super::{
    scope::{Store, TenantStore},
    user_token::{Issued, denied_user},
    viewer::Viewer,
};

/// Scopes of credentials that were verified before.
#[derive(Clone, Copy)]
pub struct Readmit<'a>(pub(crate) &'a Store);

impl Readmit<'_> {
    /// The tenant of an API key; none when the key does not exist.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn tenant(self, id: &ApiKeyId) -> Result<Option<TenantStore>> {
        let key = self.0.key(id).await?;
        Ok(key.map(|key| TenantStore::new(self.0.db.clone(), key, ClockOffset::default())))
    }

    /// The claims of a token, if it was issued here.
    pub fn issued(self, token: &str) -> Result<Issued> {
        self.0.db.keyring.verify_jwt(Purpose::UserToken, token).ok_or_else(denied_user)
    }

    /// Like [`Store::open_end_user`], for a verified token.
    pub async fn end_user(
        self,
        Issued { user, api_key, issued_at, exp }: &Issued,
        origin: Option<&str>,
    ) -> Result<TenantStore> {
        let mut tenant =
            self.0.open_for_end_users(api_key, origin).await?.ok_or_else(denied_user)?;
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

/// The entry to [`Readmit`]. Only features import it, so that nothing else opens a scope without
/// credentials.
pub trait Readmission {
    /// Scopes of credentials that were verified before.
    fn readmit(&self) -> Readmit<'_>;
}

impl Readmission for Store {
    fn readmit(&self) -> Readmit<'_> {
        Readmit(self)
    }
}
