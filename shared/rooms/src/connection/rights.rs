//! The rights of the users of connections.

use error::Result;
use model::{DocumentId, Millis, OrganizationId, live::LivePlace, permissions::AccessRole};
use store::prelude::*;
use tenancy::{layout::Table, prelude::*, scopes::TenantStore};

use super::{CACHE_LIFETIME, Cache, Connection};
use crate::connection::versioned::Versioned;

/// The version of what decides on the rights of a tenant's users.
fn rights_version(tenant: &TenantStore) -> Option<u64> {
    tenant.db().version(Table::Resources, &tenant.partition().prefix(), "")
}

impl Connection {
    /// The role of its user in the document of a place, as of at most ten seconds ago or without a
    /// change since it was read; viewer if the place has no document.
    ///
    /// # Errors
    /// NOT_FOUND for a document that does not exist or that the user may not see;
    /// PERMISSION_DENIED when the organization is disabled, or, for a place without a document, the
    /// user is no member of it.
    pub async fn role_at(&self, tenant: &TenantStore, place: &LivePlace) -> Result<AccessRole> {
        let (cache, now) = (self.db().cache::<Cache>(), self.db().clock().real());
        let (key, version) = (self.right_key(place), rights_version(tenant));
        let cached = key.and_then(|key| {
            let lately = || cache.rights.find(&key, now, CACHE_LIFETIME);
            let unchanged = cache.rights.find(&key, now, Millis::MAX);
            let unchanged = unchanged.filter(|right| {
                // The expiry of a right changes nothing that has a version.
                let until =
                    right.value.until.map_or(Millis::MAX, |until| until.saturating_mul(1000));
                right.is_current(version) && tenant.now() < until
            });
            unchanged.or_else(lately)
        });
        match cached {
            Some(right) => Ok(right.value.role),
            None => self.role_now(tenant, place).await,
        }
    }

    /// Like [`Connection::role_at`], as of now.
    ///
    /// # Errors
    /// The errors of [`Connection::role_at`].
    pub async fn role_now(&self, tenant: &TenantStore, place: &LivePlace) -> Result<AccessRole> {
        let Some(document) = place.part.document() else {
            tenant.end_users().check_member(&place.organization_id).await?;
            return Ok(AccessRole::Viewer);
        };
        let (cache, now) = (self.db().cache::<Cache>(), self.db().clock().real());
        let version = rights_version(tenant);
        let right = tenant.end_users().right_in(&place.organization_id, document).await;
        match (self.right_key(place), &right) {
            (Some(key), Ok(right)) => {
                cache.rights.keep(key, Versioned { value: right.clone(), version }, now);
            }
            (Some(key), Err(_)) => cache.rights.forget(&key),
            (None, _) => {}
        }
        Ok(right?.role)
    }

    /// Notes that the client was told with its token whether it only reads at a place.
    pub fn note_told(&self, place: &LivePlace, is_reader: bool) {
        let key = (self.id.clone(), place.clone());
        self.db().cache::<Cache>().told.keep(key, is_reader, self.db().clock().real());
    }

    /// Whether this process told the client so, and nothing else since.
    pub fn was_told(&self, place: &LivePlace, is_reader: bool) -> bool {
        let (key, now) = ((self.id.clone(), place.clone()), self.db().clock().real());
        self.db().cache::<Cache>().told.find(&key, now, Millis::MAX) == Some(is_reader)
    }

    /// Whether its user is a member of an organization, as of at most ten seconds ago.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn is_member(
        &self,
        tenant: &TenantStore,
        organization: &OrganizationId,
    ) -> Result<bool> {
        let now = self.db().clock().real();
        let cache = self.db().cache::<Cache>();
        let key = (self.id.clone(), organization.clone());
        if let Some(known) = cache.members.find(&key, now, CACHE_LIFETIME) {
            return Ok(known);
        }
        let is_member = tenant.end_users().is_member(organization).await?;
        cache.members.keep(key, is_member, now);
        Ok(is_member)
    }

    /// The key of its cached right.
    fn right_key(&self, place: &LivePlace) -> Option<(String, OrganizationId, DocumentId)> {
        let document = place.part.document()?.clone();
        Some((self.id.clone(), place.organization_id.clone(), document))
    }
}
