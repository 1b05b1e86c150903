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

mod archive;

use model::{
    AnnotationId, AtMost, Text, UpTo,
    comment::{Thread, ThreadFilter, ThreadPatch},
    people::UserReplacement,
};
use service::{Edit, prelude::*};

use self::archive::replace_in_archives;
use crate::{
    permissions::{check_edits, refuse_thread_of_other},
    publish::{Publisher, Triggers, put_if_document_exists},
    selection::Selection,
};

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
        let locations = request.location_ids.map(|ids| ids.into_iter().map(String::from)).into();
        let authors = request.user_ids.into();
        let filter = ThreadFilter { locations, authors, ..ThreadFilter::default() };
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
            let events =
                happened.into_iter().map(|one| (one.by(patch.actor()), triggers)).collect();
            Ok(match changed == thread {
                true => Edit::keep(thread),
                false => publisher.publish(put_if_document_exists(&changed), &changed, events),
            })
        };
        let mut results = selection.edit(&annotations, change).await?;
        replace_in_archives(&annotations, &document_id, &mut results, &replaced, cx.now()).await;
        Ok(success("Comment annotations updated.", Data(entries(results, "Updated Successfully"))))
    }
}
