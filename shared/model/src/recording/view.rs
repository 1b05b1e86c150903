//! A recording in replies.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Mode, Recording, RecordingType, Version};
use crate::{AnnotationId, ApiKeyId, Millis, OrganizationId, document::ScopeIds, user::Person};

/// A recording with the members of its latest version.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Recording")]
pub struct RecordingView {
    annotation_id: AnnotationId,
    #[serde(rename = "type")]
    #[schemars(extend("const" = "recorder"))]
    kind: &'static str,
    recording_type: RecordingType,
    mode: Mode,
    metadata: ScopeIds,
    /// Latest version of the recording.
    #[serde(flatten)]
    latest: Option<Version>,
    latest_version: u64,
    /// The latest 20 versions, by number.
    recording_edit_versions: BTreeMap<u64, Version>,
    /// The author of the recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Person>,
    /// Time of the first version, in epoch milliseconds.
    recorded_at: Millis,
    /// Time of the latest version, in epoch milliseconds.
    last_updated: Millis,
}

impl Recording {
    /// The recording for a reply.
    pub fn shown(self, api_key: &ApiKeyId, organization_id: &OrganizationId) -> RecordingView {
        let recording = self;
        let metadata = ScopeIds {
            api_key: Some(api_key.clone()),
            document_id: recording.document_id.clone(),
            organization_id: organization_id.clone(),
        };
        RecordingView {
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
