//! `POST /v2/presence/delete`: removes presence records.
//!
//! A user without a record is no error.

use std::collections::BTreeSet;

use service::prelude::*;

use crate::views::Done;

pub enum DeletePresence {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user(own = Ids)]
    user_ids: Batch<UserId>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for DeletePresence {
    const PATHS: &'static [&'static str] = &["/v2/presence/delete"];
    const EFFECT: Effect = Effect::Deletes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Done>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let distinct: BTreeSet<UserId> = request.user_ids.into_iter().collect();
        let users: Vec<UserId> = distinct.into_iter().collect();
        let organization = cx.organization(&request.organization_id);
        organization.presence().remove(&request.document_id, &users).await?;
        Ok(success("Presence deleted successfully.", Data(Done::DONE)))
    }
}
