//! The content of an editor when its changes become a message (contract `deliveries.body`).

use model::{Timestamp, event::DomainEvent};
use serde_json::{Value, json};
use service::{prelude::*, store::editors::StoredEditor};
use webhook::steps::{EditorContent, EditorContents};

/// The editors of the tenant of a job.
pub(crate) struct Contents<'a>(pub(crate) &'a Job);

impl EditorContents for Contents<'_> {
    async fn content(&self, event: &DomainEvent) -> Result<EditorContent> {
        let Some(log) = &event.grown else { return Ok(EditorContent::Deleted) };
        let organization = self.0.organization(&event.organization_id);
        let editors = organization.editors().of(&event.document_id);
        // Messages are handled concurrently, but editors are read one at a time: a large one takes
        // most of the memory.
        let _turn = self.0.alone_among_all("editors").await;
        let Some(stored) = editors.find_oldest(&log.editor_id).await? else {
            return Ok(EditorContent::Deleted);
        };
        Ok(match data_of(&stored).filter(|_| !stored.is_part()) {
            Some(data) => EditorContent::Shown(shown(&stored, data)),
            None => EditorContent::Omitted,
        })
    }
}

fn data_of(stored: &StoredEditor) -> Option<Value> {
    let (_, data) = editing::content(stored, &editing::load(stored).ok()?, None).ok()??;
    Some(data)
}

/// The content is newer than the event, so its last author and time may be newer as well.
fn shown(stored: &StoredEditor, data: Value) -> Value {
    let (at, by) = stored.updated();
    json!({
        "id": stored.id(),
        "data": data,
        "lastUpdatedBy": by,
        "sessionId": null,
        "lastUpdate": Timestamp(at),
    })
}
