//! `POST /v2/crdt/versions/list`: the newest version first, page by page.
//!
//! Successive edits are one version: up to a pause of ten minutes, within an hour. What is unknown
//! is an empty list.

use model::{EditorId, PageSize, PageToken, time::Instant};
use service::{Paged, prelude::*, store::editors::VersionFilter};

use crate::versions::VersionView;

pub enum ListVersions {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    editor_id: EditorId,
    /// Only versions that end at this time or later.
    #[end_user]
    from: Option<Instant>,
    /// Only versions that begin up to this time.
    #[end_user]
    to: Option<Instant>,
    /// Only versions that this user wrote or added.
    #[end_user]
    user_id: Option<UserId>,
    /// Only versions that were added.
    #[end_user]
    added: Option<bool>,
    /// A page has fewer versions if they have many edits.
    #[end_user]
    page_size: Option<PageSize>,
    #[end_user]
    page_token: Option<PageToken>,
}

/// One page.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EditorVersions")]
pub struct Response {
    data: Vec<VersionView>,
    /// Null on the last page.
    next_page_token: Option<PageToken>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Edit;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for ListVersions {
    const PATHS: &'static [&'static str] = &["/v2/crdt/versions/list"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
        let Request { organization_id, document_id, editor_id, from, to, user_id, .. } = &request;
        let added = request.added.unwrap_or(false);
        let filters = (organization_id, document_id, editor_id, (from, to, user_id, added));
        let page = cx.page(request.page_size, request.page_token.as_ref(), &filters)?;
        let filter = VersionFilter {
            from: from.as_ref().map(Instant::get),
            to: to.as_ref().map(Instant::get),
            user: user_id.clone(),
            added,
        };
        let editors = cx.organization(organization_id).editors().of(document_id);
        let Paged { items, next } = editors.list_versions(editor_id, &page, &filter).await?;
        let data = items.into_iter().map(VersionView::from).collect();
        Ok(success("Versions retrieved.", Response { data, next_page_token: next }))
    }
}
