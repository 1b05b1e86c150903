//! `POST /v2/recordings/get`: recordings, the oldest first (spec 4.7).
//!
//! With `recordingIds` those of them that exist, with `documentId` those of the document, with both
//! what both find. Otherwise all of the organization. One added a moment ago may be missing, unless
//! it is named.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    AnnotationId, ApiKeyId, AtMost, DocumentId, Millis, OrganizationId, PageSize, PageToken,
    recording::{Mode, Recording, RecordingType, Version},
    user::Person,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use service::{ApiKey, Cx, Operation, Result, Success, success};

/// The operation.
pub enum GetRecordings {}

/// Recordings of a page unless the caller says otherwise.
const DEFAULT_PAGE_SIZE: PageSize = PageSize::nearest(100);

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Those of this document only.
    document_id: Option<DocumentId>,
    /// These only; no filter when absent or empty.
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

/// Spec 2.5.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RecordingView {
    annotation_id: AnnotationId,
    /// Always `recorder`.
    #[serde(rename = "type")]
    kind: &'static str,
    recording_type: RecordingType,
    mode: Mode,
    metadata: Place,
    /// Its latest version.
    #[serde(flatten)]
    latest: Option<Version>,
    latest_version: u64,
    /// The latest 20 versions, by number.
    recording_edit_versions: BTreeMap<u64, Version>,
    /// Who recorded it.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Person>,
    /// When its first version was added, in epoch milliseconds.
    recorded_at: Millis,
    /// When its latest version was added, in epoch milliseconds.
    last_updated: Millis,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RecordingPlace")]
struct Place {
    api_key: ApiKeyId,
    document_id: DocumentId,
    organization_id: OrganizationId,
}

impl Operation for GetRecordings {
    const PATHS: &'static [&'static str] = &["/v2/recordings/get"];
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
        let Request { organization_id, document_id, page_size, page_token, .. } = request;
        let ids: BTreeSet<AnnotationId> = request.recording_ids.into_iter().flatten().collect();
        let size = page_size.unwrap_or(DEFAULT_PAGE_SIZE);
        let filters = (&organization_id, &document_id, &ids);
        let page = cx.page(Some(size), page_token.as_ref(), &filters)?;
        let recordings = cx.organization(&organization_id).recordings();
        let found = match ids.is_empty() {
            true => recordings.by_time(document_id.as_ref(), &page).await?,
            false => recordings.among(ids, document_id.as_ref(), &page).await?,
        };
        let view = |recording| RecordingView::new(recording, &cx.api_key().id, &organization_id);
        let data = found.items.into_iter().map(view).collect();
        Ok(success("Recordings retrieved.", Response { data, page_token: found.next }))
    }
}

impl RecordingView {
    fn new(recording: Recording, api_key: &ApiKeyId, organization_id: &OrganizationId) -> Self {
        let metadata = Place {
            api_key: api_key.clone(),
            document_id: recording.document_id.clone(),
            organization_id: organization_id.clone(),
        };
        Self {
            latest: recording.latest().cloned(),
            annotation_id: recording.annotation_id,
            kind: "recorder",
            recording_type: recording.recording_type,
            mode: recording.mode,
            metadata,
            latest_version: recording.latest_version,
            recording_edit_versions: recording.recording_edit_versions,
            from: recording.from,
            recorded_at: recording.recorded_at,
            last_updated: recording.last_updated,
        }
    }
}
