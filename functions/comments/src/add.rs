//! `POST /v2/commentannotations/comments/add`: replies with the ids of the comments.
//!
//! Up to 50 comments are added together or not at all. Of a call with more, an interrupted one may
//! have added the first ones; the same call again adds the rest (decision 24).
//!
//! # Errors
//! - NOT_FOUND: the organization, the document, the thread or an agent does not exist.
//! - ALREADY_EXISTS: the thread has a comment with the id.
//! - PERMISSION_DENIED: with `verifyUserPermissions`, an author has no right to the document.
//!
//! # Events
//! `comment.add`

use model::{AnnotationId, comment::NewComment};
use service::{prelude::*, store::comments::MayCreate};

use crate::{
    agents::Agents,
    append::{Adding, distinct},
    mentions::check_groups_in,
    permissions,
    publish::{Publisher, Triggers},
};

pub enum AddComments {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    annotation_id: AnnotationId,
    /// Whether to create a missing organization.
    create_organization: Option<bool>,
    /// Whether to create a missing document.
    create_document: Option<bool>,
    /// Whether authors need a right to the document.
    verify_user_permissions: Option<bool>,
    #[end_user(members)]
    comment_data: Batch<NewComment>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Comment;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for AddComments {
    const PATHS: &'static [&'static str] =
        &["/v2/commentannotations/comments/add", "/v1/commentannotations/comments/add"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Vec<u64>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, document_id, annotation_id, .. } = request;
        let organization = cx.organization(&organization_id);
        let comments = distinct(request.comment_data.into());
        check_groups_in(&organization, &comments).await?;
        let may_create = MayCreate::if_sent(request.create_organization, request.create_document);
        organization.comments().ensure_document(&document_id, may_create).await?;
        let authors = comments.iter().map(|comment| comment.from.user_id.clone()).collect();
        let verify = request.verify_user_permissions;
        let denied = permissions::denied(&organization, &document_id, authors, verify).await?;
        if let Some(user) = denied.first() {
            return Err(permissions::refusal(user, &document_id));
        }
        let agents = Agents::of(cx.tenant(), &comments.iter().collect::<Vec<_>>()).await?;
        let triggers = comments.iter().map(Triggers::of);
        let publisher = Publisher::new(&cx, &organization_id, triggers).await?;
        let is_by_server = cx.tenant().end_user().is_none();
        let adding = Adding { publisher: &publisher, agents: &agents, is_by_server, now: cx.now() };
        let annotations = organization.comments();
        let ids = adding.append(&annotations, &document_id, &annotation_id, &comments).await?;
        Ok(success("Comments added.", Data(ids)))
    }
}
