//! `POST /v2/crdt/get`: editors with their content.
//!
//! The content of an editor that peers added is what they edit as text, if there is any: maps and
//! arrays beside it are read by `contentKey`. Type and name in the reply are those of the content.
//!
//! # Errors
//! - RESOURCE_EXHAUSTED: the editor named by `editorId` has too much data for one reply.

use model::{EditorId, PageSize, PageToken, Text, Timestamp, editor::EditorType};
use serde_json::Value;
use service::{
    Paged, Status,
    prelude::*,
    store::editors::{ContentType, StoredEditor},
};

use crate::state::{load, worked_on};

/// Maximum size of listed content, in bytes of an uncompressed reply.
const MAX_LISTED: usize = 5_900_000;

pub enum GetEditors {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    /// Only this editor; every editor of the document when absent.
    #[end_user]
    editor_id: Option<EditorId>,
    /// The name of a shared type of any type: `text`, `map`, `array` or `xml`; that of the editor
    /// when absent. Editors with nothing under this name are left out.
    #[end_user]
    content_key: Option<Text>,
    /// Without `editorId`; a page has fewer editors if they are large.
    #[end_user]
    page_size: Option<PageSize>,
    #[end_user]
    page_token: Option<PageToken>,
}

/// One page.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Vec<EditorView>,
    /// Null on the last page.
    next_page_token: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Editor")]
struct EditorView {
    /// The editor.
    id: EditorId,
    #[serde(rename = "type")]
    kind: EditorType,
    /// A string, an object or an array, according to `type`. Null in a list when it is too large for
    /// a reply.
    data: Value,
    /// The name of the shared type that holds the content.
    content_key: String,
    last_update: Timestamp,
    /// Null when unknown.
    last_updated_by: Option<UserId>,
    /// Always null: the service has no sessions.
    session_id: Option<String>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for GetEditors {
    const PATHS: &'static [&'static str] = &["/v2/crdt/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
        let Request { organization_id, document_id, editor_id, content_key, .. } = &request;
        let filters = (organization_id, document_id, editor_id, content_key);
        let page = cx.page(request.page_size, request.page_token.as_ref(), &filters)?;
        let editors = cx.organization(organization_id).editors().of(document_id);
        let key = content_key.as_ref().map(Text::as_str);
        let Paged { items: data, next } = match editor_id {
            Some(id) => {
                let stored = editors.find(id).await?;
                let view = stored.map(|stored| worked_on(&stored, |stored| view(stored, key)));
                Paged { items: view.transpose()?.flatten().into_iter().collect(), next: None }
            }
            None => editors.list(&page, |stored| listed(stored, key)).await?,
        };
        Ok(success("CRDT data retrieved.", Response { data, next_page_token: next }))
    }
}

fn view(stored: &StoredEditor, key: Option<&str>) -> Result<Option<EditorView>> {
    let found = editing::content(stored, &load(stored)?, key)?;
    Ok(found.map(|(of, data)| shown(stored, of, data)))
}

/// An editor that fits no reply is listed without its content: a caller can delete it.
fn listed(stored: &StoredEditor, key: Option<&str>) -> Result<Option<EditorView>> {
    if stored.is_part() {
        return Ok(Some(shown(stored, stored.content_type(), Value::Null)));
    }
    let mut view = match worked_on(stored, |stored| view(stored, key)) {
        Ok(Some(view)) => view,
        Ok(None) => return Ok(None),
        // More marks than a reply could carry.
        Err(error) if error.status == Status::ResourceExhausted => {
            return Ok(Some(shown(stored, stored.content_type(), Value::Null)));
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

fn shown(stored: &StoredEditor, of: ContentType, data: Value) -> EditorView {
    let (at, by) = stored.updated();
    EditorView {
        id: stored.id().clone(),
        kind: of.kind,
        data,
        content_key: of.key,
        last_update: Timestamp(at),
        last_updated_by: by.cloned(),
        session_id: None,
    }
}
