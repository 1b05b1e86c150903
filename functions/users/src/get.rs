//! `POST /v2/users/get`: users of the organization, or of a document, a folder or all documents
//! when named.
//!
//! Filters combine; an empty filter does not apply.

use std::collections::BTreeMap;

use model::{
    AtMost, FolderId, GroupId, Only, PageSize, PageToken,
    permissions::{AccessRole, Level},
    user::{Profile, User},
};
use service::prelude::*;

use crate::level::level;

pub enum GetUsers {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Users of this document.
    document_id: Option<DocumentId>,
    /// Users of this folder.
    folder_id: Option<FolderId>,
    /// Only these users.
    user_ids: Option<AtMost<UserId, 30>>,
    /// Only users of the organization who are in one of these groups.
    organization_user_group_ids: Option<AtMost<GroupId, 30>>,
    /// Users of all documents.
    all_documents: Option<bool>,
    /// With `allDocuments`: users by document.
    group_by_document_id: Option<bool>,
    page_size: Option<PageSize>,
    page_token: Option<PageToken>,
}

/// One page.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Users,
    /// Null on the last page.
    next_page_token: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged, rename = "UsersFound")]
enum Users {
    List(Vec<UserView>),
    ByDocument(BTreeMap<DocumentId, Vec<UserView>>),
}

/// A user of an organization, a document or a folder.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", rename = "User")]
struct UserView {
    user_id: UserId,
    #[serde(flatten)]
    profile: Profile,
    access_role: AccessRole,
    organization_id: OrganizationId,
    #[serde(skip_serializing_if = "Option::is_none")]
    document_id: Option<DocumentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder_id: Option<FolderId>,
}

impl Operation for GetUsers {
    const PATHS: &'static [&'static str] = &["/v2/users/get", "/v1/users/get"];
    const EFFECT: Effect = Effect::Reads;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let organization = cx.organization(&request.organization_id);
        let level = level(request.document_id, request.folder_id)?;
        let ids: Only<UserId> = request.user_ids.into();
        let groups: Only<GroupId> = request.organization_user_group_ids.into();
        let all = request.all_documents == Some(true);
        let by_document = request.group_by_document_id == Some(true);
        refuse_contradictions(&level, &groups, all, by_document)?;
        let filters = (organization.id(), &level, &ids, &groups, all);
        let page = cx.page(request.page_size, request.page_token.as_ref(), &filters)?;

        let users = organization.users();
        let listed = match (ids.named(), groups.named()) {
            _ if all => users.list_of_documents(&ids, &page).await?,
            (None, None) => users.list_at(&level, &page).await?,
            (None, Some(groups)) => organization.users().list_in_groups(groups, &page).await?,
            (Some(ids), groups) => {
                let ids = match groups {
                    Some(groups) => organization.user_groups().members_among(groups, ids).await?,
                    None => ids.clone(),
                };
                users.all().list_of(ids.into_iter().map(|id| (level.clone(), id)), &page).await?
            }
        };
        let views = listed.items.into_iter().map(|user| view(user, organization.id()));
        let data = if by_document { grouped(views) } else { Users::List(views.collect()) };
        Ok(success("Users retrieved.", Response { data, next_page_token: listed.next }))
    }
}

fn refuse_contradictions(
    level: &Level,
    groups: &Only<GroupId>,
    all: bool,
    by_document: bool,
) -> Result<()> {
    let of_organization = *level == Level::Organization;
    if all && !of_organization {
        let message = "cannot be sent together with documentId or folderId";
        return Err(issue(&["allDocuments"], message));
    }
    if by_document && !all {
        return Err(issue(&["groupByDocumentId"], "needs allDocuments to be true"));
    }
    if groups.named().is_some() && (all || !of_organization) {
        let message = "can be sent for users of the organization only";
        return Err(issue(&["organizationUserGroupIds"], message));
    }
    Ok(())
}

fn view(user: User, organization: &OrganizationId) -> UserView {
    let User { user_id, level, access_role, profile, .. } = user;
    let (document_id, folder_id) = match level {
        Level::Organization => (None, None),
        Level::Document(id) => (Some(id), None),
        Level::Folder(id) => (None, Some(id)),
    };
    let (profile, organization_id) = (profile.shown(), organization.clone());
    UserView { user_id, profile, access_role, organization_id, document_id, folder_id }
}

fn grouped(views: impl Iterator<Item = UserView>) -> Users {
    let mut documents: BTreeMap<DocumentId, Vec<UserView>> = BTreeMap::new();
    for view in views {
        if let Some(id) = view.document_id.clone() {
            documents.entry(id).or_default().push(view);
        }
    }
    Users::ByDocument(documents)
}
