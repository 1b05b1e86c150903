//! Activities of a digest, as stored and shown.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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

/// Removes activities of a digest and updates its counts. Returns the number left.
pub fn retain_parts(source_data: &mut Metadata, keep: impl FnMut(&Part) -> bool) -> usize {
    let before = parts(source_data);
    let mut keep = keep;
    let kept: Vec<&Part> = before.iter().filter(|part| keep(part)).collect();
    let Some(Value::Object(batch)) = source_data.get_mut("batch") else { return 0 };
    if kept.len() == before.len() {
        return kept.len();
    }
    let count = |id: &Value| kept.iter().filter(|part| json!(part.document_id) == *id).count();
    if let Some(Value::Array(documents)) = batch.get_mut("documents") {
        for document in documents.iter_mut() {
            document["count"] = json!(count(&document["documentId"]));
        }
        documents.retain(|document| document["count"] != 0);
    }
    batch.insert("total".to_owned(), json!(kept.len()));
    batch.insert("activities".to_owned(), json!(kept));
    kept.len()
}
