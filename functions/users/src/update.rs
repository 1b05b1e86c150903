//! `POST /v2/users/update`: replies with one entry per user.
//!
//! A member that is left out keeps its value. Only the v2 path changes roles.
//!
//! # Errors
//! - An entry fails when its user does not exist.

use model::{
    FolderId,
    permissions::AccessRole,
    user::{Profile, SentUser},
};
use service::prelude::*;

use crate::level::level;

pub enum UpdateUsers {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Changes users of this document.
    document_id: Option<DocumentId>,
    /// Changes users of this folder.
    folder_id: Option<FolderId>,
    users: Batch<SentUser>,
}

impl Operation for UpdateUsers {
    const PATHS: &'static [&'static str] = &["/v2/users/update", "/v1/users/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<UserId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let level = level(request.document_id, request.folder_id)?;
        let mut patches: Items<UserId, (Option<AccessRole>, Profile)> = Items::new();
        for sent in request.users {
            // A user who is sent twice: the later change wins, member by member.
            let (id, role, profile) = sent.into_parts();
            let patch = patches.entry(id).or_default();
            model::set_some(&mut patch.0, role.filter(|_| !cx.is_v1()));
            patch.1.merge(profile);
        }
        let (ids, patches): (Vec<UserId>, Vec<_>) = patches.into_iter().unzip();
        let places: Vec<_> = ids.iter().map(|id| (level.clone(), id.clone())).collect();
        let users = cx.organization(&request.organization_id).users().all();
        let results = users.change_all(&places, |n, user| {
            let (role, profile) = &patches[n];
            model::set(&mut user.access_role, *role);
            user.profile.merge(profile.clone());
            Ok(None)
        });
        let entries = entries(ids.into_iter().zip(results.await?), "User updated.");
        Ok(success("Users updated.", Data(entries)))
    }
}
