//! `POST /v2/commentannotations/comments/update`: replies with one entry per comment.
//!
//! A member that is left out keeps its value; `null` clears it.
//!
//! # Errors
//! - An entry fails when its comment or the thread does not exist.
//!
//! # Events
//! `comment.update`

use model::{
    AnnotationId,
    comment::{Comment, CommentChange, CommentPatch, Number, Thread, ThreadEvent},
    event::EventType,
    user::Person,
};
use service::prelude::*;

use crate::{
    each_comment::{CommentEffect, ThreadChange, each_comment, replies},
    mentions::check_groups,
    publish::{Publisher, Triggers, seed},
};

pub enum UpdateComments {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    annotation_id: AnnotationId,
    #[end_user]
    comment_ids: Batch<Number>,
    #[end_user(members)]
    updated_data: CommentPatch,
    /// Whether to notify people; webhooks are always sent.
    #[end_user]
    trigger_notification: Option<bool>,
    /// Whether to write activity records.
    #[end_user]
    trigger_activities: Option<bool>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Comment;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for UpdateComments {
    const PATHS: &'static [&'static str] =
        &["/v2/commentannotations/comments/update", "/v1/commentannotations/comments/update"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<String, Entry<u64>>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, document_id, annotation_id, updated_data, .. } = request;
        let organization = cx.organization(&organization_id);
        check_groups(&organization, updated_data.mentioned().collect()).await?;
        let annotations = organization.comments();
        let triggers = Triggers::new(request.trigger_notification, request.trigger_activities);
        let publisher = Publisher::new(&cx, &organization_id, [triggers]).await?;
        let seed = seed()?;
        let actor = updated_data.from.clone();
        let is_vouched = cx.tenant().end_user().is_none() && updated_data.has_mentions();
        let change = |thread: &mut Thread, id: u64| {
            let Some(before) = thread.comment(id).cloned() else {
                return CommentEffect::NoComment;
            };
            let seed = seed.wrapping_add(id);
            let change = thread.change_comment(id, updated_data.clone(), cx.now(), seed);
            if is_vouched {
                thread.vouch_for_mentioned(id);
            }
            match thread.comment(id) {
                Some(after) if change == CommentChange::Changed => edited(&before, after, &actor),
                _ => CommentEffect::Unchanged,
            }
        };
        let thread = ThreadChange {
            annotations: &annotations,
            place: (document_id, annotation_id),
            author: cx.tenant().end_user().map(|user| &user.user_id),
            publisher: &publisher,
            triggers,
        };
        let results =
            each_comment(&thread, request.comment_ids.iter().map(|id| id.get()), change).await?;
        Ok(success("Comments updated.", Data(replies(results, "Updated successfully"))))
    }
}

/// The event of an edit by who is named, or by the author.
fn edited(before: &Comment, after: &Comment, actor: &Option<Person>) -> CommentEffect {
    let actor = actor.clone().unwrap_or_else(|| after.from.clone());
    let event = ThreadEvent::new(EventType::CommentUpdate).by(Some(actor));
    CommentEffect::Changed(Box::new(event.to(after.clone()).edited(before)))
}
