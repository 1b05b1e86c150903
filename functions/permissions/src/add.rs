//! `POST /v2/auth/permissions/add`: adds rights, or changes their role and expiry.
//!
//! The resources need not exist.

use std::collections::BTreeSet;

use model::{Batch, OrganizationId, UserId, resource::Resource};
use schemars::JsonSchema;
use serde::Deserialize;
use service::{ApiKey, Cx, Effect, NoData, Operation, Result, Success, issue, prelude::*, success};

pub enum AddPermissions {}

#[derive(Deserialize, JsonSchema)]
pub struct Request {
    user: User,
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
        cx.tenant().organizations().imply(&organizations).await?;
        let rights = resources.into_iter().map(|resource| {
            let Resource { organization_id, level, access_role, expires_at } = resource;
            (organization_id, level, access_role, expires_at)
        });
        cx.tenant().access().grant(&request.user.user_id, rights).await?;
        Ok(success("Permissions added.", NoData {}))
    }
}
