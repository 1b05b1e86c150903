//! `POST /v2/organizations/usergroups/delete`: replies with one entry per group.
//!
//! A background job ends the memberships.
//!
//! # Errors
//! - An entry fails when its group does not exist.

use std::collections::BTreeSet;

use model::GroupId;
use service::prelude::*;

pub enum DeleteGroups {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    organization_user_group_ids: Batch<GroupId>,
}

impl Operation for DeleteGroups {
    const PATHS: &'static [&'static str] = &["/v2/organizations/usergroups/delete"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<GroupId, Outcome>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, organization_user_group_ids } = request;
        let distinct: BTreeSet<GroupId> = organization_user_group_ids.into_iter().collect();
        let ids: Vec<GroupId> = distinct.into_iter().collect();
        let results = cx.organization(&organization_id).user_groups().delete(&ids).await;
        let done = "Organization user group deleted.";
        let entries = entries(ids.into_iter().zip(results), done);
        Ok(success("Organization user groups deleted.", Data(entries)))
    }
}
