//! An event that people are to be notified of, and its recipients.

use model::{Millis, UserId};
use serde::{Deserialize, Serialize};

use crate::{Body, Channels, Event, Page, Policy, TOMBSTONE};

/// An event with its first recipients: first all of them are recorded, then it waits, then it is
/// a tombstone (rule N5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingEvent {
    /// The event.
    pub event: Event,
    /// The channels the configuration allowed when it happened.
    pub channels: Channels,
    /// When the delay is over, fixed at intake (rule N6).
    pub release_at: Millis,
    /// Whether there is a delay; without one, having seen it does not count (rule N7).
    pub delayed: bool,
    /// The first recipients.
    pub first: Page,
    /// How many pages of recipients are recorded, this one included.
    pub pages: u32,
    /// How to go on while not all recipients are recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gathering: Option<Gathering>,
}

/// Recipients are being recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gathering {
    /// Up to whom.
    pub after: UserId,
    /// Time of the retry after a crash.
    pub retry: Millis,
}

impl PendingEvent {
    /// End of an event's delay.
    pub(crate) fn release_at(event: &Event, policy: &Policy) -> Millis {
        event.t0.saturating_add(policy.delay.unwrap_or(0).saturating_mul(1000))
    }
}

impl Body for PendingEvent {
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
