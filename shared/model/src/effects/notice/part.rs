//! Activities of a digest, as stored and shown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Headline;
use crate::{
    AnnotationId, DocumentId, Metadata, Millis, event::EventType, notification::Notification,
    user::Person,
};

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

impl Notification {
    /// Makes all that a digest says of its activities, oldest first: whatever is shown of them
    /// follows from those that are left. `recipientUser` of the headline is not touched.
    pub(super) fn show_parts(&mut self, parts: &[Part], names: &DocumentNames) {
        let Some(newest) = parts.last() else { return };
        let mut counts: BTreeMap<&DocumentId, u64> = BTreeMap::new();
        for part in parts {
            *counts.entry(&part.document_id).or_default() += 1;
        }
        let document = |(id, count): (&&DocumentId, &u64)| {
            json!({
                "documentId": id, "documentName": names.get(*id), "count": count,
            })
        };
        let documents: Vec<Value> = counts.iter().map(document).collect();
        let batch = self.notification_source_data.entry("batch").or_insert_with(|| json!({}));
        batch["total"] = json!(parts.len());
        batch["documents"] = json!(documents);
        batch["activities"] = json!(parts);
        let headline = Headline::of_several(parts, names);
        self.display_headline_message_template = Some(headline.template);
        self.display_headline_message_template_data.extend(headline.data);
        self.display_body_message = Some(newest.snippet.clone().unwrap_or_default());
        self.action_user = newest.action_user.clone();
        self.document_id = newest.document_id.clone();
        self.further_document_ids =
            counts.into_keys().filter(|id| **id != newest.document_id).cloned().collect();
    }

    /// Removes activities of a digest, with all that it says of them. Returns the number left.
    pub fn retain_parts(&mut self, keep: impl FnMut(&Part) -> bool) -> usize {
        let before = self.parts();
        let mut keep = keep;
        let kept: Vec<Part> = before.iter().filter(|part| keep(part)).cloned().collect();
        if kept.len() < before.len() {
            let documents = self.notification_source_data["batch"]["documents"].take();
            let named = documents.as_array().into_iter().flatten().filter_map(|document| {
                let id = DocumentId::try_from(document["documentId"].as_str()?.to_owned()).ok()?;
                Some((id, document["documentName"].as_str()?.to_owned()))
            });
            self.show_parts(&kept, &named.collect());
        }
        kept.len()
    }
}
