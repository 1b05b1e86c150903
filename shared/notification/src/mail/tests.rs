use proptest::prelude::*;
use serde_json::json;

use super::{
    LEASE, MAX_AGE, MAX_HINT, MAX_PAUSE, MAX_UNANSWERED, Mail, MailState as State, MailStep,
    SendOutcome,
};
use crate::Reason;

const NOW: u64 = 1_000_000;

fn new(now: u64) -> Mail {
    Mail::new("n".to_owned(), vec![crate::PageRef::first("e")], now)
}

fn sending(mail: &Mail, now: u64) -> Mail {
    match mail.next_step(now) {
        MailStep::Send(mail) => mail,
        other => panic!("{other:?}"),
    }
}

fn due(mail: &Mail) -> u64 {
    match mail.state {
        State::Waiting { at } => at,
        ref other => panic!("{other:?}"),
    }
}

fn reason(mail: &Mail) -> Reason {
    match mail.state {
        State::Dropped { reason, .. } => reason,
        ref other => panic!("{other:?}"),
    }
}

const RETRY: SendOutcome = SendOutcome::Retry { after: None };

#[test]
fn one_worker_at_a_time_holds_the_lease() {
    let mail = sending(&new(NOW), NOW);
    assert_eq!((&mail.state, mail.attempts), (&State::Sending { until: NOW + LEASE }, 1));
    assert_eq!(mail.next_step(NOW + LEASE - 1), MailStep::Wait(NOW + LEASE));
    assert!(!mail.expired(NOW + LEASE - 1));
    assert!(mail.expired(NOW + LEASE));
    assert_eq!(mail.next_step(NOW + LEASE), MailStep::Reconcile);
    assert_eq!(new(NOW).next_step(NOW - 1), MailStep::Wait(NOW));
}

#[test]
fn an_accepted_mail_is_done_whatever_comes_later() {
    let sent = sending(&new(NOW), NOW).accepted("m1", NOW + 5);
    assert_eq!(sent.state, State::Sent { at: NOW + 5, message_id: "m1".to_owned() });
    assert_eq!(sent.next_step(u64::MAX), MailStep::Done);
    for outcome in [RETRY, SendOutcome::Rejected("no".to_owned()), SendOutcome::Ambiguous] {
        assert_eq!(sent.clone().failed(&outcome, NOW, 0), sent);
    }
    assert_eq!(sent.clone().accepted("m2", NOW + 9), sent);
    let dropped = sending(&new(NOW), NOW).failed(&SendOutcome::Rejected("no".to_owned()), NOW, 0);
    assert!(matches!(dropped.accepted("m1", NOW).state, State::Sent { .. }), "the event is right");
}

#[test]
fn a_rejected_mail_is_dropped_with_the_reason() {
    let dropped =
        sending(&new(NOW), NOW).failed(&SendOutcome::Rejected("no".to_owned()), NOW + 1, 0);
    assert_eq!(
        dropped.state,
        State::Dropped { at: NOW + 1, reason: Reason::Rejected, detail: Some("no".to_owned()) }
    );
    assert_eq!(dropped.next_step(u64::MAX), MailStep::Done);
}

#[test]
fn retries_wait_twice_as_long_each_time_up_to_15_minutes() {
    let (mut mail, mut now) = (new(NOW), NOW);
    for attempt in 0..14_u32 {
        let whole = (1000 << attempt).min(MAX_PAUSE);
        let pauses = [0, whole / 2, u64::MAX]
            .map(|random| due(&sending(&mail, now).failed(&RETRY, now, random)) - now);
        assert_eq!((pauses[0], pauses[1]), (whole / 2, whole), "attempt {attempt}");
        assert!((whole / 2..=whole).contains(&pauses[2]), "attempt {attempt}");
        mail = sending(&mail, now).failed(&RETRY, now, whole / 2);
        assert_eq!(mail.next_step(due(&mail) - 1), MailStep::Wait(due(&mail)));
        now = due(&mail);
    }
}

#[test]
fn a_provider_may_ask_for_a_longer_pause_but_not_for_any() {
    let pause = |after| {
        due(&sending(&new(NOW), NOW).failed(&SendOutcome::Retry { after: Some(after) }, NOW, 500))
            - NOW
    };
    assert_eq!(pause(1), 1000);
    assert_eq!(pause(30_000), 30_000);
    assert_eq!(pause(u64::MAX), MAX_HINT);
}

#[test]
fn after_a_day_it_is_exhausted() {
    let (mut mail, mut now) = (new(NOW), NOW);
    let mut attempts = 0;
    while let MailStep::Send(sending) = mail.next_step(now) {
        attempts += 1;
        mail = sending.failed(&RETRY, now, 0);
        now = if let State::Waiting { at } = mail.state { at } else { now };
    }
    assert_eq!(reason(&mail), Reason::Exhausted);
    assert!(now <= NOW + MAX_AGE && now > NOW + MAX_AGE - MAX_PAUSE);
    assert!((100..250).contains(&attempts), "{attempts}");
}

#[test]
fn a_mail_delayed_by_an_outage_is_tried_once() {
    let late = NOW + 3 * MAX_AGE;
    let mail = sending(&new(NOW), late);
    assert_eq!(reason(&mail.failed(&RETRY, late, 0)), Reason::Exhausted);
}

#[test]
fn an_attempt_without_an_answer_is_looked_up_before_it_is_repeated() {
    let mail = sending(&new(NOW), NOW);
    let mail = mail.clone().failed(&SendOutcome::Ambiguous, NOW + 30_000, 0);
    assert_eq!(mail.next_step(NOW + 30_000), MailStep::Wait(NOW + LEASE), "events may still come");
    let later = NOW + LEASE;
    assert_eq!(mail.next_step(later), MailStep::Reconcile);
    assert!(matches!(mail.clone().accepted("m1", later).state, State::Sent { .. }));
    let MailStep::Send(again) = mail.unanswered(later) else { panic!() };
    assert_eq!((again.attempts, again.unanswered), (2, 1));
    assert_eq!(again.state, State::Sending { until: later + LEASE });
    assert_eq!(again.unanswered(later), MailStep::Wait(later + LEASE), "another took it over");
}

#[test]
fn silence_is_answered_with_few_copies() {
    let (mut mail, mut now) = (sending(&new(NOW), NOW), NOW);
    let dropped = loop {
        now += LEASE;
        match mail.unanswered(now) {
            MailStep::Send(again) => mail = again,
            MailStep::Drop(dropped) => break dropped,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((reason(&dropped), dropped.attempts), (Reason::Unanswered, MAX_UNANSWERED));
}

#[test]
fn it_is_stored_in_camel_case() {
    let mail = sending(&new(NOW), NOW);
    let stored = json!({
        "notificationId": "n", "pages": [{ "e": "e" }], "createdAt": NOW,
        "state": { "is": "sending", "until": NOW + LEASE },
        "attempts": 1, "unanswered": 0,
    });
    assert_eq!(serde_json::to_value(&mail).unwrap(), stored);
    assert_eq!(serde_json::from_value::<Mail>(stored).unwrap(), mail);
    let sent = serde_json::to_value(mail.accepted("m", 1)).unwrap();
    assert_eq!(sent["state"], json!({ "is": "sent", "messageId": "m", "at": 1 }));
}

proptest! {
    /// For any events in any order, the mail ends, is never early, and times never overflow.
    #[test]
    fn every_mail_comes_to_an_end(
        steps in proptest::collection::vec((0..5_u8, 0..2_000_000_u64, any::<u64>()), 400),
    ) {
        let (mut mail, mut now) = (new(NOW), NOW);
        for (step, pause, random) in steps {
            now += pause;
            let before = mail.clone();
            mail = match mail.next_step(now) {
                MailStep::Wait(until) => { prop_assert!(until > now); mail }
                MailStep::Done => break,
                MailStep::Drop(mail) => mail,
                MailStep::Reconcile => match mail.unanswered(now) {
                    MailStep::Send(mail) | MailStep::Drop(mail) => mail,
                    other => panic!("{other:?}"),
                },
                MailStep::Send(mail) => match step {
                    0 => mail,
                    1 => mail.failed(&SendOutcome::Ambiguous, now, random),
                    2 => mail.failed(&SendOutcome::Retry { after: Some(random) }, now, random),
                    _ => mail.failed(&RETRY, now, random),
                },
            };
            prop_assert!(mail.attempts <= before.attempts + 1);
            if let State::Waiting { at } = mail.state {
                prop_assert!(at > now || mail == before);
                prop_assert!(at <= mail.created_at + MAX_AGE);
            }
        }
        let end = NOW + MAX_AGE + 1;
        if now >= end {
            prop_assert!(matches!(mail.next_step(now + LEASE), MailStep::Done | MailStep::Drop(_) | MailStep::Reconcile));
        }
    }
}
