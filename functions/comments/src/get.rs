//! `POST /v2/commentannotations/comments/get`: comments in the order of the thread.
//!
//! With `commentIds`, the list has their order, and `null` for an id that does not exist.

use model::{
    AnnotationId, AtMost, Only, PageSize, PageToken,
    comment::{Comment, CommentView, Number},
};
use service::{Paged, prelude::*};

pub enum GetComments {}

#[derive(Deserialize, Serialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    annotation_id: AnnotationId,
    /// Only comments of these authors.
    #[end_user]
    user_ids: Option<AtMost<UserId, 30>>,
    /// Only these comments.
    #[serde(skip_serializing)]
    #[end_user]
    comment_ids: Option<AtMost<Number, 500>>,
    #[serde(skip_serializing)]
    #[end_user]
    page_size: Option<PageSize>,
    #[serde(skip_serializing)]
    #[end_user]
    page_token: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CommentsPage")]
pub struct Response {
    data: Vec<Option<CommentView>>,
    /// Absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_page_token: Option<PageToken>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for GetComments {
    const PATHS: &'static [&'static str] =
        &["/v2/commentannotations/comments/get", "/v1/commentannotations/comments/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
        let page = cx.page(request.page_size, request.page_token.as_ref(), &request)?;
        let organization = cx.organization(&request.organization_id);
        let annotations = organization.comments();
        let place = (request.document_id, request.annotation_id);
        let authors: Only<UserId> = request.user_ids.into();
        let is_by = |comment: &Comment| authors.keeps(&comment.from.user_id);
        let ids = request.comment_ids.map(|ids| ids.into_iter().map(|id| id.get()));
        let named: Option<Vec<u64>> = ids.map(Iterator::collect);
        let wanted = named.iter().flatten().copied().collect();
        let thread = annotations.find_with([(place, wanted)].into()).await?.into_values().next();
        let (comments, next_page_token): (Vec<Option<Comment>>, _) = match (&thread, named) {
            (Some(thread), None) => {
                let Paged { items, next } = annotations.comments(thread, &page, is_by).await?;
                (items.into_iter().map(Some).collect(), next)
            }
            (None, None) => (vec![], None),
            (thread, Some(named)) => {
                let found = |id| thread.as_ref()?.comment(id).filter(|one| is_by(one)).cloned();
                (named.into_iter().map(found).collect(), None)
            }
        };
        let mentioned = comments.iter().flatten().flat_map(Comment::mentioned_ids);
        let groups = organization.user_groups().mentioned(mentioned).await?;
        let shown = |comment: Comment| {
            let thread = thread.as_ref()?;
            let view = thread.shown_comment(comment, &cx.tenant().api_key().id, organization.id());
            let view = view.in_reply(thread, &groups);
            Some(if cx.tenant().end_user().is_some() { view.for_end_user() } else { view })
        };
        let data = comments.into_iter().map(|comment| comment.and_then(shown)).collect();
        Ok(success("Comments retrieved.", Response { data, next_page_token }))
    }
}
