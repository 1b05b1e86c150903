//! Batch windows (rules N8 to N12).

use std::collections::BTreeSet;

use model::UserId;
use notification::{
    BatchLimits, CloseReason, PageRef, RowKey, Window, WindowLimits, WindowScope, Windows,
};

use crate::memory_tenant::{MemoryTenant, T0, event, window};

fn by_document(seconds: u64, max: u64) -> BatchLimits {
    BatchLimits { document: window(seconds, max), user: None }
}

fn by_user(seconds: u64, max: u64) -> BatchLimits {
    BatchLimits { document: None, user: window(seconds, max) }
}

fn sizes(tenant: &MemoryTenant) -> Vec<(u64, usize)> {
    tenant.delivered().iter().map(|(at, ids)| (*at, ids.len())).collect()
}

#[test]
fn a_window_closes_so_long_after_its_first_activity_left_the_delay() {
    for seconds in [10, 604_800] {
        let tenant = MemoryTenant::new(by_document(seconds, 50));
        tenant.raise("a", Some(10));
        tenant.until(T0 + 11_000);
        tenant.raise("b", Some(10));
        tenant.until(T0 + 10_000 + seconds * 1000 - 1);
        if seconds == 10 {
            // Still in its delay, so it is not in the window.
            tenant.until(T0 + 20_000);
            assert_eq!(tenant.delivered(), [(20_000, vec!["a".to_owned()])]);
        } else {
            assert_eq!(sizes(&tenant), []);
            tenant.until(T0 + 10_000 + seconds * 1000);
            assert_eq!(sizes(&tenant), [(10_000 + seconds * 1000, 2)]);
        }
    }
}

#[test]
fn the_activity_that_fills_a_window_closes_it_and_the_next_opens_another() {
    for max in [2, 50] {
        let tenant = MemoryTenant::new(by_user(3600, max));
        for number in 0..=max {
            tenant.raise(&format!("e{number:02}"), None);
            tenant.until(T0 + number);
        }
        assert_eq!(sizes(&tenant), [(max - 2, usize::try_from(max).unwrap())]);
        let batch = tenant.with(|state| state.published[0].batch.clone()).unwrap();
        assert_eq!((batch.scope, batch.reason), (WindowScope::User, CloseReason::MaxActivities));
        assert_eq!((batch.opened_at, batch.closed_at), (T0, T0 + max - 2));
        tenant.until(T0 + 2 * 3_600_000);
        assert_eq!(sizes(&tenant).len(), 2);
    }
}

#[test]
fn sixty_events_due_at_once_are_fifty_and_ten() {
    let tenant = MemoryTenant::new(by_user(60, 50));
    for number in 0..60 {
        tenant.raise(&format!("e{number:02}"), Some(10));
    }
    tenant.until(T0 + 3_600_000);
    let mut counts: Vec<usize> = sizes(&tenant).into_iter().map(|(_, count)| count).collect();
    counts.sort_unstable();
    assert_eq!(counts, [10, 50]);
}

fn users(ids: &[&str]) -> BTreeSet<UserId> {
    ids.iter().map(|id| (*id).to_owned().try_into().unwrap()).collect()
}

fn join(windows: &mut Windows, of: &[&str], id: &str, limits: WindowLimits, now: u64) {
    windows.join(&users(of), &PageRef::first(id), limits, &format!("g{id}"), now);
}

/// The windows: recipients, content, and the reason of closing.
fn shape(windows: &Windows) -> Vec<(String, String, Option<CloseReason>)> {
    let text = |window: &Window| {
        let users: Vec<&str> = window.users.iter().map(|user| user.as_str()).collect();
        let ids: Vec<&str> = window.ids.iter().map(|id| id.event_id.as_str()).collect();
        (users.concat(), ids.concat(), window.closed.map(|closed| closed.reason))
    };
    let mut shape: Vec<_> = windows.open.iter().map(text).collect();
    shape.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    shape
}

fn part(
    users: &str,
    ids: &str,
    closed: Option<CloseReason>,
) -> (String, String, Option<CloseReason>) {
    (users.to_owned(), ids.to_owned(), closed)
}

#[test]
fn what_arrives_in_the_millisecond_a_window_closes_opens_another() {
    let limits = WindowLimits { seconds: 10, max: 50 };
    let mut windows = Windows::default();
    join(&mut windows, &["u"], "a", limits, T0);
    assert_eq!(windows.open[0].closes_at, T0 + 10_000);
    let mut next = windows.clone();
    join(&mut windows, &["u"], "b", limits, T0 + 9_999);
    assert_eq!(shape(&windows), [part("u", "ab", None)]);
    join(&mut next, &["u"], "b", limits, T0 + 10_000);
    assert_eq!(shape(&next), [part("u", "a", Some(CloseReason::Window)), part("u", "b", None)]);
    assert_eq!(next.open[1].opened_at, T0 + 10_000);
}

#[test]
fn a_limit_lowered_below_what_is_in_a_window_closes_it_before_the_next_joins() {
    let limits = |max| WindowLimits { seconds: 60, max };
    let mut open = Windows::default();
    for id in ["a", "b", "c"] {
        join(&mut open, &["u"], id, limits(50), T0);
    }
    let full = Some(CloseReason::MaxActivities);
    for (max, expected) in [
        (2, vec![part("u", "abc", full), part("u", "d", None)]),
        (3, vec![part("u", "abc", full), part("u", "d", None)]),
        (4, vec![part("u", "abcd", full)]),
        (5, vec![part("u", "abcd", None)]),
    ] {
        let mut windows = open.clone();
        join(&mut windows, &["u"], "d", limits(max), T0 + 1);
        assert_eq!(shape(&windows), expected, "{max}");
    }
}

#[test]
fn recipients_share_a_window_for_as_long_as_the_same_is_in_it() {
    let limits = WindowLimits { seconds: 60, max: 3 };
    let mut windows = Windows::default();
    join(&mut windows, &["u", "v", "w"], "a", limits, T0);
    assert_eq!(shape(&windows), [part("uvw", "a", None)]);
    join(&mut windows, &["u", "v"], "b", limits, T0 + 1);
    assert_eq!(shape(&windows), [part("uv", "ab", None), part("w", "a", None)]);
    join(&mut windows, &["u", "w", "x"], "c", limits, T0 + 2);
    let full = Some(CloseReason::MaxActivities);
    let expected = [
        part("u", "abc", full),
        part("v", "ab", None),
        part("w", "ac", None),
        part("x", "c", None),
    ];
    assert_eq!(shape(&windows), expected);
    let before = windows.clone();
    join(&mut windows, &["u", "w", "x"], "c", limits, T0 + 3);
    assert_eq!(windows.open, before.open, "what joined before does not join again");
}

#[test]
fn recipients_beyond_what_one_row_takes_have_rows_of_their_own() {
    let tenant = MemoryTenant::new(by_document(60, 50));
    let all = (0..900).map(|number| (format!("u{number:04}"), notification::Channels::ALL));
    tenant.with(|state| state.users = all.collect());
    for id in ["a", "b"] {
        tenant.raise(id, None);
        tenant.until(T0);
    }
    let rows = tenant.keys().iter().filter(|key| matches!(key, RowKey::Windows { .. })).count();
    assert!(rows > 4, "{rows}");
    tenant.until(T0 + 60_000);
    let notices = tenant.with(|state| state.published.clone());
    assert!(notices.iter().all(|notice| notice.activities().len() == 2));
    assert_eq!(notices.iter().map(|notice| notice.recipients.len()).sum::<usize>(), 900);
}

#[test]
fn a_new_length_is_that_of_the_next_window() {
    for changed in [by_document(10, 50), by_document(3600, 50)] {
        let tenant = MemoryTenant::new(by_document(60, 50));
        tenant.raise("a", None);
        tenant.until(T0);
        tenant.with(|state| state.limits = changed);
        tenant.until(T0 + 5_000);
        tenant.raise("b", None);
        tenant.until(T0 + 59_999);
        assert_eq!(sizes(&tenant), []);
        tenant.until(T0 + 60_000);
        assert_eq!(sizes(&tenant), [(60_000, 2)]);
    }
}

#[test]
fn a_scope_disabled_while_a_window_is_open_keeps_it_and_adds_nothing() {
    let tenant = MemoryTenant::new(by_document(60, 50));
    tenant.raise("a", None);
    tenant.raise("b", None);
    tenant.until(T0 + 1_000);
    tenant.with(|state| state.limits = BatchLimits::default());
    tenant.raise("c", None);
    tenant.until(T0 + 2_000);
    assert_eq!(tenant.delivered(), [(1_000, vec!["c".to_owned()])]);
    tenant.until(T0 + 60_000);
    assert_eq!(sizes(&tenant), [(1_000, 1), (60_000, 2)]);
}

#[test]
fn whichever_scope_closes_first_delivers() {
    for (document, user, at) in [(10, 60, 10_000), (60, 10, 10_000), (10, 10, 10_000)] {
        let tenant = MemoryTenant::new(BatchLimits {
            document: window(document, 50),
            user: window(user, 50),
        });
        tenant.raise("a", None);
        tenant.raise("b", None);
        tenant.until(T0 + 120_000);
        assert_eq!(sizes(&tenant), [(at, 2)]);
        assert_eq!(tenant.next(), None);
    }
}

#[test]
fn a_window_counts_what_another_scope_has_delivered_meanwhile() {
    let tenant = MemoryTenant::new(BatchLimits { document: window(10, 50), user: window(3600, 3) });
    tenant.raise("a", None);
    tenant.raise("b", None);
    tenant.until(T0 + 10_000);
    tenant.raise("c", None);
    tenant.until(T0 + 20_000);
    assert_eq!(sizes(&tenant), [(10_000, 2), (10_000, 1)], "the third filled the user's window");
    tenant.until(T0 + 3_600_000);
    assert_eq!(sizes(&tenant).len(), 2);
}

#[test]
fn an_activity_that_joins_while_a_window_closes_is_not_lost() {
    let tenant = MemoryTenant::new(by_document(10, 50));
    tenant.raise("a", None);
    tenant.until(T0);
    let (_, key) = tenant.next().unwrap();
    // The second leaves its delay just before the window would be closed.
    tenant.accept(event("b", T0 + 1), None);
    let pending = RowKey::Pending { event_id: "b".to_owned() };
    tenant.with(|state| {
        state.now = T0 + 10_000;
        state.concurrent_wakes = Some(vec![pending]);
    });
    tenant.wake(&key);
    tenant.hints();
    tenant.until(T0 + 60_000);
    assert_eq!(sizes(&tenant), [(10_000, 1), (20_000, 1)]);
}

#[test]
fn two_that_fill_a_window_at_the_same_time_do_not_overfill_it() {
    let tenant = MemoryTenant::new(by_document(60, 2));
    for id in ["a", "b", "c"] {
        tenant.raise(id, None);
    }
    let pending = |id: &str| RowKey::Pending { event_id: id.to_owned() };
    tenant.wake(&pending("a"));
    tenant.with(|state| state.concurrent_wakes = Some(vec![pending("c")]));
    tenant.wake(&pending("b"));
    tenant.until(T0 + 120_000);
    let mut counts: Vec<usize> = sizes(&tenant).into_iter().map(|(_, count)| count).collect();
    counts.sort_unstable();
    assert_eq!(counts, [1, 2]);
}

#[test]
fn a_window_takes_one_document_or_one_user() {
    let tenant = MemoryTenant::new(by_document(10, 50));
    tenant.raise("a", None);
    let mut other = event("b", T0);
    other.document_id = "other".to_owned().try_into().unwrap();
    tenant.accept(other.clone(), None);
    tenant.until(T0 + 60_000);
    assert_eq!(sizes(&tenant), [(10_000, 1), (10_000, 1)]);

    let tenant = MemoryTenant::new(by_user(10, 50));
    tenant.raise("a", None);
    tenant.accept(other, None);
    tenant.until(T0 + 60_000);
    assert_eq!(sizes(&tenant), [(10_000, 2)]);
    assert_eq!(tenant.with(|state| state.published[0].documents().len()), 2);
}

#[test]
fn a_backlog_is_batched_from_when_it_is_worked_off() {
    let tenant = MemoryTenant::new(by_document(60, 50));
    tenant.raise("a", Some(10));
    tenant.raise("b", Some(20));
    tenant.with(|state| state.now = T0 + 3_600_000);
    tenant.until(T0 + 3_660_000);
    assert_eq!(sizes(&tenant), [(3_660_000, 2)]);
}
