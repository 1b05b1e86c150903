//! Text and data of a digest, derived from its activities.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    headline::Headline,
    part::{DocumentNames, Part},
};
use crate::{DocumentId, notification::Notification};

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
