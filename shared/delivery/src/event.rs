//! What happened, as far as delivery needs to know.

use model::{
    AnnotationId, DocumentId, Millis, OrganizationId, UserId, event::EventType,
    notification::NotificationSource,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Channels, Limits};

/// An event that people may be notified of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Its id: offered again, it is a no-op (rule N5). The id of the caller's for a custom
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
    /// Type of the event.
    pub kind: EventType,
    /// What kind of thing it happened to (spec 2.14).
    pub source: NotificationSource,
    /// The actor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor_id: Option<UserId>,
    /// Time of the event, by the clock of the API.
    pub t0: Millis,
    /// What else the [`crate::World`] wants to know at intake and at delivery. At most some KB: it
    /// is kept once per event, for two weeks after the delay ([`crate::pending_event`]).
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub facts: Value,
}

/// What the configuration says about an event when it happens; a later change does not touch it
/// (rules N2, N6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Seconds to wait, where waiting is switched on.
    pub delay: Option<u64>,
    /// The channels whose service is on and has the trigger set.
    pub channels: Channels,
    /// Those of them whose service is still on now.
    pub open: Channels,
    /// The batching that is configured now (rule N10).
    pub limits: Limits,
}

impl Event {
    /// Whether it may wait in windows for others: what a caller adds with a text of its own is
    /// not made into one notification with others.
    pub fn is_batchable(&self) -> bool {
        self.kind != EventType::NotificationAdd
    }
}
