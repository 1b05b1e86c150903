//! `POST /v2/users/add`: replies with one entry per user.
//!
//! An existing user is replaced; the role stays unless one is sent. An organization that does not
//! exist is created.
//!
//! # Errors
//! - An entry fails when the document or folder does not exist.

use model::{
    FolderId, Millis,
    life::Life,
    permissions::{AccessRole, Level, given_after},
    user::{Profile, SentUser, User},
};
use service::{Edit, prelude::*};

use crate::level::level;

pub enum AddUsers {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Adds them to this document instead of the organization.
    document_id: Option<DocumentId>,
    /// Whether to create a missing document.
    create_document: Option<bool>,
    /// Adds them to this folder instead of the organization.
    folder_id: Option<FolderId>,
    /// Whether to create a missing folder.
    create_folder: Option<bool>,
    users: Batch<SentUser>,
}

impl Operation for AddUsers {
    const PATHS: &'static [&'static str] = &["/v2/users/add", "/v1/users/add"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<UserId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let organization = cx.organization(&request.organization_id);
        let creates_it = match request.document_id {
            Some(_) => request.create_document,
            None => request.create_folder,
        };
        let level = level(request.document_id, request.folder_id)?;
        let mut users: Items<UserId, (Option<AccessRole>, Profile)> = Items::new();
        for sent in request.users {
            let (user_id, role, profile) = sent.into_parts();
            // Only a v2 path sets roles; v1 neither sets nor removes one.
            users.insert(user_id, (role.filter(|_| !cx.is_v1()), profile));
        }
        let (ids, users): (Vec<UserId>, Vec<_>) = users.into_iter().unzip();
        let places: Vec<_> = ids.iter().map(|id| (level.clone(), id.clone())).collect();
        let departures = organization.users().departures(&ids).await?;
        let replace = |n: usize, known: Option<User>| {
            let left = departures.get(&ids[n]).copied().unwrap_or(0);
            Ok(Edit::put(joined(places[n].clone(), users[n].clone(), known, left, cx.now())))
        };
        let results =
            match organization.users().ensure_level(&level, creates_it == Some(true)).await {
                Ok(()) => organization.users().all().edit_all(&places, replace).await?,
                Err(refused) => refused.for_each(&places)?,
            };
        let entries = entries(ids.into_iter().zip(results), "User added.");
        Ok(success("Users processed.", Data(entries)))
    }
}

/// The membership of an added user, who left before at `left`.
fn joined(
    (level, user_id): (Level, UserId),
    (role, profile): (Option<AccessRole>, Profile),
    known: Option<User>,
    left: Millis,
    now: Millis,
) -> User {
    // Nothing of a membership of before a departure stays.
    let known = known.filter(|user| !user.is_over(left));
    let since = known.as_ref().map_or(0, |user| user.given);
    let (before, groups) = known.map(|user| (user.access_role, user.groups)).unzip();
    let access_role = role.or(before).unwrap_or_default();
    // A later call may have ended a membership and begun this one.
    let given = given_after(now, left).max(since);
    let groups = groups.unwrap_or_default();
    User { user_id, level, access_role, profile, given, groups, life: Life::FIRST }
}
