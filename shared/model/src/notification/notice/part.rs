//! Activities of a digest, as stored and shown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{AnnotationId, DocumentId, Metadata, Millis, event::EventType, user::Person};

/// One activity of a digest (rule N14).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// The event.
    pub id: String,
    /// Type of the event.
    #[serde(rename = "type")]
    pub kind: EventType,
    /// The actor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_user: Option<Person>,
    /// The document.
    pub document_id: DocumentId,
    /// The thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment_annotation_id: Option<AnnotationId>,
    /// The comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment_id: Option<u64>,
    /// Time.
    pub timestamp: Millis,
    /// The text it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
}

/// The activities in the source data of a digest; none for other notifications.
pub fn parts(source_data: &Metadata) -> Vec<Part> {
    let activities = source_data.get("batch").and_then(|batch| batch.get("activities"));
    activities.cloned().and_then(|parts| serde_json::from_value(parts).ok()).unwrap_or_default()
}

/// The names of documents, by id.
pub(super) type DocumentNames = BTreeMap<DocumentId, String>;
