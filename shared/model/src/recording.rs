//! Recordings (contract `types.recording`).

mod view;

pub use view::RecordingView;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use crate::{
    AnnotationId, DocumentId, Metadata, Millis, OrganizationId, Text, Url,
    event::{DomainEvent, Event, EventType},
    life::Life,
    people::{self, Fate, Names, Part, People, Rest},
    user::Person,
};

/// Type of the recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RecordingType {
    /// Sound.
    #[default]
    Audio,
    /// A camera.
    Video,
    /// A screen.
    Screen,
}

impl RecordingType {
    /// The default name of a recording.
    pub fn display_name(self) -> Text {
        Text::from_constant(match self {
            Self::Audio => "Audio recording",
            Self::Video => "Video recording",
            Self::Screen => "Screen recording",
        })
    }
}

/// Display mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "RecordingMode")]
pub enum Mode {
    /// In a player that floats above the document.
    #[default]
    Floating,
    /// In a thread of comments.
    Thread,
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names of file formats")]
#[schemars(rename = "RecordingFileType")]
pub enum FileKind {
    Mp3,
    Mp4,
    Webm,
}

/// Milliseconds, including fractions; stored as sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Number", into = "Number")]
#[schemars(!try_from, !into)]
#[schemars(rename = "RecordingDuration")]
pub struct Duration(
    #[schemars(with = "f64", range(min = 0, max = 9_007_199_254_740_991_u64))] Number,
);

impl Duration {
    const MAX: f64 = 9_007_199_254_740_991.0;

    /// As `HH:MM:SS`, where hours may have more digits.
    pub fn display(&self) -> String {
        let millis = self.0.as_f64().unwrap_or_default();
        let seconds = (millis / 1000.0).floor().clamp(0.0, Self::MAX) as u64;
        format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

impl TryFrom<Number> for Duration {
    type Error = &'static str;
    fn try_from(millis: Number) -> Result<Self, &'static str> {
        if millis.as_f64().is_some_and(|millis| (0.0..=Self::MAX).contains(&millis)) {
            Ok(Self(millis))
        } else {
            Err("must be a number of milliseconds from 0 to 9007199254740991")
        }
    }
}

impl From<Duration> for Number {
    fn from(duration: Duration) -> Self {
        duration.0
    }
}

/// Duration of a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedTime {
    /// In milliseconds.
    pub duration: Duration,
    /// Duration as `HH:MM:SS`.
    pub display: String,
}

impl From<Duration> for RecordedTime {
    fn from(duration: Duration) -> Self {
        let display = duration.display();
        Self { duration, display }
    }
}

/// A file of a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RecordingAttachment")]
pub struct Attachment {
    /// Unique in the recording.
    pub attachment_id: u64,
    /// URL of the file.
    pub url: Url,
    /// Media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Name of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Format of the file.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FileKind>,
    /// In bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
}

/// A version of a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RecordingVersion")]
pub struct Version {
    /// Duration.
    pub recorded_time: RecordedTime,
    /// Display name.
    pub display_name: Text,
    /// Files of the version.
    pub attachments: Vec<Attachment>,
}

/// A recording as stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recording {
    /// Unique in the organization.
    pub annotation_id: AnnotationId,
    /// The document.
    pub document_id: DocumentId,
    /// Type of the recording.
    pub recording_type: RecordingType,
    /// Display mode.
    pub mode: Mode,
    /// The person who recorded it, if the caller named one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Person>,
    /// The number of the latest version, from 1.
    pub latest_version: u64,
    /// The latest versions, by number; never empty.
    pub recording_edit_versions: BTreeMap<u64, Version>,
    /// Time of the first version.
    pub recorded_at: Millis,
    /// Time of the latest version.
    pub last_updated: Millis,
    /// The life of the document in which it was added.
    #[serde(rename = "_in", default, skip_serializing_if = "Life::is_first")]
    pub life: Life,
}

/// A recording belongs to the person who made it.
impl Names for Recording {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self {
            annotation_id: _,
            document_id: _,
            recording_type: _,
            mode: _,
            from,
            latest_version: _,
            recording_edit_versions,
            recorded_at: _,
            last_updated: _,
            life: _,
        } = self;
        if let Some(from) = from {
            if walk.named(Part::Owner, from.user_id.as_str()) == Fate::Leaves {
                return Rest::Gone;
            }
            people::person(walk, Part::Owner, from);
        }
        for version in recording_edit_versions.values_mut() {
            // Files and their names, which describe no person.
            let Version { recorded_time: _, display_name: _, attachments: _ } = version;
        }
        Rest::Stays
    }
}

impl Recording {
    /// Number of stored versions; older ones are dropped.
    pub const MAX_VERSIONS: usize = 20;

    /// The latest version.
    pub fn latest(&self) -> Option<&Version> {
        self.recording_edit_versions.get(&self.latest_version)
    }

    /// Adds the next version.
    pub fn add(&mut self, version: Version, now: Millis) {
        self.latest_version += 1;
        self.last_updated = now;
        self.recording_edit_versions.insert(self.latest_version, version);
        while self.recording_edit_versions.len() > Self::MAX_VERSIONS {
            self.recording_edit_versions.pop_first();
        }
    }

    /// The event of a new version (contract `recordings.add`).
    pub fn done_event(&self, organization_id: &OrganizationId) -> Event {
        let mut data = Metadata::new();
        data.insert("recorderId".to_owned(), self.annotation_id.as_str().into());
        if let Some(from) = &self.from {
            data.insert("from".to_owned(), serde_json::to_value(from).unwrap_or_default());
        }
        let versions = &self.recording_edit_versions;
        let latest = versions
            .range(self.latest_version..)
            .flat_map(|(number, version)| assets(*number, version));
        data.insert("assets".to_owned(), latest.collect());
        let all = versions.iter().flat_map(|(number, version)| assets(*number, version));
        data.insert("assetsAllVersions".to_owned(), all.collect());
        let mut event =
            DomainEvent::new(EventType::RecorderDone, organization_id, &self.document_id);
        event.actor.clone_from(&self.from);
        event.annotation_id = Some(self.annotation_id.clone());
        event.data = data;
        event.into()
    }
}

/// A file of a recording in events.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RecordingAsset")]
pub struct Asset<'a> {
    /// The number of the version.
    version: u64,
    url: &'a Url,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_size_in_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_format: Option<FileKind>,
}

/// The files of a version in events.
fn assets(number: u64, version: &Version) -> impl Iterator<Item = Value> {
    version.attachments.iter().map(move |file| {
        let asset = Asset {
            version: number,
            url: &file.url,
            mime_type: file.mime_type.as_deref(),
            file_name: file.name.as_deref(),
            file_size_in_bytes: file.size,
            file_format: file.kind,
        };
        serde_json::to_value(asset).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::Duration;

    fn display(json: &str) -> Option<String> {
        serde_json::from_str(json).ok().map(|duration: Duration| duration.display())
    }

    #[test]
    fn a_duration_is_shown_as_a_clock_shows_it() {
        for (json, shown) in [
            ("0", "00:00:00"),
            ("999.999", "00:00:00"),
            ("1000", "00:00:01"),
            ("4204.55", "00:00:04"),
            ("59999", "00:00:59"),
            ("60000", "00:01:00"),
            ("3599999", "00:59:59"),
            ("3600000", "01:00:00"),
            ("359999999", "99:59:59"),
            ("360000000", "100:00:00"),
            ("9007199254740991", "2501999792:59:00"),
        ] {
            assert_eq!(display(json).as_deref(), Some(shown), "{json}");
        }
        for json in ["-1", "-0.001", "9007199254740992", "1e300", "\"1\"", "null", "true"] {
            assert_eq!(display(json), None, "{json}");
        }
    }

    #[test]
    fn a_duration_stays_as_it_was_written() {
        for json in ["5000", "4204.55", "0.0"] {
            let duration: Duration = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&duration).unwrap(), json);
        }
    }
}
