//! What others are told of a change of a thread.

use model::{
    AnnotationId, ApiKeyId, OrganizationId,
    comment::{Annotation, Happening, NewComment},
};
use service::{ApiKey, Cx, Edit, Error};

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

/// Where changes happen.
#[derive(Clone)]
pub(crate) struct Teller {
    api_key: ApiKeyId,
    organization: OrganizationId,
}

impl Teller {
    /// For changes in an organization.
    pub(crate) fn new(cx: &Cx<ApiKey>, organization: &OrganizationId) -> Self {
        Self { api_key: cx.api_key().id.clone(), organization: organization.clone() }
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
            record(edit, triggers).tell(event.into())
        })
    }
}

/// Where activity records are written beside the change they tell of (`Edit::and_put`), when they
/// are asked for. There are none yet.
fn record(edit: Edit<Annotation>, triggers: Triggers) -> Edit<Annotation> {
    let _ = triggers.activities;
    edit
}

/// That a thread is not there.
pub(crate) fn no_thread(id: &AnnotationId) -> Error {
    Error::not_found(format!("There is no comment annotation {id}."))
}

/// A random number.
pub(crate) fn seed() -> service::Result<u64> {
    service::random_bytes().map(u64::from_be_bytes)
}
