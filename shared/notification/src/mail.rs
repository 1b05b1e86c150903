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

use std::collections::BTreeMap;

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::{Body, PageRef, Reason, TOMBSTONE, quota::MAX_REST};

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
    /// Its notification, as its recipient finds it.
    pub notification_id: String,
    /// Its events, oldest first: each with the page of its recipient.
    pub pages: Vec<PageRef>,
    /// Delivery time.
    pub created_at: Millis,
    /// Its state.
    pub state: MailState,
    /// Number of claims.
    #[serde(default)]
    pub attempts: u32,
    /// Number of attempts without a reply.
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
    /// Waiting to be sent.
    Waiting {
        /// Time.
        at: Millis,
    },
    /// An attempt is in progress; its outcome is unknown after the lease.
    Sending {
        /// End of the lease.
        until: Millis,
    },
    /// Accepted by a provider or relay.
    Sent {
        /// Since when.
        at: Millis,
        /// Its id there.
        message_id: String,
    },
    /// Its activities are in the mail for the rest of the hour ([`crate::Quota`]).
    Collapsed {
        /// Since when.
        at: Millis,
        /// The mail that contains it.
        into: String,
    },
    /// Dropped.
    Dropped {
        /// Since when.
        at: Millis,
        /// The reason.
        reason: Reason,
        /// Detail of the provider's reply.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
}

/// Result of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// Accepted, with the provider's message id.
    Accepted,
    /// Temporarily refused.
    Retry {
        /// Delay requested by the provider, in milliseconds.
        after: Option<Millis>,
    },
    /// Permanently refused, with the provider's detail.
    Rejected(String),
    /// Unknown: sent without a reply.
    Ambiguous,
}

/// The work of a worker for a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Store this state, then send.
    Send(Mail),
    /// An attempt without a reply: look for an event of the provider with the tag of this mail;
    /// then [`Mail::accepted`], or else [`Mail::unanswered`].
    Reconcile,
    /// Store this state: dropped.
    Drop(Mail),
    /// Wait until then.
    Wait(Millis),
    /// Done.
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

    /// Its events, oldest first.
    pub fn event_ids(&self) -> impl Iterator<Item = &String> {
        self.pages.iter().map(|page| &page.event_id)
    }

    /// Adds events, unless an attempt has begun, or it would contain too many.
    #[must_use]
    pub fn joined_by(mut self, pages: &[PageRef]) -> Option<Self> {
        let is_open = self.attempts == 0 && matches!(self.state, MailState::Waiting { .. });
        let has_room = self.pages.len() + pages.len() <= MAX_REST;
        self.pages.extend_from_slice(pages);
        (is_open && has_room).then_some(self)
    }

    /// Collapses it into another mail.
    #[must_use]
    pub fn collapsed(self, into: String, at: Millis) -> Self {
        Self { state: MailState::Collapsed { at, into }, ..self }
    }

    /// Waits for its slot.
    #[must_use]
    pub fn postponed(self, at: Millis) -> Self {
        Self { state: MailState::Waiting { at }, has_slot: true, ..self }
    }

    /// The next step for the row at `now`.
    pub fn claim(&self, now: Millis) -> Claim {
        match self.state {
            MailState::Waiting { at } if now < at => Claim::Wait(at),
            MailState::Waiting { .. } => self.attempt(now),
            MailState::Sending { until } if now < until => Claim::Wait(until),
            MailState::Sending { .. } => Claim::Reconcile,
            MailState::Sent { .. } | MailState::Collapsed { .. } | MailState::Dropped { .. } => {
                Claim::Done
            }
        }
    }

    /// Whether the lease of an attempt expired with an unknown outcome.
    pub const fn expired(&self, now: Millis) -> bool {
        matches!(self.state, MailState::Sending { until } if now >= until)
    }

    /// Accepted by a provider, by its reply or event. Overrides every earlier state.
    #[must_use]
    pub fn accepted(self, message_id: &str, at: Millis) -> Self {
        match self.state {
            MailState::Sent { .. } => self,
            _ => Self { state: MailState::Sent { at, message_id: message_id.to_owned() }, ..self },
        }
    }

    /// No event about the expired attempt: it counts as not sent. An attempt in progress stays so.
    pub fn unanswered(&self, now: Millis) -> Claim {
        if !self.expired(now) {
            return self.claim(now);
        }
        let mail = Self { unanswered: self.unanswered.saturating_add(1), ..self.clone() };
        if mail.unanswered >= MAX_UNANSWERED {
            return Claim::Drop(mail.dropped(Reason::Unanswered, None, now));
        }
        mail.attempt(now)
    }

    /// Applies the result of the attempt in progress. `random` spreads retries; any number will do.
    /// An unknown result stays in progress until the lease expires, because an event may resolve
    /// it.
    #[must_use]
    pub fn failed(self, judged: &Sent, now: Millis, random: u64) -> Self {
        if !matches!(self.state, MailState::Sending { .. }) {
            return self;
        }
        match judged {
            Sent::Accepted | Sent::Ambiguous => self,
            Sent::Rejected(said) => self.dropped(Reason::Rejected, Some(said), now),
            Sent::Retry { after } => {
                let hint = after.unwrap_or_default().min(MAX_HINT);
                let at = now.saturating_add(self.pause(random).max(hint));
                if at > self.deadline() {
                    return self.dropped(Reason::Exhausted, None, now);
                }
                Self { state: MailState::Waiting { at }, ..self }
            }
        }
    }

    /// Drops it.
    #[must_use]
    pub fn dropped(self, reason: Reason, detail: Option<&str>, at: Millis) -> Self {
        let detail = detail.map(|detail| detail.chars().take(MAX_DETAIL).collect());
        Self { state: MailState::Dropped { at, reason, detail }, ..self }
    }

    fn attempt(&self, now: Millis) -> Claim {
        if self.attempts > 0 && now > self.deadline() {
            return Claim::Drop(self.clone().dropped(Reason::Exhausted, None, now));
        }
        let state = MailState::Sending { until: now.saturating_add(LEASE) };
        Claim::Send(Self { state, attempts: self.attempts.saturating_add(1), ..self.clone() })
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

impl Body for Mail {
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
