//! `POST /v2/auth/permissions/get`: rights of users by membership, by grant and by their groups, or
//! those that groups give.
//!
//! # Errors
//! - NOT_FOUND: a folder or a document does not exist, unless `skipResourceExistenceValidation` is
//!   true. `error.details` holds the permissions that were found.

use std::collections::BTreeSet;

use model::{AtMost, FolderId, GroupId, UpTo};
use service::{prelude::*, store::permissions::Who};

use crate::shown::UserRights;

pub enum GetPermissions {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Users; required unless groups are named.
    user_ids: Option<UpTo<UserId, 30>>,
    /// User groups, instead of users: what somebody may do who has nothing but the group.
    organization_user_group_ids: Option<UpTo<GroupId, 30>>,
    folder_ids: Option<AtMost<FolderId, 30>>,
    document_ids: Option<AtMost<DocumentId, 30>>,
    /// Whether a missing folder or document fails only its own entry.
    skip_resource_existence_validation: Option<bool>,
}

impl Operation for GetPermissions {
    const PATHS: &'static [&'static str] = &["/v2/auth/permissions/get"];
    const EFFECT: Effect = Effect::Reads;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<String, UserRights>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let organization = cx.organization(&request.organization_id);
        let (users, groups) = (request.user_ids, request.organization_user_group_ids);
        if users.is_some() == groups.is_some() {
            let message = "is required, or organizationUserGroupIds, but not both";
            return Err(issue(&["userIds"], message));
        }
        let users: BTreeSet<UserId> = users.into_iter().flatten().collect();
        let groups: BTreeSet<GroupId> = groups.into_iter().flatten().collect();
        let folders = request.folder_ids.into_iter().flatten().collect();
        let documents = request.document_ids.into_iter().flatten().collect();
        let access = organization.permissions();
        let facts = match groups.is_empty() {
            true => access.facts(&users, &folders, &documents).await?,
            false => access.facts_of_groups(&groups, &folders, &documents).await?,
        };
        let of_one =
            |who: Who<'_>| UserRights::of((&facts, who, organization.id()), &folders, &documents);
        let users = users.iter().map(|id| (id.to_string(), of_one(id.into())));
        let groups = groups.iter().map(|id| (id.to_string(), of_one(id.into())));
        let data: Items<String, UserRights> = users.chain(groups).collect();
        let skips = request.skip_resource_existence_validation == Some(true);
        if !skips && data.values().any(UserRights::is_incomplete) {
            let details = serde_json::to_string(&data).map_err(Error::internal)?;
            let message = "Some of the folders or documents do not exist.";
            return Err(Error::not_found(message).with_details(details));
        }
        Ok(success("Permissions retrieved.", Data(data)))
    }
}
