//! What others are told of a change of a thread.

use model::{
    AnnotationId, ApiKeyId, Millis, OrganizationId,
    activity::Activity,
    comment::{Annotation, Happening, NewComment},
    config::ActivityService,
    event::DomainEvent,
};
use service::{ApiKey, Cx, Edit, Error, Result, Status};

/// What a caller lets a change do beside telling webhooks of it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Triggers {
    /// People are notified.
    pub(crate) notification: bool,
    /// Activity records are written.
    pub(crate) activities: bool,
}

impl Triggers {
    /// What is asked for by flags, both off when absent.
    pub(crate) fn new(notification: Option<bool>, activities: Option<bool>) -> Self {
        Self { notification: notification == Some(true), activities: activities == Some(true) }
    }

    /// What is asked for a new comment.
    pub(crate) fn of(comment: &NewComment) -> Self {
        Self::new(comment.trigger_notification, comment.trigger_activities)
    }
}

/// Where changes happen, and what is written of them beside events.
#[derive(Clone)]
pub(crate) struct Teller {
    api_key: ApiKeyId,
    organization: OrganizationId,
    activities: Option<ActivityService>,
    now: Millis,
}

impl Teller {
    /// For changes in an organization. Whether activities are logged is looked up where they are
    /// asked for.
    pub(crate) async fn new(
        cx: &Cx<ApiKey>,
        organization: &OrganizationId,
        triggers: impl IntoIterator<Item = Triggers>,
    ) -> Result<Self> {
        let mut activities = None;
        if triggers.into_iter().any(|triggers| triggers.activities) {
            activities = match cx.organization(organization).activity_service().await {
                Ok(service) => Some(service),
                Err(error) if error.status == Status::FailedPrecondition => None,
                Err(error) => return Err(error),
            };
        }
        let (api_key, organization) = (cx.api_key().id.clone(), organization.clone());
        Ok(Self { api_key, organization, activities, now: cx.now() })
    }

    /// Lets an edit tell of what happened to a thread, which is as it is after the edit.
    pub(crate) fn tell(
        &self,
        edit: Edit<Annotation>,
        thread: &Annotation,
        happened: Vec<(Happening, Triggers)>,
    ) -> Edit<Annotation> {
        let (happened, triggers): (Vec<Happening>, Vec<Triggers>) = happened.into_iter().unzip();
        let events = thread.tells(happened, (&self.api_key, &self.organization));
        events.into_iter().zip(triggers).fold(edit, |edit, (mut event, triggers)| {
            event.notify = triggers.notification;
            let activity = triggers.activities.then(|| self.activity(&event)).flatten();
            let edit = activity.into_iter().fold(edit, Edit::and_put);
            edit.tell(event.into())
        })
    }

    /// The record of what happened, if such things are logged.
    fn activity(&self, event: &DomainEvent) -> Option<Activity> {
        let service = self.activities.as_ref()?;
        let triggers = service.triggers.as_ref();
        triggers.and_then(|triggers| triggers.is_on(event.event.name())).filter(|on| *on)?;
        // Without random numbers nothing at all is written.
        let id = service::random_id().ok()?;
        Activity::of_comment(id, event, self.now, service.immutable == Some(true))
    }
}

/// That a thread is not there.
pub(crate) fn no_thread(id: &AnnotationId) -> Error {
    Error::not_found(format!("There is no comment annotation {id}."))
}

/// A random number.
pub(crate) fn seed() -> Result<u64> {
    service::random_bytes().map(u64::from_be_bytes)
}
