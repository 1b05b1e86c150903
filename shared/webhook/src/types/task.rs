//! Messages of the queue of deliveries.

use model::{
    DocumentId, EditorId, EndpointId, MessageId, Millis, OrganizationId, revision::Revision,
};
use serde::{Deserialize, Serialize};

/// The key of an editor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditorRef {
    /// The organization.
    pub organization_id: OrganizationId,
    /// The document.
    pub document_id: DocumentId,
    /// The editor.
    pub editor_id: EditorId,
}

/// A message of the queue `deliveries`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WebhookTask {
    /// Make an attempt.
    Deliver(DeliveryTask),
    /// Send again what an endpoint missed.
    Recover {
        /// The endpoint.
        endpoint_id: EndpointId,
        /// Start time of the messages.
        since: Millis,
        /// Continuation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<MessageId>,
    },
    /// Attempt what waits because of an earlier revision of the endpoint.
    Release {
        /// The endpoint.
        endpoint_id: EndpointId,
        /// Revision of the endpoint after the change.
        revision: Revision,
        /// Continuation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<MessageId>,
        /// Whether it is the second one of the change.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_again: bool,
    },
    /// Fan a message out to many endpoints.
    Spread {
        /// The message.
        message_id: MessageId,
        /// Continuation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<EndpointId>,
    },
    /// The debounce time of an editor may have ended.
    Debounced {
        /// The editor.
        editor: EditorRef,
    },
}

impl WebhookTask {
    /// The first attempt of a message at an endpoint.
    pub fn deliver(message_id: MessageId, endpoint_id: EndpointId) -> Self {
        Self::Deliver(DeliveryTask::new(message_id, endpoint_id))
    }
}

/// An attempt to make. A first attempt exists only as this message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryTask {
    /// The message.
    pub message_id: MessageId,
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// The order of a caller, for a manual attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// Reserved slot of the attempt, in epoch microseconds of real time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<u64>,
    /// The revision of the rate that the slot is of.
    #[serde(default, skip_serializing_if = "is_first")]
    pub rate_revision: u32,
}

impl DeliveryTask {
    /// The first attempt of a message at an endpoint.
    pub fn new(message_id: MessageId, endpoint_id: EndpointId) -> Self {
        Self { message_id, endpoint_id, order: None, slot: None, rate_revision: 0 }
    }

    /// The reserved slot, unless the rate changed since.
    pub fn slot_of(&self, revision: Revision) -> Option<u64> {
        self.slot.filter(|_| self.rate_revision == revision.rate)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_first(revision: &u32) -> bool {
    *revision == 0
}
