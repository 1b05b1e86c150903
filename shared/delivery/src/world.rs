//! The port to what is notified of: users, threads, preferences, notifications.

use std::collections::BTreeMap;

use error::Result;
use model::{Millis, OrganizationId, UserId};
use serde::{Deserialize, Serialize};

use crate::{Activity, Channel, Channels, CloseReason, Event, Reason, Scope};

/// A possible recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Who.
    pub user_id: UserId,
    /// What the user wants of this event (rule N3), without regard to the configuration.
    pub channels: Channels,
    /// Whether the event involves the user directly (rule N3).
    pub mine: bool,
}

/// Some of the possible recipients, in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// The candidates, those that want nothing may be left out.
    pub users: Vec<Candidate>,
    /// After which user to go on; absent at the end.
    pub next: Option<UserId>,
}

/// Whether an activity is dropped because its recipient has seen it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenCheck {
    /// It is.
    Counts,
    /// It is not: it goes out without delay and unbatched, as it happens (rule N7).
    Ignored,
}

/// What is to become of an activity now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes out, but not on these channels. The channels that were not allowed when it happened
    /// need not be named; when no channel remains, it is dropped.
    Keep {
        /// Why not, by channel.
        withheld: BTreeMap<Channel, Reason>,
    },
    /// It goes out nowhere.
    Drop(Reason),
}

impl Verdict {
    /// It goes out on every channel that was allowed when it happened.
    pub const KEEP: Self = Self::Keep { withheld: BTreeMap::new() };
}

/// The limits of a batch window (spec 4.24).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowLimits {
    /// How long it is open, in seconds.
    pub seconds: u64,
    /// How many activities close it early.
    pub max: u64,
}

/// The limits of the scopes that are enabled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Of the windows by document.
    pub document: Option<WindowLimits>,
    /// Of the windows by user.
    pub user: Option<WindowLimits>,
}

/// How several activities came to be one notification (rule N14).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Batch {
    /// Which window took them together.
    pub scope: Scope,
    /// When it was opened.
    pub opened_at: Millis,
    /// When it was closed.
    pub closed_at: Millis,
    /// Why.
    pub reason: CloseReason,
    /// How many activities are in the notification.
    pub total: usize,
}

/// A notification to be published.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// The id: that of the event for a single activity, the generation of the window for a digest.
    /// Unique together with the recipient.
    pub id: String,
    /// Where.
    pub organization_id: OrganizationId,
    /// The recipient.
    pub user_id: UserId,
    /// What it tells of, oldest first; each knows its channels ([`Activity::channels`]).
    pub activities: Vec<Activity>,
    /// What took them together; absent for a single activity (rule N14).
    pub batch: Option<Batch>,
    /// When it was delivered.
    pub at: Millis,
}

impl Notice {
    /// The activities that go out on a channel.
    pub fn on(&self, channel: Channel) -> impl Iterator<Item = &Activity> {
        self.activities.iter().filter(move |activity| activity.channels().has(channel))
    }
}

/// What delivery asks the tenant's data.
pub trait World: Send + Sync {
    /// The possible recipients of an event after `after`, about `limit` at a time: those who can
    /// see it, without its actor and without bots (rule N1), in the order of their ids.
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time.
    fn audience(
        &self,
        event: &Event,
        after: Option<&UserId>,
        limit: usize,
    ) -> impl Future<Output = Result<Candidates>> + Send;

    /// What is to become of activities of one recipient (rules N7, N13), in their order.
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time.
    fn verdicts(
        &self,
        organization: &OrganizationId,
        user: &UserId,
        activities: &[Activity],
        seen: SeenCheck,
    ) -> impl Future<Output = Result<Vec<Verdict>>> + Send;

    /// The batching that is configured at present (rule N10).
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time.
    fn batching(&self) -> impl Future<Output = Result<Limits>> + Send;

    /// Puts a notification into the inbox of its recipient, where the channel is allowed, and tells
    /// webhooks of it (rule N19). Repeated with the same id, it changes nothing.
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time; it is repeated then.
    fn publish(&self, notice: &Notice) -> impl Future<Output = Result<()>> + Send;
}
