//! `POST /v2/presence/get`: users in the order of their ids.
//!
//! `userIds` lists those that are present. A record expires 24 hours after its last write.

use model::{
    AtMost, Label, Millis, Only, PageSize, PageToken, PersonEmail, PresenceStatus,
    presence::{Presence, PresenceData},
};
use service::{Paged, prelude::*};

pub enum GetPresence {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    /// Only these users; no filter when absent or empty.
    #[end_user]
    user_ids: Option<AtMost<UserId, 30>>,
    #[end_user]
    page_size: Option<PageSize>,
    #[end_user]
    page_token: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Vec<PresenceView>,
    /// Null on the last page.
    page_token: Option<PageToken>,
}

/// The presence of a user in a document.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PresenceUser")]
struct PresenceView {
    user_id: UserId,
    /// Absent when unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Label>,
    /// Absent when unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<PersonEmail>,
    status: PresenceStatus,
    /// Absent when unset.
    #[serde(skip_serializing_if = "PresenceData::is_empty")]
    data: PresenceData,
    /// When the record was last added or updated, in epoch milliseconds.
    last_updated: Millis,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for GetPresence {
    const PATHS: &'static [&'static str] = &["/v2/presence/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
        let Request { organization_id, document_id, user_ids, page_size, page_token } = request;
        let users: Only<UserId> = user_ids.into();
        let filters = (&organization_id, &document_id, &users);
        let page = cx.page(page_size, page_token.as_ref(), &filters)?;
        let organization = cx.organization(&organization_id);
        let found = organization.presence().list(&document_id, &users, cx.now(), &page);
        let Paged { items, next } = found.await?;
        let data = items.into_iter().map(PresenceView::from).collect();
        Ok(success("Presence retrieved.", Response { data, page_token: next }))
    }
}

impl From<Presence> for PresenceView {
    fn from(presence: Presence) -> Self {
        Self {
            user_id: presence.user_id,
            name: presence.name,
            email: presence.email,
            status: presence.status,
            data: presence.data,
            last_updated: presence.last_updated,
        }
    }
}
