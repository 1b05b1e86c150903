//! Members of organizations, for threads that are only for them.

use std::collections::{BTreeMap, BTreeSet};

use error::{Error, Result};
use futures_util::future::try_join_all;
use model::{
    OrganizationId, UserId,
    visibility::{Membership, Visibility},
};
use tenancy::prelude::*;

use crate::{notifications::Notifications, prelude::*};

/// Members of organizations among some users, read at one time.
pub(crate) struct Members(BTreeMap<OrganizationId, BTreeSet<UserId>>);

impl Members {
    /// Whether a user is a member of an organization.
    pub(crate) fn of<'a>(&'a self, user: &'a UserId) -> impl Fn(&OrganizationId) -> Membership {
        |organization| match self.0.get(organization) {
            Some(members) => members.contains(user).into(),
            None => Membership::Unknown,
        }
    }
}

impl Notifications<'_> {
    /// The users who are members of the organizations whose members see threads of these
    /// visibilities; reads only these. A token counts for the end user of the call alone: others'
    /// tokens are not known.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn members(
        self,
        users: &BTreeSet<UserId>,
        visibilities: impl IntoIterator<Item = &Visibility>,
    ) -> Result<Members> {
        let visibilities: Vec<Visibility> = visibilities.into_iter().cloned().collect();
        let named: BTreeSet<&OrganizationId> =
            visibilities.iter().flat_map(Visibility::organizations).collect();
        let viewer = self.0.tenant().db().viewer().filter(|it| users.contains(it.user_id()));
        let mut others = users.clone();
        if let Some(viewer) = viewer {
            viewer.learn(&visibilities).await?;
            others.remove(viewer.user_id());
        }
        let (others, nothing, documents) = (&others, &BTreeSet::new(), &BTreeSet::new());
        let reads = named.into_iter().map(|organization| async move {
            let mut members = BTreeSet::new();
            if let Some(viewer) = viewer
                && viewer.membership(organization) == Membership::Yes
            {
                members.insert(viewer.user_id().clone());
            }
            if !others.is_empty() {
                let store = self.0.tenant().organization(organization);
                let facts = store.permissions().facts(others, nothing, documents).await?;
                members.extend(others.iter().filter(|user| facts.is_member(user)).cloned());
            }
            Ok::<_, Error>((organization.clone(), members))
        });
        Ok(Members(try_join_all(reads).await?.into_iter().collect()))
    }

    /// The users among `users` who see a thread of this visibility.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn seeing(
        self,
        users: BTreeSet<UserId>,
        visibility: &Visibility,
    ) -> Result<BTreeSet<UserId>> {
        let members = self.members(&users, [visibility]).await?;
        let sees = |user: &UserId| visibility.admits(user, members.of(user));
        Ok(users.into_iter().filter(sees).collect())
    }
}
