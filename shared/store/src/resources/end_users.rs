//! What end users may reach, and tokens for them.

use std::collections::{BTreeMap, BTreeSet};

use aws::Boxed;
use error::{Error, Result};
use keyring::MAX_TOKEN_BYTES;
use model::{
    DocumentId, OrganizationId, UserId,
    access::{AccessRole, Held, Level},
    document::Document,
    organization::Organization,
    resource::Resource,
};
use tenancy::{
    layout::{Entity, Table},
    prelude::*,
    scopes::{EndUser, Viewer},
};

use super::{Right, Rights};
use crate::{features::EndUsers, prelude::*};

/// Resources of an end user's call.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The organization it names.
    pub organization: OrganizationId,
    /// The documents it names.
    pub documents: BTreeSet<DocumentId>,
    /// The required role in each of them.
    pub role: AccessRole,
}

fn check_organization(user: &EndUser, organization: &OrganizationId) -> Result<()> {
    match &user.organization_id {
        Some(own) if own != organization => {
            Err(Error::denied(format!("The token is not for the organization {organization}.")))
        }
        _ => Ok(()),
    }
}

/// The token's own right of the user at a level, while it is valid.
fn held(user: &EndUser, organization: &OrganizationId, now: u64) -> Vec<((Level, UserId), Held)> {
    let resources = user.permissions.resources.iter();
    let valid = resources
        .filter(|resource| resource.organization_id == *organization && !resource.is_over(now));
    let held = |resource: &Resource| {
        let held = Held { access_role: resource.access_role, expires_at: resource.expires_at };
        ((resource.level.clone(), user.user_id.clone()), held)
    };
    valid.map(held).collect()
}

impl<'a> EndUsers<'a> {
    /// Refuses a call of an end user without the required rights. Rights are current; stored rights
    /// of a level take precedence over the token.
    ///
    /// # Errors
    /// NOT_FOUND for an invisible or unknown document; PERMISSION_DENIED for a read-only one, and
    /// when the organization is disabled.
    pub fn check_reach(self, reach: &'a Reach) -> Boxed<'a, Result<()>> {
        Box::pin(async move {
            for (id, role) in self.roles(&reach.organization, &reach.documents).await? {
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
    pub fn role_in(
        self,
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
    pub async fn check_member(self, organization: &OrganizationId) -> Result<()> {
        let Some(viewer) = &self.0.db().viewer() else { return Ok(()) };
        let (rights, _) = self.rights_of(viewer, organization, &BTreeSet::new()).await?;
        match rights.is_known(viewer.user_id()) {
            true => Ok(()),
            false => Err(Error::denied(format!(
                "The user has no right in the organization {organization}."
            ))),
        }
    }

    /// The role of the end user in each document; none for other callers.
    async fn roles(
        self,
        organization: &OrganizationId,
        documents: &BTreeSet<DocumentId>,
    ) -> Result<BTreeMap<DocumentId, AccessRole>> {
        let Some(viewer) = &self.0.db().viewer() else { return Ok(BTreeMap::new()) };
        let (rights, is_by_token) = self.rights_of(viewer, organization, documents).await?;
        let user = viewer.user();
        let mut roles = BTreeMap::new();
        for id in documents {
            let right = match rights.of_document(&user.user_id, id) {
                Right::Missing => {
                    rights.at_document(&user.user_id, id).map(|held| held.access_role)
                }
                Right::Denied(_) => None,
                Right::Held(held, _) => Some(held.access_role),
            };
            let missing = || Error::not_found(format!("There is no document {id}."));
            roles.insert(id.clone(), right.ok_or_else(missing)?);
        }
        if self.0.api_key().settings.require_auto_org_user && is_by_token {
            self.0.organization(organization).own_record().join_with_access(user).await?;
        }
        Ok(roles)
    }

    /// The rights of an end user in an organization that is not disabled, and whether the one in the
    /// organization itself comes from the token.
    async fn rights_of(
        self,
        viewer: &Viewer,
        organization: &OrganizationId,
        documents: &BTreeSet<DocumentId>,
    ) -> Result<(Rights, bool)> {
        let user = viewer.user();
        check_organization(user, organization)?;
        let users = [user.user_id.clone()].into();
        let store = self.0.organization(organization);
        let rights = store.access().rights(&users, &BTreeSet::new(), documents).await?;
        let is_held =
            |rights: &Rights| matches!(rights.of_organization(&user.user_id), Right::Held(..));
        let is_stored = is_held(&rights);
        let rights = rights.or_held(held(user, organization, self.0.now()), viewer.issued_at());
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
    pub async fn issue_token(self, user: &EndUser) -> Result<String> {
        self.refuse_disabled(&user.permissions.resources).await?;
        let token = user.token(self.0.db().keyring(), &self.0.api_key().id, self.0.now());
        match token.len() {
            0..=MAX_TOKEN_BYTES => Ok(token),
            size => Err(Error::invalid(format!(
                "The token would be {size} bytes large, at most {MAX_TOKEN_BYTES} are possible; \
                 name fewer resources or grant them beforehand."
            ))),
        }
    }

    async fn refuse_disabled(self, resources: &[Resource]) -> Result<()> {
        let mut places = BTreeSet::new();
        for Resource { organization_id, level, .. } in resources {
            places.insert((
                self.0.partition().clone(),
                Organization::place(organization_id).into_key(),
            ));
            if let Level::Document(id) = level {
                places.insert((
                    self.0.organization(organization_id).partition().clone(),
                    Document::place(id).into_key(),
                ));
            }
        }
        let found = self.0.db().get_across(Table::Resources, places).await?;
        for Resource { organization_id, level, .. } in resources {
            let organization = self.0.organization(organization_id);
            let item = |partition: String, sort: String| found.get(&(partition, sort)).cloned();
            let stored = item(
                self.0.partition().clone().into(),
                Organization::place(organization_id).into_key().into(),
            );
            let stored =
                stored.map(|item| self.0.organizations().all().rows().decode(item)).transpose()?;
            if stored.is_some_and(|organization| organization.disabled) {
                let message = format!("The organization {organization_id} is disabled.");
                return Err(Error::denied(message));
            }
            let Level::Document(id) = level else { continue };
            let stored = item(
                organization.partition().clone().into(),
                Document::place(id).into_key().into(),
            );
            let stored = stored
                .map(|item| organization.documents().all().rows().decode(item))
                .transpose()?;
            if stored.is_some_and(|document| document.disabled) {
                return Err(Error::denied(format!("The document {id} is disabled.")));
            }
        }
        Ok(())
    }
}
