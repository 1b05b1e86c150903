//! A mail (rule N16): independent of the inbox, retried separately. Its lease and retries are pure
//! functions, like the other rows.
//!
//! ```text
//! waiting --claim--> sending --accepted--> sent
//!    |  ^               |  \--rejected, or 24 h are over--> dropped
//!    |  |               |--retry--> waiting                    ^
//!    |  +---------------+  a lease that ran out: sent if the   |
//!    |                     provider says so, else once more    |
//!    +--nothing is left, or the recipient lost the right--------+
//! ```
//!
//! A mail above the hourly limit is collapsed from the start.

pub(crate) mod feedback;
pub mod quota;
pub(crate) mod topic;

use std::collections::BTreeMap;

use model::Millis;
use serde::{Deserialize, Serialize};

use quota::MAX_REST;

use crate::{PageRef, Reason, RowBody, TOMBSTONE};

/// Lease of an attempt, in which events of the provider may arrive.
pub const LEASE: Millis = 90_000;

/// Maximum age of a mail that was never accepted.
pub const MAX_AGE: Millis = 24 * 60 * 60 * 1000;

/// Maximum delay of this schedule.
pub const MAX_PAUSE: Millis = 15 * 60 * 1000;

/// Maximum delay requested by a provider.
pub const MAX_HINT: Millis = 60 * 60 * 1000;

/// Maximum number of attempts without a reply: each may be a copy in the mailbox.
pub const MAX_UNANSWERED: u32 = 3;

/// Maximum length of a stored provider reply, in characters.
const MAX_DETAIL: usize = 300;

/// The mail of a delivered notification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mail {
    /// Notification of the mail, as its recipient finds it.
    pub notification_id: String,
    /// Events of the mail, oldest first: each with the page of its recipient.
    pub pages: Vec<PageRef>,
    /// The time of the delivery.
    pub created_at: Millis,
    /// The state.
    pub state: MailState,
    /// The number of attempts that have begun.
    #[serde(default)]
    pub attempts: u32,
    /// The number of attempts without a reply.
    #[serde(default)]
    pub unanswered: u32,
    /// Whether it has a slot among the mails to its address ([`crate::Slots`]).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_slot: bool,
    /// Events withheld at the last check, each with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub withheld: BTreeMap<String, Reason>,
}

/// State of a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum MailState {
    /// The mail waits to be sent.
    Waiting {
        /// The time of the next attempt.
        at: Millis,
    },
    /// An attempt is in progress; its outcome is unknown after the lease.
    Sending {
        /// The end of the lease.
        until: Millis,
    },
    /// A provider or relay accepted the mail.
    Sent {
        /// The time of that.
        at: Millis,
        /// Id of the mail there.
        message_id: String,
    },
    /// The activities are in the mail for the rest of the hour ([`crate::Quota`]).
    Collapsed {
        /// The time of that.
        at: Millis,
        /// The mail that contains it.
        into: String,
    },
    /// The mail is not sent.
    Dropped {
        /// The time of that.
        at: Millis,
        /// The reason.
        reason: Reason,
        /// The detail of the provider's reply.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
}

/// The outcome of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendOutcome {
    /// The provider accepted the mail.
    Accepted,
    /// The provider refused the mail temporarily.
    Retry {
        /// The delay that the provider requested, in milliseconds.
        after: Option<Millis>,
    },
    /// The provider refused the mail permanently, with this detail.
    Rejected(String),
    /// The request was sent, and no reply came.
    Ambiguous,
}

/// Next step of a worker with the row of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailStep {
    /// The worker stores this state, then sends the mail.
    Send(Mail),
    /// An attempt had no reply. The worker looks for an event of the provider with the tag of this
    /// mail; then [`Mail::accepted`] follows, or else [`Mail::unanswered`].
    Reconcile,
    /// The worker stores this state, in which the mail is dropped.
    Drop(Mail),
    /// The worker waits until then.
    Wait(Millis),
    /// Nothing is left to do.
    Done,
}

impl Mail {
    /// A mail that is due now.
    pub const fn new(notification_id: String, pages: Vec<PageRef>, created_at: Millis) -> Self {
        Self {
            notification_id,
            pages,
            created_at,
            state: MailState::Waiting { at: created_at },
            attempts: 0,
            unanswered: 0,
            has_slot: false,
            withheld: BTreeMap::new(),
        }
    }

    /// Events of the mail, oldest first.
    pub fn event_ids(&self) -> impl Iterator<Item = &String> {
        self.pages.iter().map(|page| &page.event_id)
    }

    /// The mail with further events; none when an attempt has begun, or it would contain too many.
    #[must_use]
    pub fn with_events(mut self, pages: &[PageRef]) -> Option<Self> {
        let is_open = self.attempts == 0 && matches!(self.state, MailState::Waiting { .. });
        let has_room = self.pages.len() + pages.len() <= MAX_REST;
        self.pages.extend_from_slice(pages);
        (is_open && has_room).then_some(self)
    }

    /// The mail, collapsed into another one.
    #[must_use]
    pub fn collapsed(self, into: String, at: Millis) -> Self {
        Self { state: MailState::Collapsed { at, into }, ..self }
    }

    /// The mail, waiting for its slot.
    #[must_use]
    pub fn postponed(self, at: Millis) -> Self {
        Self { state: MailState::Waiting { at }, has_slot: true, ..self }
    }

    /// The next step for the row at `now`.
    pub fn next_step(&self, now: Millis) -> MailStep {
        match self.state {
            MailState::Waiting { at } if now < at => MailStep::Wait(at),
            MailState::Waiting { .. } => self.attempt(now),
            MailState::Sending { until } if now < until => MailStep::Wait(until),
            MailState::Sending { .. } => MailStep::Reconcile,
            MailState::Sent { .. } | MailState::Collapsed { .. } | MailState::Dropped { .. } => {
                MailStep::Done
            }
        }
    }

    /// Whether the lease of an attempt expired with an unknown outcome.
    pub const fn expired(&self, now: Millis) -> bool {
        matches!(self.state, MailState::Sending { until } if now >= until)
    }

    /// The mail, accepted by a provider, according to its reply or event. This overrides every earlier
    /// state.
    #[must_use]
    pub fn accepted(self, message_id: &str, at: Millis) -> Self {
        match self.state {
            MailState::Sent { .. } => self,
            _ => Self { state: MailState::Sent { at, message_id: message_id.to_owned() }, ..self },
        }
    }

    /// The next step without an event about the expired attempt, which counts as not sent. An attempt
    /// in progress stays so.
    pub fn unanswered(&self, now: Millis) -> MailStep {
        if !self.expired(now) {
            return self.next_step(now);
        }
        let mail = Self { unanswered: self.unanswered.saturating_add(1), ..self.clone() };
        if mail.unanswered >= MAX_UNANSWERED {
            return MailStep::Drop(mail.dropped(Reason::Unanswered, None, now));
        }
        mail.attempt(now)
    }

    /// Applies the outcome of the attempt in progress. `random` spreads retries; any number will do.
    /// After an unknown outcome, the attempt stays in progress until the lease expires, because an
    /// event may resolve it.
    #[must_use]
    pub fn failed(self, outcome: &SendOutcome, now: Millis, random: u64) -> Self {
        if !matches!(self.state, MailState::Sending { .. }) {
            return self;
        }
        match outcome {
            SendOutcome::Accepted | SendOutcome::Ambiguous => self,
            SendOutcome::Rejected(said) => self.dropped(Reason::Rejected, Some(said), now),
            SendOutcome::Retry { after } => {
                let hint = after.unwrap_or_default().min(MAX_HINT);
                let at = now.saturating_add(self.pause(random).max(hint));
                if at > self.deadline() {
                    return self.dropped(Reason::Exhausted, None, now);
                }
                Self { state: MailState::Waiting { at }, ..self }
            }
        }
    }

    /// The mail, dropped.
    #[must_use]
    pub fn dropped(self, reason: Reason, detail: Option<&str>, at: Millis) -> Self {
        let detail = detail.map(|detail| detail.chars().take(MAX_DETAIL).collect());
        Self { state: MailState::Dropped { at, reason, detail }, ..self }
    }

    fn attempt(&self, now: Millis) -> MailStep {
        if self.attempts > 0 && now > self.deadline() {
            return MailStep::Drop(self.clone().dropped(Reason::Exhausted, None, now));
        }
        let state = MailState::Sending { until: now.saturating_add(LEASE) };
        MailStep::Send(Self { state, attempts: self.attempts.saturating_add(1), ..self.clone() })
    }

    const fn deadline(&self) -> Millis {
        self.created_at.saturating_add(MAX_AGE)
    }

    /// 1, 2, 4… seconds, the second half of it random.
    fn pause(&self, random: u64) -> Millis {
        let doublings = self.attempts.saturating_sub(1).min(20);
        let whole = (1000_u64 << doublings).min(MAX_PAUSE);
        whole / 2 + random % (whole / 2 + 1)
    }
}

impl RowBody for Mail {
    fn due(&self) -> Option<Millis> {
        match self.state {
            MailState::Waiting { at } => Some(at),
            MailState::Sending { until } => Some(until),
            MailState::Sent { .. } | MailState::Collapsed { .. } | MailState::Dropped { .. } => {
                None
            }
        }
    }

    fn expires(&self) -> Option<Millis> {
        match self.state {
            MailState::Sent { at, .. }
            | MailState::Collapsed { at, .. }
            | MailState::Dropped { at, .. } => Some(at + TOMBSTONE),
            MailState::Waiting { .. } | MailState::Sending { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests;
