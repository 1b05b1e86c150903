//! `POST /v2/crdt/update`: replaces the content of an editor.
//!
//! The service writes the differences as operations, so peers keep their cursors and their
//! concurrent edits. Equal content writes nothing.
//!
//! `type` is that of the editor. With `contentKey` a call may name another shared type, which
//! becomes the content of the editor: one that has content of this type, unless that is a map or an
//! array beside a text; and any one while only peers edited the editor and it has no text yet.
//!
//! # Errors
//! - NOT_FOUND: the editor does not exist.
//! - RESOURCE_EXHAUSTED: the content is too large.
//!
//! # Events
//! `crdt.update_data`

use crdt::{Content, State};
use model::{EditorId, Text, editor::EditorType};
use serde_json::Value;
use service::{
    prelude::*,
    store::editors::{ContentType, EditorStore, Replaced, StoredEditor},
};

use crate::{
    forms::{SentFormat, Taken, content},
    state::{edits, fits, load, of_member, worked_on},
};

pub enum UpdateEditor {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    document_id: DocumentId,
    editor_id: EditorId,
    /// As `xml`, a string for `text` and `xml`, an object for `map`, an array for `array`.
    data: Value,
    /// The form of `data`; `xml` when absent.
    format: Option<SentFormat>,
    #[serde(rename = "type")]
    kind: EditorType,
    /// The name of the shared type that holds the content; that of the editor when absent. Another
    /// name than the editor's is refused unless something of this type is there.
    content_key: Option<Text>,
    /// The author of the change.
    user_id: Option<UserId>,
}

impl Operation for UpdateEditor {
    const PATHS: &'static [&'static str] = &["/v2/crdt/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Taken;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Taken>> {
        let Request { organization_id, document_id, editor_id, kind, content_key, user_id, .. } =
            request;
        let format = request.format;
        let content = content(kind, format, request.data)?;
        let editors = cx.organization(&organization_id).editors().of(&document_id);
        let key = content_key.as_ref().map(Text::as_str);
        let mut lost = Vec::new();
        let replace = |stored: &StoredEditor| {
            worked_on(stored, |stored| replaced(&editors, stored, &content, key, &mut lost))
        };
        editors.replace(&editor_id, user_id.as_ref(), replace).await?;
        Ok(success("CRDT data updated.", Taken::new(format, lost)))
    }
}

fn replaced(
    editors: &EditorStore,
    stored: &StoredEditor,
    content: &Content,
    key: Option<&str>,
    lost: &mut Vec<String>,
) -> Result<Option<Replaced>> {
    let mut state = load(stored)?;
    let (own, is_open) = editing::content_type(stored, &state)?;
    let of = addressed(&own, is_open, &state, content.kind(), key)?;
    let decides = match stored.is_open() {
        true => key.is_some() || of.kind.is_text(),
        false => of != own,
    };
    let seen = state.clock_of(stored.client());
    let written =
        crdt::replace(&mut state, &of.key, content).map_err(|error| of_member("data", error))?;
    *lost = written.lost;
    if written.update.is_empty() && !decides {
        return Ok(None);
    }
    fits(editors, stored.id(), state, Some(stored))?;
    let (edits, clock) = (edits(written.update)?, written.clock);
    Ok(Some(Replaced { edits, seen, clock, decided: decides.then_some(of) }))
}

/// The shared type that a call addresses: the one of the editor, or another one that it names.
///
/// # Errors
/// INVALID_ARGUMENT for a type or a name that the editor neither has nor may get.
fn addressed(
    own: &ContentType,
    is_open: bool,
    state: &State,
    kind: EditorType,
    key: Option<&str>,
) -> Result<ContentType> {
    let Some(key) = key.filter(|key| *key != own.key || is_open) else {
        return if kind == own.kind { Ok(own.clone()) } else { Err(other_type(own, kind)) };
    };
    let found = state.kind(key).map_err(|error| of_member("contentKey", error))?;
    let named = |kind| ContentType { kind, key: key.to_owned() };
    match found {
        Some(found) if found != kind => Err(other_type(&named(found), kind)),
        // Text does not give way to a map or an array beside it.
        Some(_) if kind.is_text() || !own.kind.is_text() => Ok(named(kind)),
        _ if is_open => Ok(named(kind)),
        _ => {
            let message = format!("the content of this editor is under {}", own.key);
            Err(issue(&["contentKey"], &message))
        }
    }
}

fn other_type(of: &ContentType, sent: EditorType) -> Error {
    let (kind, sent) = (of.kind.as_str(), sent.as_str());
    let message = format!("the data under {} has type {kind}, not {sent}", of.key);
    issue(&["type"], &message)
}
