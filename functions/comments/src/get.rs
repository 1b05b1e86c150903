//! `POST /v2/commentannotations/comments/get`: the comments of a thread (siblings 8.6).
//!
//! With `commentIds` in the order of these, and `null` in place of one that is not found.

use model::{
    AnnotationId, AtMost, DocumentId, OrganizationId, UserId,
    comment::{Comment, CommentView, Number},
};
use schemars::JsonSchema;
use serde::Deserialize;
use service::{ApiKey, Cx, Data, Operation, Result, Success, success};

/// The operation.
pub enum GetComments {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    document_id: DocumentId,
    annotation_id: AnnotationId,
    /// Of these authors; of all when none are named.
    user_ids: Option<AtMost<UserId, 30>>,
    /// These; all when none are named.
    comment_ids: Option<AtMost<Number, 500>>,
}

impl Operation for GetComments {
    const PATHS: &'static [&'static str] =
        &["/v2/commentannotations/comments/get", "/v1/commentannotations/comments/get"];
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Vec<Option<CommentView>>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let organization = cx.organization(&request.organization_id);
        let place = (request.document_id, request.annotation_id);
        let thread = organization.annotations().find(&place).await?;
        let authors: Vec<UserId> = request.user_ids.map(Vec::from).unwrap_or_default();
        let is_by =
            |comment: &&Comment| authors.is_empty() || authors.contains(&comment.from.user_id);
        let shown = |id: u64| {
            let thread = thread.as_ref()?;
            thread.comment(id).filter(is_by)?;
            thread.shown_comment(id, &cx.api_key().id, organization.id())
        };
        let named = request.comment_ids.map(Vec::from).unwrap_or_default();
        let comments = if named.is_empty() {
            let all = thread.iter().flat_map(|thread| &thread.comments);
            all.filter_map(|comment| shown(comment.comment_id)).map(Some).collect()
        } else {
            named.into_iter().map(|id| shown(id.get())).collect()
        };
        Ok(success("Comments retrieved.", Data(comments)))
    }
}
