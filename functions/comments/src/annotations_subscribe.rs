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

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    annotation_id: AnnotationId,
    #[end_user(own = Person)]
    user: Person,
    /// Whether to notify people; webhooks are always sent.
    #[end_user]
    trigger_notification: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
pub struct Done {
    success: bool,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

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
        let happening = ThreadEvent::new(EventType::AnnotationSubscribe);
        let subscribe = |thread: &mut Thread, user| thread.subscribe(user);
        change(&cx, request, happening, subscribe, put_if_document_exists).await?;
        Ok(success("The user is subscribed.", Data(Done::DONE)))
    }
}

impl Done {
    pub(crate) const DONE: Self = Self { success: true };
}

/// Changes the subscriptions of a thread for a user by `step`, which says whether that is news.
///
/// # Errors
/// NOT_FOUND when the thread does not exist.
pub(crate) async fn change(
    cx: &Cx<ApiKey>,
    request: Request,
    happening: ThreadEvent,
    step: impl Fn(&mut Thread, Person) -> bool + Send + Sync,
    put: impl Fn(&Thread) -> Edit<Thread> + Send + Sync,
) -> Result<()> {
    let Request { organization_id, document_id, annotation_id, user, trigger_notification } =
        request;
    let triggers = Triggers::new(trigger_notification, None);
    let publisher = Publisher::new(cx, &organization_id, [triggers]).await?;
    let happening = happening.by(Some(user.clone()));
    let edit = |stored: Option<Thread>| {
        let before = stored.ok_or_else(|| no_thread(&annotation_id))?;
        let mut thread = before.clone();
        let is_new = step(&mut thread, user.clone());
        let edit = if thread == before { Edit::keep(before) } else { put(&thread) };
        Ok(match is_new {
            true => publisher.publish(edit, &thread, vec![(happening.clone(), triggers)]),
            false => edit,
        })
    };
    let place = (document_id, annotation_id.clone());
    cx.organization(&organization_id).comments().all().edit(&place, edit).await?;
    Ok(())
}
