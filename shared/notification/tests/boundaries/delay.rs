//! Intake and delay (rules N1 to N7).

use notification::{
    BatchLimits, Channels, Hint, Notice, PAGE, Policy, Reason, RowKey, TOMBSTONE, intake,
};

use crate::memory_tenant::{MemoryTenant, T0, event, now};

const DAY: u64 = 24 * 60 * 60 * 1000;

fn pending(id: &str) -> RowKey {
    RowKey::Pending { event_id: id.to_owned() }
}

#[test]
fn an_event_is_delivered_when_its_delay_is_over_and_not_a_millisecond_before() {
    for delay in [10, 840, 841, 900, 901, 15_552_000] {
        let tenant = MemoryTenant::new(BatchLimits::default());
        tenant.raise("e", Some(delay));
        let due = T0 + delay * 1000;
        assert_eq!(
            tenant.with(|state| state.hints.clone()),
            [Hint { key: pending("e"), at: due }],
            "{delay}"
        );
        tenant.with(|state| state.now = due - 1);
        tenant.wake(&pending("e"));
        assert_eq!(tenant.delivered(), [], "{delay}");
        assert_eq!(tenant.with(|state| state.hints.len()), 2, "it asks for a later hint");
        tenant.until(due);
        assert_eq!(tenant.delivered(), [(delay * 1000, vec!["e".to_owned()])]);
        assert_eq!(tenant.next(), None);
    }
}

#[test]
fn without_a_delay_it_is_due_at_once_and_having_seen_it_does_not_count() {
    let tenant = MemoryTenant::new(BatchLimits::default());
    tenant.with(|state| state.seen.insert("e".to_owned()));
    tenant.raise("e", None);
    tenant.until(T0);
    assert_eq!(tenant.delivered(), [(0, vec!["e".to_owned()])]);
}

#[test]
fn what_was_seen_during_the_delay_is_dropped_and_what_is_seen_after_it_is_not() {
    let tenant = MemoryTenant::new(BatchLimits::default());
    tenant.raise("before", Some(10));
    tenant.raise("after", Some(10));
    tenant.with(|state| state.seen.insert("before".to_owned()));
    tenant.until(T0 + 10_000);
    tenant.with(|state| state.seen.insert("after".to_owned()));
    tenant.until(T0 + DAY);
    assert_eq!(tenant.delivered(), [(10_000, vec!["after".to_owned()])]);
    assert_eq!(tenant.dropped("before").values().next(), Some(&Reason::Seen));
}

#[test]
fn access_that_is_back_when_the_delay_is_over_was_never_gone() {
    let tenant = MemoryTenant::new(BatchLimits::default());
    tenant.raise("e", Some(10));
    tenant.with(|state| state.drops.insert("e".to_owned(), Reason::NoAccess));
    tenant.until(T0 + 9_999);
    tenant.with(|state| state.drops.clear());
    tenant.until(T0 + 10_000);
    assert_eq!(tenant.delivered().len(), 1);
}

#[test]
fn an_event_offered_again_is_a_no_op_for_two_weeks_after_its_delivery() {
    let tenant = MemoryTenant::new(BatchLimits::default());
    tenant.raise("e", Some(10));
    tenant.raise("e", Some(10));
    tenant.until(T0 + 10_000);
    tenant.with(|state| state.now = T0 + 10_000 + TOMBSTONE);
    tenant.raise("e", Some(10));
    tenant.until(T0 + 10_000 + TOMBSTONE + 1);
    assert_eq!(tenant.delivered().len(), 1);
    tenant.raise("e", None);
    tenant.until(T0 + 30 * DAY);
    assert_eq!(tenant.delivered().len(), 2, "it is forgotten by then");
}

#[test]
fn what_no_channel_wants_leaves_no_trace_and_unmuting_does_not_revive_it() {
    let tenant = MemoryTenant::new(BatchLimits::default());
    tenant.with(|state| state.users.insert("u".to_owned(), Channels::default()));
    tenant.raise("e", Some(10));
    assert_eq!(tenant.keys(), []);
    let policy = Policy { channels: Channels::default(), ..tenant.policy(None) };
    now(intake(&tenant, &tenant, event("off", T0), policy)).unwrap();
    tenant.with(|state| state.users.insert("u".to_owned(), Channels::ALL));
    tenant.until(T0 + DAY);
    assert_eq!((tenant.keys(), tenant.delivered()), (vec![], vec![]));
}

#[test]
fn a_channel_needs_both_the_configuration_and_the_wish_of_that_moment() {
    let tenant = MemoryTenant::new(BatchLimits::default());
    let wish = Channels { inbox: true, email: true, chat: false };
    tenant.with(|state| state.users.insert("u".to_owned(), wish));
    let channels = Channels { email: false, ..Channels::ALL };
    let policy = Policy { channels, ..tenant.policy(Some(10)) };
    now(intake(&tenant, &tenant, event("e", T0), policy)).unwrap();
    tenant.with(|state| state.users.insert("u".to_owned(), Channels::ALL));
    tenant.until(T0 + 10_000);
    assert_eq!(tenant.activity("e").channels(), Channels { inbox: true, ..Channels::default() });
    assert_eq!(tenant.mails(), []);
}

#[test]
fn a_thousand_recipients_are_notified_once_each() {
    let tenant = MemoryTenant::new(BatchLimits::default());
    let all = (0..1000).map(|number| (format!("u{number:04}"), Channels::ALL));
    tenant.with(|state| state.users = all.collect());
    tenant.raise("e", Some(10));
    let pages = tenant.keys().iter().filter(|key| matches!(key, RowKey::Recipients { .. })).count();
    assert_eq!(pages, 1000_usize.div_ceil(PAGE) - 1, "besides the first");
    tenant.until(T0 + 10_000);
    let mut users = tenant
        .with(|state| state.published.iter().flat_map(Notice::users).cloned().collect::<Vec<_>>());
    assert_eq!((users.len(), tenant.delivered().len()), (1000, 1000_usize.div_ceil(PAGE)));
    users.sort();
    users.dedup();
    assert_eq!(users.len(), 1000);
    assert_eq!(tenant.next(), None);
}

#[test]
fn ids_may_hold_anything() {
    let tenant = MemoryTenant::new(BatchLimits::default());
    let users = ["#", "%23", "🦀", "مرحبا", "a/b"].map(|id| (id.to_owned(), Channels::ALL));
    tenant.with(|state| state.users = users.into());
    tenant.raise("🦀#e", Some(10));
    tenant.until(T0 + 10_000);
    assert_eq!(tenant.with(|state| state.published[0].recipients.len()), 5);
}
