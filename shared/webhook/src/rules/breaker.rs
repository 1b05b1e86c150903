//! The circuit breaker of an endpoint: pauses after overload, and disabling after days of failures.

use serde::{Deserialize, Serialize};

use crate::http_client::{Attempt, Failure};

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;

/// Overloads in a row that open the breaker.
const OVERLOADS: u32 = 5;
const FIRST_OPENING: u64 = MINUTE;
const LONGEST_OPENING: u64 = 15 * MINUTE;
/// An unreported probe, whose sender died, blocks the next one this long.
const PROBE: u64 = MINUTE;

/// Duration of failures after which an endpoint is disabled, in milliseconds.
pub const DISABLE_AFTER: u64 = 120 * HOUR;
/// Minimum number of distinct failed messages before disabling.
const DISABLE_MESSAGES: u32 = 10;
/// Shares of [`DISABLE_AFTER`] with a warning, in percent.
const WARNINGS: [u8; 3] = [50, 70, 90];
/// Value of `warned` after the last warning.
const DISABLED: u8 = 100;

/// Outcome of an attempt for its endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Accepted.
    Success,
    /// Failed for another reason than load.
    Failure,
    /// Failed because of overload: 429, 502, 503, 504, or a timeout.
    Overload,
}

impl Outcome {
    /// The outcome of an attempt.
    pub(crate) fn of(attempt: &Attempt) -> Self {
        match (attempt.status, attempt.failure) {
            (Some(200..=299), _) => Self::Success,
            (Some(429 | 502..=504), _) | (None, Some(Failure::Timeout)) => Self::Overload,
            _ => Self::Failure,
        }
    }
}

/// Health of an endpoint: stored with it, and changed by conditional writes.
///
/// The breaker is open while `open_until` is set. From that time, one probe is sent; its outcome
/// decides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Health {
    /// Overloads in a row, up to as many as open the breaker.
    #[serde(skip_serializing_if = "is_default")]
    pub overloads: u32,
    /// Openings since the last success; each is twice as long as the one before.
    #[serde(skip_serializing_if = "is_default")]
    pub openings: u32,
    /// End of the open state.
    #[serde(skip_serializing_if = "is_default")]
    pub open_until: Option<u64>,
    /// Whether a probe is in progress.
    #[serde(skip_serializing_if = "is_default")]
    pub probing: bool,
    /// End of the pause requested by the receiver.
    #[serde(skip_serializing_if = "is_default")]
    pub paused_until: Option<u64>,
    /// Start of the failures of every attempt.
    #[serde(skip_serializing_if = "is_default")]
    pub failing_since: Option<u64>,
    /// Distinct messages that failed since then, up to as many as decide: in a burst of failures
    /// nothing changes after the first of them, so they do not compete for the state.
    #[serde(skip_serializing_if = "is_default")]
    pub failed_messages: u32,
    /// The last warned share, in percent.
    #[serde(skip_serializing_if = "is_default")]
    pub warned: u8,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Decision whether to call an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// Yes; store the changed [`Health`] before sending.
    Send,
    /// Not before this time. Waiting does not count as an attempt.
    Wait(u64),
}

/// Notices for the owner of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HealthNotice {
    /// The breaker opened, or opened again.
    Opened,
    /// Every attempt has failed for 50, 70 or 90 percent of the time until the endpoint is
    /// disabled.
    Warning(u8),
    /// The endpoint is to be disabled, reason `consecutive_failure`.
    Disable,
}

impl Health {
    /// Whether the endpoint may be called now. If this call is the probe of an open breaker, others
    /// wait another minute for it.
    pub(crate) fn admit(&mut self, now: u64) -> Admission {
        let blocked = self.paused_until.max(self.open_until).filter(|until| now < *until);
        if let Some(until) = blocked {
            return Admission::Wait(until);
        }
        self.paused_until = None;
        if self.open_until.is_some() {
            self.open_until = Some(now.saturating_add(PROBE));
            self.probing = true;
        }
        Admission::Send
    }

    /// Records the outcome of an attempt. `message_is_new`: the message has not failed at this
    /// endpoint before.
    pub(crate) fn record(
        &mut self,
        outcome: Outcome,
        message_is_new: bool,
        now: u64,
    ) -> Vec<HealthNotice> {
        let opened = match outcome {
            Outcome::Success => {
                // The receiver requested the pause; attempts in progress do not end it.
                *self = Self { paused_until: self.paused_until, ..Self::default() };
                return vec![];
            }
            Outcome::Overload => self.record_overload(now),
            Outcome::Failure => {
                self.end_overloads();
                false
            }
        };
        let mut notices = if opened { vec![HealthNotice::Opened] } else { vec![] };
        notices.extend(self.record_failure(message_is_new, now));
        notices
    }

    /// Pauses until then, as requested by the receiver; an earlier time changes nothing.
    pub(crate) fn pause(&mut self, until: u64) {
        self.paused_until = self.paused_until.max(Some(until));
    }

    /// Whether an overload opened the breaker. While it is open only the probe counts, because
    /// older attempts carry no new information.
    fn record_overload(&mut self, now: u64) -> bool {
        self.overloads = self.overloads.saturating_add(1).min(OVERLOADS);
        let opens =
            if self.open_until.is_some() { self.probing } else { self.overloads >= OVERLOADS };
        if opens {
            let length = FIRST_OPENING << self.openings.min(8);
            self.open_until = Some(now.saturating_add(length.min(LONGEST_OPENING)));
            self.openings = self.openings.saturating_add(1);
            self.probing = false;
        }
        opens
    }

    /// A failure without overload ends a run of overloads. Such a probe closes the breaker, but the
    /// next opening is longer than the last: only a success resets it.
    fn end_overloads(&mut self) {
        self.overloads = 0;
        if self.probing {
            self.open_until = None;
            self.probing = false;
        }
    }

    fn record_failure(&mut self, message_is_new: bool, now: u64) -> Option<HealthNotice> {
        let since = *self.failing_since.get_or_insert(now);
        let failed = self.failed_messages.saturating_add(u32::from(message_is_new));
        self.failed_messages = failed.min(DISABLE_MESSAGES);
        if self.warned == DISABLED {
            return None;
        }
        let failing = now.saturating_sub(since);
        if failing >= DISABLE_AFTER && self.failed_messages >= DISABLE_MESSAGES {
            self.warned = DISABLED;
            return Some(HealthNotice::Disable);
        }
        let is_reached = |percent: &&u8| failing >= DISABLE_AFTER / 100 * u64::from(**percent);
        let percent = *WARNINGS.iter().rev().find(is_reached)?;
        if percent <= self.warned {
            return None;
        }
        self.warned = percent;
        Some(HealthNotice::Warning(percent))
    }
}

#[cfg(test)]
mod tests;
