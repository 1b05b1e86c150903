//! The users that a request asks for.

use model::{GroupId, Label, Only, permissions::Level, user::User};
use service::{OrganizationStore, Paged, prelude::*, store::Page};

/// The users that a request asks for.
#[derive(Serialize)]
pub(crate) struct Filter {
    pub(crate) level: Level,
    pub(crate) ids: Only<UserId>,
    pub(crate) groups: Only<GroupId>,
    pub(crate) all: bool,
    pub(crate) prefix: Option<Label>,
}

impl Filter {
    /// Refuses filters that contradict each other.
    pub(crate) fn check(&self, by_document: bool) -> Result<()> {
        let Self { all, .. } = *self;
        let of_organization = self.level == Level::Organization;
        let (has_ids, has_groups) = (self.ids.named().is_some(), self.groups.named().is_some());
        if all && !of_organization {
            let message = "cannot be sent together with documentId or folderId";
            return Err(issue(&["allDocuments"], message));
        }
        if by_document && !all {
            return Err(issue(&["groupByDocumentId"], "needs allDocuments to be true"));
        }
        if has_groups && (all || !of_organization) {
            let message = "can be sent for users of the organization only";
            return Err(issue(&["organizationUserGroupIds"], message));
        }
        if self.prefix.is_some() && (all || has_ids || has_groups) {
            return Err(issue(&["prefix"], "cannot be sent together with another filter"));
        }
        Ok(())
    }

    /// One page of them.
    pub(crate) async fn list(
        &self,
        organization: &OrganizationStore,
        page: &Page,
    ) -> Result<Paged<User>> {
        let Self { level, ids, groups, all, prefix } = self;
        let users = organization.users();
        if *all {
            return users.list_of_documents(ids, page).await;
        }
        match (ids.named(), groups.named(), prefix) {
            (None, None, Some(prefix)) => users.list_named(level, prefix.as_str(), page).await,
            (None, None, None) => users.list_at(level, page).await,
            (None, Some(groups), _) => users.list_in_groups(groups, page).await,
            (Some(ids), groups, _) => {
                let ids = match groups {
                    Some(groups) => organization.user_groups().members_among(groups, ids).await?,
                    None => ids.clone(),
                };
                users.all().list_of(ids.into_iter().map(|id| (level.clone(), id)), page).await
            }
        }
    }
}
