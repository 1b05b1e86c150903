//! `POST /v2/crdt/get`: editors with their content (siblings 11.3).
//!
//! # Errors
//! - RESOURCE_EXHAUSTED: the document has too much editor data for one reply.

use model::{DocumentId, EditorId, OrganizationId, Timestamp, UserId, editor::EditorType};
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
    const END_USERS: EndUsers = EndUsers::reading("organizationId documentId editorId");
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Vec<EditorView>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let editors = cx.organization(&request.organization_id).editors(&request.document_id);
        let found = match &request.editor_id {
            Some(id) => editors.find(id).await?.into_iter().collect(),
            None => editors.all().await?,
        };
        let data = found.iter().map(view).collect::<Result<_>>()?;
        Ok(success("CRDT data retrieved.", Data(data)))
    }
}

fn view(stored: &StoredEditor) -> Result<EditorView> {
    let data = load(stored)?.value(stored.kind(), stored.content_key())?;
    let (at, by) = stored.updated();
    Ok(EditorView {
        id: stored.id().clone(),
        kind: stored.kind(),
        data,
        content_key: stored.content_key().to_owned(),
        last_update: Timestamp(at),
        last_updated_by: by.cloned(),
        session_id: None,
    })
}
