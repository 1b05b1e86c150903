//! `POST /v2/crdt/get`: editors with their content.
//!
//! The content of an editor that peers added is what they edit as text, if there is any: maps and
//! arrays beside it are read by `contentKey`. Type and name in the reply are those of the content.
//!
//! # Errors
//! - RESOURCE_EXHAUSTED: the editor named by `editorId` has too much data for one reply.

use model::{EditorId, PageSize, PageToken, Text};
use service::{Paged, prelude::*};

use crate::{
    forms::ShownFormat,
    state::worked_on,
    view::{Asked, EditorView, listed, view},
};

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
    /// The form of the content; `xml` when absent. Maps and arrays are JSON in every form.
    #[end_user]
    format: Option<ShownFormat>,
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
        let asked = Asked::new(content_key.as_ref(), request.format);
        let Paged { items: data, next } = match editor_id {
            Some(id) => {
                let stored = editors.find(id).await?;
                let view = stored.map(|stored| worked_on(&stored, |stored| view(stored, &asked)));
                Paged { items: view.transpose()?.flatten().into_iter().collect(), next: None }
            }
            None => editors.list(&page, |stored| listed(stored, &asked)).await?,
        };
        Ok(success("CRDT data retrieved.", Response { data, next_page_token: next }))
    }
}
