//! `POST /v2/organizations/usergroups/users/delete`: replies with one entry per user, or per
//! removed user with `deleteAll`.
//!
//! # Errors
//! - NOT_FOUND: the group or the organization does not exist.
//! - An entry fails when its user is not in the group.

use std::collections::BTreeSet;

use model::{AtMost, GroupId};
use service::prelude::*;

use crate::users_add::{UserGroupMemberResult, replies};

pub enum DeleteGroupUsers {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    organization_user_group_id: GroupId,
    /// The users to remove; required unless `deleteAll` is true.
    user_ids: Option<AtMost<UserId, 500>>,
    /// Removes all users of the group and ignores `userIds`. For a very large group, the call
    /// removes as many as the reply has room for; repeat it for the rest.
    delete_all: Option<bool>,
}

impl Operation for DeleteGroupUsers {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/usergroups/users/delete", "/v1/organizations/usergroups/users/delete"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<UserId, UserGroupMemberResult>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let organization = cx.organization(&request.organization_id);
        let group = request.organization_user_group_id;
        let mut message = "Users processed.";
        let removed: Vec<(UserId, Result<()>)> = if request.delete_all == Some(true) {
            let (removed, more) = organization.user_groups().leave_all(&group).await?;
            if more {
                message = "Users processed; there are more, call again.";
            }
            removed
        } else {
            let distinct: BTreeSet<UserId> = request.user_ids.into_iter().flatten().collect();
            if distinct.is_empty() {
                return Err(issue(&["userIds"], "must not be empty unless deleteAll is true"));
            }
            let ids: Vec<UserId> = distinct.into_iter().collect();
            let results = organization.user_groups().leave(&group, &ids).await?;
            ids.into_iter().zip(results).collect()
        };
        let entries = replies(&group, removed, "User deleted from organization user group.");
        Ok(success(message, Data(entries)))
    }
}
