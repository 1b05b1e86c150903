//! `POST /v2/organizations/usergroups/users/add`: replies with one entry per user.
//!
//! Only users of the organization can join. A user can be in many groups.
//!
//! # Errors
//! - NOT_FOUND: the group or the organization does not exist.
//! - An entry fails when its user is not in the organization, or the group is full.

use std::collections::BTreeSet;

use model::GroupId;
use service::prelude::*;

pub enum AddGroupUsers {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    organization_user_group_id: GroupId,
    user_ids: Batch<UserId>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserGroupMemberResult {
    organization_user_group_id: GroupId,
    #[serde(flatten)]
    outcome: Outcome,
}

impl Operation for AddGroupUsers {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/usergroups/users/add", "/v1/organizations/usergroups/users/add"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<UserId, UserGroupMemberResult>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let group = request.organization_user_group_id;
        let distinct: BTreeSet<UserId> = request.user_ids.into_iter().collect();
        let ids: Vec<UserId> = distinct.into_iter().collect();
        let results =
            cx.organization(&request.organization_id).user_groups().join(&group, &ids).await?;
        let done = "User added to organization user group.";
        let entries = replies(&group, ids.into_iter().zip(results), done);
        Ok(success("Users processed.", Data(entries)))
    }
}

/// The reply about each user.
pub(crate) fn replies(
    group: &GroupId,
    results: impl IntoIterator<Item = (UserId, Result<()>)>,
    done: &'static str,
) -> Items<UserId, UserGroupMemberResult> {
    let entry = |(id, result)| {
        let (group, outcome) = (group.clone(), outcome(&result, done));
        (id, UserGroupMemberResult { organization_user_group_id: group, outcome })
    };
    results.into_iter().map(entry).collect()
}
