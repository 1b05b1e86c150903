//! The lease of one mail: who may send it now, and when it is tried again. Pure: a caller stores
//! each state on condition that it is still the one it came from (`attempts` tells them apart).
//!
//! ```text
//! waiting --claim--> sending --accepted--> sent
//!    ^                  |  \--rejected, or 24 h are over--> dropped
//!    |                  |--retry--> waiting
//!    +------------------+  a lease that ran out: sent if the provider says so, else once more
//! ```

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::provider::Sent;

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

/// One mail on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mail {
    /// Where it stands.
    pub state: State,
    /// How often it was claimed.
    pub attempts: u32,
    /// How many attempts ended without an answer.
    #[serde(default)]
    pub unanswered: u32,
    /// When it was to be sent first.
    pub since: Millis,
}

/// Where a mail stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum State {
    /// It is sent when it is due.
    Waiting {
        /// When.
        due: Millis,
    },
    /// An attempt is under way.
    Sending {
        /// Until when the attempt must have ended.
        lease_until: Millis,
    },
    /// A provider or relay has it.
    Sent {
        /// Its id there.
        message_id: String,
        /// Since when.
        at: Millis,
    },
    /// It is given up.
    Dropped {
        /// Why.
        reason: String,
        /// Since when.
        at: Millis,
    },
}

/// What a worker that wakes up has to do.
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
    pub const fn new(now: Millis) -> Self {
        Self { state: State::Waiting { due: now }, attempts: 0, unanswered: 0, since: now }
    }

    /// Who wakes up asks what to do.
    pub fn claim(&self, now: Millis) -> Claim {
        match self.state {
            State::Waiting { due } if now < due => Claim::Wait(due),
            State::Waiting { .. } => self.attempt(now),
            State::Sending { lease_until } if now < lease_until => Claim::Wait(lease_until),
            State::Sending { .. } => Claim::Reconcile,
            State::Sent { .. } | State::Dropped { .. } => Claim::Done,
        }
    }

    /// Whether an attempt ran out of time, so that nobody knows what became of it.
    pub const fn expired(&self, now: Millis) -> bool {
        matches!(self.state, State::Sending { lease_until } if now >= lease_until)
    }

    /// A provider has it, by its answer or by its event. That holds whatever was thought before.
    #[must_use]
    pub fn accepted(self, message_id: &str, at: Millis) -> Self {
        match self.state {
            State::Sent { .. } => self,
            _ => Self { state: State::Sent { message_id: message_id.to_owned(), at }, ..self },
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
            return Claim::Drop(mail.dropped("unanswered", now));
        }
        mail.attempt(now)
    }

    /// The attempt under way was judged. `random` spreads retries; any number will do. What is
    /// ambiguous stays under way until its lease runs out, for an event may tell by then.
    #[must_use]
    pub fn failed(self, judged: &Sent, now: Millis, random: u64) -> Self {
        if !matches!(self.state, State::Sending { .. }) {
            return self;
        }
        match judged {
            Sent::Accepted | Sent::Ambiguous => self,
            Sent::Rejected(reason) => self.dropped(reason, now),
            Sent::Retry { after } => {
                let hint = after.unwrap_or_default().min(MAX_HINT);
                let due = now.saturating_add(self.pause(random).max(hint));
                if due > self.deadline() {
                    return self.dropped("exhausted", now);
                }
                Self { state: State::Waiting { due }, ..self }
            }
        }
    }

    fn attempt(&self, now: Millis) -> Claim {
        if self.attempts > 0 && now > self.deadline() {
            return Claim::Drop(self.clone().dropped("exhausted", now));
        }
        let state = State::Sending { lease_until: now.saturating_add(LEASE) };
        Claim::Send(Self { state, attempts: self.attempts.saturating_add(1), ..self.clone() })
    }

    fn dropped(self, reason: &str, at: Millis) -> Self {
        Self { state: State::Dropped { reason: reason.to_owned(), at }, ..self }
    }

    const fn deadline(&self) -> Millis {
        self.since.saturating_add(MAX_AGE)
    }

    /// 1, 2, 4… seconds, the second half of it by chance.
    fn pause(&self, random: u64) -> Millis {
        let doublings = self.attempts.saturating_sub(1).min(20);
        let whole = (1000_u64 << doublings).min(MAX_PAUSE);
        whole / 2 + random % (whole / 2 + 1)
    }
}

#[cfg(test)]
mod tests;
