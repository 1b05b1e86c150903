//! `POST /v2/crdt/get`: editors with their content (siblings 11.3).
//!
//! The content of an editor that peers added is what they edit as text, if there is any: maps and
//! arrays beside it are read by `contentKey`. Type and name in the reply are those of the content.
//!
//! # Errors
//! - RESOURCE_EXHAUSTED: the document has too much editor data for one reply.

use model::{DocumentId, EditorId, OrganizationId, Text, Timestamp, UserId, editor::EditorType};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use service::{
    ApiKey, Cx, Data, Effect, EndUsers, Operation, Result, StoredEditor, Success, success,
};

use crate::state::load;

/// The operation.
pub enum GetEditors {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    document_id: DocumentId,
    /// Only this editor; every editor of the document when absent.
    editor_id: Option<EditorId>,
    /// The name of a shared type of any type: `text`, `map`, `array` or `xml`; that of the editor
    /// when absent. Editors with nothing under this name are left out.
    content_key: Option<Text>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Editor")]
pub struct EditorView {
    /// The editor.
    id: EditorId,
    #[serde(rename = "type")]
    kind: EditorType,
    /// A string, an object or an array, according to `type`.
    data: Value,
    /// The name of the shared type that holds the content.
    content_key: String,
    last_update: Timestamp,
    /// Null when unknown.
    last_updated_by: Option<UserId>,
    /// Always null: the service has no sessions.
    session_id: Option<String>,
}

impl Operation for GetEditors {
    const PATHS: &'static [&'static str] = &["/v2/crdt/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUsers = EndUsers::reading("organizationId documentId editorId contentKey");
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Vec<EditorView>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let editors = cx.organization(&request.organization_id).editors(&request.document_id);
        let found = match &request.editor_id {
            Some(id) => editors.find(id).await?.into_iter().collect(),
            None => editors.all().await?,
        };
        let key = request.content_key.as_ref().map(Text::as_str);
        let views = found.iter().filter_map(|stored| view(stored, key).transpose());
        let data = views.collect::<Result<_>>()?;
        Ok(success("CRDT data retrieved.", Data(data)))
    }
}

fn view(stored: &StoredEditor, key: Option<&str>) -> Result<Option<EditorView>> {
    let Some((of, data)) = editing::content(stored, &load(stored)?, key)? else { return Ok(None) };
    let (at, by) = stored.updated();
    Ok(Some(EditorView {
        id: stored.id().clone(),
        kind: of.kind,
        data,
        content_key: of.key,
        last_update: Timestamp(at),
        last_updated_by: by.cloned(),
        session_id: None,
    }))
}
