//! `POST /v2/crdt/update`: replaces the content of an editor (spec 4.11).
//!
//! The service writes the differences as operations, so peers keep their cursors and their
//! concurrent edits. Equal content writes nothing.
//!
//! # Errors
//! - NOT_FOUND: the editor does not exist.
//! - RESOURCE_EXHAUSTED: the content is too large.
//!
//! # Events
//! `crdt.update_data`

use crdt::Content;
use model::{DocumentId, EditorId, OrganizationId, Text, UserId, editor::EditorType};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use service::{
    ApiKey, Cx, EditorStore, Effect, NoData, Operation, Replaced, Result, StoredEditor, Success,
    issue, success,
};

use crate::state::{content, edits, fits, load, of_member};

/// The operation.
pub enum UpdateEditor {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    document_id: DocumentId,
    editor_id: EditorId,
    /// A string for `text` and `xml`, an object for `map`, an array for `array`.
    data: Value,
    #[serde(rename = "type")]
    kind: EditorType,
    /// The name of the shared type that holds the content; that of the editor when absent.
    content_key: Option<Text>,
    /// The author of the change.
    user_id: Option<UserId>,
}

impl Operation for UpdateEditor {
    const PATHS: &'static [&'static str] = &["/v2/crdt/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = NoData;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<NoData>> {
        let Request { organization_id, document_id, editor_id, data, kind, content_key, user_id } =
            request;
        let content = content(kind, data)?;
        let editors = cx.organization(&organization_id).editors(&document_id);
        let replace = |stored: &StoredEditor| {
            is_addressed(stored, kind, content_key.as_ref())?;
            replaced(&editors, stored, &content)
        };
        editors.replace(&editor_id, user_id.as_ref(), replace).await?;
        Ok(success("CRDT data updated.", NoData {}))
    }
}

/// Refuses a type or a name that the editor does not have.
fn is_addressed(stored: &StoredEditor, kind: EditorType, key: Option<&Text>) -> Result<()> {
    if stored.kind() != kind {
        let (stored, sent) = (stored.kind().as_str(), kind.as_str());
        let message = format!("the data of this editor has type {stored}, not {sent}");
        return Err(issue(&["type"], &message));
    }
    match key {
        Some(key) if key.as_str() != stored.content_key() => {
            let message = format!("the content of this editor is under {}", stored.content_key());
            Err(issue(&["contentKey"], &message))
        }
        _ => Ok(()),
    }
}

fn replaced(
    editors: &EditorStore,
    stored: &StoredEditor,
    content: &Content,
) -> Result<Option<Replaced>> {
    let mut state = load(stored)?;
    let seen = state.clock_of(stored.client());
    let written = crdt::replace(&mut state, stored.content_key(), content)
        .map_err(|error| of_member("data", error))?;
    if written.update.is_empty() {
        return Ok(None);
    }
    fits(editors, stored.id(), state, Some(stored))?;
    Ok(Some(Replaced { edits: edits(written.update)?, seen, clock: written.clock }))
}
