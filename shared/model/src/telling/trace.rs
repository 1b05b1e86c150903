//! Delivery states of events for their recipients (decisions 4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DocumentId, Millis, NotificationId, Text, UserId};

/// A filter of events and users; all conditions have to hold.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TraceFilter {
    /// Only events with this recipient.
    pub user_id: Option<UserId>,
    /// Only events in this document.
    pub document_id: Option<DocumentId>,
    /// Only this event, or this custom notification.
    pub event_id: Option<Text>,
}

/// Delivery state of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TraceState {
    /// Pending.
    Pending,
    /// Delivered.
    Delivered,
    /// Dropped.
    Dropped,
}

/// The delivery state of an event for one user on one channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TraceRow {
    /// The event; the id of the notification for a custom one.
    pub event_id: String,
    /// The user; absent for a decision about all users.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<UserId>,
    /// `inbox`, `email` or `chat`.
    pub channel: String,
    /// Delivery state.
    pub state: TraceState,
    /// The reason of a drop: `seen`, `muted`, `no_access`, `deleted`, `service_off`, `trigger_off`,
    /// `suppressed` or `bounced`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The latest due time, in epoch milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Millis>,
    /// The notification that contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notification_id: Option<NotificationId>,
    /// The digest of its mail, and its id within that mail; never shown.
    #[serde(skip)]
    pub mailed: Option<(String, String)>,
}
