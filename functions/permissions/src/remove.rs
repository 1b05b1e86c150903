//! `POST /v2/auth/permissions/remove`: takes rights of a user back; one that was not given is
//! gone, too (siblings 6.4).

use std::collections::BTreeSet;

use model::{Batch, UserId, resource::Resource};
use schemars::JsonSchema;
use serde::Deserialize;
use service::{ApiKey, Cx, Effect, NoData, Operation, Result, Success, success};

/// The operation.
pub enum RemovePermissions {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    user_id: UserId,
    permissions: Permissions,
}

#[derive(Deserialize, JsonSchema)]
struct Permissions {
    /// Role and end do not matter.
    resources: Batch<Resource>,
}

impl Operation for RemovePermissions {
    const PATHS: &'static [&'static str] = &["/v2/auth/permissions/remove"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = NoData;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<NoData>> {
        let resources = request.permissions.resources.into_iter();
        let distinct: BTreeSet<_> =
            resources.map(|resource| (resource.organization_id, resource.level)).collect();
        cx.revoke_all(&request.user_id, distinct).await?;
        Ok(success("Permissions removed.", NoData {}))
    }
}
