//! How many mails there are in an hour (rule N16).

use std::collections::BTreeSet;

use notification::{
    Mail, MailState, PageRef,
    quota::{HOUR, MAX_REST},
};

use crate::memory_tenant::{MemoryTenant, T0};

/// So many events, each a mail of its own, a millisecond apart.
fn raise(tenant: &MemoryTenant, events: std::ops::Range<usize>) {
    for n in events {
        tenant.with(|state| state.now += 1);
        tenant.raise(&format!("e{n:04}"), None);
        let now = tenant.with(|state| state.now);
        tenant.until(now);
    }
}

/// The mails that are to be sent, with how many events: those of their own, and the others.
fn mails(tenant: &MemoryTenant) -> (usize, Vec<(u64, usize)>) {
    let open = |mail: &Mail| match mail.state {
        MailState::Waiting { at } => Some((mail.clone(), at)),
        _ => None,
    };
    let (own, rest): (Vec<_>, Vec<_>) = tenant
        .mails()
        .iter()
        .filter_map(open)
        .partition(|(mail, _)| mail.notification_id == mail.pages[0].event_id);
    let mut rest: Vec<_> = rest.iter().map(|(mail, at)| (at - T0, mail.pages.len())).collect();
    rest.sort();
    (own.len(), rest)
}

#[test]
fn the_21st_mail_of_an_hour_waits_for_its_end_with_all_that_follow() {
    let tenant = MemoryTenant::new(Default::default());
    raise(&tenant, 0..20);
    assert_eq!(mails(&tenant), (20, vec![]));
    raise(&tenant, 20..45);
    assert_eq!(mails(&tenant), (20, vec![(1 + HOUR, 25)]), "the first mail was made at 1");
    assert_eq!(tenant.delivered().len(), 45, "what is seen in the product does not wait");
    let said: Vec<String> = tenant
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
    let tenant = MemoryTenant::new(Default::default());
    raise(&tenant, 0..22);
    tenant.with(|state| state.now = T0 + HOUR - 1);
    raise(&tenant, 22..23);
    assert_eq!(mails(&tenant), (20, vec![(1 + HOUR, 3)]), "one millisecond is left");
    raise(&tenant, 23..44);
    assert_eq!(mails(&tenant), (40, vec![(1 + HOUR, 3), (1 + 2 * HOUR, 1)]));
}

#[test]
fn a_mail_of_the_rest_that_is_full_or_being_sent_is_followed_by_another() {
    let tenant = MemoryTenant::new(Default::default());
    raise(&tenant, 0..20 + MAX_REST + 3);
    assert_eq!(mails(&tenant), (20, vec![(1 + HOUR, 3), (1 + HOUR, MAX_REST)]));
    let full = Mail::new("g".to_owned(), vec![PageRef::first("e"); MAX_REST], 1);
    assert_eq!(full.with_events(&[PageRef::first("f")]), None);
    let taken = Mail { attempts: 1, ..Mail::new("g".to_owned(), vec![], 1) };
    assert_eq!(taken.with_events(&[PageRef::first("f")]), None);
}

#[test]
fn what_is_offered_again_is_counted_once() {
    let tenant = MemoryTenant::new(Default::default());
    for _ in 0..30 {
        raise(&tenant, 0..1);
    }
    raise(&tenant, 1..20);
    assert_eq!(mails(&tenant), (20, vec![]));
}
