//! The content of an editor when its changes become a message (contract `deliveries.body`).

use model::{Timestamp, event::DomainEvent, ledger::Context};
use serde_json::{Value, json};
use service::{Job, Result, StoredEditor, prelude::*};

/// The member of a body that describes an editor.
pub(crate) const MEMBER: &str = "crdtData";

/// Adds the current content of the editor of an event, unless it was deleted. Content that is too
/// large or unreadable is omitted: the message is sent anyway.
pub(crate) async fn add(job: &Job, event: &DomainEvent, context: &mut Context) -> Result<()> {
    let Some(log) = &event.grown else { return Ok(()) };
    let editors = job.organization(&event.organization_id).editors().of(&event.document_id);
    // Messages are handled concurrently, but editors are read one at a time: a large one takes most
    // of the memory.
    let _turn = job.alone_among_all(MEMBER).await;
    let Some(stored) = editors.find_oldest(&log.editor_id).await? else { return Ok(()) };
    match held(&stored).filter(|_| !stored.is_part()) {
        Some(data) => context.editor = Some(shown(&stored, data)),
        None => context.is_partial = true,
    }
    Ok(())
}

fn held(stored: &StoredEditor) -> Option<Value> {
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
