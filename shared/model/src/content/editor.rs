//! Data of shared editors (spec 2.16): its types, and what events say of its log.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DocumentId, EditorId, OrganizationId};

/// What an editor holds (spec 2.16).
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

    /// The type of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A log of updates that grew, as the event tells of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GrownLog {
    /// Of which editor.
    pub editor_id: EditorId,
    /// Whether it is known to be long. Otherwise, a look at it once in a while is enough.
    pub is_long: bool,
    /// Whether whoever wrote it tells those who are connected.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub told: bool,
    /// The entry of the log, by its place; known where it is the row that carries the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
}

impl GrownLog {
    /// Whether to look at the log at the event number `seq` of the document: always when it is
    /// long, otherwise at one event in 32, in no rhythm with anything.
    pub fn is_due(&self, seq: u64) -> bool {
        self.is_long || seq.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 59 == 0
    }
}

/// The order to take care of what is stored of an editor, as it travels on a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compaction {
    /// Where.
    pub organization_id: OrganizationId,
    /// In which document.
    pub document_id: DocumentId,
    /// Which editor.
    pub editor_id: EditorId,
    /// What to do.
    #[serde(default)]
    pub task: CompactionTask,
}

/// What to do with what is stored of an editor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CompactionTask {
    /// Make a snapshot of its log, when that is long.
    #[default]
    Merge,
    /// Remove snapshots that nobody reads anymore.
    Sweep,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{EditorType, GrownLog};

    #[test]
    fn a_type_is_known_by_its_name() {
        for kind in EditorType::ALL {
            assert_eq!(EditorType::parse(kind.as_str()), Some(kind));
            assert_eq!(json!(kind), json!(kind.as_str()));
        }
        assert_eq!(EditorType::parse("Text"), None);
    }

    #[test]
    fn a_log_is_looked_at_once_in_a_while_whatever_else_happens_in_between() {
        let editor_id = "e".to_owned().try_into().unwrap();
        let log = GrownLog { editor_id, is_long: false, told: false, entry: None };
        for step in 1..=100 {
            let looks = (0..2000_u64).filter(|n| log.is_due(1 + n * step)).count();
            assert!((20..200).contains(&looks), "{looks} at every {step}th event");
        }
        assert!((1..100).all(|seq| GrownLog { is_long: true, ..log.clone() }.is_due(seq)));
    }
}
