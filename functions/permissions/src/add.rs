//! `POST /v2/auth/permissions/add`: adds rights, or changes their role and expiry.
//!
//! The resources need not exist.

use std::collections::BTreeMap;

use model::{Batch, UserId, access::Grant, resource::Resource};
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
        let mut grants = BTreeMap::new();
        for Resource { organization_id, level, access_role, expires_at } in resources {
            let user_id = request.user.user_id.clone();
            let (level, since, revoked) = (level.clone(), cx.now(), None);
            let grant =
                Grant { user_id, level: level.clone(), access_role, expires_at, since, revoked };
            grants.insert((organization_id.clone(), level), (organization_id, grant));
        }
        let grants: Vec<_> = grants.into_values().collect();
        cx.tenant().organizations().imply(grants.iter().map(|(id, _)| id)).await?;
        cx.tenant().access().grant(&grants).await?;
        Ok(success("Permissions added.", NoData {}))
    }
}
