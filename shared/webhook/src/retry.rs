//! When a message is tried again, and when never.

use std::time::{Duration, UNIX_EPOCH};

use crate::attempt::{Attempt, Outcome};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

/// The delay before each attempt, counted from the failure of the one before: ten attempts in a
/// little over three days, which a weekend fits into.
pub const SCHEDULE: [Duration; 10] = [
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

/// An overloaded endpoint is left alone at least this long.
const OVERLOAD_DELAY: Duration = Duration::from_mins(1);
/// No receiver delays a message longer than this by a header.
const MAX_HINT: Duration = Duration::from_hours(24);
/// Delays grow by up to this share, so that what failed together is not tried again together.
const JITTER: f64 = 0.2;

/// What is to become of a message and its endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The receiver took it.
    Delivered,
    /// It is tried again.
    Retry {
        /// When, in epoch milliseconds.
        at: u64,
        /// Until when nothing at all goes to the endpoint, as it asked; epoch milliseconds.
        pause_endpoint_until: Option<u64>,
    },
    /// That was the last attempt.
    Exhausted,
    /// The endpoint is gone (410) and is to be disabled.
    Gone,
    /// The receiver asked to disable the endpoint; [`Attempt::is_success`] says whether it took
    /// this message before.
    DisableRequested,
    /// The receiver asked not to be sent this message again.
    Aborted,
}

/// What follows from an attempt.
///
/// `number` is 1 for the first attempt, `now` the time of its end, and `jitter` a random number
/// between 0 and 1.
#[must_use]
pub fn judge(attempt: &Attempt, number: u32, now: u64, jitter: f64) -> Verdict {
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
    let overloaded = attempt.outcome() == Outcome::Overload;
    let floor = if overloaded { OVERLOAD_DELAY } else { Duration::ZERO };
    let delay = (*scheduled).max(floor);
    let delay = delay + delay.mul_f64(JITTER * within_one(jitter));
    let pause_endpoint_until = pause_until(attempt, now);
    let at = now.saturating_add(millis(delay)).max(pause_endpoint_until.unwrap_or(0));
    Verdict::Retry { at, pause_endpoint_until }
}

/// Until when the endpoint asked to be left alone: `retry-after` of a 429 or 503, at most 24 hours
/// from `now`. It holds for the endpoint whatever becomes of the message.
#[must_use]
pub fn pause_until(attempt: &Attempt, now: u64) -> Option<u64> {
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
    let until = until.min(now.saturating_add(millis(MAX_HINT)));
    (until > now).then_some(until)
}

/// No number at all, which would make a panic of the delay, is no jitter.
fn within_one(jitter: f64) -> f64 {
    if jitter.is_finite() { jitter.clamp(0.0, 1.0) } else { 0.0 }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::attempt::Failure;

    const NOW: u64 = 1_784_104_496_000; // Wed, 15 Jul 2026 08:34:56 GMT

    fn status(status: u16) -> Attempt {
        Attempt { status: Some(status), ..Attempt::default() }
    }

    fn failure(failure: Failure) -> Attempt {
        Attempt { failure: Some(failure), ..Attempt::default() }
    }

    fn with_hint(code: u16, hint: &str) -> Attempt {
        Attempt { retry_after: Some(hint.to_owned()), ..status(code) }
    }

    fn with_control(code: u16, control: &str) -> Attempt {
        Attempt { control: Some(control.to_owned()), ..status(code) }
    }

    fn delay(attempt: &Attempt, number: u32) -> u64 {
        match judge(attempt, number, NOW, 0.0) {
            Verdict::Retry { at, .. } => (at - NOW) / 1000,
            verdict => panic!("{verdict:?}"),
        }
    }

    #[test]
    fn ten_attempts_are_made_in_a_little_over_three_days() {
        let delays: Vec<u64> = (1..=9).map(|number| delay(&status(500), number)).collect();
        assert_eq!(delays, [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]);
        assert_eq!(delays.iter().sum::<u64>(), 75 * HOUR + 35 * MINUTE + 5);
        assert_eq!(judge(&status(500), 10, NOW, 0.0), Verdict::Exhausted);
        assert_eq!(judge(&status(500), u32::MAX, NOW, 0.0), Verdict::Exhausted);
    }

    #[test]
    fn only_2xx_is_delivered_and_everything_else_is_tried_again() {
        for code in [200, 201, 202, 204, 299] {
            assert_eq!(judge(&status(code), 1, NOW, 0.5), Verdict::Delivered, "{code}");
        }
        for code in [101, 301, 302, 308, 400, 401, 403, 404, 409, 500, 501] {
            assert_eq!(delay(&status(code), 1), 5, "{code}");
        }
        use Failure::{Address, Connect, Dns, Protocol, Tls, Url};
        for reason in [Address("loopback"), Connect, Dns, Protocol, Tls, Url] {
            assert_eq!(delay(&failure(reason), 1), 5, "{reason:?}");
        }
    }

    #[test]
    fn an_overloaded_endpoint_has_a_minute_at_least() {
        for code in [429, 502, 503, 504] {
            assert_eq!((delay(&status(code), 1), delay(&status(code), 2)), (60, 300), "{code}");
        }
        assert_eq!(delay(&failure(Failure::Timeout), 1), 60);
    }

    #[test]
    fn a_410_and_the_wishes_of_the_receiver_are_honored() {
        assert_eq!(judge(&status(410), 1, NOW, 0.0), Verdict::Gone);
        assert_eq!(judge(&status(410), 10, NOW, 0.0), Verdict::Gone);
        for code in [200, 204, 410, 500] {
            let attempt = with_control(code, " Disable ");
            assert_eq!(judge(&attempt, 1, NOW, 0.0), Verdict::DisableRequested, "{code}");
        }
        assert_eq!(judge(&with_control(500, "abort-message"), 1, NOW, 0.0), Verdict::Aborted);
        assert_eq!(judge(&with_control(200, "abort-message"), 1, NOW, 0.0), Verdict::Delivered);
        let both = with_control(500, "abort-message, disable");
        assert_eq!(judge(&both, 1, NOW, 0.0), Verdict::DisableRequested);
        assert_eq!(delay(&with_control(500, "faster"), 1), 5);
    }

    #[test]
    fn retry_after_pauses_the_endpoint_in_seconds_or_until_a_date() {
        let retry = |attempt: &Attempt| judge(attempt, 1, NOW, 1.0);
        let both = |at: u64| Verdict::Retry { at, pause_endpoint_until: Some(at) };
        assert_eq!(retry(&with_hint(429, "600")), both(NOW + 600_000));
        let date = with_hint(503, "Wed, 15 Jul 2026 09:34:56 GMT");
        assert_eq!(retry(&date), both(NOW + HOUR * 1000));
        assert_eq!(retry(&with_hint(429, "999999999999999999")), both(NOW + 24 * HOUR * 1000));
        let far = with_hint(503, "Fri, 15 Jan 2100 08:34:56 GMT");
        assert_eq!(retry(&far), both(NOW + 24 * HOUR * 1000));
        let short = Verdict::Retry { at: NOW + 72_000, pause_endpoint_until: Some(NOW + 3000) };
        assert_eq!(retry(&with_hint(429, "3")), short);
    }

    #[test]
    fn a_hint_that_says_nothing_changes_nothing() {
        let past = "Wed, 15 Jul 2026 08:34:56 GMT";
        for hint in ["", "0", "-5", "soon", past, "1.5"] {
            assert_eq!(pause_until(&with_hint(429, hint), NOW), None, "{hint}");
            assert_eq!(delay(&with_hint(429, hint), 1), 60, "{hint}");
        }
        assert_eq!(pause_until(&with_hint(500, "600"), NOW), None);
        assert_eq!(delay(&with_hint(500, "600"), 1), 5);
    }

    fn attempts() -> impl Strategy<Value = Attempt> {
        let hint = prop::option::of((0_u64..200_000).prop_map(|seconds| seconds.to_string()));
        let code = prop::option::of(prop_oneof![Just(429), Just(503), 300_u16..600]);
        (code, hint).prop_map(|(status, retry_after)| {
            let failure = status.is_none().then_some(Failure::Timeout);
            Attempt { status, retry_after, failure, ..Attempt::default() }
        })
    }

    proptest! {
        #[test]
        fn a_retry_is_never_early_and_never_too_late(
            attempt in attempts(),
            number in 1_u32..10,
            jitter in prop_oneof![0.0..=1.0, Just(f64::NAN), Just(f64::INFINITY), Just(-1.0)],
        ) {
            match judge(&attempt, number, NOW, jitter) {
                Verdict::Gone => prop_assert_eq!(attempt.status, Some(410)),
                Verdict::Retry { at, pause_endpoint_until } => {
                    let scheduled = millis(SCHEDULE[number as usize]);
                    let overload = if attempt.outcome() == Outcome::Overload { 60_000 } else { 0 };
                    let hint = pause_endpoint_until.map_or(0, |until| until - NOW);
                    let earliest = scheduled.max(overload).max(hint);
                    let latest = (scheduled * 6 / 5).max(overload * 6 / 5).max(hint);
                    prop_assert!((NOW + earliest..=NOW + latest).contains(&at));
                }
                verdict => prop_assert!(false, "{:?}", verdict),
            }
        }
    }
}
