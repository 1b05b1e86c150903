//! `POST /v2/presence/add`: writes the whole presence record of each user.
//!
//! A stored record is replaced. If a request contains a user twice, the later record wins. A record
//! expires 24 hours after its last write. Organization, document and users need not exist.

use model::presence::{Presence, SentPresence};
use service::prelude::*;

use crate::views::Done;

pub enum AddPresence {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    pub(crate) organization_id: OrganizationId,
    #[end_user]
    pub(crate) document_id: DocumentId,
    #[end_user(members)]
    pub(crate) users: Batch<SentPresence>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for AddPresence {
    const PATHS: &'static [&'static str] = &["/v2/presence/add"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Done>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let record = |sent: SentPresence| {
            (sent.user_id.clone(), sent.into_presence(request.document_id.clone(), cx.now()))
        };
        let records: Items<UserId, Presence> = request.users.into_iter().map(record).collect();
        let records: Vec<Presence> = records.into_values().collect();
        let organization = cx.organization(&request.organization_id);
        organization.own_record().record_if_missing().await?;
        organization.presence().add(&records).await?;
        Ok(success("Presence added.", Data(Done::DONE)))
    }
}
