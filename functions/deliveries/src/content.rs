//! What an editor holds by the time its changes are told (siblings 14.3, 14.4).

use crdt::State;
use model::{Timestamp, editor::GrownLog, event::DomainEvent};
use serde_json::{Value, json};
use service::{Job, Result, StoredEditor};

use crate::payload::Facts;

/// The member that tells of an editor.
pub(crate) const MEMBER: &str = "crdtData";

/// Adds what the editor of an event holds to what is told of it, unless it is gone. What is too
/// much to be read, or cannot be, is left out: the change is told all the same.
pub(crate) async fn add(
    job: &Job,
    event: &DomainEvent,
    log: &GrownLog,
    facts: &mut Facts,
) -> Result<()> {
    let editors = job.organization(&event.organization_id).editors(&event.document_id);
    let Some(stored) = editors.find_oldest(&log.editor_id).await? else { return Ok(()) };
    match held(&stored).filter(|_| !stored.is_part()) {
        Some(data) => drop(facts.members.insert(MEMBER.to_owned(), shown(&stored, data))),
        None => facts.is_thin = true,
    }
    Ok(())
}

fn held(stored: &StoredEditor) -> Option<Value> {
    let state = State::load(stored.client(), stored.snapshot(), stored.updates()).ok()?;
    state.value(stored.kind(), stored.content_key()).ok()
}

/// As the content is newer than the event, so may be who changed it last, and when.
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
