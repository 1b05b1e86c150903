//! `POST /v2/commentannotations/update`: replies with one entry per thread.
//!
//! A member that is left out keeps its value; `null` clears it. Without `annotationIds`, the call
//! changes every thread of the document that the other filters match.
//!
//! # Errors
//! - An entry fails when its thread does not exist, or the change does not fit its state.
//!
//! # Events
//! `comment_annotation.assign`, `comment_annotation.status_change`,
//! `comment_annotation.priority_change`, `comment_annotation.suggestion_accept`,
//! `comment_annotation.suggestion_reject`

use std::time::Duration;

use model::{
    AnnotationId, AtMost, Millis, Text, UpTo,
    comment::{ArchivedComment, Thread, ThreadFilter, ThreadPatch},
    people::{Forgotten, Names, UserReplacement},
};
use service::{
    Deadline, Edit,
    prelude::*,
    store::{comments::Comments, deletion::Progress},
};

use crate::{
    permissions::{check_edits, refuse_thread_of_other},
    publish::{Publisher, Triggers, put_if_document_exists},
    selection::Selection,
};

/// How long one call rewrites archived comments of a thread.
const MAX_TIME: Duration = Duration::from_secs(10);

pub enum UpdateAnnotations {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user(one_of)]
    annotation_ids: Option<UpTo<AnnotationId, 30>>,
    location_ids: Option<UpTo<Text, 30>>,
    /// Only threads of these authors.
    user_ids: Option<UpTo<UserId, 30>>,
    /// Required unless `updateUsers` is sent.
    #[end_user(members)]
    updated_data: Option<ThreadPatch>,
    /// Users to replace wherever the threads name them.
    update_users: Option<AtMost<UserReplacement, 30>>,
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

impl Operation for UpdateAnnotations {
    const PATHS: &'static [&'static str] =
        &["/v2/commentannotations/update", "/v1/commentannotations/update"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<AnnotationId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, document_id, updated_data, .. } = request;
        let replaced: Vec<UserReplacement> =
            request.update_users.map(Vec::from).unwrap_or_default();
        if updated_data.is_none() && replaced.is_empty() {
            return Err(issue(&["updatedData"], "is required unless updateUsers is sent"));
        }
        let mut patch = updated_data.unwrap_or_default();
        if let Some(user) = cx.tenant().end_user() {
            patch.made_by(&user.user_id);
        }
        let filter = ThreadFilter {
            locations: request.location_ids.map(|ids| ids.into_iter().map(String::from)).into(),
            authors: request.user_ids.into(),
            ..ThreadFilter::default()
        };
        let organization = cx.organization(&organization_id);
        check_edits(&cx, &organization, &document_id, &patch).await?;
        let annotations = organization.comments();
        let ids = request.annotation_ids.map(Vec::from);
        let selection = Selection::of(&annotations, document_id.clone(), ids, filter).await?;
        let triggers = Triggers::new(request.trigger_notification, request.trigger_activities);
        let publisher = Publisher::new(&cx, &organization_id, [triggers]).await?;
        let change = |thread: Thread| {
            refuse_thread_of_other(&cx, &thread)?;
            let mut changed = thread.clone();
            let happened = changed.apply(patch.clone(), &replaced, cx.now());
            let happened = happened.map_err(Error::precondition)?;
            if changed == thread {
                return Ok(Edit::keep(thread));
            }
            let events = happened.into_iter().map(|one| (one.by(patch.actor()), triggers));
            Ok(publisher.publish(put_if_document_exists(&changed), &changed, events.collect()))
        };
        let mut results = selection.edit(&annotations, change).await?;
        for (id, result) in &mut results {
            let is_named = |thread: &Thread| {
                replaced.iter().any(|one| thread.archive.names(&one.old_user.user_id))
            };
            if !result.as_ref().is_ok_and(is_named) {
                continue;
            }
            let place = (document_id.clone(), id.clone());
            if let Err(error) = replace_archived(&annotations, &place, &replaced, cx.now()).await {
                *result = Err(error);
            }
        }
        Ok(success("Comment annotations updated.", Data(entries(results, "Updated Successfully"))))
    }
}

/// Replaces users in the archived comments of a thread.
///
/// # Errors
/// ABORTED when the time does not suffice for all of them.
async fn replace_archived(
    annotations: &Comments<'_>,
    place: &(DocumentId, AnnotationId),
    replaced: &[UserReplacement],
    now: Millis,
) -> Result<()> {
    let rewrite = |comment: &mut ArchivedComment| match comment.replace_users(replaced) {
        true => Forgotten::Changed,
        false => Forgotten::Unchanged,
    };
    let same = |_: &mut Thread| Forgotten::Unchanged;
    match annotations.rewrite(place, Deadline::after(now, MAX_TIME), rewrite, same).await? {
        Progress::Done => Ok(()),
        Progress::More => Err(Error::aborted()),
    }
}
