//! The port to what is notified of: users, threads, preferences, notifications.

use std::collections::BTreeMap;

use error::Result;
use model::{OrganizationId, UserId};

use crate::{Activity, Channel, Channels, Event, Notice, Reason};

/// A possible recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The user.
    pub user_id: UserId,
    /// What the user wants of this event (rule N3), without regard to the configuration.
    pub channels: Channels,
    /// Whether the event involves the user directly (rule N3).
    pub mine: bool,
    /// Whether the user is named in it: mentioned, assigned, addressed.
    pub named: bool,
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

/// Whether an activity still goes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Eligibility {
    /// It does, but not on these channels. The channels that were not allowed when it happened
    /// need not be named; when no channel remains, it is dropped.
    Eligible {
        /// Why not, by channel.
        withheld: BTreeMap<Channel, Reason>,
    },
    /// Not delivered on any channel.
    Ineligible(Reason),
}

impl Eligibility {
    /// It goes out on every channel that was allowed when it happened.
    pub const FULL: Self = Self::Eligible { withheld: BTreeMap::new() };
}

/// The limits of a batch window (spec 4.24).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowLimits {
    /// Duration in seconds.
    pub seconds: u64,
    /// Number of activities that closes it early.
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

/// The tenant's data as a port of delivery.
pub trait World: Send + Sync {
    /// The possible recipients of an event after `after`, `limit` at most: those who can see it
    /// now, without its actor and without bots (rule N1), in the order in which `next` goes on.
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time.
    fn recipients(
        &self,
        event: &Event,
        after: Option<&UserId>,
        limit: usize,
    ) -> impl Future<Output = Result<Candidates>> + Send;

    /// Whether activities still go out (rules N7, N13), in their order; of any recipients, in one
    /// organization. What they share is read once.
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time.
    fn eligibility(
        &self,
        organization: &OrganizationId,
        activities: &[Activity],
        seen: SeenCheck,
    ) -> impl Future<Output = Result<Vec<Eligibility>>> + Send;

    /// The batching that is configured at present (rule N10).
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time.
    fn batching(&self) -> impl Future<Output = Result<Limits>> + Send;

    /// Puts a notification into the inboxes of its recipients, where the channel is allowed, and
    /// tells webhooks of it (rule N19). Repeated with the same id and recipients, it changes
    /// nothing. Returns the id under which each recipient finds it, in their order.
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time; it is repeated then.
    fn publish(&self, notice: &Notice) -> impl Future<Output = Result<Vec<String>>> + Send;
}
