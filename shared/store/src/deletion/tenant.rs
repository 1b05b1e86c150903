//! Deletion of a tenant, after its API key was deleted. Restartable.
//!
//! Each organization is deleted as if by a caller, with its dependent data. Entries and deliveries
//! expire.

use aws::{Item, Query, Write};
use error::Result;
use model::{api_key::ApiKey, event::Event, organization::Organization};
use tenancy::{
    layout::{Entity, item},
    prelude::*,
    scopes::{Deadline, place_of},
    writing::{Unit, no_failure, unchanged},
};

use super::purge::Progress;
use crate::{deletion::TenantDeletion, prelude::*};

/// Items removed at a time.
const STEP: i32 = 50;

impl TenantDeletion<'_> {
    /// Deletes organizations and the records of the tenant itself, except that of its key; stops at
    /// `deadline`.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL: partially done; the next call continues.
    pub async fn purge(self, deadline: Deadline) -> Result<Progress> {
        let keys = self.0.collection::<ApiKey>();
        let mut query = Query { prefix: None, limit: STEP, ..keys.rows().under(String::new()) };
        loop {
            if self.0.db().clock().is_past(deadline) {
                return Ok(Progress::More);
            }
            let found = self.0.db().query(query.clone()).await?;
            let own = ApiKey::place(&()).into_key();
            let items = found.items.into_iter().filter(|item| place_of(item).1 != own.as_str());
            let units = items.map(|item| self.removal_of(item)).collect::<Result<_>>()?;
            no_failure(self.0.db().commit_all(units).await)?;
            match found.next {
                None => return Ok(Progress::Done),
                next => query.start = next,
            }
        }
    }

    /// Deletes the record of a deleted key. Its jobs end with that.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn forget_key(self) -> Result<()> {
        let key = item::key(self.0.partition(), &ApiKey::place(&()).into_key());
        let condition = Some(aws::Condition {
            expression: "attribute_exists(deletedAt)".to_owned(),
            ..aws::Condition::default()
        });
        let write = Write::Delete { table: ApiKey::TABLE.name(), key, condition };
        self.0.db().commit(Unit::new(vec![write])).await.was_executed().map(drop)
    }

    /// Deletes an item in the version that was read; an organization with its dependent data.
    fn removal_of(self, item: Item) -> Result<Unit> {
        let (_, sort) = place_of(&item);
        let condition = item::version(&item).ok().map(|version| unchanged(&version));
        let key = item::key_of(&item);
        let is_organization = sort.split_once('#').is_some_and(|pair| pair.0 == Organization::KIND);
        let event = match is_organization {
            true => {
                let organization = self.0.organizations().all().rows().decode(item)?;
                let organization_id = organization.organization_id;
                Some(Event::OrganizationDeleted { organization_id })
            }
            false => None,
        };
        let write = Write::Delete { table: ApiKey::TABLE.name(), key, condition };
        let emitted = self.0.organizations().all().rows().emitted(event);
        Ok(Unit::new(vec![write]).emitting(emitted))
    }
}
