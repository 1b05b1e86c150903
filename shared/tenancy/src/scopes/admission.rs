//! Credentials in, scope out: the only way to a scope from outside (decision 22). Features come back
//! with what they have kept of credentials: connections keep the token of their user.

use std::sync::Arc;

use aws::Boxed;
use error::{Error, Result};
use keyring::{Purpose, is_same, sha256_hex};
use model::{
    ApiKeyId, Millis, TokenId, WorkspaceId,
    api_key::{ApiKey, AuthToken, KeyType},
    clock::ClockOffset,
    workspace::Workspace,
};
use serde::{Deserialize, Serialize};

use super::{
    scope::{AdminStore, Store, TenantStore, WorkspaceStore},
    tenant_ref::TenantRef,
    user_token::{Issued, denied_user},
    viewer::Viewer,
};
use crate::layout::{Entity, Key, Table, item};

/// Cache time of a record, in milliseconds. A cached record refuses nobody, because it may be older
/// than the credential.
const CACHE_TIME: Millis = 10_000;
/// Cache time of a refusal, in milliseconds.
const REFUSED: Millis = 1_000;
/// The claims of an auth token. Its text is signed, so they are what was issued.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Claims {
    api_key: ApiKeyId,
    token_id: TokenId,
    /// Epoch seconds.
    iat: u64,
}

fn denied_key() -> Error {
    Error::denied(
        "Invalid credentials: x-service-api-key and x-service-auth-token have to be an API key and one \
         of its auth tokens.",
    )
}

fn denied_origin() -> Error {
    Error::denied("This origin may not use the API key.")
}

fn check_key(key: &ApiKey, origin: Option<&str>) -> Result<()> {
    if key.disabled {
        return Err(Error::denied("This API key is disabled."));
    }
    origin.is_none_or(|origin| key.admits(origin)).then_some(()).ok_or_else(denied_origin)
}

fn denied_workspace() -> Error {
    Error::denied(
        "Invalid credentials: x-service-workspace-id and x-service-workspace-auth-token have to be a \
         workspace and its auth token.",
    )
}

/// Whether a key admits a token, on a page of `origin` if any.
fn admits(key: &ApiKey, token: &TokenId, origin: Option<&str>, now: Millis) -> Result<()> {
    let token = key.tokens_at(now).find(|own| own.id == *token);
    let token = token.filter(|_| key.deleted_at.is_none()).ok_or_else(denied_key)?;
    check_key(key, origin)?;
    if let Some(origin) = origin {
        if !token.domains.is_empty() && !token.domains.iter().any(|d| d.admits(origin)) {
            return Err(denied_origin());
        }
        if key.settings.require_jwt_token {
            return Err(Error::denied("Pages need a token of an end user for this API key."));
        }
    }
    Ok(())
}

impl Store {
    /// Admits the holder of the deployment's admin token.
    ///
    /// # Errors
    /// PERMISSION_DENIED.
    pub fn open_admin(&self, token: Option<&str>) -> Result<AdminStore> {
        let expected = self.admin_token_hash.as_deref();
        match (token, expected) {
            (Some(token), Some(hash)) if is_same(sha256_hex(token).as_bytes(), hash.as_bytes()) => {
                Ok(AdminStore { db: self.db.clone() })
            }
            _ => Err(Error::denied(
                "Invalid credentials: x-service-admin-token has to be the admin token.",
            )),
        }
    }

    /// Admits the holder of a workspace auth token.
    ///
    /// # Errors
    /// PERMISSION_DENIED, with the same text for either half.
    pub fn open_workspace<'a>(
        &'a self,
        id: Option<&'a str>,
        token: Option<&'a str>,
    ) -> Boxed<'a, Result<WorkspaceStore>> {
        Box::pin(async move {
            let token = token.ok_or_else(denied_workspace)?;
            let workspace = self.workspace(id).await?;
            let (sent, now) = (sha256_hex(token), self.db.clock.now());
            // Every hash is compared, so that the time does not reveal which one matched.
            let known = workspace.token_hashes(now);
            let known =
                known.fold(false, |known, hash| is_same(sent.as_bytes(), hash.as_bytes()) | known);
            if !known {
                return Err(denied_workspace());
            }
            Ok(WorkspaceStore { db: self.db.clone(), workspace, by_operator: false })
        })
    }

    /// Admits the holder of the deployment's admin token to a workspace.
    ///
    /// # Errors
    /// PERMISSION_DENIED, also for an unknown workspace.
    pub fn open_workspace_as_admin<'a>(
        &'a self,
        id: Option<&'a str>,
        token: Option<&'a str>,
    ) -> Boxed<'a, Result<WorkspaceStore>> {
        Box::pin(async move {
            self.open_admin(token).map_err(|_| denied_workspace())?;
            let workspace = self.workspace(id).await?;
            Ok(WorkspaceStore { db: self.db.clone(), workspace, by_operator: true })
        })
    }

    async fn workspace(&self, id: Option<&str>) -> Result<Workspace> {
        let id = id.and_then(|id| WorkspaceId::try_from(id.to_owned()).ok());
        let partition = Key::pair("workspace", id.ok_or_else(denied_workspace)?.as_str());
        let found = self.db.get(Table::Resources, &partition, &Workspace::place(&()).0).await?;
        item::decode(&self.db.keyring, found.ok_or_else(denied_workspace)?)
    }

    /// Admits the holder of an API key and one of its auth tokens, from a page of `origin` if any.
    ///
    /// # Errors
    /// PERMISSION_DENIED, with the same text for either half.
    pub fn open_tenant<'a>(
        &'a self,
        api_key: Option<&'a str>,
        auth_token: Option<&'a str>,
        origin: Option<&'a str>,
    ) -> Boxed<'a, Result<TenantStore>> {
        Box::pin(async move {
            let (Some(api_key), Some(auth_token)) = (api_key, auth_token) else {
                return Err(denied_key());
            };
            // The signature comes first, so a guessed token costs no read.
            let claims = self.db.keyring.verify_jwt::<Claims>(Purpose::AuthToken, auth_token);
            let claims = claims
                .filter(|claims| claims.api_key.as_str() == api_key)
                .ok_or_else(denied_key)?;
            let (admitted, now, real) =
                (&self.db.admitted, self.db.clock.now(), self.db.clock.real());
            let recent = admitted.keys.find(&claims.api_key, real, CACHE_TIME);
            // The clock of a testing key affects the reply, and may have moved just now.
            if let Some(key) = recent.filter(|key| key.kind == KeyType::Production) {
                let judged = admits(&key, &claims.token_id, origin, now);
                let token = (claims.api_key.clone(), claims.token_id.clone());
                if judged.is_ok() || admitted.refused.find(&token, real, REFUSED).is_some() {
                    return judged
                        .map(|()| TenantStore::new(self.db.clone(), key, ClockOffset::default()));
                }
                admitted.refused.keep(token, (), real);
            }
            let key = self.read_key(&claims.api_key).await?.ok_or_else(denied_key)?;
            admits(&key, &claims.token_id, origin, now)?;
            Ok(TenantStore::new(self.db.clone(), key, ClockOffset::default()))
        })
    }

    /// The tenant of an end user; none when its key does not exist.
    ///
    /// # Errors
    /// PERMISSION_DENIED.
    async fn open_for_end_users(
        &self,
        id: &ApiKeyId,
        origin: Option<&str>,
    ) -> Result<Option<TenantStore>> {
        let key = self.key(id).await?.filter(|key| key.deleted_at.is_none());
        let Some(key) = key else { return Ok(None) };
        check_key(&key, origin)?;
        Ok(Some(TenantStore::new(self.db.clone(), key, ClockOffset::default())))
    }

    /// Reads a cached testing key again, because its clock may have moved just now: what an older one
    /// writes could lie before a deletion.
    pub(crate) async fn renew_clock(&self, id: &ApiKeyId) -> Result<()> {
        let cached = self.db.admitted.keys.find(id, self.db.clock.real(), CACHE_TIME);
        match cached.filter(|key| key.kind == KeyType::Testing) {
            Some(_) => self.read_key(id).await.map(drop),
            None => Ok(()),
        }
    }

    /// Resumes the tenant of a job from one of our own queues; callable from `service` only.
    /// `ahead` is the offset of the tenant's clock when the job was sent.
    ///
    /// # Errors
    /// NOT_FOUND when the API key does not exist.
    pub fn resume<'a>(
        &'a self,
        tenant: &'a TenantRef,
        ahead: ClockOffset,
    ) -> Boxed<'a, Result<TenantStore>> {
        Box::pin(async move {
            let key = self.key(&tenant.api_key).await?;
            let key = key.ok_or_else(|| Error::not_found("The API key of the job is gone."))?;
            Ok(TenantStore::new(self.db.clone(), key, ahead))
        })
    }

    async fn key(&self, id: &ApiKeyId) -> Result<Option<Arc<ApiKey>>> {
        match self.db.admitted.keys.find(id, self.db.clock.real(), CACHE_TIME) {
            Some(key) => Ok(Some(key)),
            None => self.read_key(id).await,
        }
    }

    async fn read_key(&self, id: &ApiKeyId) -> Result<Option<Arc<ApiKey>>> {
        let now = self.db.clock.real();
        let partition = Key::pair("key", id.as_str());
        let found = self.db.get(Table::Resources, &partition, &ApiKey::place(&()).0).await?;
        let Some(item) = found else { return Ok(None) };
        // Secrets of the key are read again when needed, so that a lost one fails no other call.
        let key: Arc<ApiKey> = Arc::new(item::decode_without_secrets(item)?);
        self.db.admitted.keys.keep(id.clone(), Arc::clone(&key), now);
        Ok(Some(key))
    }
}

impl AdminStore {
    /// The tenant of an API key, for work on the data of all tenants; none when the key does not exist
    /// or was deleted.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn tenant(&self, id: &ApiKeyId) -> Result<Option<TenantStore>> {
        let store = Store { db: self.db.clone(), admin_token_hash: None };
        let key = store.key(id).await?.filter(|key| key.deleted_at.is_none());
        Ok(key.map(|key| TenantStore::new(store.db, key, ClockOffset::default())))
    }
}

impl WorkspaceStore {
    /// The text of an auth token, signed again from its record.
    pub fn token_text(&self, key: &ApiKey, token: &AuthToken) -> String {
        let claims = Claims {
            api_key: key.id.clone(),
            token_id: token.id.clone(),
            iat: token.issued_at / 1000,
        };
        let keyring = &self.db.keyring;
        let text = keyring.reissue_jwt(&token.kid, Purpose::AuthToken, &claims);
        text.unwrap_or_else(|| keyring.issue_jwt(Purpose::AuthToken, &claims))
    }
}

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
    pub async fn end_user(self, issued: &Issued, origin: Option<&str>) -> Result<TenantStore> {
        let mut tenant =
            self.0.open_for_end_users(&issued.api_key, origin).await?.ok_or_else(denied_user)?;
        if issued.exp.saturating_mul(1000) <= tenant.now() {
            return Err(Error::denied("The token of the end user has expired."));
        }
        if tenant.api_key().end_users_since.is_some_and(|reset| issued.is_before(reset)) {
            return Err(Error::denied("The token of the end user was revoked."));
        }
        tenant.db.viewer = Some(Viewer::new(Arc::clone(&issued.user), issued.issued_at));
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
