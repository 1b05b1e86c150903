//! `POST /v2/recordings/delete`: replies with one entry per recording.
//!
//! # Errors
//! - An entry fails when its recording does not exist.

use std::collections::BTreeSet;

use model::AnnotationId;
use service::prelude::*;

pub enum DeleteRecordings {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    recording_ids: Batch<AnnotationId>,
}

impl Operation for DeleteRecordings {
    const PATHS: &'static [&'static str] = &["/v2/recordings/delete"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<AnnotationId, Outcome>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let ids: BTreeSet<AnnotationId> = request.recording_ids.into_iter().collect();
        let ids: Vec<AnnotationId> = ids.into_iter().collect();
        let recordings = cx.organization(&request.organization_id).recordings().all();
        let results = recordings.delete_all(&ids, |_| None).await;
        let entries = entries(ids.into_iter().zip(results), "Recording deleted.");
        Ok(success("Recordings deleted.", Data(entries)))
    }
}
