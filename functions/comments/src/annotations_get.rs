//! `POST /v2/commentannotations/get`: threads with their comments, the newest thread first unless
//! `order` says otherwise.
//!
//! Threads are sorted by creation time: a reply does not move a thread. With `annotationIds`, the
//! list has their order, and `null` for an id that does not exist. The list comes from an index: a
//! thread added a moment ago may be missing unless document and id are named.
//!
//! The list shows the first and the newest comments of a long thread, at most 100 if the thread is
//! selected by id. `commentsCount` is the number of all comments; `comments/get` lists them.
//!
//! An end user learns which threads are `unread`.

mod filter;
mod found;
mod reader;

use model::{
    AnnotationId, AtMost, FolderId, Only, PageSize, PageToken, Text,
    comment::{AgentFilter, AgentSource, AgentType, Thread, ThreadFilter},
    time::Moment,
};
use service::{
    OrganizationStore, Paged,
    prelude::*,
    store::comments::{ThreadList, ThreadSource},
};

use self::{filter::leave_out_others, found::Found, reader::Reader};

/// Comments of a long thread that is requested by id.
const NEWEST: usize = 100;

pub enum GetAnnotations {}

#[derive(Deserialize, Serialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user(one_of)]
    document_id: Option<DocumentId>,
    /// Threads of several documents.
    #[end_user(one_of)]
    document_ids: Option<AtMost<DocumentId, 30>>,
    /// Threads of the documents in this folder; `root` for documents in none.
    folder_id: Option<FolderId>,
    #[end_user]
    annotation_ids: Option<AtMost<AnnotationId, 30>>,
    #[end_user]
    location_ids: Option<AtMost<Text, 30>>,
    /// Only threads of these authors.
    #[end_user]
    user_ids: Option<AtMost<UserId, 30>>,
    #[end_user]
    mentioned_user_ids: Option<AtMost<UserId, 30>>,
    /// Only threads resolved by this user.
    #[end_user]
    resolved_by: Option<UserId>,
    #[end_user]
    status_ids: Option<AtMost<Text, 30>>,
    /// Only threads of this agent; at most one member may filter by agent.
    agent_id: Option<Text>,
    execution_id: Option<String>,
    agent_type: Option<AgentType>,
    agent_source: Option<AgentSource>,
    /// Only suggestions of agents.
    agent_suggestions: Option<bool>,
    /// Only comments of agents.
    agent_comments: Option<bool>,
    /// Epoch milliseconds.
    #[end_user]
    updated_after: Option<Moment>,
    #[end_user]
    updated_before: Option<Moment>,
    #[end_user]
    created_after: Option<Moment>,
    #[end_user]
    created_before: Option<Moment>,
    #[end_user]
    order: Option<SortOrder>,
    /// Whether to reply with a map by document, without unknown ids.
    #[serde(skip_serializing)]
    #[end_user]
    group_by_document_id: Option<bool>,
    #[serde(skip_serializing)]
    #[end_user]
    page_size: Option<PageSize>,
    #[serde(skip_serializing)]
    #[end_user]
    page_token: Option<PageToken>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SortOrder {
    Asc,
    Desc,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Found,
    /// Null on the last page.
    next_page_token: Option<PageToken>,
}

impl Operation for GetAnnotations {
    const PATHS: &'static [&'static str] =
        &["/v2/commentannotations/get", "/v1/commentannotations/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
        let page = cx.page(request.page_size, request.page_token.as_ref(), &request)?;
        let organization = cx.organization(&request.organization_id);
        let annotations = organization.comments();
        let (filter, folder) = request.filter(&organization).await?;
        let keep = |thread: &Thread| filter.keeps(thread);
        let ids = request.ids();
        let Paged { mut items, next } = match &ids {
            None => {
                let found = annotations.list_by(&request.list(&filter), &page, keep).await?;
                Paged { items: found.items.into_iter().map(Some).collect(), next: found.next }
            }
            Some(ids) => {
                annotations.list_of_ids(filter.documents.named(), ids, &page, keep).await?
            }
        };
        if let Some(folder) = folder {
            leave_out_others(&organization, folder, &mut items).await?;
            items.retain(|item| item.is_some() || ids.is_some());
        }
        let newest = if ids.is_none() { 1 } else { NEWEST };
        let items = annotations.with_newest(items, newest).await?;
        let reader = Reader::of(&cx, &organization, items.iter().flatten()).await?;
        let views = items.into_iter().map(|found| found.map(|thread| reader.view(thread)));
        let data = Found::new(views, request.group_by_document_id == Some(true));
        Ok(success("Comment annotations retrieved.", Response { data, next_page_token: next }))
    }
}
