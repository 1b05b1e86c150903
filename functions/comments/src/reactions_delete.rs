//! `POST /v2/commentannotations/comments/reactions/delete`: removes the user from the reaction.
//!
//! The reaction is deleted with its last user.
//!
//! # Errors
//! - NOT_FOUND: the thread, the comment or the reaction does not exist.
//!
//! # Events
//! `comment.reaction_delete`

use model::{
    AnnotationId,
    comment::{Icon, Number, Thread, ThreadEvent},
    event::EventType,
    user::Person,
};
use service::{Edit, prelude::*};

use crate::publish::{Publisher, Triggers, no_thread};

pub enum DeleteReaction {}

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
    comment_id: Number,
    /// Name of the icon, such as `HEART_FACE`.
    #[end_user]
    icon: Icon,
    /// The user whose reaction is removed.
    #[end_user(own = Person)]
    from: Person,
    /// Whether to notify people; webhooks are always sent.
    #[end_user]
    trigger_notification: Option<bool>,
    /// Whether to write activity records.
    #[end_user]
    trigger_activities: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReactionDeleted")]
pub struct Done {
    reaction_annotation_id: Option<AnnotationId>,
    success: bool,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Comment;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for DeleteReaction {
    const PATHS: &'static [&'static str] = &["/v2/commentannotations/comments/reactions/delete"];
    const EFFECT: Effect = Effect::Deletes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Done>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, document_id, annotation_id, icon, from, .. } = request;
        let organization = cx.organization(&organization_id);
        let annotations = organization.comments();
        let triggers = Triggers::new(request.trigger_notification, request.trigger_activities);
        let publisher = Publisher::new(&cx, &organization_id, [triggers]).await?;
        let id = request.comment_id.get();
        let mut reaction = None;
        let edit = |stored: Option<Thread>| {
            let mut thread = stored.ok_or_else(|| no_thread(&annotation_id))?;
            let comment = thread.comment(id).cloned();
            reaction = thread.remove_reaction(id, &icon, &from, cx.now());
            if reaction.is_none() {
                return Err(Error::not_found("There is no such reaction of the user."));
            }
            let happening = ThreadEvent::new(EventType::ReactionDelete).by(Some(from.clone()));
            let happening = comment.into_iter().fold(happening, ThreadEvent::to);
            Ok(publisher.publish(Edit::put(thread.clone()), &thread, vec![(happening, triggers)]))
        };
        let place = (document_id, annotation_id.clone());
        annotations.edit_comments(&place, &[id], edit).await?;
        let done = Done { reaction_annotation_id: reaction, success: true };
        Ok(success("Reaction deleted.", Data(done)))
    }
}
