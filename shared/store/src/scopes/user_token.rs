//! Tokens of end users (contract `access.tokens`).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use aws::Boxed;
use error::{Error, Result};
use keyring::{MAX_TOKEN_BYTES, Purpose};
use model::{
    ApiKeyId, DocumentId, Email, Millis, OrganizationId, Text, UserId,
    access::{AccessRole, Held, Level, TOKEN_LIFETIME},
    document::Document,
    organization::Organization,
    resource::Resource,
    user::Person,
};
use serde::{Deserialize, Serialize};

use super::scope::{Store, TenantStore};
use crate::{
    layout::{Entity, Table},
    resources::{Right, Rights},
};

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

/// Resources of an end user's call.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// The organization it names.
    pub organization: Option<OrganizationId>,
    /// The documents it names.
    pub documents: BTreeSet<DocumentId>,
    /// The required role in each of them.
    pub role: AccessRole,
}

impl EndUser {
    /// The user, with the profile in the token.
    pub fn person(&self) -> Person {
        let name = self.name.as_ref().and_then(|name| name.to_string().try_into().ok());
        Person { name, email: self.email.clone(), ..Person::of(self.user_id.clone()) }
    }

    fn check_organization(&self, organization: &OrganizationId) -> Result<()> {
        match &self.organization_id {
            Some(own) if own != organization => {
                Err(Error::denied(format!("The token is not for the organization {organization}.")))
            }
            _ => Ok(()),
        }
    }

    /// The token's own right of the user at a level, while it is valid.
    fn held(&self, organization: &OrganizationId, now: u64) -> Vec<((Level, UserId), Held)> {
        let resources = self.permissions.resources.iter();
        let valid = resources.filter(|it| it.organization_id == *organization && !it.is_over(now));
        let held = |it: &Resource| {
            let held = Held { access_role: it.access_role, expires_at: it.expires_at };
            ((it.level.clone(), self.user_id.clone()), held)
        };
        valid.map(held).collect()
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

    /// Refuses a call of an end user without the required rights. Rights are current; stored rights
    /// of a level take precedence over the token.
    ///
    /// # Errors
    /// NOT_FOUND for an invisible or unknown document; PERMISSION_DENIED for a read-only one, and
    /// when the organization is disabled.
    pub fn check_reach<'a>(&'a self, reach: &'a Reach) -> Boxed<'a, Result<()>> {
        Box::pin(async move {
            let Some(organization) = &reach.organization else { return Ok(()) };
            for (id, role) in self.roles(organization, &reach.documents).await? {
                if role == AccessRole::Viewer && reach.role == AccessRole::Editor {
                    return Err(Error::denied(format!(
                        "The user may only read the document {id}."
                    )));
                }
            }
            Ok(())
        })
    }

    /// The role of the calling end user in a document.
    ///
    /// # Errors
    /// NOT_FOUND for an invisible or unknown document; PERMISSION_DENIED when the organization is
    /// disabled.
    pub fn role_in<'a>(
        &'a self,
        organization: &'a OrganizationId,
        document: &'a DocumentId,
    ) -> Boxed<'a, Result<AccessRole>> {
        Box::pin(async move {
            let roles = self.roles(organization, &[document.clone()].into()).await?;
            roles.into_values().next().ok_or_else(|| Error::internal("an end user has a role"))
        })
    }

    /// Refuses a disabled organization, and an end user who is neither a member of it nor has a
    /// right in it by the token.
    ///
    /// # Errors
    /// PERMISSION_DENIED.
    pub async fn check_member(&self, organization: &OrganizationId) -> Result<()> {
        let Some(viewer) = &self.db.viewer else { return Ok(()) };
        let (rights, _) = self.rights_of(viewer, organization, &BTreeSet::new()).await?;
        match rights.is_known(&viewer.user.user_id) {
            true => Ok(()),
            false => Err(Error::denied(format!(
                "The user has no right in the organization {organization}."
            ))),
        }
    }

    /// The role of the end user in each document; none for other callers.
    async fn roles(
        &self,
        organization: &OrganizationId,
        documents: &BTreeSet<DocumentId>,
    ) -> Result<BTreeMap<DocumentId, AccessRole>> {
        let Some(viewer) = &self.db.viewer else { return Ok(BTreeMap::new()) };
        let (rights, is_by_token) = self.rights_of(viewer, organization, documents).await?;
        let user = &viewer.user;
        let mut roles = BTreeMap::new();
        for id in documents {
            let right = match rights.of_document(&user.user_id, id) {
                Right::Missing => rights.at_document(&user.user_id, id).map(|it| it.access_role),
                Right::Denied(_) => None,
                Right::Held(held, _) => Some(held.access_role),
            };
            let missing = || Error::not_found(format!("There is no document {id}."));
            roles.insert(id.clone(), right.ok_or_else(missing)?);
        }
        if self.key.settings.require_auto_org_user && is_by_token {
            self.organization(organization).join_with_access(user).await?;
        }
        Ok(roles)
    }

    /// The rights of an end user in an organization that is not disabled, and whether the one in the
    /// organization itself comes from the token.
    async fn rights_of(
        &self,
        Viewer { user, issued_at, .. }: &Viewer,
        organization: &OrganizationId,
        documents: &BTreeSet<DocumentId>,
    ) -> Result<(Rights, bool)> {
        user.check_organization(organization)?;
        let users = [user.user_id.clone()].into();
        let store = self.organization(organization);
        let rights = store.rights(&users, &BTreeSet::new(), documents).await?;
        let is_held =
            |rights: &Rights| matches!(rights.of_organization(&user.user_id), Right::Held(..));
        let is_stored = is_held(&rights);
        let rights = rights.or_held(user.held(organization, self.now()), *issued_at);
        if rights.is_disabled() {
            return Err(Error::denied(format!("The organization {organization} is disabled.")));
        }
        let is_by_token = !is_stored && is_held(&rights);
        Ok((rights, is_by_token))
    }

    /// Issues a token to an end user, unless one of its resources is disabled. Missing resources
    /// are not disabled.
    ///
    /// # Errors
    /// PERMISSION_DENIED; INVALID_ARGUMENT when the token would be too large.
    pub async fn issue_user_token(&self, user: &EndUser) -> Result<String> {
        self.refuse_disabled(&user.permissions.resources).await?;
        let issued_at = self.db.clock.now();
        let iat = issued_at / 1000;
        let api_key = &self.api_key().id;
        let claims = Claims { user, api_key, iat, issued_at, exp: iat + TOKEN_LIFETIME };
        let token = self.db.keyring.issue_jwt(Purpose::UserToken, &claims);
        match token.len() {
            0..=MAX_TOKEN_BYTES => Ok(token),
            size => Err(Error::invalid(format!(
                "The token would be {size} bytes large, at most {MAX_TOKEN_BYTES} are possible; \
                 name fewer resources or grant them beforehand."
            ))),
        }
    }

    async fn refuse_disabled(&self, resources: &[Resource]) -> Result<()> {
        let mut places = BTreeSet::new();
        for Resource { organization_id, level, .. } in resources {
            places.insert((self.partition(), Organization::place(organization_id).0));
            if let Level::Document(id) = level {
                places
                    .insert((self.organization(organization_id).partition, Document::place(id).0));
            }
        }
        let found = self.db.get_across(Table::Resources, places).await?;
        for Resource { organization_id, level, .. } in resources {
            let organization = self.organization(organization_id);
            let item = |partition: String, sort: String| found.get(&(partition, sort)).cloned();
            let stored =
                item(self.partition().into(), Organization::place(organization_id).0.into());
            let stored = stored.map(|item| self.organizations().decode(item)).transpose()?;
            if stored.is_some_and(|organization| organization.disabled) {
                let message = format!("The organization {organization_id} is disabled.");
                return Err(Error::denied(message));
            }
            let Level::Document(id) = level else { continue };
            let stored = item(organization.partition.clone().into(), Document::place(id).0.into());
            let stored = stored.map(|item| organization.documents().decode(item)).transpose()?;
            if stored.is_some_and(|document| document.disabled) {
                return Err(Error::denied(format!("The document {id} is disabled.")));
            }
        }
        Ok(())
    }
}
