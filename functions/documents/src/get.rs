//! `POST /v2/organizations/documents/get`: documents with their custom members, in the order of
//! their ids.
//!
//! `documentIds` lists those that exist; the ids of others are in `missing`, beside `data`. `folderId` lists the documents directly in the folder,
//! `root` those in no folder. Filters combine; without a filter the list has all documents.

pub(crate) mod listed;

use std::collections::BTreeSet;

use model::{
    AtMost, FolderId, Metadata, Millis, Only, PageSize, PageToken, document::Document,
    permissions::AccessType,
};
use service::{Paged, prelude::*};

use self::listed::{asked_here, found, visible};

pub enum GetDocuments {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    /// Only these documents.
    #[end_user(one_of)]
    document_ids: Option<AtMost<DocumentId, 30>>,
    /// Only documents in this folder. Documents added or moved a moment ago may be missing.
    folder_id: Option<FolderId>,
    #[end_user]
    page_size: Option<PageSize>,
    #[end_user]
    page_token: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Vec<DocumentView>,
    /// With `documentIds`: those of them that are on no page.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<BTreeSet<DocumentId>>,
    /// Null on the last page.
    page_token: Option<PageToken>,
}

/// A document of an organization.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Document")]
struct DocumentView {
    id: DocumentId,
    document_id: DocumentId,
    /// Empty when unset.
    document_name: String,
    organization_id: OrganizationId,
    /// Absent for a document in no folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder_id: Option<FolderId>,
    /// The effective access type, inherited or not.
    access_type: AccessType,
    /// Whether it is that of the folder, or without one, the default of the API key.
    inherit_access_from_parent: bool,
    disabled: bool,
    /// Epoch milliseconds.
    created_at: Millis,
    /// Epoch milliseconds.
    last_updated: Millis,
    #[serde(flatten)]
    metadata: Metadata,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, self.document_ids.iter().flat_map(|ids| ids.iter()))
    }
}

impl Operation for GetDocuments {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/documents/get", "/v1/organizations/documents/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
        let Request { organization_id, folder_id, page_size, page_token, .. } = request;
        let ids: Only<DocumentId> = request.document_ids.into();
        let page =
            cx.page(page_size, page_token.as_ref(), &(&organization_id, &ids, &folder_id))?;
        let organization = cx.organization(&organization_id);
        let Paged { items, next } = found(&organization, &ids, folder_id.as_ref(), &page).await?;
        let asked = asked_here(&ids, &page, items.last().filter(|_| next.is_some()));
        let (items, tree) = visible(&organization, items, folder_id.as_ref()).await?;
        let present: BTreeSet<_> = items.iter().map(|it| it.document_id.clone()).collect();
        let missing = asked.map(|ids| ids.difference(&present).cloned().collect());
        let default = cx.tenant().api_key().settings.default_document_access_type;
        let view = |document: Document| {
            let access_type = tree.access_type_of(&document, default);
            DocumentView::new(document, organization_id.clone(), access_type)
        };
        let data = items.into_iter().map(view).collect();
        Ok(success("Documents retrieved.", Response { data, missing, page_token: next }))
    }
}

impl DocumentView {
    fn new(document: Document, organization_id: OrganizationId, access_type: AccessType) -> Self {
        Self {
            id: document.document_id.clone(),
            document_id: document.document_id,
            document_name: document.document_name.map(String::from).unwrap_or_default(),
            organization_id,
            folder_id: document.folder_id,
            access_type,
            inherit_access_from_parent: document.access_type.is_none(),
            disabled: document.disabled,
            created_at: document.created_at,
            last_updated: document.last_updated,
            metadata: document.metadata,
        }
    }
}
