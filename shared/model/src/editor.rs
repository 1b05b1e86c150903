//! Shared editors (contract `types.editor`): types, and the log data of events.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DocumentId, EditorId, OrganizationId};

/// The default name of the shared type that holds the content (contract `editors.type`).
pub const CONTENT_KEY: &str = "content";

/// The content type of an editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EditorType {
    /// A string.
    Text,
    /// An object.
    Map,
    /// An array.
    Array,
    /// A string of elements.
    Xml,
}

impl EditorType {
    /// Every type.
    pub const ALL: [Self; 4] = [Self::Text, Self::Map, Self::Array, Self::Xml];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Map => "map",
            Self::Array => "array",
            Self::Xml => "xml",
        }
    }

    /// Whether people edit it as text.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Xml)
    }

    /// The type of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// The kind of an edit, or of a version of an editor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "EditorVersionKind")]
pub enum VersionKind {
    /// Edits.
    #[default]
    Edited,
    /// A version that was added.
    Added,
    /// The editor became an earlier version again.
    Restored,
    /// Edits of a user were undone.
    Reverted,
}

impl VersionKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Edited, Self::Added, Self::Restored, Self::Reverted];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Edited => "edited",
            Self::Added => "added",
            Self::Restored => "restored",
            Self::Reverted => "reverted",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A grown log, as the event reports it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GrownLog {
    /// The editor.
    pub editor_id: EditorId,
    /// Whether the log is known to be long. Otherwise an occasional check suffices.
    pub is_long: bool,
    /// Whether the writer itself relays the update to connected clients.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub relayed: bool,
    /// Key of the log row, if it is the row that carries the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
}

impl GrownLog {
    /// Whether to check the log at event number `seq` of the document: always for a long log,
    /// otherwise at one event in 32, in pseudorandom order.
    pub fn is_due(&self, seq: u64) -> bool {
        self.is_long || seq.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 59 == 0
    }
}

/// A task to maintain the stored data of an editor, on a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compaction {
    /// The organization.
    pub organization_id: OrganizationId,
    /// The document.
    pub document_id: DocumentId,
    /// The editor.
    pub editor_id: EditorId,
    /// The task.
    #[serde(default)]
    pub task: CompactionTask,
    /// The snapshots to sweep; every one of the editor when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub snapshots: Vec<String>,
}

/// A maintenance task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CompactionTask {
    /// Merge a long log into a snapshot.
    #[default]
    Merge,
    /// Delete replaced snapshots.
    Sweep,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{EditorType, GrownLog, VersionKind};

    #[test]
    fn a_type_is_known_by_its_name() {
        for kind in EditorType::ALL {
            assert_eq!(EditorType::parse(kind.as_str()), Some(kind));
            assert_eq!(json!(kind), json!(kind.as_str()));
        }
        assert_eq!(EditorType::parse("Text"), None);
        for kind in VersionKind::ALL {
            assert_eq!(VersionKind::parse(kind.as_str()), Some(kind));
            assert_eq!(json!(kind), json!(kind.as_str()));
        }
    }

    #[test]
    fn a_log_is_looked_at_once_in_a_while_whatever_else_happens_in_between() {
        let editor_id = "e".to_owned().try_into().unwrap();
        let log = GrownLog { editor_id, is_long: false, relayed: false, entry: None };
        for step in 1..=100 {
            let looks = (0..2000_u64).filter(|n| log.is_due(1 + n * step)).count();
            assert!((20..200).contains(&looks), "{looks} at every {step}th event");
        }
        assert!((1..100).all(|seq| GrownLog { is_long: true, ..log.clone() }.is_due(seq)));
    }
}
