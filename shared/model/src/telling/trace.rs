//! The outcome of events for those who were to be notified of them (decisions 4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DocumentId, Millis, NotificationId, Text, UserId};

/// Which events and users are meant; all that is said holds together.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TraceFilter {
    /// What one user was to be notified of.
    pub user_id: Option<UserId>,
    /// What happened in one document.
    pub document_id: Option<DocumentId>,
    /// One event, or one custom notification.
    pub event_id: Option<Text>,
}

/// How far a notification has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TraceState {
    /// It waits.
    Pending,
    /// It was delivered.
    Delivered,
    /// It was not, and will not be.
    Dropped,
}

/// The outcome of an event for one user on one channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TraceRow {
    /// The event; the id of the notification for a custom one.
    pub event_id: String,
    /// The user; absent where it was decided for all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<UserId>,
    /// `inbox`, `email` or `chat`.
    pub channel: String,
    /// How far it has come.
    pub state: TraceState,
    /// Why it was dropped: `seen`, `muted`, `no_access`, `deleted`, `service_off`, `trigger_off`,
    /// `suppressed` or `bounced`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Until when it waits at the latest, in epoch milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Millis>,
    /// As which notification it was delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notification_id: Option<NotificationId>,
    /// The digest whose mail tells of it, and the event as the mail knows it; never shown.
    #[serde(skip)]
    pub mailed: Option<(String, String)>,
}
