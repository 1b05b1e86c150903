//! The retry schedule, and the end of retries.

use std::time::{Duration, UNIX_EPOCH};

use super::breaker::Outcome;
use crate::http_client::Attempt;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

/// The delay before each attempt, from the failure of the previous one: ten attempts in a little
/// over three days, which covers a weekend.
const SCHEDULE: [Duration; 10] = [
    Duration::ZERO,
    Duration::from_secs(5),
    Duration::from_secs(5 * MINUTE),
    Duration::from_secs(30 * MINUTE),
    Duration::from_secs(2 * HOUR),
    Duration::from_secs(5 * HOUR),
    Duration::from_secs(10 * HOUR),
    Duration::from_secs(14 * HOUR),
    Duration::from_secs(20 * HOUR),
    Duration::from_secs(24 * HOUR),
];

/// Minimum pause of an overloaded endpoint without a hint.
const OVERLOAD_DELAY: Duration = Duration::from_mins(1);
/// Maximum delay by a header of the receiver.
const MAX_HINT: Duration = Duration::from_hours(24);
/// Random extension of delays, so that messages that failed together are not retried together.
const JITTER: f64 = 0.2;

/// Verdict on a message and its endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Accepted.
    Delivered,
    /// Retried.
    Retry {
        /// Epoch milliseconds.
        at: u64,
        /// End of the pause requested by the endpoint; epoch milliseconds.
        pause_endpoint_until: Option<u64>,
    },
    /// The last attempt failed.
    Exhausted,
    /// The endpoint replied 410 and is to be disabled.
    Gone,
    /// The receiver requested to disable the endpoint; [`Attempt::is_success`] says whether it
    /// accepted this message.
    DisableRequested,
    /// The receiver requested not to retry this message.
    Aborted,
}

/// The verdict on an attempt.
///
/// `number` is 1 for the first attempt, `now` the time of its end, and `jitter` a random number
/// between 0 and 1.
#[must_use]
pub(crate) fn judge(attempt: &Attempt, number: u32, now: u64, jitter: f64) -> Verdict {
    if attempt.asks_for("disable") {
        return Verdict::DisableRequested;
    }
    if attempt.is_success() {
        return Verdict::Delivered;
    }
    if attempt.status == Some(410) {
        return Verdict::Gone;
    }
    if attempt.asks_for("abort-message") {
        return Verdict::Aborted;
    }
    let next = usize::try_from(number.max(1)).unwrap_or(usize::MAX);
    let Some(scheduled) = SCHEDULE.get(next) else {
        return Verdict::Exhausted;
    };
    // 503 without a hint is an ordinary failure; a hint overrides the schedule.
    let is_vague = Outcome::of(attempt) == Outcome::Overload && attempt.status != Some(503);
    let floor = if is_vague && retry_after(attempt, now).is_none() {
        OVERLOAD_DELAY
    } else {
        Duration::ZERO
    };
    let delay = (*scheduled).max(floor);
    let delay = delay + delay.mul_f64(JITTER * within_one(jitter));
    let pause_endpoint_until = pause_until(attempt, now);
    let at = now.saturating_add(millis(delay)).max(pause_endpoint_until.unwrap_or(0));
    Verdict::Retry { at, pause_endpoint_until }
}

/// End of the requested pause: `retry-after` of a 429 or 503, at most 24 hours from `now`. It
/// applies to the endpoint whatever the verdict on the message.
#[must_use]
pub(crate) fn pause_until(attempt: &Attempt, now: u64) -> Option<u64> {
    retry_after(attempt, now).filter(|until| *until > now)
}

/// Time of the retry by the header, possibly at once.
fn retry_after(attempt: &Attempt, now: u64) -> Option<u64> {
    let text = attempt.retry_after.as_deref()?.trim();
    if !matches!(attempt.status, Some(429 | 503)) {
        return None;
    }
    let until = match text.parse::<u64>() {
        Ok(seconds) => now.saturating_add(seconds.saturating_mul(1000)),
        Err(_) => {
            let date = httpdate::parse_http_date(text).ok()?;
            millis(date.duration_since(UNIX_EPOCH).ok()?)
        }
    };
    Some(until.min(now.saturating_add(millis(MAX_HINT))))
}

/// NaN, which would make the delay panic, counts as no jitter.
fn within_one(jitter: f64) -> f64 {
    if jitter.is_finite() { jitter.clamp(0.0, 1.0) } else { 0.0 }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
