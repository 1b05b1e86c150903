//! `POST /v2/commentannotations/comments/delete`: replies with one entry per comment.
//!
//! Without `commentIds`, the call deletes all comments. The thread stays.
//!
//! # Errors
//! - NOT_FOUND: `commentIds` is absent, and the thread does not exist.
//! - An entry fails when its comment does not exist.
//!
//! # Events
//! `comment.delete`

use std::collections::BTreeMap;

use model::{
    AnnotationId, UpTo,
    comment::{Number, Thread, ThreadEvent},
    event::EventType,
    user::Person,
};
use service::prelude::*;

use crate::{
    each_comment::{CommentEffect, ThreadChange, each_comment, replies},
    one_write::AT_ONCE,
    publish::{Publisher, Triggers},
};

pub enum DeleteComments {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    annotation_id: AnnotationId,
    /// Only these comments; all without this list.
    #[end_user(one_of)]
    comment_ids: Option<UpTo<Number, 500>>,
    /// The user who deletes them.
    #[end_user(own = Person)]
    from: Option<Person>,
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

impl Operation for DeleteComments {
    const PATHS: &'static [&'static str] =
        &["/v2/commentannotations/comments/delete", "/v1/commentannotations/comments/delete"];
    const EFFECT: Effect = Effect::Deletes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<String, Entry<u64>>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, document_id, annotation_id, from, .. } = request;
        let organization = cx.organization(&organization_id);
        let annotations = organization.comments();
        let triggers = Triggers::new(request.trigger_notification, request.trigger_activities);
        let publisher = Publisher::new(&cx, &organization_id, [triggers]).await?;
        let remove = |thread: &mut Thread, id: u64| {
            let Some(gone) = thread.remove_comment(id, cx.now()) else {
                return CommentEffect::NoComment;
            };
            let event = ThreadEvent::new(EventType::CommentDelete).by(from.clone()).to(gone);
            CommentEffect::Changed(Box::new(event))
        };
        let thread = ThreadChange {
            annotations: &annotations,
            place: (document_id, annotation_id),
            author: cx.tenant().end_user().map(|user| &user.user_id),
            publisher: &publisher,
            triggers,
        };
        let named = request.comment_ids.map(|ids| ids.into_iter().map(|id| id.get()).collect());
        let results = delete(&thread, named, remove).await?;
        Ok(success("Comments deleted.", Data(replies(results, "Deleted successfully"))))
    }
}

/// Deletes the named comments of a thread, or all.
///
/// # Errors
/// NOT_FOUND when none is named, and the thread does not exist.
async fn delete(
    thread: &ThreadChange<'_>,
    named: Option<Vec<u64>>,
    remove: impl Fn(&mut Thread, u64) -> CommentEffect + Send + Sync,
) -> Result<BTreeMap<u64, Result<()>>> {
    if let Some(ids) = named {
        return each_comment(thread, ids.into_iter(), remove).await;
    }
    let mut results = BTreeMap::new();
    loop {
        let stored = thread.annotations.all().get(&thread.place).await?;
        let mut ids = thread.annotations.next_comments(&stored, AT_ONCE).await?;
        // Comments that failed are not tried again.
        ids.retain(|id| !results.contains_key(id));
        if ids.is_empty() {
            return Ok(results);
        }
        results.extend(each_comment(thread, ids.into_iter(), &remove).await?);
    }
}
