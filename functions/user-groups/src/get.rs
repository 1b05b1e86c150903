//! `POST /v2/organizations/usergroups/get`: groups with their members.
//!
//! An end user of the organization names groups, and learns their names.

use model::{AtMost, GroupId, Only, PageSize, PageToken, Text, user_group::Group};
use service::prelude::*;

pub enum GetGroups {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    /// Only these groups; all when empty.
    #[end_user(one_of)]
    organization_user_group_ids: Option<AtMost<GroupId, 30>>,
    page_size: Option<PageSize>,
    page_token: Option<PageToken>,
}

/// One page.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Vec<GroupView>,
    /// Null on the last page.
    next_page_token: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "UserGroup")]
struct GroupView {
    /// The id, as in the request that added the group.
    group_id: GroupId,
    /// The same id, under the name that other operations use.
    organization_user_group_id: GroupId,
    #[serde(skip_serializing_if = "Option::is_none")]
    group_name: Option<Text>,
    /// The members; absent for end users.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_ids: Option<Vec<UserId>>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, []).or_own_data()
    }
}

impl Operation for GetGroups {
    const PATHS: &'static [&'static str] = &["/v2/organizations/usergroups/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let organization = cx.organization(&request.organization_id);
        let ids: Only<GroupId> = request.organization_user_group_ids.into();
        if cx.tenant().end_user().is_some() {
            cx.tenant().end_users().check_shares(organization.id(), None).await?;
            let named = ids.named().into_iter().flatten().cloned();
            let found = organization.user_groups().all().find_all(named).await?;
            let data = found.into_values().map(|group| view(group, None)).collect();
            let response = Response { data, next_page_token: None };
            return Ok(success("Organization user groups retrieved.", response));
        }
        let filters = (organization.id(), &ids);
        let page = cx.page(request.page_size, request.page_token.as_ref(), &filters)?;
        let listed = match ids.named() {
            None => organization.user_groups().list(&page).await?,
            Some(ids) => organization.user_groups().find(ids.clone(), &page).await?,
        };
        let views = listed.items.into_iter().map(|(group, users)| view(group, Some(users)));
        let response = Response { data: views.collect(), next_page_token: listed.next };
        Ok(success("Organization user groups retrieved.", response))
    }
}

fn view(group: Group, user_ids: Option<Vec<UserId>>) -> GroupView {
    GroupView {
        group_id: group.group_id.clone(),
        organization_user_group_id: group.group_id,
        group_name: group.group_name,
        user_ids,
    }
}
