//! Intake and delay (rules N1 to N7).

use notification::{Channels, Limits, PAGE, Policy, Reason, RowKey, TOMBSTONE, intake};

use crate::desk::{Desk, T0, event, now};

const DAY: u64 = 24 * 60 * 60 * 1000;

fn pending(id: &str) -> RowKey {
    RowKey::Pending { event_id: id.to_owned() }
}

#[test]
fn an_event_is_delivered_when_its_delay_is_over_and_not_a_millisecond_before() {
    for delay in [10, 840, 841, 900, 901, 15_552_000] {
        let desk = Desk::new(Limits::default());
        desk.raise("e", Some(delay));
        let due = T0 + delay * 1000;
        assert_eq!(desk.with(|it| it.hints.clone()), [(pending("e"), due)], "{delay}");
        desk.with(|it| it.now = due - 1);
        desk.wake(&pending("e"));
        assert_eq!(desk.delivered(), [], "{delay}");
        assert_eq!(desk.with(|it| it.hints.len()), 2, "it asks for a later hint");
        desk.until(due);
        assert_eq!(desk.delivered(), [(delay * 1000, vec!["e".to_owned()])]);
        assert_eq!(desk.next(), None);
    }
}

#[test]
fn without_a_delay_it_is_due_at_once_and_having_seen_it_does_not_count() {
    let desk = Desk::new(Limits::default());
    desk.with(|it| it.seen.insert("e".to_owned()));
    desk.raise("e", None);
    desk.until(T0);
    assert_eq!(desk.delivered(), [(0, vec!["e".to_owned()])]);
}

#[test]
fn what_was_seen_during_the_delay_is_dropped_and_what_is_seen_after_it_is_not() {
    let desk = Desk::new(Limits::default());
    desk.raise("before", Some(10));
    desk.raise("after", Some(10));
    desk.with(|it| it.seen.insert("before".to_owned()));
    desk.until(T0 + 10_000);
    desk.with(|it| it.seen.insert("after".to_owned()));
    desk.until(T0 + DAY);
    assert_eq!(desk.delivered(), [(10_000, vec!["after".to_owned()])]);
    assert_eq!(desk.dropped("before").values().next(), Some(&Reason::Seen));
}

#[test]
fn access_that_is_back_when_the_delay_is_over_was_never_gone() {
    let desk = Desk::new(Limits::default());
    desk.raise("e", Some(10));
    desk.with(|it| it.drops.insert("e".to_owned(), Reason::NoAccess));
    desk.until(T0 + 9_999);
    desk.with(|it| it.drops.clear());
    desk.until(T0 + 10_000);
    assert_eq!(desk.delivered().len(), 1);
}

#[test]
fn an_event_offered_again_is_a_no_op_for_two_weeks_after_its_delivery() {
    let desk = Desk::new(Limits::default());
    desk.raise("e", Some(10));
    desk.raise("e", Some(10));
    desk.until(T0 + 10_000);
    desk.with(|it| it.now = T0 + 10_000 + TOMBSTONE);
    desk.raise("e", Some(10));
    desk.until(T0 + 10_000 + TOMBSTONE + 1);
    assert_eq!(desk.delivered().len(), 1);
    desk.raise("e", None);
    desk.until(T0 + 30 * DAY);
    assert_eq!(desk.delivered().len(), 2, "it is forgotten by then");
}

#[test]
fn what_no_channel_wants_leaves_no_trace_and_unmuting_does_not_revive_it() {
    let desk = Desk::new(Limits::default());
    desk.with(|it| it.users.insert("u".to_owned(), Channels::default()));
    desk.raise("e", Some(10));
    assert_eq!(desk.keys(), []);
    let policy = Policy { channels: Channels::default(), ..desk.policy(None) };
    now(intake(&desk, &desk, event("off", T0), policy)).unwrap();
    desk.with(|it| it.users.insert("u".to_owned(), Channels::ALL));
    desk.until(T0 + DAY);
    assert_eq!((desk.keys(), desk.delivered()), (vec![], vec![]));
}

#[test]
fn a_channel_needs_both_the_configuration_and_the_wish_of_that_moment() {
    let desk = Desk::new(Limits::default());
    let wish = Channels { inbox: true, email: true, chat: false };
    desk.with(|it| it.users.insert("u".to_owned(), wish));
    let channels = Channels { email: false, ..Channels::ALL };
    let policy = Policy { channels, ..desk.policy(Some(10)) };
    now(intake(&desk, &desk, event("e", T0), policy)).unwrap();
    desk.with(|it| it.users.insert("u".to_owned(), Channels::ALL));
    desk.until(T0 + 10_000);
    assert_eq!(desk.activity("e").channels(), Channels { inbox: true, ..Channels::default() });
    assert_eq!(desk.mails(), []);
}

#[test]
fn a_thousand_recipients_are_notified_once_each() {
    let desk = Desk::new(Limits::default());
    let all = (0..1000).map(|number| (format!("u{number:04}"), Channels::ALL));
    desk.with(|it| it.users = all.collect());
    desk.raise("e", Some(10));
    let pages = desk.keys().iter().filter(|it| matches!(it, RowKey::Recipients { .. })).count();
    assert_eq!(pages, 1000_usize.div_ceil(PAGE) - 1, "besides the first");
    desk.until(T0 + 10_000);
    let mut users =
        desk.with(|it| it.published.iter().flat_map(|it| it.users().cloned()).collect::<Vec<_>>());
    assert_eq!((users.len(), desk.delivered().len()), (1000, 1000_usize.div_ceil(PAGE)));
    users.sort();
    users.dedup();
    assert_eq!(users.len(), 1000);
    assert_eq!(desk.next(), None);
}

#[test]
fn ids_may_hold_anything() {
    let desk = Desk::new(Limits::default());
    let users = ["#", "%23", "🦀", "مرحبا", "a/b"].map(|id| (id.to_owned(), Channels::ALL));
    desk.with(|it| it.users = users.into());
    desk.raise("🦀#e", Some(10));
    desk.until(T0 + 10_000);
    assert_eq!(desk.with(|it| it.published[0].recipients.len()), 5);
}
