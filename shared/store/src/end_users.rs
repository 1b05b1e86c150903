//! Resources that end users may reach, and tokens for them.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use aws::Boxed;
use error::{Error, Result};
use futures_util::future::try_join_all;
use keyring::MAX_TOKEN_BYTES;
use model::{
    DocumentId, FolderId, OrganizationId,
    document::Document,
    life::Stand,
    organization::Organization,
    permissions::{AccessRole, Level, Need, TokenLifetime},
    resource::Resource,
    rights::{By, Decision, Locked, Right, Token, Via},
};
use tenancy::{
    layout::{Entity, Table},
    prelude::*,
    scopes::{AsServer, Currency, EndUser, PARALLEL, ReadMemberships, TenantStore, Viewer},
};

use crate::{permissions::Facts, prelude::*};

tenancy::features! {
    /// Entry from the scope of a tenant.
    OfTenant for TenantStore:
    /// End users: what they may reach, and their tokens.
    end_users: EndUsers,
}

/// Resources of an end user's call.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The organization it names.
    pub organization: OrganizationId,
    /// The documents it names.
    pub documents: BTreeSet<DocumentId>,
    /// The right that the call needs in each document.
    pub need: Need,
}

fn check_organization(user: &EndUser, organization: &OrganizationId) -> Result<()> {
    match &user.organization_id {
        Some(own) if own != organization => {
            Err(Error::denied(format!("The token is not for the organization {organization}.")))
        }
        _ => Ok(()),
    }
}

/// The rights in a token in an organization, as far as they are valid; of two at a level the first.
fn token_of(viewer: &Viewer, organization: &OrganizationId, now: u64) -> Token {
    let mut token = Token { issued: viewer.issued_at(), ..Token::default() };
    for resource in &viewer.user().permissions.resources {
        if resource.organization_id == *organization
            && !resource.is_over(now)
            && let Entry::Vacant(right) = token.rights.entry(resource.level.clone())
        {
            right.insert((resource.access_role, resource.expires_at));
        }
    }
    token
}

/// Memberships by rights: a user with a right in an organization, by the token or stored, is a
/// member of it. Without the end user of the call, who would otherwise hold themselves.
struct ByRights(TenantStore);

impl ReadMemberships for ByRights {
    fn read<'a>(
        &'a self,
        viewer: &'a Viewer,
        organizations: &'a BTreeSet<OrganizationId>,
    ) -> Boxed<'a, Result<BTreeSet<OrganizationId>>> {
        Box::pin(async move {
            let mut found = BTreeSet::new();
            for some in Vec::from_iter(organizations).chunks(PARALLEL) {
                let reads = some.iter().map(|id| is_member(&self.0, viewer, id));
                let known = try_join_all(reads).await?;
                let own = some.iter().zip(known).filter(|(_, is_member)| *is_member);
                found.extend(own.map(|(organization, _)| (*organization).clone()));
            }
            Ok(found)
        })
    }
}

async fn is_member(
    tenant: &TenantStore,
    viewer: &Viewer,
    organization: &OrganizationId,
) -> Result<bool> {
    let (user, users) = (viewer.user_id(), [viewer.user_id().clone()].into());
    let store = tenant.organization(organization);
    let facts = store.permissions().facts(&users, &BTreeSet::new(), &BTreeSet::new()).await?;
    let facts = facts.with_token(user, token_of(viewer, organization, tenant.now()));
    Ok(facts.is_member(user))
}

impl<'a> EndUsers<'a> {
    /// Refuses a call of an end user without the required rights; returns the least role that the
    /// user has in the documents. Rights are current; stored rights of a level take precedence over
    /// the token.
    ///
    /// # Errors
    /// NOT_FOUND for an invisible or unknown document; PERMISSION_DENIED for one in which the
    /// user may do less, and when the organization is disabled.
    pub fn check_reach(self, reach: &'a Reach) -> Boxed<'a, Result<AccessRole>> {
        Box::pin(async move {
            let mut least = AccessRole::Editor;
            for (id, right) in self.rights(&reach.organization, &reach.documents).await? {
                if !right.allows(reach.need) {
                    let may = match right.role {
                        AccessRole::Viewer => "read",
                        AccessRole::Commenter | AccessRole::Editor => "read and comment in",
                    };
                    return Err(Error::denied(format!(
                        "The user may only {may} the document {id}."
                    )));
                }
                least = least.min(right.role);
            }
            Ok(least)
        })
    }

    /// The right of the calling end user in a document.
    ///
    /// # Errors
    /// NOT_FOUND for an invisible or unknown document; PERMISSION_DENIED when the organization is
    /// disabled.
    pub fn right_in(
        self,
        organization: &'a OrganizationId,
        document: &'a DocumentId,
    ) -> Boxed<'a, Result<Right>> {
        Box::pin(async move {
            let rights = self.rights(organization, &[document.clone()].into()).await?;
            let right = rights.into_values().next();
            right.ok_or_else(|| Error::internal("an end user has a right"))
        })
    }

    /// Refuses a disabled organization, and an end user who is neither a member of it nor has a
    /// right in it by the token.
    ///
    /// # Errors
    /// PERMISSION_DENIED.
    pub async fn check_member(self, organization: &OrganizationId) -> Result<()> {
        let Some(viewer) = &self.0.db().viewer() else { return Ok(()) };
        let token = token_of(viewer, organization, self.0.now());
        let (mut folders, mut documents) = (BTreeSet::new(), BTreeSet::new());
        for level in token.rights.into_keys() {
            match level {
                Level::Organization => {}
                Level::Folder(id) => drop(folders.insert(id)),
                Level::Document(id) => drop(documents.insert(id)),
            }
        }
        let facts = self.facts(viewer, organization, &folders, &documents).await?;
        let user = viewer.user_id();
        let has_right = |decision: Decision| match decision {
            Decision::Open(right) => matches!(right.by, By::Level(..)),
            Decision::Absent | Decision::Closed(_) | Decision::LockedOut(_) => false,
        };
        let is_known = has_right(facts.of_organization(user))
            || folders.iter().any(|id| has_right(facts.of_folder(user, id)))
            || documents.iter().any(|id| has_right(facts.of_document(user, id)));
        match is_known {
            true => Ok(()),
            false => Err(Error::denied(format!(
                "The user has no right in the organization {organization}."
            ))),
        }
    }

    /// Refuses an end user who shares neither an organization nor a document of it with its members:
    /// one with a right in the organization itself, or in the document. What everybody may do in a
    /// public document is no such right.
    ///
    /// # Errors
    /// PERMISSION_DENIED; NOT_FOUND for an invisible or unknown document.
    pub async fn check_shares(
        self,
        organization: &OrganizationId,
        document: Option<&DocumentId>,
    ) -> Result<()> {
        let Some(viewer) = &self.0.db().viewer() else { return Ok(()) };
        let documents = document.into_iter().cloned().collect();
        let facts = self.facts(viewer, organization, &BTreeSet::new(), &documents).await?;
        let user = viewer.user_id();
        let shares = facts.is_member(user)
            || documents.iter().any(|id| {
                let decision = facts.of_document(user, id);
                matches!(decision, Decision::Open(Right { by: By::Level(..), .. }))
            });
        match shares {
            true => Ok(()),
            false => Err(Error::denied("The user shares no right with these users.")),
        }
    }

    /// Whether the calling end user has a right in an organization itself, stored or by the token.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn is_member(self, organization: &OrganizationId) -> Result<bool> {
        let Some(viewer) = &self.0.db().viewer() else { return Ok(false) };
        is_member(self.0, viewer, organization).await
    }

    /// The right of the end user in each document; none for other callers.
    async fn rights(
        self,
        organization: &OrganizationId,
        documents: &BTreeSet<DocumentId>,
    ) -> Result<BTreeMap<DocumentId, Right>> {
        let Some(viewer) = &self.0.db().viewer() else { return Ok(BTreeMap::new()) };
        let facts = self.facts(viewer, organization, &BTreeSet::new(), documents).await?;
        let user = viewer.user();
        let mut rights = BTreeMap::new();
        for id in documents {
            match facts.of_document(&user.user_id, id) {
                Decision::Open(right) => drop(rights.insert(id.clone(), right)),
                Decision::Absent | Decision::Closed(_) | Decision::LockedOut(_) => {
                    return Err(Error::not_found(format!("There is no document {id}.")));
                }
            }
        }
        let is_by_token = match facts.of_organization(&user.user_id) {
            Decision::Open(right) => matches!(right.by, By::Level(_, Via::Token)),
            Decision::Absent | Decision::Closed(_) | Decision::LockedOut(_) => false,
        };
        if self.0.api_key().settings.require_auto_org_user && is_by_token {
            self.0.organization(organization).own_record().join_with_access(user).await?;
        }
        Ok(rights)
    }

    /// The facts about an end user in an organization that is not disabled.
    async fn facts(
        self,
        viewer: &Viewer,
        organization: &OrganizationId,
        folders: &BTreeSet<FolderId>,
        documents: &BTreeSet<DocumentId>,
    ) -> Result<Facts> {
        let user = viewer.user();
        check_organization(user, organization)?;
        let users = [user.user_id.clone()].into();
        let store = self.0.organization(organization);
        let at = self.0.db().clock().now();
        let facts = store.permissions().facts(&users, folders, documents).await?;
        let placed = |(level, life)| (store.permissions().container(&level), life);
        viewer.decided(at, facts.lives().map(placed), facts.out_of_reach().map(placed));
        let facts = facts.with_token(&user.user_id, token_of(viewer, organization, self.0.now()));
        let is_member = facts.is_member(&user.user_id).into();
        viewer.know(organization, is_member, || Box::new(ByRights(self.0.as_server())));
        match facts.of_organization(&user.user_id) {
            Decision::LockedOut(Locked::Organization | Locked::Document) => {
                Err(Error::denied(format!("The organization {organization} is disabled.")))
            }
            Decision::Absent | Decision::Closed(_) | Decision::Open(_) => Ok(facts),
        }
    }

    /// Issues a token to an end user, unless one of its resources is disabled. Missing resources
    /// are not disabled.
    ///
    /// # Errors
    /// PERMISSION_DENIED; INVALID_ARGUMENT when the token would be too large.
    pub async fn issue_token(self, user: &EndUser, lifetime: TokenLifetime) -> Result<String> {
        self.refuse_disabled(&user.permissions.resources).await?;
        let keyring = self.0.db().keyring();
        let token = user.token(keyring, self.0.api_key(), lifetime, self.0.now());
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
        let found =
            self.0.db().get_across_standing(Table::Resources, places, Currency::Now).await?;
        for Resource { organization_id, level, .. } in resources {
            let organization = self.0.organization(organization_id);
            let item = |partition: String, sort: String| found.get(&(partition, sort)).cloned();
            let stored = item(
                self.0.partition().clone().into(),
                Organization::place(organization_id).into_key().into(),
            );
            let life = match self.0.organizations().all().rows().standing(stored)? {
                Stand::There(organization, _) if organization.disabled => {
                    let message = format!("The organization {organization_id} is disabled.");
                    return Err(Error::denied(message));
                }
                Stand::There(_, life) | Stand::Absent(life) => life,
            };
            let Level::Document(id) = level else { continue };
            let stored = item(
                organization.partition().clone().into(),
                Document::place(id).into_key().into(),
            );
            // A document of a deleted organization is nobody's until the clean-up is there.
            let is_disabled = match organization.documents().all().rows().standing(stored)? {
                Stand::There(document, _) => document.disabled && life.covers(document.created_at),
                Stand::Absent(_) => false,
            };
            if is_disabled {
                return Err(Error::denied(format!("The document {id} is disabled.")));
            }
        }
        Ok(())
    }
}
