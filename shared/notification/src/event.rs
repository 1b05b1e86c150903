//! Events, as far as notifications need them.

use model::{
    AnnotationId, DocumentId, Millis, OrganizationId, UserId,
    event::EventType,
    notice::Facts,
    notification::NotificationSource,
    people::{self, Names, Part, People, Rest},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{BatchLimits, Channels};

/// An event with possible recipients.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NotifiableEvent {
    /// Id of the event: offering it again is a no-op (rule N5). The caller's id for a custom
    /// notification. Up to 256 bytes.
    pub id: String,
    /// The organization.
    pub organization_id: OrganizationId,
    /// The document.
    pub document_id: DocumentId,
    /// The thread or the recording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotation_id: Option<AnnotationId>,
    /// The comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment_id: Option<u64>,
    /// The type of the event.
    pub kind: EventType,
    /// The source of the event (contract `types.notification`).
    pub source: NotificationSource,
    /// The actor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor_id: Option<UserId>,
    /// The time of the event, by the clock of the API.
    pub t0: Millis,
    /// Data for the [`crate::TenantData`] at intake and delivery. At most some KB: stored once per
    /// event, for two weeks after the delay ([`crate::pending_event`]).
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub facts: Value,
}

/// The configuration at the time of an event; later changes do not affect it (rules N2, N6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The delay in seconds, if it is enabled.
    pub delay: Option<u64>,
    /// The channels with an enabled service and trigger.
    pub channels: Channels,
    /// The channels with a service that is still enabled.
    pub open: Channels,
    /// The current batch configuration (rule N10).
    pub limits: BatchLimits,
}

impl Names for NotifiableEvent {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self {
            id: _,
            organization_id: _,
            document_id: _,
            annotation_id: _,
            comment_id: _,
            kind: _,
            source: _,
            actor_id,
            t0: _,
            facts,
        } = self;
        actor_id.iter_mut().for_each(|actor| people::id(walk, Part::Beside, actor));
        if let Ok(mut found) = serde_json::from_value::<Facts>(facts.clone()) {
            people::inside(walk, &mut found);
            *facts = serde_json::to_value(found).unwrap_or_default();
        }
        Rest::Stays
    }
}

impl NotifiableEvent {
    /// Whether it may be batched: custom notifications with their own text are not.
    pub fn is_batchable(&self) -> bool {
        self.kind != EventType::NotificationAdd
    }
}
