use proptest::prelude::*;

use super::*;
use crate::http_client::Failure;

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
    for code in [429, 502, 504] {
        assert_eq!((delay(&status(code), 1), delay(&status(code), 2)), (60, 300), "{code}");
    }
    assert_eq!(delay(&failure(Failure::Timeout), 1), 60);
}

#[test]
fn a_503_without_a_hint_follows_the_ordinary_schedule() {
    assert_eq!((delay(&status(503), 1), delay(&status(503), 2)), (5, 300));
    for hint in ["", "-5", "soon", "1.5"] {
        assert_eq!(delay(&with_hint(503, hint), 1), 5, "{hint}");
    }
}

#[test]
fn a_hint_in_seconds_is_waited_for_and_no_minute() {
    for code in [429, 503] {
        assert_eq!(delay(&with_hint(code, "9"), 1), 9, "{code}");
        assert_eq!(delay(&with_hint(code, "0"), 1), 5, "{code}: the schedule is longer");
        assert_eq!(delay(&with_hint(code, "9"), 2), 300, "{code}: the schedule is longer");
    }
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
    let short = Verdict::Retry { at: NOW + 6000, pause_endpoint_until: Some(NOW + 3000) };
    assert_eq!(retry(&with_hint(429, "3")), short);
}

#[test]
fn a_hint_that_says_nothing_changes_nothing() {
    let past = "Wed, 15 Jul 2026 08:34:56 GMT";
    for hint in ["", "-5", "soon", "1.5"] {
        assert_eq!(pause_until(&with_hint(429, hint), NOW), None, "{hint}");
        assert_eq!(delay(&with_hint(429, hint), 1), 60, "{hint}");
    }
    for over in ["0", past] {
        assert_eq!(pause_until(&with_hint(429, over), NOW), None, "{over}");
        assert_eq!(delay(&with_hint(429, over), 1), 5, "{over}: at once is an answer, too");
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

/// Headers of every kind, valid or not.
fn any_attempts() -> impl Strategy<Value = Attempt> {
    let date = (0_u64..200_000_000_000)
        .prop_map(|seconds| httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(seconds)));
    let near = (0..4 * 24 * HOUR).prop_map(|seconds| {
        httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(NOW / 1000 + seconds))
    });
    let seconds = prop_oneof![0_u64..200_000, any::<u64>()].prop_map(|seconds| seconds.to_string());
    let hint = prop::option::of(prop_oneof![seconds, date, near, ".{0,40}"]);
    let wish = prop_oneof![Just("disable"), Just("abort-message"), Just(", x ,")];
    let wish = prop::option::weighted(0.1, wish.prop_map(str::to_owned));
    let code = prop::option::of(prop_oneof![Just(429), Just(503), 100_u16..600]);
    (code, hint, wish).prop_map(|(status, retry_after, control)| {
        let failure = status.is_none().then_some(Failure::Connect);
        Attempt { status, retry_after, control, failure, ..Attempt::default() }
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
                let is_vague = attempt.status != Some(503) && attempt.retry_after.is_none();
                let is_vague = Outcome::of(&attempt) == Outcome::Overload
                    && (is_vague || !matches!(attempt.status, Some(429 | 503)));
                let overload = if is_vague { 60_000 } else { 0 };
                let hint = pause_endpoint_until.map_or(0, |until| until - NOW);
                let earliest = scheduled.max(overload).max(hint);
                let latest = (scheduled * 6 / 5).max(overload * 6 / 5).max(hint);
                prop_assert!((NOW + earliest..=NOW + latest).contains(&at));
            }
            verdict => prop_assert!(false, "{:?}", verdict),
        }
    }

    #[test]
    fn whatever_comes_has_a_verdict_and_ten_attempts_are_all(
        attempt in any_attempts(),
        number in prop_oneof![0_u32..12, any::<u32>()],
        now in prop_oneof![Just(NOW), any::<u64>()],
        jitter in any::<f64>(),
    ) {
        let verdict = judge(&attempt, number, now, jitter);
        if let Verdict::Retry { at, pause_endpoint_until } = verdict {
            prop_assert!(number < 10 && at >= now && at >= pause_endpoint_until.unwrap_or(0));
            prop_assert!(!attempt.is_success());
        }
        let is_last = verdict == Verdict::Exhausted;
        prop_assert!(!is_last || (number >= 10 && !attempt.is_success()));
    }

    #[test]
    fn a_later_attempt_waits_longer(
        attempt in any_attempts(), number in 1_u32..9, jitter in 0.0..=1.0,
    ) {
        let at = |number| match judge(&attempt, number, NOW, jitter) {
            Verdict::Retry { at, .. } => Some(at),
            _ => None,
        };
        let (now, later) = (at(number), at(number + 1));
        prop_assert!(now <= later && now.is_some() == later.is_some());
    }

    #[test]
    fn a_hint_makes_an_ordinary_wait_longer_by_itself_and_by_a_day_at_most(
        attempt in any_attempts(), number in 1_u32..10, jitter in 0.0..=1.0,
    ) {
        let day = NOW + 24 * HOUR * 1000;
        let pause = pause_until(&attempt, NOW);
        prop_assert!(pause.is_none_or(|until| NOW < until && until <= day));
        prop_assert!(pause.is_none() || matches!(attempt.status, Some(429 | 503)));
        let silent = Attempt { retry_after: None, ..attempt.clone() };
        let without = judge(&silent, number, NOW, jitter);
        match (judge(&attempt, number, NOW, jitter), without) {
            (
                Verdict::Retry { at, pause_endpoint_until },
                Verdict::Retry { pause_endpoint_until: None, .. },
            ) => {
                prop_assert_eq!(pause_endpoint_until, pause);
                // The schedule of a failure without overload.
                let Verdict::Retry { at: ordinary, .. } = judge(&status(500), number, NOW, jitter)
                else {
                    return Err(TestCaseError::fail("no retry"));
                };
                if pause.is_some() {
                    prop_assert_eq!(at, ordinary.max(pause.unwrap_or(0)));
                }
            }
            (with, without) => prop_assert_eq!(with, without),
        }
    }
}
