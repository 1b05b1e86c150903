//! Delivery states of events for their recipients (contract `types.notification-trace`).

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

/// A channel of a notification.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "NotificationChannel")]
pub enum Channel {
    /// In the product.
    Inbox,
    /// By mail.
    Email,
    /// By chat.
    Chat,
}

impl Channel {
    /// Every channel.
    pub const ALL: [Self; 3] = [Self::Inbox, Self::Email, Self::Chat];
}

/// The reason for dropping an activity, or a channel of it.
///
/// If several apply, the first in this order is reported.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "DropReason", description = "The reason for a drop.")]
pub enum Reason {
    /// The comment, thread, document or recipient was deleted.
    Deleted,
    /// The recipient lost access.
    NoAccess,
    /// The recipient has seen it.
    Seen,
    /// The service was switched off.
    ServiceOff,
    /// The trigger of the channel was off at the event.
    TriggerOff,
    /// The preference of the recipient.
    Muted,
    /// The address is suppressed: it bounced or complained earlier.
    Suppressed,
    /// The mail was refused.
    Bounced,
    /// The recipient has no address.
    NoAddress,
    /// The API key has reached its limit of mails per day.
    DailyLimit,
    /// The deployment has no public URL for the link to unsubscribe.
    NoPublicUrl,
    /// The mail has no sender.
    NoSender,
    /// The deployment has no mail provider.
    NoProvider,
    /// The mail provider has no key.
    NoProviderKey,
    /// The mail cannot be composed.
    Unsendable,
    /// The mail provider rejected it.
    Rejected,
    /// The mail provider did not accept it in time.
    Exhausted,
    /// The mail provider reported no result.
    Unanswered,
}

impl Reason {
    /// Whether it drops an activity at the end of the delay (rule N7); the others are decided at
    /// delivery (rules N4, N11, N13).
    pub const fn is_final_at_due(self) -> bool {
        matches!(self, Self::Deleted | Self::NoAccess | Self::Seen)
    }
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
    /// The channel.
    pub channel: Channel,
    /// Delivery state.
    pub state: TraceState,
    /// The reason for a drop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
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
