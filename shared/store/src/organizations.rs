//! Implied organizations, which were never added: the first write to one records it, so that
//! erasure and deletion find it.

mod having;
mod joining;

use std::collections::BTreeSet;

use aws::Boxed;
use error::{Error, Result, Status};
use model::{
    Millis, OrganizationId,
    life::{Life, Stand},
    organization::Organization,
};
use tenancy::{
    layout::item,
    prelude::*,
    reading::{Collection, existing},
    scopes::{Found, OrganizationStore, TenantStore},
    writing::{Unit, Within},
};

use crate::journal::Memory;

tenancy::features! {
    /// Entry from the scope of a tenant.
    OfTenant for TenantStore:
    /// Organizations of the tenant.
    organizations: Organizations,
}

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// The record of the organization.
    own_record: OwnRecord,
}

impl Organizations<'_> {
    /// All organizations.
    pub fn all(self) -> Collection<Organization> {
        self.0.collection()
    }
}

/// Cache time of an existing organization. A deletion clears the cache of the process that serves
/// it.
const CACHE_TIME: Millis = 10 * 60 * 1000;

impl<'a> OwnRecord<'a> {
    /// Records the organization, unless known: the first step of a write that needs no
    /// organization. Free while the process has it cached.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn record_if_missing(self) -> Result<()> {
        self.0.tenant().organizations().record_if_missing([self.0.id()]).await
    }

    /// Ensures that the organization was added, before an addition to it; returns its life. One that
    /// is only implied was not.
    ///
    /// # Errors
    /// NOT_FOUND when it was not and `create` is false.
    pub fn ensure(self, create: bool) -> Boxed<'a, Result<Life>> {
        Box::pin(async move {
            let organizations = self.0.tenant().organizations().all();
            let found = organizations.find_standing(self.0.id()).await?;
            let (is_implied, life) = match as_added(found.as_ref()) {
                Stand::There((), life) => return Ok(life),
                Stand::Absent(life) => (found.is_there(), life),
            };
            if !create {
                return Err(Error::not_found(format!("There is no organization {}.", self.0.id())));
            }
            if is_implied {
                let adds = |stored: &mut Organization| {
                    stored.is_implied = false;
                    Ok(None)
                };
                return organizations.change(self.0.id(), adds).await.map(|stored| stored.since);
            }
            let now = self.0.tenant().db().clock().now();
            let implied = [Organization::implied(self.0.id().clone(), now)];
            let begun = self.0.tenant().organizations().begin(&implied).await;
            begun.into_iter().try_for_each(not_existing)?;
            Ok(life)
        })
    }
}

/// An organization as additions to it find it: one that is only implied was never added.
pub(super) fn as_added(organization: Stand<&Organization>) -> Stand<()> {
    match organization {
        Stand::There(found, life) if found.is_implied => Stand::Absent(life),
        found => found.bare(),
    }
}

/// An addition that someone else made is made.
fn not_existing(added: Result<()>) -> Result<()> {
    match added {
        Err(error) if error.status == Status::AlreadyExists => Ok(()),
        added => added,
    }
}

impl Organizations<'_> {
    /// The unit that adds an organization over what a read with tombstones found in its place; none if
    /// it was added.
    ///
    /// # Errors
    /// INTERNAL.
    pub(crate) async fn begun(self, id: &OrganizationId, found: &Found) -> Result<Option<Unit>> {
        let organizations = self.all();
        let (partition, sort) = organizations.rows().place_of(id);
        let item = found.get(&(partition.into(), sort.into()));
        if let (Some(item), Stand::There(stored, _)) =
            (item, organizations.rows().standing(item.cloned())?)
            && stored.is_implied
        {
            let added = Organization { is_implied: false, ..stored };
            return organizations.rows().changed(&added, &item::version(item)?, None).map(Some);
        }
        let implied = Organization::implied(id.clone(), self.0.db().clock().now());
        let within = Within { organization: id, life: Life::FIRST };
        organizations.begun(&implied, within, found).await
    }

    /// Adds organizations, each in the life that its last deletion began.
    async fn begin(self, added: &[Organization]) -> Vec<Result<()>> {
        let Some(first) = added.first() else { return vec![] };
        // Nothing is around an organization.
        let within = Within { organization: &first.organization_id, life: Life::FIRST };
        let refused = |organization: &Organization, _| {
            existing::<Organization>(&organization.organization_id)
        };
        self.all().begin_all(added, within, &Found::new(), |_| vec![], refused).await
    }

    /// Records organizations, like [`OwnRecord::record_if_missing`].
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn record_if_missing(
        self,
        ids: impl IntoIterator<Item = &OrganizationId>,
    ) -> Result<()> {
        let (memory, now) = (self.0.db().cache::<Memory>(), self.0.db().clock().real().millis());
        let known = &memory.organizations;
        let key = |id: &OrganizationId| (self.0.api_key().id.clone(), id.clone());
        let is_known = |id: &OrganizationId| known.get(&key(id)).is_some_and(|until| now < until);
        let new: BTreeSet<&OrganizationId> = ids.into_iter().filter(|id| !is_known(id)).collect();
        let implied = |id: &OrganizationId| {
            let implied = Organization::implied(id.clone(), self.0.db().clock().now());
            Organization { is_implied: true, ..implied }
        };
        let implied: Vec<Organization> = new.iter().map(|id| implied(id)).collect();
        self.begin(&implied).await.into_iter().try_for_each(not_existing)?;
        new.into_iter().for_each(|id| known.put(key(id), now + CACHE_TIME, 1));
        Ok(())
    }

    /// Adds organizations; returns a result for each. An implied one is replaced, and stays disabled.
    pub async fn add(self, added: &[Organization]) -> Vec<Result<()>> {
        let organizations = self.all();
        let mut results = self.begin(added).await;
        let is_there = |result: &Result<()>| match result {
            Err(error) => error.status == Status::AlreadyExists,
            Ok(()) => false,
        };
        let existing: Vec<usize> = (0..added.len()).filter(|n| is_there(&results[*n])).collect();
        let ids: Vec<OrganizationId> =
            existing.iter().map(|n| added[*n].organization_id.clone()).collect();
        let found = organizations.find_all(ids).await.unwrap_or_default();
        for n in existing {
            let id = &added[n].organization_id;
            if !found.get(id).is_some_and(|stored| stored.is_implied) {
                continue;
            }
            results[n] = organizations
                .change(id, |stored| {
                    let Organization { disabled, finds_people, since, newest, .. } = *stored;
                    let added = added[n].clone();
                    *stored = Organization { disabled, finds_people, since, newest, ..added };
                    Ok(None)
                })
                .await
                .map(drop);
        }
        results
    }

    /// Removes organizations from the cache.
    pub fn forget(self, ids: &[OrganizationId]) {
        let memory = self.0.db().cache::<Memory>();
        for id in ids {
            memory.organizations.forget(&(self.0.api_key().id.clone(), id.clone()));
        }
    }
}
