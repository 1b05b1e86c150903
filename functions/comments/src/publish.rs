//! Events of a change of a thread, and the activity records of it.

use model::{
    AnnotationId, ApiKeyId, Millis, OrganizationId,
    activity::Activity,
    comment::{Annotation, NewComment, ThreadEvent},
    config::ActivityService,
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
pub(crate) struct Publisher {
    api_key: ApiKeyId,
    organization: OrganizationId,
    activities: Option<ActivityService>,
    now: Millis,
}

impl Publisher {
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

    /// Adds the events of what happened to a thread to an edit; the thread is as it is after it.
    pub(crate) fn publish(
        &self,
        edit: Edit<Annotation>,
        thread: &Annotation,
        happened: Vec<(ThreadEvent, Triggers)>,
    ) -> Edit<Annotation> {
        let at = (&self.api_key, &self.organization);
        happened.into_iter().fold(edit, |edit, (happened, triggers)| {
            let mut event = thread.event_of_archive(&happened, at);
            event.notify = triggers.notification;
            let activity = self.activity(thread, &happened).filter(|_| triggers.activities);
            let edit = activity.into_iter().fold(edit, Edit::and_put);
            edit.tell(event.into())
        })
    }

    /// The record of what happened, if such things are logged.
    fn activity(&self, thread: &Annotation, happened: &ThreadEvent) -> Option<Activity> {
        let service = self.activities.as_ref()?;
        let triggers = service.triggers.as_ref();
        triggers.and_then(|triggers| triggers.is_on(happened.event.name())).filter(|on| *on)?;
        let event = &thread.event_with_data(happened, (&self.api_key, &self.organization));
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
