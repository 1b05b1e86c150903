//! `POST /v2/users/get`: users of the organization, or of a document, a folder or all documents
//! when named.
//!
//! Filters combine; an empty filter does not apply.
//!
//! An end user names users by id or by the beginning of their names, in an organization or a document
//! in which the caller has a right as well, and learns who they are, but no address and no role.

pub(crate) mod filter;
mod view;

use model::{AtMost, FolderId, GroupId, Label, PageSize, PageToken};
use service::prelude::*;

use self::{filter::Filter, view::Users};

use crate::level::level;

pub enum GetUsers {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    /// Users of this document.
    #[end_user]
    document_id: Option<DocumentId>,
    /// Users of this folder.
    folder_id: Option<FolderId>,
    /// Only these users.
    #[end_user(one_of)]
    user_ids: Option<AtMost<UserId, 30>>,
    /// Only users whose name has a word that begins with this text.
    #[end_user(one_of)]
    prefix: Option<Label>,
    /// Only users of the organization who are in one of these groups.
    organization_user_group_ids: Option<AtMost<GroupId, 30>>,
    /// Users of all documents.
    all_documents: Option<bool>,
    /// With `allDocuments`: users by document.
    group_by_document_id: Option<bool>,
    #[end_user]
    page_size: Option<PageSize>,
    #[end_user]
    page_token: Option<PageToken>,
}

/// One page.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Users,
    /// Null on the last page.
    next_page_token: Option<PageToken>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, &self.document_id).or_own_data()
    }
}

impl Operation for GetUsers {
    const PATHS: &'static [&'static str] = &["/v2/users/get", "/v1/users/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let (id, document) = (&request.organization_id, request.document_id.as_ref());
        cx.tenant().end_users().check_shares(id, document).await?;
        let organization = cx.organization(id);
        let filter = Filter {
            level: level(request.document_id, request.folder_id)?,
            ids: request.user_ids.into(),
            groups: request.organization_user_group_ids.into(),
            all: request.all_documents == Some(true),
            prefix: request.prefix,
        };
        let by_document = request.group_by_document_id == Some(true);
        filter.check(by_document)?;
        let filters = (id, &filter);
        let page = cx.page(request.page_size, request.page_token.as_ref(), &filters)?;
        let listed = filter.list(&organization, &page).await?;
        let is_fellow = cx.tenant().end_user().is_some();
        let data = Users::of(listed.items, id, is_fellow, by_document);
        Ok(success("Users retrieved.", Response { data, next_page_token: listed.next }))
    }
}
