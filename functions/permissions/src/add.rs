//! `POST /v2/auth/permissions/add`: adds rights of a user or a group, or changes their role and expiry.
//!
//! A right of a user may precede its resource. One of a group stands with the resource.
//!
//! # Errors
//! - NOT_FOUND: the group or a resource of its rights does not exist.
//! - RESOURCE_EXHAUSTED: a resource has the maximum number of groups with a right.

use std::collections::BTreeSet;

use model::{GroupId, resource::Resource};
use service::{NoData, prelude::*};

use crate::holder::Holder;

pub enum AddPermissions {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The user who gets the rights; required unless a group is named.
    user: Option<User>,
    /// The user group that gets the rights.
    organization_user_group_id: Option<GroupId>,
    permissions: Permissions,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PermissionUser")]
struct User {
    user_id: UserId,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "NewPermissions")]
struct Permissions {
    resources: Batch<Resource>,
}

impl Operation for AddPermissions {
    const PATHS: &'static [&'static str] = &["/v2/auth/permissions/add"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = NoData;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<NoData>> {
        let user = request.user.map(|user| user.user_id);
        let holder = Holder::one_of(("user", user), request.organization_user_group_id)?;
        let resources = request.permissions.resources;
        if let Some(n) = resources.iter().position(|resource| resource.is_over(cx.now())) {
            let path = ["permissions", "resources", &n.to_string(), "expiresAt"];
            return Err(issue(&path, "must be in the future"));
        }
        let mut faults = resources.iter().map(Resource::fault).enumerate();
        if let Some((n, fault)) = faults.find_map(|(n, fault)| Some((n, fault?))) {
            let path = ["permissions", "resources", &n.to_string(), "id"];
            return Err(issue(&path, fault));
        }
        let organizations: BTreeSet<OrganizationId> =
            resources.iter().map(|resource| resource.organization_id.clone()).collect();
        let rights = resources.into_iter().map(|resource| {
            let Resource { organization_id, level, access_role, expires_at } = resource;
            (organization_id, level, access_role, expires_at)
        });
        match &holder {
            Holder::User(user) => {
                cx.tenant().organizations().record_if_missing(&organizations).await?;
                cx.tenant().permissions().grant(user, rights).await?;
            }
            Holder::Group(group) => cx.tenant().permissions().grant_to_group(group, rights).await?,
        }
        Ok(success("Permissions added.", NoData {}))
    }
}
