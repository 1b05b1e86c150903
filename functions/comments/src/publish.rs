//! Events and activity records of a change of a thread.

use model::{
    AnnotationId, ApiKeyId, Millis,
    activity::Activity,
    comment::{NewComment, Thread, ThreadEvent},
    configuration::ActivityService,
    document::Document,
};
use service::{Edit, Status, prelude::*};

/// Effects of a change besides webhooks.
#[derive(Clone, Copy, Default)]
pub(crate) struct Triggers {
    /// Notify people.
    pub(crate) notification: bool,
    /// Write activity records.
    pub(crate) activities: bool,
}

impl Triggers {
    /// The effects that flags request, both off when absent.
    pub(crate) fn new(notification: Option<bool>, activities: Option<bool>) -> Self {
        Self { notification: notification == Some(true), activities: activities == Some(true) }
    }

    /// The effects of a new comment.
    pub(crate) fn of(comment: &NewComment) -> Self {
        Self::new(comment.trigger_notification, comment.trigger_activities)
    }
}

/// The context of a change: its time, and the records it writes besides events.
#[derive(Clone)]
pub(crate) struct Publisher {
    api_key: ApiKeyId,
    organization: OrganizationId,
    activities: Option<ActivityService>,
    now: Millis,
}

impl Publisher {
    /// The context of changes in an organization. Reads whether activities are logged only if
    /// records are requested.
    pub(crate) async fn new(
        cx: &Cx<ApiKey>,
        organization: &OrganizationId,
        triggers: impl IntoIterator<Item = Triggers>,
    ) -> Result<Self> {
        let mut activities = None;
        if triggers.into_iter().any(|triggers| triggers.activities) {
            activities = match cx.organization(organization).activities().activity_service().await {
                Ok(service) => Some(service),
                Err(error) if error.status == Status::FailedPrecondition => None,
                Err(error) => return Err(error),
            };
        }
        let (api_key, organization) = (cx.tenant().api_key().id.clone(), organization.clone());
        Ok(Self { api_key, organization, activities, now: cx.now() })
    }

    /// Adds the events of a change to an edit; `thread` is the state after the change.
    pub(crate) fn publish(
        &self,
        edit: Edit<Thread>,
        thread: &Thread,
        happened: Vec<(ThreadEvent, Triggers)>,
    ) -> Edit<Thread> {
        happened.into_iter().fold(edit, |edit, (happened, triggers)| {
            let mut event = thread.event_to_write(&happened, &self.api_key, &self.organization);
            event.notify = triggers.notification;
            let activity = self.activity(thread, &happened).filter(|_| triggers.activities);
            let edit = activity.into_iter().fold(edit, Edit::and_put);
            edit.emit(event.into())
        })
    }

    /// The activity record of an event, if activities are logged.
    fn activity(&self, thread: &Thread, happened: &ThreadEvent) -> Option<Activity> {
        let service = self.activities.as_ref()?;
        let triggers = service.triggers.as_ref();
        triggers.and_then(|triggers| triggers.switch(happened.event.name())).filter(|on| *on)?;
        let event = &thread.event_with_data(happened, &self.api_key, &self.organization);
        // Without random numbers, the whole call fails.
        let id = service::random_id().ok()?;
        Activity::of_comment(id, event, self.now, service.immutable == Some(true))
    }
}

/// The write of a changed thread, unless its document was deleted: the clean-up would take the
/// change along.
pub(crate) fn put_if_document_exists(thread: &Thread) -> Edit<Thread> {
    Edit::put(thread.clone()).requires::<Document>(&thread.document_id)
}

/// The error for an unknown thread.
pub(crate) fn no_thread(id: &AnnotationId) -> Error {
    Error::not_found(format!("There is no comment annotation {id}."))
}

/// A random seed, from which new ids are derived.
pub(crate) fn seed() -> Result<u64> {
    service::random_bytes().map(u64::from_be_bytes)
}
