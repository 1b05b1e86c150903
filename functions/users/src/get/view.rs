//! The users of a reply.

use std::collections::BTreeMap;

use model::{
    FolderId,
    permissions::{AccessRole, Level},
    user::{Profile, User},
};
use service::prelude::*;

#[derive(Serialize, JsonSchema)]
#[serde(untagged, rename = "UsersFound")]
pub(super) enum Users {
    List(Vec<UserView>),
    ByDocument(BTreeMap<DocumentId, Vec<UserView>>),
}

/// A user of an organization, a document or a folder.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", rename = "User")]
pub(super) struct UserView {
    user_id: UserId,
    #[serde(flatten)]
    profile: Profile,
    /// Absent for end users.
    #[serde(skip_serializing_if = "Option::is_none")]
    access_role: Option<AccessRole>,
    organization_id: OrganizationId,
    #[serde(skip_serializing_if = "Option::is_none")]
    document_id: Option<DocumentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder_id: Option<FolderId>,
}

impl Users {
    /// A list, or users by document; as end users see them, or as the tenant's server does.
    pub(super) fn of(
        users: Vec<User>,
        organization: &OrganizationId,
        for_fellows: bool,
        by_document: bool,
    ) -> Self {
        let views = users.into_iter().map(|user| match for_fellows {
            true => fellow(user, organization),
            false => view(user, organization),
        });
        if !by_document {
            return Self::List(views.collect());
        }
        let mut documents: BTreeMap<DocumentId, Vec<UserView>> = BTreeMap::new();
        for view in views {
            if let Some(id) = view.document_id.clone() {
                documents.entry(id).or_default().push(view);
            }
        }
        Self::ByDocument(documents)
    }
}

fn view(user: User, organization: &OrganizationId) -> UserView {
    let User { user_id, level, access_role, profile, .. } = user;
    let (document_id, folder_id) = match level {
        Level::Organization => (None, None),
        Level::Document(id) => (Some(id), None),
        Level::Folder(id) => (None, Some(id)),
    };
    let (profile, organization_id) = (profile.shown(), organization.clone());
    let access_role = Some(access_role);
    UserView { user_id, profile, access_role, organization_id, document_id, folder_id }
}

/// A user as other end users see them.
fn fellow(user: User, organization: &OrganizationId) -> UserView {
    let shown = view(user, organization);
    UserView { profile: shown.profile.of_fellow(), access_role: None, ..shown }
}
