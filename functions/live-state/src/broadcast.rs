//! `POST /v2/livestate/broadcast`: writes one entry of live state.
//!
//! The parameters stand in `data`, or at the top level of the body when `organizationId` stands
//! there; `data` is then the payload. `merge` applies JSON Merge Patch (RFC 7396) to the stored
//! object, or to an empty one. Live state lasts as long as its document. Organization and document
//! need not exist.

use model::{LiveStateDataId, Metadata};
use serde::{Deserializer, de::Error as _};
use service::{Body, prelude::*};

pub enum BroadcastLiveState {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    live_state_data_id: LiveStateDataId,
    /// Any object.
    #[serde(deserialize_with = "object")]
    #[end_user]
    data: Metadata,
    /// Whether to merge `data` into the stored object: objects merge at any depth, `null` removes a
    /// member, all other values replace. Otherwise `data` replaces it.
    #[end_user]
    merge: Option<bool>,
}

/// `null` would deserialize as an empty object otherwise.
fn object<'de, D: Deserializer<'de>>(sent: D) -> std::result::Result<Metadata, D::Error> {
    let sent = Option::<Metadata>::deserialize(sent)?;
    sent.ok_or_else(|| D::Error::custom("must be an object"))
}

#[derive(Serialize, JsonSchema)]
pub struct Done {
    success: bool,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Edit;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for BroadcastLiveState {
    const PATHS: &'static [&'static str] = &["/v2/livestate/broadcast", "/v1/livestate/broadcast"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    const BODY: Body = Body::WrappedUnless("organizationId");
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Done>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, document_id, live_state_data_id: id, data, merge } = request;
        let (organization, merge) = (cx.organization(&organization_id), merge == Some(true));
        organization.own_record().record_if_missing().await?;
        organization.live_state().write(&document_id, &id, &data, merge, cx.now()).await?;
        Ok(success("Live state broadcast.", Data(Done { success: true })))
    }
}
