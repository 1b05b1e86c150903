//! `POST /v2/auth/permissions/remove`: removes granted rights.
//!
//! A right that was not granted is no error. A right of the user in a token that was issued before
//! ends, too: at once for later calls, and within ten seconds on connections of the live channel
//! (contract `access.removal`).

use std::collections::BTreeSet;

use model::{GroupId, resource::Resource};
use service::{NoData, prelude::*};

use crate::holder::Holder;

pub enum RemovePermissions {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The user who loses the rights; required unless a group is named.
    user_id: Option<UserId>,
    /// The user group that loses the rights.
    organization_user_group_id: Option<GroupId>,
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
        let user = ("userId", request.user_id);
        let holder = Holder::one_of(user, request.organization_user_group_id)?;
        let resources = request.permissions.resources.into_iter();
        let distinct: BTreeSet<_> =
            resources.map(|resource| (resource.organization_id, resource.level)).collect();
        let access = cx.tenant().permissions();
        match &holder {
            Holder::User(user) => {
                // The record of the end names the user.
                let organizations = distinct.iter().map(|(organization, _)| organization);
                cx.tenant().organizations().record_if_missing(organizations).await?;
                access.revoke(user, distinct).await?;
            }
            Holder::Group(group) => access.revoke_from_group(group, distinct).await?,
        }
        Ok(success("Permissions removed.", NoData {}))
    }
}
