//! Events of documents: who may see them, and how the channel shows them.

use model::{DocumentId, OrganizationId, UserId, live::LiveEvent, visibility::Visibility};
use rooms::prelude::*;
use serde_json::{Value, json};
use service::{OrganizationStore, Result};

/// The users who may see an event.
pub(crate) struct EventAudience {
    organization_id: OrganizationId,
    /// The visibilities of its thread, now and at the event. A deleted thread has the latter alone,
    /// a recording none.
    visibilities: Vec<Visibility>,
    /// Whether it is of a thread of unknown visibility.
    is_hidden: bool,
}

impl EventAudience {
    /// The audience of each event of a document.
    pub(crate) async fn of_each(
        organization: &OrganizationStore,
        document: &DocumentId,
        events: &[LiveEvent],
    ) -> Result<Vec<Self>> {
        let threads = events.iter().filter_map(|event| event.annotation_id.clone()).collect();
        let known = organization.live().visibilities_of(document, threads).await?;
        let audience = |event: &LiveEvent| {
            let thread = event.annotation_id.as_ref();
            let now = thread.and_then(|thread| known.get(thread).cloned());
            let then = thread.and(event.visibility.clone());
            let visibilities: Vec<Visibility> = [now, then].into_iter().flatten().collect();
            let is_of_thread = thread.is_some() && event.name.starts_with("comment");
            Self {
                organization_id: organization.id().clone(),
                is_hidden: is_of_thread && visibilities.is_empty(),
                visibilities,
            }
        };
        Ok(events.iter().map(audience).collect())
    }

    /// Whether a user may see the event.
    pub(crate) fn includes(&self, user: &UserId) -> bool {
        let sees = |visibility: &Visibility| visibility.admits(user, &self.organization_id);
        !self.is_hidden && self.visibilities.iter().all(sees)
    }
}

/// An event, as the channel shows it.
pub(crate) fn event_view(event: &LiveEvent) -> Value {
    json!({
        "type": "event", "organizationId": event.organization_id, "documentId": event.document_id,
        "position": event.position, "name": event.name, "ids": event.ids(),
        "actorUserId": event.actor_user_id,
    })
}
