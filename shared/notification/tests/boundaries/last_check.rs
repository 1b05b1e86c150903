//! The remaining activities of a digest at delivery (rules N13 to N18).

use std::collections::BTreeMap;

use notification::{ActivityState, Channel, Channels, Limits, Reason, RowKey};

use crate::desk::{Desk, T0, event, window};

fn batched(ids: &[&str]) -> Desk {
    let desk = Desk::new(Limits { document: window(60, 50), user: None });
    for id in ids {
        desk.raise(id, None);
    }
    desk.until(T0 + 59_999);
    desk
}

#[test]
fn one_that_is_left_is_an_ordinary_notification() {
    for reason in [Reason::Deleted, Reason::NoAccess, Reason::Muted, Reason::TriggerOff] {
        let desk = batched(&["a", "b", "c"]);
        desk.with(|it| it.drops = [("a".to_owned(), reason), ("c".to_owned(), reason)].into());
        desk.until(T0 + 60_000);
        let notice = desk.with(|it| it.published.pop()).unwrap();
        assert_eq!((notice.id.as_str(), notice.batch.is_none()), ("b", true));
        assert_eq!(desk.dropped("a").into_values().next(), Some(reason));
    }
}

#[test]
fn a_digest_knows_its_window_and_is_named_after_it() {
    let desk = batched(&["a", "b"]);
    desk.until(T0 + 60_000);
    let notice = desk.with(|it| it.published.pop()).unwrap();
    let batch = notice.batch.unwrap();
    assert_eq!((batch.opened_at, batch.closed_at, batch.total), (T0, T0 + 60_000, 2));
    let state = desk.activity("a").state;
    assert!(matches!(
        state,
        ActivityState::Delivered { generation, notification_id, .. }
            if generation == notice.id && notification_id == notice.id
    ));
}

#[test]
fn nothing_is_told_when_all_of_it_was_seen() {
    let desk = batched(&["a", "b"]);
    desk.with(|it| it.seen = ["a".to_owned(), "b".to_owned()].into());
    desk.until(T0 + 120_000);
    assert_eq!((desk.delivered(), desk.mails(), desk.next()), (vec![], vec![], None));
}

#[test]
fn a_service_switched_off_drops_what_is_pending_at_its_delivery() {
    let desk = Desk::new(Limits { document: window(60, 50), user: None });
    desk.raise("a", Some(10));
    desk.raise("b", Some(100));
    desk.with(|it| {
        it.drops = [("a", Reason::ServiceOff), ("b", Reason::ServiceOff)]
            .map(|(id, reason)| (id.to_owned(), reason))
            .into()
    });
    desk.until(T0 + 80_000);
    assert_eq!(desk.dropped("a").into_values().next(), Some(Reason::ServiceOff));
    desk.with(|it| it.drops.clear());
    desk.until(T0 + 200_000);
    assert_eq!(desk.delivered(), [(160_000, vec!["b".to_owned()])]);
}

#[test]
fn muting_a_channel_works_at_once_and_on_that_channel_alone() {
    let desk = batched(&["a", "b"]);
    desk.with(|it| it.withheld = [(Channel::Email, Reason::Muted)].into());
    desk.until(T0 + 60_000);
    let activity = desk.activity("a");
    let ActivityState::Delivered { withheld, .. } = &activity.state else { panic!("it is out") };
    assert_eq!(activity.channels(), Channels { email: false, ..Channels::ALL });
    assert_eq!(*withheld, BTreeMap::from([(Channel::Email, Reason::Muted)]));
    assert_eq!(desk.mails(), []);
}

#[test]
fn muting_every_channel_drops_it() {
    let desk = batched(&["a"]);
    desk.with(|it| it.withheld = Channel::ALL.map(|it| (it, Reason::Muted)).into());
    desk.until(T0 + 60_000);
    assert_eq!((desk.delivered(), desk.dropped("a").len()), (vec![], 3));
}

#[test]
fn there_is_one_mail_for_each_notification() {
    let desk = batched(&["a", "b"]);
    desk.until(T0 + 60_000);
    let mails = desk.mails();
    assert_eq!(mails.len(), 1);
    assert!(mails[0].event_ids().eq(["a", "b"]));
    assert_eq!(mails[0].notification_id, desk.with(|it| it.published[0].id.clone()));
}

#[test]
fn activities_are_told_in_the_order_they_happened() {
    let desk = Desk::new(Limits { document: window(60, 50), user: None });
    for (id, t0) in [("z", T0 - 2), ("b", T0), ("a", T0), ("c", T0 - 1)] {
        desk.accept(event(id, t0), None);
    }
    desk.until(T0 + 60_000);
    assert_eq!(desk.delivered()[0].1, ["z", "c", "a", "b"]);
}

#[test]
fn a_delivery_woken_twice_goes_out_once() {
    let desk = batched(&["a", "b"]);
    let (_, key) = desk.next().unwrap();
    desk.until(T0 + 60_000);
    for key in desk.keys().into_iter().chain([key]) {
        desk.wake(&key);
    }
    assert_eq!((desk.delivered().len(), desk.mails().len()), (1, 1));
    assert!(!desk.keys().iter().any(|key| matches!(key, RowKey::Windows { .. })));
}
