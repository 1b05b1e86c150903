//! How many mails there are in an hour (rule N16).

use std::collections::BTreeSet;

use notification::{
    Mail, MailState, PageRef,
    quota::{HOUR, MAX_REST},
};

use crate::desk::{Desk, T0};

/// So many events, each a mail of its own, a millisecond apart.
fn raise(desk: &Desk, events: std::ops::Range<usize>) {
    for n in events {
        desk.with(|it| it.now += 1);
        desk.raise(&format!("e{n:04}"), None);
        let now = desk.with(|it| it.now);
        desk.until(now);
    }
}

/// The mails that are to be sent, with how many events: those of their own, and the others.
fn mails(desk: &Desk) -> (usize, Vec<(u64, usize)>) {
    let open = |mail: &Mail| match mail.state {
        MailState::Waiting { at } => Some((mail.clone(), at)),
        _ => None,
    };
    let (own, rest): (Vec<_>, Vec<_>) = desk
        .mails()
        .iter()
        .filter_map(open)
        .partition(|(mail, _)| mail.notification_id == mail.pages[0].event_id);
    let mut rest: Vec<_> = rest.iter().map(|(it, at)| (at - T0, it.pages.len())).collect();
    rest.sort();
    (own.len(), rest)
}

#[test]
fn the_21st_mail_of_an_hour_waits_for_its_end_with_all_that_follow() {
    let desk = Desk::new(Default::default());
    raise(&desk, 0..20);
    assert_eq!(mails(&desk), (20, vec![]));
    raise(&desk, 20..45);
    assert_eq!(mails(&desk), (20, vec![(1 + HOUR, 25)]), "the first mail was made at 1");
    assert_eq!(desk.delivered().len(), 45, "what is seen in the product does not wait");
    let said: Vec<String> = desk
        .mails()
        .into_iter()
        .flat_map(|mail| match mail.state {
            MailState::Waiting { .. } => mail.event_ids().cloned().collect(),
            _ => Vec::new(),
        })
        .collect();
    assert_eq!((said.len(), said.iter().collect::<BTreeSet<_>>().len()), (45, 45));
}

#[test]
fn an_hour_is_over_for_the_first_mail_after_it() {
    let desk = Desk::new(Default::default());
    raise(&desk, 0..22);
    desk.with(|it| it.now = T0 + HOUR - 1);
    raise(&desk, 22..23);
    assert_eq!(mails(&desk), (20, vec![(1 + HOUR, 3)]), "one millisecond is left");
    raise(&desk, 23..44);
    assert_eq!(mails(&desk), (40, vec![(1 + HOUR, 3), (1 + 2 * HOUR, 1)]));
}

#[test]
fn a_mail_of_the_rest_that_is_full_or_being_sent_is_followed_by_another() {
    let desk = Desk::new(Default::default());
    raise(&desk, 0..20 + MAX_REST + 3);
    assert_eq!(mails(&desk), (20, vec![(1 + HOUR, 3), (1 + HOUR, MAX_REST)]));
    let full = Mail::new("g".to_owned(), vec![PageRef::first("e"); MAX_REST], 1);
    assert_eq!(full.joined_by(&[PageRef::first("f")]), None);
    let taken = Mail { attempts: 1, ..Mail::new("g".to_owned(), vec![], 1) };
    assert_eq!(taken.joined_by(&[PageRef::first("f")]), None);
}

#[test]
fn what_is_offered_again_is_counted_once() {
    let desk = Desk::new(Default::default());
    for _ in 0..30 {
        raise(&desk, 0..1);
    }
    raise(&desk, 1..20);
    assert_eq!(mails(&desk), (20, vec![]));
}
