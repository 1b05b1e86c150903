//! `POST /v2/auth/permissions/remove`: removes granted rights.
//!
//! A right that was not granted is no error. A right in a token that was issued before ends, too,
//! within ten seconds.

use std::collections::BTreeSet;

use model::{Batch, UserId, resource::Resource};
use schemars::JsonSchema;
use serde::Deserialize;
use service::{ApiKey, Cx, Effect, NoData, Operation, Result, Success, prelude::*, success};

pub enum RemovePermissions {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    user_id: UserId,
    permissions: Permissions,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "RemovedPermissions")]
struct Permissions {
    /// Role and expiry are ignored.
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
        cx.tenant().access().revoke(&request.user_id, distinct).await?;
        Ok(success("Permissions removed.", NoData {}))
    }
}
