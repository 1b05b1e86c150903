//! Users who join an organization with their first access (`requireAutoOrgUser`).

use error::{Error, Result, Status};
use model::{
    access::Level,
    life::Life,
    resource::Resource,
    user::{Profile, User},
};
use tenancy::{prelude::*, scopes::EndUser};

use crate::{features::OwnRecord, prelude::*};

impl OwnRecord<'_> {
    /// Adds an end user to the organization if the token grants it as a whole and without an end:
    /// nobody gets more rights than the tenant's server put into the token.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn join_with_access(self, user: &EndUser) -> Result<()> {
        let is_whole = |resource: &&Resource| {
            resource.organization_id == *self.0.id()
                && resource.level == Level::Organization
                && resource.expires_at.is_none()
        };
        let Some(granted) = user.permissions.resources.iter().find(is_whole) else {
            return Ok(());
        };
        self.imply().await?;
        let person = user.person();
        let profile = Profile { name: person.name, email: person.email, ..Profile::default() };
        let user = User {
            user_id: user.user_id.clone(),
            level: Level::Organization,
            access_role: granted.access_role,
            profile,
            given: self.0.tenant().db().clock().now(),
            life: Life::FIRST,
        };
        match self.0.users().all().insert(&user, None).await {
            Err(Error { status: Status::AlreadyExists, .. }) => Ok(()),
            added => added,
        }
    }
}
