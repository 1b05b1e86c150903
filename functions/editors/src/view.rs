//! Editors with their content, as they are listed.

use crdt::{Format, Formed};
use model::{EditorId, Text, Timestamp, editor::EditorType};
use serde_json::Value;
use service::{
    Status,
    prelude::*,
    store::editors::{ContentType, StoredEditor},
};

use crate::{
    forms::ShownFormat,
    state::{load, worked_on},
};

/// Maximum size of listed content, in bytes of an uncompressed reply.
const MAX_LISTED: usize = 5_900_000;

/// One editor.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Editor")]
pub(crate) struct EditorView {
    /// The editor.
    id: EditorId,
    #[serde(rename = "type")]
    kind: EditorType,
    /// A string, an object or an array, according to `type` and `format`. Null in a list when it is
    /// too large for a reply.
    data: Value,
    /// The parts that the form cannot hold, such as `mark bold`; at most 50. Absent without `format`.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<Vec<String>>,
    /// The name of the shared type that holds the content.
    content_key: String,
    last_update: Timestamp,
    /// Null when unknown.
    last_updated_by: Option<UserId>,
    /// Always null: the service has no sessions.
    session_id: Option<String>,
}

/// The part of editors that is asked for.
pub(crate) struct Asked {
    key: Option<String>,
    format: Option<Format>,
}

impl Asked {
    pub(crate) fn new(key: Option<&Text>, format: Option<ShownFormat>) -> Self {
        Self { key: key.map(|key| key.as_str().to_owned()), format: format.map(Format::from) }
    }
}

/// The editor; none when nothing is under the key.
///
/// # Errors
/// RESOURCE_EXHAUSTED when marks would be written too often; INTERNAL when the library fails.
pub(crate) fn view(stored: &StoredEditor, asked: &Asked) -> Result<Option<EditorView>> {
    let format = asked.format.unwrap_or(Format::Xml);
    let found = editing::formed(stored, &load(stored)?, asked.key.as_deref(), format)?;
    Ok(found.map(|(of, formed)| shown(stored, of, formed, asked)))
}

/// An editor that fits no reply is listed without its content: a caller can delete it.
///
/// # Errors
/// INTERNAL when the library fails.
pub(crate) fn listed(stored: &StoredEditor, asked: &Asked) -> Result<Option<EditorView>> {
    let nothing = || Formed { data: Value::Null, lost: Vec::new() };
    if stored.is_part() {
        return Ok(Some(shown(stored, stored.content_type(), nothing(), asked)));
    }
    let mut view = match worked_on(stored, |stored| view(stored, asked)) {
        Ok(Some(view)) => view,
        Ok(None) => return Ok(None),
        // More marks than a reply could carry.
        Err(error) if error.status == Status::ResourceExhausted => {
            return Ok(Some(shown(stored, stored.content_type(), nothing(), asked)));
        }
        Err(error) => return Err(error),
    };
    let text = serde_json::to_string(&view.data).map_err(Error::internal)?;
    let escaped = text.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count();
    if text.len() + escaped > MAX_LISTED {
        view.data = Value::Null;
    }
    Ok(Some(view))
}

fn shown(stored: &StoredEditor, of: ContentType, formed: Formed, asked: &Asked) -> EditorView {
    let (at, by) = stored.updated();
    EditorView {
        id: stored.id().clone(),
        kind: of.kind,
        data: formed.data,
        lost: asked.format.map(|_| formed.lost),
        content_key: of.key,
        last_update: Timestamp(at),
        last_updated_by: by.cloned(),
        session_id: None,
    }
}
