//! `POST /v2/commentannotations/subscribe`: subscribes a user explicitly.
//!
//! A user who was subscribed by a mention or as an author then counts as subscribed explicitly.
//!
//! # Errors
//! - NOT_FOUND: the thread does not exist.
//!
//! # Events
//! `comment_annotation.subscribe`

use model::{
    AnnotationId,
    comment::{Thread, ThreadEvent},
    event::EventType,
    user::Person,
};
use service::{Edit, prelude::*};

use crate::publish::{Publisher, Triggers, no_thread, put_if_document_exists};

pub enum Subscribe {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    document_id: DocumentId,
    annotation_id: AnnotationId,
    user: Person,
    /// Whether to notify people; webhooks are always sent.
    trigger_notification: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
pub struct Done {
    success: bool,
}

impl EndUserRequest for Request {
    const RULES: EndUsers =
        EndUsers::reading("organizationId documentId annotationId user triggerNotification")
            .speaking_as(&[Own::Person("user")]);

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for Subscribe {
    const PATHS: &'static [&'static str] = &["/v2/commentannotations/subscribe"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Done>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, document_id, annotation_id, user, .. } = request;
        let organization = cx.organization(&organization_id);
        let annotations = organization.comments();
        let triggers = Triggers::new(request.trigger_notification, None);
        let publisher = Publisher::new(&cx, &organization_id, [triggers]).await?;
        let edit = |stored: Option<Thread>| {
            let before = stored.ok_or_else(|| no_thread(&annotation_id))?;
            let mut thread = before.clone();
            let is_new = thread.subscribe(user.clone());
            let edit = match thread == before {
                true => Edit::keep(before),
                false => put_if_document_exists(&thread),
            };
            let happening = ThreadEvent::new(EventType::AnnotationSubscribe).by(Some(user.clone()));
            Ok(if is_new {
                publisher.publish(edit, &thread, vec![(happening, triggers)])
            } else {
                edit
            })
        };
        let place = (document_id.clone(), annotation_id.clone());
        annotations.all().edit(&place, edit).await?;
        Ok(success("The user is subscribed.", Data(Done { success: true })))
    }
}
