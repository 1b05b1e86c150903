//! A recording as sent, and its version.

use std::collections::BTreeSet;

use model::{
    AnnotationId, AtMost, Bounded, Millis, Text, Url,
    life::Life,
    recording::{Attachment, Duration, FileKind, Mode, Recording, RecordingType, Version},
    user::Person,
};
use serde::{Deserializer, de::Error as _};
use service::prelude::*;

use crate::generated;

/// An integer that every client can represent.
type Integer = Bounded<0, 9_007_199_254_740_991>;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NewRecording")]
pub(crate) struct SentRecording {
    /// Generated when absent.
    pub(crate) annotation_id: Option<AnnotationId>,
    /// `audio` unless a version exists.
    recording_type: Option<RecordingType>,
    /// `floating` unless a version exists.
    mode: Option<Mode>,
    /// Generated unless a version exists.
    display_name: Option<Text>,
    recorded_time: SentTime,
    attachments: AtMost<SentAttachment, 30>,
    /// The author of the recording.
    from: Option<Person>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "NewRecordedTime")]
struct SentTime {
    /// In milliseconds.
    duration: Duration,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NewRecordingAttachment")]
struct SentAttachment {
    /// Generated when absent.
    attachment_id: Option<Integer>,
    /// URL of the file.
    #[serde(deserialize_with = "not_empty")]
    #[schemars(length(min = 1))]
    url: Url,
    mime_type: Option<String>,
    name: Option<String>,
    #[serde(rename = "type")]
    kind: Option<FileKind>,
    /// In bytes.
    size: Option<Integer>,
}

/// A file needs a URL; an empty one would unset it elsewhere.
fn not_empty<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Url, D::Error> {
    let url = Url::deserialize(deserializer)?;
    if url.as_str().is_empty() { Err(D::Error::custom("must not be empty")) } else { Ok(url) }
}

/// A new version with all generated ids.
#[derive(Clone)]
pub(crate) struct NewRecording {
    recording_type: Option<RecordingType>,
    mode: Option<Mode>,
    display_name: Option<Text>,
    duration: Duration,
    attachments: Vec<Attachment>,
    from: Option<Person>,
}

impl TryFrom<SentRecording> for NewRecording {
    type Error = Error;

    fn try_from(sent: SentRecording) -> Result<Self> {
        let named = sent.attachments.iter().filter_map(|file| file.attachment_id);
        let mut taken: BTreeSet<u64> = named.map(Integer::get).collect();
        let mut attachments = Vec::with_capacity(sent.attachments.len());
        for file in sent.attachments {
            let id = file.attachment_id.map(Integer::get);
            let attachment_id = id.map_or_else(|| generated::attachment_id(&taken), Ok)?;
            taken.insert(attachment_id);
            let SentAttachment { url, mime_type, name, kind, size, .. } = file;
            let size = size.map(Integer::get);
            attachments.push(Attachment { attachment_id, url, mime_type, name, kind, size });
        }
        let SentRecording { recording_type, mode, display_name, from, .. } = sent;
        let duration = sent.recorded_time.duration;
        Ok(Self { recording_type, mode, display_name, duration, attachments, from })
    }
}

impl NewRecording {
    /// Makes it the next version of the stored recording, or the first one of a new recording.
    pub(crate) fn onto(
        self,
        stored: Option<Recording>,
        (document_id, annotation_id): (&DocumentId, &AnnotationId),
        now: Millis,
    ) -> Recording {
        let mut recording = stored.unwrap_or_else(|| Recording {
            annotation_id: annotation_id.clone(),
            document_id: document_id.clone(),
            recording_type: RecordingType::default(),
            mode: Mode::default(),
            from: None,
            latest_version: 0,
            recording_edit_versions: [].into(),
            recorded_at: now,
            last_updated: now,
            life: Life::FIRST,
        });
        model::set(&mut recording.recording_type, self.recording_type);
        model::set(&mut recording.mode, self.mode);
        model::set_some(&mut recording.from, self.from);
        let before = recording.latest().map(|version| version.display_name.clone());
        let default = || recording.recording_type.display_name();
        let display_name = self.display_name.or(before).unwrap_or_else(default);
        let recorded_time = self.duration.into();
        let version = Version { recorded_time, display_name, attachments: self.attachments };
        recording.add(version, now);
        recording
    }
}
