use proptest::prelude::*;

use super::*;
use Outcome::{Failure, Overload, Success};

const NOW: u64 = 1_784_104_496_000;

/// A breaker that has just opened for the first time.
fn open() -> Health {
    let mut health = Health::default();
    for _ in 0..4 {
        assert_eq!(health.record(Overload, true, NOW), []);
    }
    assert_eq!(health.admit(NOW), Admission::Send);
    assert_eq!(health.record(Overload, true, NOW), [HealthNotice::Opened]);
    health
}

#[test]
fn five_overloads_in_a_row_open_the_breaker_for_a_minute() {
    let mut health = open();
    assert_eq!(health.admit(NOW), Admission::Wait(NOW + MINUTE));
    assert_eq!(health.admit(NOW + MINUTE - 1), Admission::Wait(NOW + MINUTE));
}

#[test]
fn any_other_answer_ends_a_run_of_overloads() {
    for other in [Success, Failure] {
        let mut health = Health::default();
        for outcome in [Overload, Overload, Overload, Overload, other, Overload, Overload] {
            assert_eq!(health.record(outcome, true, NOW), []);
        }
        assert_eq!(health.admit(NOW), Admission::Send);
    }
}

#[test]
fn exactly_one_probe_is_let_through_and_another_if_it_never_reports() {
    let mut health = open();
    let then = NOW + MINUTE;
    assert_eq!(health.admit(then), Admission::Send);
    assert_eq!(health.admit(then), Admission::Wait(then + MINUTE));
    assert_eq!(health.admit(then + MINUTE), Admission::Send);
    assert_eq!(health.admit(then + MINUTE), Admission::Wait(then + 2 * MINUTE));
}

#[test]
fn each_failed_probe_doubles_the_time_up_to_a_quarter_of_an_hour() {
    let mut health = open();
    let mut now = NOW + MINUTE;
    for minutes in [2, 4, 8, 15, 15, 15] {
        assert_eq!(health.admit(now), Admission::Send);
        assert_eq!(health.record(Overload, false, now), [HealthNotice::Opened]);
        assert_eq!(health.admit(now), Admission::Wait(now + minutes * MINUTE));
        now += minutes * MINUTE;
    }
    assert_eq!(health.admit(now), Admission::Send);
    assert_eq!(health.record(Success, false, now), []);
    assert_eq!(health, Health::default());
}

#[test]
fn overloads_that_were_under_way_do_not_lengthen_an_opening() {
    let mut health = open();
    for _ in 0..20 {
        assert_eq!(health.record(Overload, true, NOW + 1), []);
    }
    assert_eq!(health.admit(NOW + 1), Admission::Wait(NOW + MINUTE));
}

#[test]
fn a_probe_that_fails_otherwise_closes_the_breaker_but_the_next_opening_is_longer() {
    let mut health = open();
    let now = NOW + MINUTE;
    assert_eq!(health.admit(now), Admission::Send);
    assert_eq!(health.record(Failure, false, now), []);
    assert_eq!(health.admit(now), Admission::Send);
    for _ in 0..5 {
        health.record(Overload, false, now);
    }
    assert_eq!(health.admit(now), Admission::Wait(now + 2 * MINUTE));
}

#[test]
fn a_pause_holds_whatever_was_under_way_and_is_not_shortened() {
    let mut health = Health::default();
    health.pause(NOW + 5000);
    health.pause(NOW + 3000);
    health.record(Success, false, NOW);
    assert_eq!(health.admit(NOW + 4999), Admission::Wait(NOW + 5000));
    assert_eq!(health.admit(NOW + 5000), Admission::Send);
    assert_eq!(health, Health::default());

    let mut health = open();
    health.pause(NOW + 2 * MINUTE);
    assert_eq!(health.admit(NOW + MINUTE), Admission::Wait(NOW + 2 * MINUTE));
    assert_eq!(health.admit(NOW + 2 * MINUTE), Admission::Send);
    assert!(health.probing);
}

#[test]
fn five_days_of_failure_with_ten_messages_disable_after_three_warnings() {
    let mut health = Health::default();
    let mut changes = vec![];
    for hour in 0..=130 {
        let new = hour < 10;
        let now = NOW + hour * HOUR;
        changes.extend(health.record(Failure, new, now).into_iter().map(|c| (hour, c)));
    }
    use HealthNotice::{Disable, Warning};
    let expected = [(60, Warning(50)), (84, Warning(70)), (108, Warning(90)), (120, Disable)];
    assert_eq!(changes, expected);
}

#[test]
fn nine_messages_do_not_disable_and_the_tenth_does() {
    let mut health = Health::default();
    for _ in 0..9 {
        health.record(Failure, true, NOW);
    }
    let late = NOW + 2 * DISABLE_AFTER;
    assert_eq!(health.record(Failure, false, late), [HealthNotice::Warning(90)]);
    assert_eq!(health.record(Failure, false, late), []);
    assert_eq!(health.record(Failure, true, late), [HealthNotice::Disable]);
}

#[test]
fn one_success_starts_the_clock_anew() {
    let mut health = Health::default();
    for _ in 0..20 {
        health.record(Failure, true, NOW);
    }
    health.record(Success, false, NOW);
    assert_eq!(health.record(Failure, true, NOW + DISABLE_AFTER), []);
    let almost = NOW + 2 * DISABLE_AFTER - 1;
    assert_eq!(health.record(Failure, true, almost), [HealthNotice::Warning(90)]);
}

#[test]
fn what_is_kept_is_small_and_comes_back() {
    assert_eq!(serde_json::to_string(&Health::default()).unwrap(), "{}");
    let mut health = open();
    health.pause(NOW);
    let text = serde_json::to_value(&health).unwrap();
    assert_eq!(
        text,
        serde_json::json!({
            "overloads": 5, "openings": 1, "openUntil": NOW + MINUTE, "pausedUntil": NOW,
            "failingSince": NOW, "failedMessages": 5,
        })
    );
    assert_eq!(serde_json::from_value::<Health>(text).unwrap(), health);
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Admit,
    Record(Outcome),
    Pause(u64),
}

fn steps() -> impl Strategy<Value = Vec<(u64, Step)>> {
    let step = prop_oneof![
        4 => Just(Step::Admit),
        6 => Just(Step::Record(Overload)),
        2 => Just(Step::Record(Failure)),
        1 => Just(Step::Record(Success)),
        1 => (0..10 * MINUTE).prop_map(Step::Pause),
    ];
    let pause = prop_oneof![3 => 0..2 * MINUTE, 1 => 0..20 * HOUR];
    prop::collection::vec((pause, step), 0..200)
}

proptest! {
    #[test]
    fn an_endpoint_is_never_lost_and_never_overrun(steps in steps()) {
        let mut health = Health::default();
        let mut now = NOW;
        let mut warned = 0;
        for (pause, step) in steps {
            now += pause;
            match step {
                Step::Pause(length) => health.pause(now + length),
                Step::Admit => {
                    let was_open = health.open_until.is_some();
                    match health.admit(now) {
                        Admission::Wait(until) => {
                            prop_assert!(now < until && until <= now + LONGEST_OPENING);
                        }
                        Admission::Send if was_open => {
                            prop_assert_eq!(health.admit(now), Admission::Wait(now + PROBE));
                        }
                        Admission::Send => prop_assert_eq!(health.admit(now), Admission::Send),
                    }
                }
                Step::Record(outcome) => {
                    let changes = health.record(outcome, true, now);
                    if outcome == Success {
                        warned = 0;
                        prop_assert_eq!(health.open_until, None);
                    }
                    for change in changes {
                        let share = match change {
                            HealthNotice::Opened => continue,
                            HealthNotice::Warning(percent) => percent,
                            HealthNotice::Disable => 100,
                        };
                        prop_assert!(share > warned);
                        warned = share;
                    }
                }
            }
        }
    }
}

/// A history that may end in disabling: time passes, or a clock is behind by seconds.
fn histories() -> impl Strategy<Value = Vec<(i64, Option<(Outcome, bool)>)>> {
    let outcome = prop_oneof![6 => Just(Failure), 3 => Just(Overload), 1 => Just(Success)];
    let attempt = (outcome, prop::bool::weighted(0.7)).prop_map(Some);
    let step = prop_oneof![30 => attempt, 1 => Just(None)];
    let hour = i64::try_from(HOUR).unwrap();
    let pause = prop_oneof![4 => 0..hour, 4 => 0..30 * hour, 1 => -5000_i64..0];
    prop::collection::vec((pause, step), 0..60)
}

proptest! {
    /// A step without an attempt enables the endpoint again, which begins without a state.
    #[test]
    fn an_endpoint_is_disabled_once_after_five_days_and_ten_messages_without_any_success(
        history in histories(),
    ) {
        let mut health = Health::default();
        let mut now = NOW;
        // Start of the failures, number of messages, and whether the endpoint was disabled.
        let (mut since, mut messages, mut is_over) = (None, 0, false);
        for (pause, step) in history {
            now = now.saturating_add_signed(pause);
            let disables = match step {
                None => {
                    health = Health::default();
                    false
                }
                Some((outcome, is_new)) => {
                    health.record(outcome, is_new, now).contains(&HealthNotice::Disable)
                }
            };
            match step {
                None | Some((Success, _)) => (since, messages, is_over) = (None, 0, false),
                Some((_, is_new)) => {
                    let since = *since.get_or_insert(now);
                    messages += u32::from(is_new);
                    let is_due = now.saturating_sub(since) >= 120 * HOUR && messages >= 10;
                    prop_assert_eq!(disables, is_due && !is_over);
                    is_over |= is_due;
                }
            }
            prop_assert!(!disables || since.is_some());
            let text = serde_json::to_string(&health).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Health>(&text).unwrap(), &health);
        }
    }
}
