//! `POST /v2/livestate/get`: entries in the order of their ids.

use model::{LiveStateDataId, Metadata, Millis, PageSize, PageToken, live_state::LiveState};
use service::{Paged, prelude::*};

pub enum GetLiveState {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    /// Only this entry.
    #[end_user]
    live_state_data_id: Option<LiveStateDataId>,
    #[end_user]
    page_size: Option<PageSize>,
    #[end_user]
    page_token: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Vec<LiveStateView>,
    /// Null on the last page.
    page_token: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LiveState")]
struct LiveStateView {
    live_state_data_id: LiveStateDataId,
    data: Metadata,
    /// Number of writes, from 1.
    revision: u64,
    /// Epoch milliseconds.
    last_updated: Millis,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for GetLiveState {
    const PATHS: &'static [&'static str] = &["/v2/livestate/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
        let Request { organization_id, document_id, live_state_data_id: id, .. } = request;
        let filters = (&organization_id, &document_id, &id);
        let page = cx.page(request.page_size, request.page_token.as_ref(), &filters)?;
        let organization = cx.organization(&organization_id);
        let found = organization.live_state().list(&document_id, id.as_ref(), &page);
        let Paged { items, next } = found.await?;
        let data = items.into_iter().map(LiveStateView::from).collect();
        Ok(success("Live state retrieved.", Response { data, page_token: next }))
    }
}

impl From<LiveState> for LiveStateView {
    fn from(state: LiveState) -> Self {
        Self {
            live_state_data_id: state.live_state_data_id,
            data: state.data,
            revision: state.revision,
            last_updated: state.last_updated,
        }
    }
}
