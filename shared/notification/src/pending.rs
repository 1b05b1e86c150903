//! A pending event with its recipients.

use model::{Millis, UserId};
use serde::{Deserialize, Serialize};

use crate::{Channels, NotifiableEvent, Policy, RecipientPage, RowBody, TOMBSTONE};

/// An event with its first recipients: first all of them are recorded, then it is delayed, then it
/// is a tombstone (rule N5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingEvent {
    /// The event.
    pub event: NotifiableEvent,
    /// The channels allowed at the event.
    pub channels: Channels,
    /// The end of the delay, fixed at intake (rule N6).
    pub release_at: Millis,
    /// Whether there is a delay; without one, seen marks are ignored (rule N7).
    pub delayed: bool,
    /// The first recipients.
    pub first: RecipientPage,
    /// The number of recorded pages, including this one.
    pub pages: u32,
    /// The continuation while recipients are being recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gathering: Option<Gathering>,
}

/// A recording in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gathering {
    /// The last recorded recipient.
    pub after: UserId,
    /// The time of the retry after a crash.
    pub retry: Millis,
}

impl PendingEvent {
    /// The end of an event's delay.
    pub(crate) fn release_at(event: &NotifiableEvent, policy: &Policy) -> Millis {
        event.t0.saturating_add(policy.delay.unwrap_or(0).saturating_mul(1000))
    }
}

impl RowBody for PendingEvent {
    fn due(&self) -> Option<Millis> {
        match &self.gathering {
            Some(gathering) => Some(gathering.retry),
            None => self.first.due,
        }
    }

    fn expires(&self) -> Option<Millis> {
        self.due().is_none().then_some(self.first.at + TOMBSTONE)
    }
}
