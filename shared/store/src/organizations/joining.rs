//! Users who join an organization with their first access (`requireAutoOrgUser`).

use std::collections::BTreeMap;

use error::{Result, Status};
use model::{
    life::Life,
    permissions::Level,
    resource::Resource,
    user::{Profile, User},
};
use tenancy::{prelude::*, scopes::EndUser, writing::Edit};

use crate::{organizations::OwnRecord, prelude::*};

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
        self.record_if_missing().await?;
        let person = user.person();
        let profile = Profile { name: person.name, email: person.email, ..Profile::default() };
        let user = User {
            user_id: user.user_id.clone(),
            level: Level::Organization,
            access_role: granted.access_role,
            profile,
            // A departure since the rights were decided ends the membership.
            given: self.0.tenant().db().counts_from(),
            groups: BTreeMap::new(),
            life: Life::FIRST,
        };
        let id = (user.level.clone(), user.user_id.clone());
        let join =
            |known: Option<User>| Ok(known.map_or_else(|| Edit::put(user.clone()), Edit::keep));
        let users = self.0.users().all();
        match users.edit(&id, join).await {
            // Another process has deleted the organization that this one has cached.
            Err(error) if error.status == Status::Aborted => {
                self.0.tenant().organizations().forget(std::slice::from_ref(self.0.id()));
                self.record_if_missing().await?;
                users.edit(&id, join).await.map(drop)
            }
            joined => joined.map(drop),
        }
    }
}
