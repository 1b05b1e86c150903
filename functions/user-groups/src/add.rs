//! `POST /v2/organizations/usergroups/add`: replies with one entry per group.
//!
//! An existing group takes the name that is sent, and keeps its own without one.
//!
//! # Errors
//! - An entry fails when the organization does not exist and `createOrganization` is not true.

use model::{GroupId, Text, life::Life, user_group::Group};
use service::prelude::*;

pub enum AddGroups {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Whether to create a missing organization.
    create_organization: Option<bool>,
    organization_user_groups: Batch<NewGroup>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NewUserGroup")]
struct NewGroup {
    group_id: GroupId,
    group_name: Option<Text>,
}

impl Operation for AddGroups {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/usergroups/add", "/v1/organizations/usergroups/add"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<GroupId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let organization = cx.organization(&request.organization_id);
        let mut groups: Items<GroupId, Group> = Items::new();
        for NewGroup { group_id, group_name } in request.organization_user_groups {
            let group = Group {
                group_id: group_id.clone(),
                group_name,
                created_at: cx.now(),
                since: Life::FIRST,
            };
            groups.insert(group_id, group);
        }
        let groups: Vec<Group> = groups.into_values().collect();
        let create = request.create_organization == Some(true);
        let results = match organization.own_record().ensure(create).await {
            Ok(life) => organization.user_groups().add(&groups, life).await?,
            Err(refused) => refused.for_each(&groups)?,
        };
        let ids = groups.into_iter().map(|group| group.group_id);
        let entries = entries(ids.zip(results), "Organization user group added.");
        Ok(success("Organization user groups processed.", Data(entries)))
    }
}
