//! `POST /v2/commentannotations/add`: replies with one entry per thread.
//!
//! The author of a thread is the author of its first comment.
//!
//! # Errors
//! - PERMISSION_DENIED: an end user begins a private thread, and the API key does not allow that
//!   (`enablePrivateComments`).
//! - An entry fails when the organization, the document or an agent does not exist, the id is
//!   taken, or, with `verifyUserPermissions`, an author has no right to the document; and when its
//!   anchor is not in the text, or has a mark that the API key does not name.
//!
//! # Events
//! `comment_annotation.add`, `comment.add`

mod anchors;
mod write;

use model::{AnnotationId, comment::SentThread};
use service::{prelude::*, store::comments::MayCreate};

use self::{anchors::check_sent, write::add};
use crate::thread::{Draft, drafts};

pub enum AddAnnotations {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    /// Whether to create a missing organization.
    create_organization: Option<bool>,
    /// Whether to create a missing document.
    create_document: Option<bool>,
    /// Whether authors need a right to the document.
    verify_user_permissions: Option<bool>,
    #[end_user(members)]
    comment_annotations: Batch<SentThread>,
}

/// The outcome of one thread. A denied thread without an id of the caller's has the name
/// `__service_denied:` and its position.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentAnnotationAdded {
    annotation_id: AnnotationId,
    comment_ids: Vec<u64>,
    /// The agent's name for its finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    finding_id: Option<String>,
    #[serde(flatten)]
    outcome: Outcome,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Comment;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for AddAnnotations {
    const PATHS: &'static [&'static str] =
        &["/v2/commentannotations/add", "/v1/commentannotations/add"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<String, CommentAnnotationAdded>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, document_id, .. } = request;
        let organization = cx.organization(&organization_id);
        let drafts = drafts(request.comment_annotations.into())?;
        check_sent(&drafts)?;
        let may_be_private =
            cx.tenant().end_user().is_none() || cx.tenant().api_key().settings.private_comments;
        if !may_be_private && drafts.iter().any(Draft::is_private) {
            return Err(Error::denied("The API key does not allow private threads of end users."));
        }
        let may_create = MayCreate::if_sent(request.create_organization, request.create_document);
        let is_to_verify = request.verify_user_permissions;
        let results = match organization.comments().ensure_document(&document_id, may_create).await
        {
            Ok(()) => add(&cx, &organization, &document_id, &drafts, is_to_verify).await?,
            Err(refused) => refused.for_each(&drafts)?,
        };
        let entries = drafts.into_iter().zip(results).map(|(draft, result)| {
            let outcome = outcome(&result, "Added Successfully");
            let key = draft.key(result.as_ref().err());
            let (comment_ids, finding_id) = result.unwrap_or_default();
            let annotation_id = draft.id;
            (key, CommentAnnotationAdded { annotation_id, comment_ids, finding_id, outcome })
        });
        Ok(success("Comment annotations added.", Data(entries.collect())))
    }
}
