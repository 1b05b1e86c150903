//! `POST /v2/recordings/get`: recordings, the oldest first.
//!
//! `recordingIds` lists those that exist, `documentId` those of the document. Filters combine;
//! without a filter the list has all recordings of the organization. The list comes from an index:
//! a recording added a moment ago may be missing unless its id is named.

use model::{
    AnnotationId, AtMost, Only, PageSize, PageToken,
    recording::{Recording, RecordingView},
};
use service::prelude::*;

pub enum GetRecordings {}

const DEFAULT_PAGE_SIZE: PageSize = PageSize::nearest(100);

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Only recordings of this document.
    document_id: Option<DocumentId>,
    /// Only these recordings; no filter when absent or empty.
    recording_ids: Option<AtMost<AnnotationId, 30>>,
    /// 100 when absent.
    page_size: Option<PageSize>,
    page_token: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Vec<RecordingView>,
    /// Null on the last page.
    page_token: Option<PageToken>,
}

impl Operation for GetRecordings {
    const PATHS: &'static [&'static str] = &["/v2/recordings/get"];
    const EFFECT: Effect = Effect::Reads;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
        let Request { organization_id, document_id, page_size, page_token, .. } = request;
        let ids: Only<AnnotationId> = request.recording_ids.into();
        let size = page_size.unwrap_or(DEFAULT_PAGE_SIZE);
        let filters = (&organization_id, &document_id, &ids);
        let page = cx.page(Some(size), page_token.as_ref(), &filters)?;
        let organization = cx.organization(&organization_id);
        let recordings = organization.recordings();
        let found = match ids.named() {
            None => recordings.by_time(document_id.as_ref(), &page).await?,
            Some(ids) => recordings.among(ids.clone(), document_id.as_ref(), &page).await?,
        };
        let shown = |it: Recording| it.shown(&cx.tenant().api_key().id, &organization_id);
        let data = found.items.into_iter().map(shown).collect();
        Ok(success("Recordings retrieved.", Response { data, page_token: found.next }))
    }
}
