//! `POST /v2/commentannotations/unsubscribe`: mentions do not subscribe the user again.
//!
//! The user can subscribe again.
//!
//! # Errors
//! - NOT_FOUND: the thread does not exist.
//!
//! # Events
//! `comment_annotation.unsubscribe`

use model::{
    AnnotationId,
    comment::{Thread, ThreadEvent},
    event::EventType,
    user::Person,
};
use service::{Edit, prelude::*};

use crate::publish::{Publisher, Triggers, no_thread};

pub enum Unsubscribe {}

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

impl Operation for Unsubscribe {
    const PATHS: &'static [&'static str] = &["/v2/commentannotations/unsubscribe"];
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
            let is_new = thread.unsubscribe(user.clone());
            let edit = match thread == before {
                true => Edit::keep(before),
                false => Edit::put(thread.clone()),
            };
            let happening =
                ThreadEvent::new(EventType::AnnotationUnsubscribe).by(Some(user.clone()));
            Ok(if is_new {
                publisher.publish(edit, &thread, vec![(happening, triggers)])
            } else {
                edit
            })
        };
        let place = (document_id.clone(), annotation_id.clone());
        annotations.all().edit(&place, edit).await?;
        Ok(success("The user is unsubscribed.", Data(Done { success: true })))
    }
}
