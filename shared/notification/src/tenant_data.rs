//! The port to the tenant's data: users, threads, preferences, notifications.

use std::collections::BTreeMap;

use error::Result;
use model::{OrganizationId, UserId};

use crate::{Activity, BatchLimits, Channel, Channels, Notice, NotifiableEvent, Reason};

/// A possible recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The user.
    pub user_id: UserId,
    /// The user's preference for this event (rule N3), without the configuration.
    pub channels: Channels,
    /// The channels by the user's preference now (rules N3 and N4).
    pub open: Channels,
    /// Whether the event involves the user directly (rule N3).
    pub mine: bool,
    /// Whether the event names the user: mentioned, assigned, addressed.
    pub named: bool,
}

/// A page of possible recipients, in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// The candidates; those without a wanted channel may be omitted.
    pub users: Vec<Candidate>,
    /// The last user of the page; absent at the end.
    pub next: Option<UserId>,
}

/// Whether seen activities are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenCheck {
    /// A seen activity is dropped.
    Counts,
    /// A seen activity is delivered: the event has neither delay nor batching (rule N7).
    Ignored,
}

/// Whether an activity is still delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Eligibility {
    /// The activity is delivered, except on these channels. Channels that were not allowed at the
    /// event may be omitted; without a remaining channel, the activity is dropped.
    Eligible {
        /// The reason for each channel without delivery.
        withheld: BTreeMap<Channel, Reason>,
    },
    /// The activity is not delivered on any channel.
    Ineligible(Reason),
}

impl Eligibility {
    /// Delivery on every channel that was allowed at the event.
    pub const FULL: Self = Self::Eligible { withheld: BTreeMap::new() };
}

/// The data of a tenant that decides on notifications, and the inboxes that receive them.
pub trait TenantData: Send + Sync {
    /// At most `limit` possible recipients of an event after `after`: users with access, without
    /// its actor and without bots (rule N1), in the order of `next`.
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time.
    fn recipients(
        &self,
        event: &NotifiableEvent,
        after: Option<&UserId>,
        limit: usize,
    ) -> impl Future<Output = Result<Candidates>> + Send;

    /// Whether activities are still delivered (rules N7, N13), in their order; of any recipients,
    /// in one organization. Shared data is read once.
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time.
    fn eligibility(
        &self,
        organization: &OrganizationId,
        activities: &[Activity],
        seen: SeenCheck,
    ) -> impl Future<Output = Result<Vec<Eligibility>>> + Send;

    /// The current batch configuration (rule N10).
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time.
    fn batching(&self) -> impl Future<Output = Result<BatchLimits>> + Send;

    /// Delivers a notification to the inboxes of its recipients, if the inbox is among its
    /// channels, and dispatches its webhooks (rule N19). Idempotent for the same id and recipients.
    /// Returns the id under which each recipient finds it, in their order.
    ///
    /// # Errors
    /// UNAVAILABLE when the store did not answer in time; to be repeated.
    fn publish(&self, notice: &Notice) -> impl Future<Output = Result<Vec<String>>> + Send;
}
