//! The remaining activities of a digest at delivery (rules N13 to N18).

use std::collections::BTreeMap;

use notification::{ActivityState, BatchLimits, Channel, Channels, Reason, RowKey};

use crate::memory_tenant::{MemoryTenant, T0, event, window};

fn batched(ids: &[&str]) -> MemoryTenant {
    let tenant = MemoryTenant::new(BatchLimits { document: window(60, 50), user: None });
    for id in ids {
        tenant.raise(id, None);
    }
    tenant.until(T0 + 59_999);
    tenant
}

#[test]
fn one_that_is_left_is_an_ordinary_notification() {
    for reason in [Reason::Deleted, Reason::NoAccess, Reason::Muted, Reason::TriggerOff] {
        let tenant = batched(&["a", "b", "c"]);
        tenant.with(|state| {
            state.drops = [("a".to_owned(), reason), ("c".to_owned(), reason)].into()
        });
        tenant.until(T0 + 60_000);
        let notice = tenant.with(|state| state.published.pop()).unwrap();
        assert_eq!((notice.id.as_str(), notice.batch.is_none()), ("b", true));
        assert_eq!(tenant.dropped("a").into_values().next(), Some(reason));
    }
}

#[test]
fn a_digest_knows_its_window_and_is_named_after_it() {
    let tenant = batched(&["a", "b"]);
    tenant.until(T0 + 60_000);
    let notice = tenant.with(|state| state.published.pop()).unwrap();
    let batch = notice.batch.unwrap();
    assert_eq!((batch.opened_at, batch.closed_at, batch.total), (T0, T0 + 60_000, 2));
    let state = tenant.activity("a").state;
    assert!(matches!(
        state,
        ActivityState::Delivered { generation, notification_id, .. }
            if generation == notice.id && notification_id == notice.id
    ));
}

#[test]
fn nothing_is_told_when_all_of_it_was_seen() {
    let tenant = batched(&["a", "b"]);
    tenant.with(|state| state.seen = ["a".to_owned(), "b".to_owned()].into());
    tenant.until(T0 + 120_000);
    assert_eq!((tenant.delivered(), tenant.mails(), tenant.next()), (vec![], vec![], None));
}

#[test]
fn a_service_switched_off_drops_what_is_pending_at_its_delivery() {
    let tenant = MemoryTenant::new(BatchLimits { document: window(60, 50), user: None });
    tenant.raise("a", Some(10));
    tenant.raise("b", Some(100));
    tenant.with(|state| {
        state.drops = [("a", Reason::ServiceOff), ("b", Reason::ServiceOff)]
            .map(|(id, reason)| (id.to_owned(), reason))
            .into()
    });
    tenant.until(T0 + 80_000);
    assert_eq!(tenant.dropped("a").into_values().next(), Some(Reason::ServiceOff));
    tenant.with(|state| state.drops.clear());
    tenant.until(T0 + 200_000);
    assert_eq!(tenant.delivered(), [(160_000, vec!["b".to_owned()])]);
}

#[test]
fn muting_a_channel_works_at_once_and_on_that_channel_alone() {
    let tenant = batched(&["a", "b"]);
    tenant.with(|state| state.withheld = [(Channel::Email, Reason::Muted)].into());
    tenant.until(T0 + 60_000);
    let activity = tenant.activity("a");
    let ActivityState::Delivered { withheld, .. } = &activity.state else { panic!("it is out") };
    assert_eq!(activity.channels(), Channels { email: false, ..Channels::ALL });
    assert_eq!(*withheld, BTreeMap::from([(Channel::Email, Reason::Muted)]));
    assert_eq!(tenant.mails(), []);
}

#[test]
fn muting_every_channel_drops_it() {
    let tenant = batched(&["a"]);
    tenant.with(|state| {
        state.withheld = Channel::ALL.map(|channel| (channel, Reason::Muted)).into();
    });
    tenant.until(T0 + 60_000);
    assert_eq!((tenant.delivered(), tenant.dropped("a").len()), (vec![], 3));
}

#[test]
fn there_is_one_mail_for_each_notification() {
    let tenant = batched(&["a", "b"]);
    tenant.until(T0 + 60_000);
    let mails = tenant.mails();
    assert_eq!(mails.len(), 1);
    assert!(mails[0].event_ids().eq(["a", "b"]));
    assert_eq!(mails[0].notification_id, tenant.with(|state| state.published[0].id.clone()));
}

#[test]
fn activities_are_told_in_the_order_they_happened() {
    let tenant = MemoryTenant::new(BatchLimits { document: window(60, 50), user: None });
    for (id, t0) in [("z", T0 - 2), ("b", T0), ("a", T0), ("c", T0 - 1)] {
        tenant.accept(event(id, t0), None);
    }
    tenant.until(T0 + 60_000);
    assert_eq!(tenant.delivered()[0].1, ["z", "c", "a", "b"]);
}

#[test]
fn a_delivery_woken_twice_goes_out_once() {
    let tenant = batched(&["a", "b"]);
    let (_, key) = tenant.next().unwrap();
    tenant.until(T0 + 60_000);
    for key in tenant.keys().into_iter().chain([key]) {
        tenant.wake(&key);
    }
    assert_eq!((tenant.delivered().len(), tenant.mails().len()), (1, 1));
    assert!(!tenant.keys().iter().any(|key| matches!(key, RowKey::Windows { .. })));
}
