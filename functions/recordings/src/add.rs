//! `POST /v2/recordings/add`: replies with one entry per recording.
//!
//! An existing recording gets its next version; members that are left out keep the values of the
//! previous version. The document has to exist. Each recording emits one event, however many of its
//! versions the request has.
//!
//! # Errors
//! - An entry fails when the document does not exist, or another document has its recording.
//!
//! # Events
//! `recorder.done`

use model::{AnnotationId, document::Document, recording::Recording};
use service::{Edit, prelude::*, random_id};

use crate::sent::{NewRecording, SentRecording};

pub enum AddRecordings {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    document_id: DocumentId,
    recordings: Batch<SentRecording>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordingResult {
    annotation_id: AnnotationId,
    #[serde(flatten)]
    outcome: Outcome,
}

impl Operation for AddRecordings {
    const PATHS: &'static [&'static str] = &["/v2/recordings/add"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<AnnotationId, RecordingResult>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, document_id, recordings } = request;
        let mut versions: Items<AnnotationId, Vec<NewRecording>> = Items::new();
        for mut sent in recordings {
            let id = sent.annotation_id.take().map_or_else(random_id, Ok)?;
            versions.entry(id).or_default().push(sent.try_into()?);
        }
        let (ids, versions): (Vec<_>, Vec<_>) = versions.into_iter().unzip();
        let organization = cx.organization(&organization_id);
        let record = |n: usize, stored: Option<Recording>| {
            if stored.as_ref().is_some_and(|stored| stored.document_id != document_id) {
                let message = format!("There is a recording {} in another document.", ids[n]);
                return Err(Error::exists(message));
            }
            let versions = versions[n].iter().cloned();
            let recording = versions.fold(stored, |stored, sent| {
                Some(sent.onto(stored, (&document_id, &ids[n]), cx.now()))
            });
            let recording = recording.ok_or_else(|| Error::internal("an empty recording"))?;
            let event = recording.done_event(&organization_id);
            Ok(Edit::put(recording).emit(event).requires::<Document>(&document_id))
        };
        let results = organization.recordings().all().edit_all(&ids, record).await?;
        let entries = ids.iter().cloned().zip(results).map(|(id, result)| {
            let outcome = outcome(&result, "Recording added.");
            (id.clone(), RecordingResult { annotation_id: id, outcome })
        });
        Ok(success("Recordings added.", Data(entries.collect())))
    }
}
