//! `POST /v2/commentannotations/comments/reactions/add`: a comment has one reaction per icon, with
//! every user who chose it.
//!
//! A second reaction of the user with the icon changes nothing.
//!
//! # Errors
//! - NOT_FOUND: the thread or the comment does not exist.
//!
//! # Events
//! `comment.reaction_add`

use model::{
    AnnotationId,
    comment::{Icon, Number, Thread, ThreadEvent},
    event::EventType,
    user::Person,
};
use service::{Edit, prelude::*};

use crate::{
    publish::{Publisher, Triggers, no_thread, put_if_document_exists},
    thread::new_id,
};

pub enum AddReaction {}

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
    /// The user who reacts.
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
#[schemars(rename = "ReactionAdded")]
pub struct Done {
    reaction_annotation_id: AnnotationId,
    success: bool,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Comment;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for AddReaction {
    const PATHS: &'static [&'static str] = &["/v2/commentannotations/comments/reactions/add"];
    const EFFECT: Effect = Effect::Writes;
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
        let (id, new) = (request.comment_id.get(), new_id()?);
        let mut reaction = new.clone();
        let edit = |stored: Option<Thread>| {
            let before = stored.ok_or_else(|| no_thread(&annotation_id))?;
            let mut thread = before.clone();
            let (icon, from_user) = (icon.clone(), from.clone());
            let reacted = thread.react(id, icon, from_user, Some(new.clone()), cx.now());
            let reacted = reacted.map_err(Error::not_found)?;
            reaction = reacted.id;
            if !reacted.is_new {
                return Ok(Edit::keep(before));
            }
            let happening = ThreadEvent::new(EventType::ReactionAdd).by(Some(from.clone()));
            let on = thread.comment(id).cloned();
            let happenings = vec![(on.into_iter().fold(happening, ThreadEvent::to), triggers)];
            Ok(publisher.publish(put_if_document_exists(&thread), &thread, happenings))
        };
        let place = (document_id, annotation_id.clone());
        annotations.edit_comments(&place, &[id], edit).await?;
        let done = Done { reaction_annotation_id: reaction, success: true };
        Ok(success("Reaction added.", Data(done)))
    }
}
