//! A mail to be sent (rule N16): independent of the inbox, retried alone. Who may send it now, and
//! when it is tried again; pure like the other rows.
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
//! One that is more than its recipient gets in an hour is collapsed from the start.

use std::collections::BTreeMap;

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::{Body, PageRef, Reason, TOMBSTONE, quota::MAX_REST};

/// How long an attempt may take, and events of the provider to arrive.
pub const LEASE: Millis = 90_000;

/// When a mail that was never accepted is given up.
pub const MAX_AGE: Millis = 24 * 60 * 60 * 1000;

/// Longest pause that this schedule makes by itself.
pub const MAX_PAUSE: Millis = 15 * 60 * 1000;

/// Longest pause that a provider can ask for.
pub const MAX_HINT: Millis = 60 * 60 * 1000;

/// How many attempts may end without an answer: each may be a copy in the mailbox.
pub const MAX_UNANSWERED: u32 = 3;

/// Most characters that are kept of what a provider says.
const MAX_DETAIL: usize = 300;

/// A mail about a notification that was delivered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mail {
    /// The notification it tells of, as its recipient finds it.
    pub notification_id: String,
    /// The events it tells of, oldest first: each with the page its recipient is in.
    pub pages: Vec<PageRef>,
    /// Delivery time.
    pub created_at: Millis,
    /// Its state.
    pub state: MailState,
    /// Number of claims.
    #[serde(default)]
    pub attempts: u32,
    /// How many attempts ended without an answer.
    #[serde(default)]
    pub unanswered: u32,
    /// Events that were left out when it was last looked at, each with the reason.
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
    /// Somebody is sending it; whether that came about is open once the lease is over.
    Sending {
        /// Until when nobody else may.
        until: Millis,
    },
    /// A provider or relay has it.
    Sent {
        /// Since when.
        at: Millis,
        /// Its id there.
        message_id: String,
    },
    /// Its activities are in the mail about the rest of the hour ([`crate::Quota`]).
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
        /// Why, in a word: that of a [`Reason`], or one that only mails have, such as `rejected`,
        /// `exhausted`, `unanswered` or `no_sender`.
        reason: String,
        /// Detail of the provider's reply.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
}

/// The outcome of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The provider has it; it gives an id to it.
    Accepted,
    /// Not now.
    Retry {
        /// How long the provider wants to be left alone, in milliseconds.
        after: Option<Millis>,
    },
    /// Never; what was said about it.
    Rejected(String),
    /// Nobody knows: it was sent, but no answer came.
    Ambiguous,
}

/// The work of a worker for a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Store this state, then send.
    Send(Mail),
    /// An attempt ended without an answer: look for an event of the provider with the tag of this
    /// mail; then [`Mail::accepted`], or else [`Mail::unanswered`].
    Reconcile,
    /// Store this state: it was given up.
    Drop(Mail),
    /// Come back then.
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
            withheld: BTreeMap::new(),
        }
    }

    /// The events it tells of, oldest first.
    pub fn event_ids(&self) -> impl Iterator<Item = &String> {
        self.pages.iter().map(|page| &page.event_id)
    }

    /// With further events, unless somebody has begun to send it, or it would hold too many.
    #[must_use]
    pub fn joined_by(mut self, pages: &[PageRef]) -> Option<Self> {
        let is_open = self.attempts == 0 && matches!(self.state, MailState::Waiting { .. });
        let has_room = self.pages.len() + pages.len() <= MAX_REST;
        self.pages.extend_from_slice(pages);
        (is_open && has_room).then_some(self)
    }

    /// Another mail tells of it.
    #[must_use]
    pub fn collapsed(self, into: String, at: Millis) -> Self {
        Self { state: MailState::Collapsed { at, into }, ..self }
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

    /// Whether an attempt ran out of time, so that nobody knows its outcome.
    pub const fn expired(&self, now: Millis) -> bool {
        matches!(self.state, MailState::Sending { until } if now >= until)
    }

    /// A provider has it, by its answer or by its event. That holds whatever was thought before.
    #[must_use]
    pub fn accepted(self, message_id: &str, at: Millis) -> Self {
        match self.state {
            MailState::Sent { .. } => self,
            _ => Self { state: MailState::Sent { at, message_id: message_id.to_owned() }, ..self },
        }
    }

    /// No event tells of the attempt that ran out of time: it counts as not sent. An attempt that is
    /// still under way stays so.
    pub fn unanswered(&self, now: Millis) -> Claim {
        if !self.expired(now) {
            return self.claim(now);
        }
        let mail = Self { unanswered: self.unanswered.saturating_add(1), ..self.clone() };
        if mail.unanswered >= MAX_UNANSWERED {
            return Claim::Drop(mail.dropped("unanswered", None, now));
        }
        mail.attempt(now)
    }

    /// The attempt under way was judged. `random` spreads retries; any number will do. What is
    /// ambiguous stays under way until its lease runs out, for an event may tell by then.
    #[must_use]
    pub fn failed(self, judged: &Sent, now: Millis, random: u64) -> Self {
        if !matches!(self.state, MailState::Sending { .. }) {
            return self;
        }
        match judged {
            Sent::Accepted | Sent::Ambiguous => self,
            Sent::Rejected(said) => self.dropped("rejected", Some(said), now),
            Sent::Retry { after } => {
                let hint = after.unwrap_or_default().min(MAX_HINT);
                let at = now.saturating_add(self.pause(random).max(hint));
                if at > self.deadline() {
                    return self.dropped("exhausted", None, now);
                }
                Self { state: MailState::Waiting { at }, ..self }
            }
        }
    }

    /// Drops it, with the reason in a word.
    #[must_use]
    pub fn dropped(self, reason: &str, detail: Option<&str>, at: Millis) -> Self {
        let detail = detail.map(|detail| detail.chars().take(MAX_DETAIL).collect());
        Self { state: MailState::Dropped { at, reason: reason.to_owned(), detail }, ..self }
    }

    fn attempt(&self, now: Millis) -> Claim {
        if self.attempts > 0 && now > self.deadline() {
            return Claim::Drop(self.clone().dropped("exhausted", None, now));
        }
        let state = MailState::Sending { until: now.saturating_add(LEASE) };
        Claim::Send(Self { state, attempts: self.attempts.saturating_add(1), ..self.clone() })
    }

    const fn deadline(&self) -> Millis {
        self.created_at.saturating_add(MAX_AGE)
    }

    /// 1, 2, 4… seconds, the second half of it by chance.
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
