//! Invariants of every simulation. A fault begins with the rule that it breaks, or with one of
//! these:
//!
//! - I1: each activity is delivered once, or dropped for a reason that holds.
//! - I2: nothing leaves its delay early.
//! - I3: no window has more activities than the limit allows.
//! - I4: nothing is delivered that was seen before its window closed.
//! - I5: no row is due at the end.
//! - I6: a window closes at the time that was set when it opened.

use std::collections::{BTreeMap, BTreeSet};

use model::{Millis, UserId};
use notification::{
    Activity, ActivityState, BatchLimits, Change, Channel, Channels, CloseReason, Mail, MailState,
    Notice, PageRef, PendingEvent, Quota, Reason, RecipientPage, Recipients, RowBody as _, RowKey,
    Window, WindowLimits, WindowScope, Windows,
    quota::{HOUR, MAX_MAILS},
};

use crate::state::{State, number, organization};

/// By how much clocks differ, from each other.
const SKEW: Millis = 10_000;
/// Bytes of a row of windows; most of them are the ids of 200 recipients.
const MOST_BYTES: usize = 6 * 1024;
/// Time for which a driver may use data it has read.
const STALE: Millis = 600_000;

/// The id under which its recipients find a notification.
pub(crate) fn published_id(notice: &Notice) -> String {
    let first = notice.users().next().unwrap();
    format!("{}-{}-{first}", notice.id, notice.generation)
}

/// The parts that must be equal in every publication of a notification.
fn content(notice: &Notice) -> impl PartialEq {
    let of_one = |activity: &Activity| (activity.page.clone(), activity.channels());
    let of_user = |recipient: &notification::Recipient| {
        let all: Vec<_> = recipient.activities.iter().map(of_one).collect();
        (recipient.user_id.clone(), all)
    };
    let recipients: Vec<_> = notice.recipients.iter().map(of_user).collect();
    (notice.id.clone(), recipients, notice.batch.clone(), notice.at)
}

/// A notification goes out.
pub(crate) fn publish(state: &mut State, notice: &Notice, clock: Millis) {
    state.trace(|| {
        let ids: Vec<&str> = notice.activities().iter().map(Activity::event_id).collect();
        let users: Vec<_> = notice.users().map(|user| user.as_str()).collect();
        format!("PUBLISH {} to {users:?}: {ids:?}", notice.id)
    });
    let key = published_id(notice);
    if let Some(earlier) = state.published.get(&key) {
        if content(earlier) != content(notice) {
            state.fault(format!("I1 {key:?} says something else the second time"));
        }
        return;
    }
    let count = notice.activities().len();
    state.counts.count("notices");
    state.counts.add("digests", u64::from(count > 1));
    for activity in notice.recipients.iter().flat_map(|recipient| &recipient.activities) {
        check_activity(state, notice, activity, clock);
    }
    for recipient in &notice.recipients {
        let order: Vec<_> = recipient
            .activities
            .iter()
            .map(|activity| (activity.t0, activity.event_id().to_owned()))
            .collect();
        if !order.is_sorted() || order.is_empty() || order.len() != count {
            state.fault(format!("N15 {} is out of order: {order:?}", notice.id));
        }
    }
    if notice.batch.as_ref().map_or(1, |batch| batch.total) != count {
        state.fault(format!("N14 {} counts wrong", notice.id));
    }
    state.published.insert(key, notice.clone());
}

fn check_activity(state: &mut State, notice: &Notice, activity: &Activity, clock: Millis) {
    let id = activity.event_id().to_owned();
    let user = activity.user_id.clone();
    let key = (user.clone(), id.clone());
    if let Some(other) = state.carried.insert(key.clone(), published_id(notice)) {
        state.fault(format!("I1 {key:?} is in {other} and in {}", notice.id));
    }
    let raised = &state.raised[state.numbers[&id]];
    let thread = raised.thread;
    let due = raised.event.t0 + raised.policy.delay.unwrap_or(0) * 1000;
    if clock + SKEW < due {
        state.fault(format!("I2 {key:?} is out {} ms early", due - clock));
    }
    if activity.state.generation() != Some(&notice.generation) {
        return state.fault(format!("I1 {key:?} is out but not claimed"));
    }
    let closed_at = match state.closed.get(&(notice.generation.clone(), user.clone())) {
        Some(closed_at) => *closed_at,
        None if notice.generation != activity.page.generation() => {
            return state.fault(format!("no window of {key:?}"));
        }
        None if state.raised[state.numbers[&id]].policy.delay.is_some() => due,
        None => return,
    };
    let before = closed_at.saturating_sub(SKEW);
    let sights = state.sights.get(&(number(&user), thread));
    let was_seen = |at: &Millis| (activity.t0..before).contains(at);
    if sights.is_some_and(|all| all.iter().any(was_seen)) {
        state.fault(format!("I4 {key:?} is out though it was seen"));
    }
    if state.deleted.get(&thread).is_some_and(|at| *at < before) {
        state.fault(format!("N13 {key:?} is out though it is gone"));
    }
}

/// The recipients in a row, and the outcome of the event for each.
fn states(key: &RowKey, row: &notification::Row) -> BTreeMap<UserId, ActivityState> {
    let page: RecipientPage = match key {
        RowKey::Pending { .. } if row.body.is_null() => return BTreeMap::new(),
        RowKey::Pending { .. } => PendingEvent::from_row(row.clone()).unwrap().first,
        _ => Recipients::from_row(row.clone()).unwrap().page,
    };
    let of_group = |group: notification::RecipientGroup| {
        let state = group.state;
        group.users.into_iter().map(move |user| (user, state.clone()))
    };
    page.groups.into_iter().flat_map(of_group).collect()
}

/// A row changes, by a machine whose clock shows that time.
pub(crate) fn change(state: &mut State, change: &Change, clock: Millis) {
    match change {
        Change::Put {
            key: key @ (RowKey::Pending { event_id } | RowKey::Recipients { event_id, .. }),
            row,
            seen,
        } => {
            let Some(number) = state.numbers.get(event_id) else { return };
            let raised = &state.raised[*number];
            let due = raised.event.t0 + raised.policy.delay.unwrap_or(0) * 1000;
            let before =
                state.stored(key).map(|stored| states(key, &stored.row)).unwrap_or_default();
            let is_pending = |user: &UserId| {
                before.get(user).is_none_or(|state| *state == ActivityState::Pending)
            };
            // The task that added an entry to a window released it, by another clock.
            let is_joined =
                |user: &UserId| state.joined.contains(&(event_id.clone(), user.clone()));
            let is_released = states(key, row).iter().any(|(user, state)| {
                *state != ActivityState::Pending && is_pending(user) && !is_joined(user)
            });
            if is_released && clock < due {
                state.fault(format!("I2 {key:?} is released {} ms early", due - clock));
            }
            let is_further = matches!(key, RowKey::Recipients { .. });
            state.counts.add("pages", u64::from(is_further && seen.is_none()));
        }
        Change::Put { key: key @ RowKey::Windows { document_id, from, of, .. }, row, seen } => {
            let after = Windows::from_row(row.clone()).unwrap();
            stored_windows(state, key, &after, &row.body.to_string());
            state.counts.add("left", u64::from(of.is_some() && seen.is_none()));
            let scope =
                if document_id.is_some() { WindowScope::Document } else { WindowScope::User };
            if from.is_some() && seen.is_none() {
                state.counts.count("splits");
                return;
            }
            windows_put(state, key, scope, &after, clock);
        }
        Change::Put { key: RowKey::Quota { user_id, .. }, row, .. } => {
            let quota = Quota::from_row(row.clone()).unwrap();
            quota_put(state, user_id, &quota);
        }
        Change::Put { key: RowKey::Mail { user_id, generation, .. }, row, seen: None } => {
            let mail = Mail::from_row(row.clone()).unwrap();
            mail_put(state, user_id, generation, &mail);
        }
        Change::Put { .. } | Change::Delete { .. } => {}
    }
}

/// A row of windows is small, and has each event id once.
fn stored_windows(state: &mut State, key: &RowKey, windows: &Windows, text: &str) {
    if text.len() > MOST_BYTES {
        state.fault(format!("{key:?} has {} bytes", text.len()));
    }
    let ids = windows.open.iter().flat_map(|window| &window.ids);
    for id in ids.map(|page| &page.event_id).collect::<BTreeSet<_>>() {
        if text.matches(&format!("\"{id}\"")).count() != 1 {
            state.fault(format!("{key:?} has {id} more than once"));
        }
    }
}

fn windows_put(
    state: &mut State,
    key: &RowKey,
    scope: WindowScope,
    after: &Windows,
    clock: Millis,
) {
    let before = state.stored(key).map(|stored| Windows::from_row(stored.row).unwrap());
    let before = before.unwrap_or_default().open;
    for window in &after.open {
        let is_earlier = |earlier: &&Window| {
            earlier.generation == window.generation
                && earlier.users.iter().any(|user| window.users.contains(user))
        };
        let earlier = before.iter().find(is_earlier);
        let has_grown = earlier.is_some_and(|earlier| earlier.ids.len() < window.ids.len());
        // A driver may have taken its time since it looked at the clock.
        if has_grown && clock > window.closes_at + STALE {
            state.fault(format!("N9 {key:?} is joined though it is over"));
        }
        let is_right = match earlier {
            Some(earlier) => {
                earlier.closes_at == window.closes_at && earlier.opened_at == window.opened_at
            }
            None => in_force(state, scope, window.opened_at)
                .any(|limits| window.closes_at == window.opened_at + limits.seconds * 1000),
        };
        if !is_right {
            state.fault(format!("I6 {key:?} closes at {}", window.closes_at));
        }
        if let Some(PageRef { event_id, .. }) =
            window.ids.last().filter(|_| has_grown || earlier.is_none())
        {
            let raised = &state.raised[state.numbers[event_id]];
            let due = raised.event.t0 + raised.policy.delay.unwrap_or(0) * 1000;
            for user in &window.users {
                let is_new = state.joined.insert((event_id.clone(), user.clone()));
                if is_new && clock < due {
                    state.fault(format!("I2 {event_id} joins {} ms early", due - clock));
                    return;
                }
            }
        }
        let Some(closed) = window.closed else { continue };
        if earlier.is_some_and(|earlier| earlier.closed.is_some()) {
            if has_grown {
                state.fault(format!("N9 {key:?} is joined though it is closed"));
            }
            continue;
        }
        if closed.reason == CloseReason::Window && clock < closed.at {
            state.fault(format!("N18 {} closes early", window.generation));
        }
        match closed.reason {
            CloseReason::Window => state.counts.count("over"),
            CloseReason::MaxActivities => state.counts.count("full"),
        }
        let max = in_force(state, scope, window.opened_at).map(|limits| limits.max).max();
        if max.is_none_or(|max| window.ids.len() as u64 > max) {
            let count = window.ids.len();
            state.fault(format!("I3 {} holds {count}, not {max:?}", window.generation));
        }
        for user in &window.users {
            state.closed.insert((window.generation.clone(), user.clone()), closed.at);
        }
    }
}

/// Each recipient has at most one open window in each scope.
pub(crate) fn windows(state: &mut State) {
    let mut seen = BTreeSet::new();
    let mut faults = Vec::new();
    for (key, row) in state.rows.iter() {
        let RowKey::Windows { document_id, .. } = key else { continue };
        let windows = Windows::from_row(row.clone()).unwrap();
        for window in windows.open.iter().filter(|window| window.closed.is_none()) {
            for user in &window.users {
                if !seen.insert((document_id.clone(), user.clone())) {
                    faults.push(format!("N8 {user} has two windows of {document_id:?}"));
                }
            }
        }
    }
    faults.into_iter().for_each(|fault| state.fault(fault));
}

/// An hour of mails begins, or goes on.
fn quota_put(state: &mut State, user: &UserId, quota: &Quota) {
    state.rests.extend(quota.rest.clone());
    let known = state.hours.get(user).cloned();
    let is_same = known.as_ref().is_some_and(|(since, ..)| *since == quota.opened_at);
    if is_same {
        return;
    }
    if let Some((since, ..)) = known {
        state.counts.count("hours");
        if quota.opened_at + SKEW < since + HOUR {
            state.fault(format!("an hour of {user} is over too early"));
        }
    }
    state.hours.insert(user.clone(), (quota.opened_at, 0, None));
}

/// A mail is made: one of its own, of which an hour has twenty, or that of the rest of the hour.
fn mail_put(state: &mut State, user: &UserId, generation: &str, mail: &Mail) {
    if let MailState::Collapsed { .. } = mail.state {
        return state.counts.count("collapsed");
    }
    let is_own = !state.rests.contains(generation);
    let Some((since, own, rest)) = state.hours.get(user).cloned() else {
        return state.fault(format!("a mail to {user} is not counted"));
    };
    if is_own {
        if own == MAX_MAILS {
            state.fault(format!("{user} gets too many mails"));
        }
        state.hours.insert(user.clone(), (since, own + 1, rest));
        return;
    }
    let (organization_id, user_id) = (organization(), user.clone());
    let earlier = rest.map(|generation| RowKey::Mail { organization_id, user_id, generation });
    let earlier = earlier.and_then(|key| state.stored(&key));
    let earlier = earlier.map(|stored| Mail::from_row(stored.row).unwrap());
    if own < MAX_MAILS || earlier.is_some_and(|earlier| earlier.with_events(&[]).is_some()) {
        state.fault(format!("{user} gets another mail of the rest"));
    }
    state.hours.insert(user.clone(), (since, own, Some(generation.to_owned())));
}

/// The limits of a scope that a driver may have known since then.
fn in_force(
    state: &State,
    scope: WindowScope,
    since: Millis,
) -> impl Iterator<Item = WindowLimits> {
    let since = since.saturating_sub(STALE);
    let ends = state.limits.iter().skip(1).map(|(at, _)| *at).chain([Millis::MAX]);
    let valid = state.limits.iter().zip(ends).filter(move |(_, end)| *end >= since);
    valid.filter_map(move |((_, BatchLimits { document, user }), _)| match scope {
        WindowScope::Document => *document,
        WindowScope::User => *user,
    })
}

/// Everything is over.
pub(crate) fn end(state: &mut State) {
    let poisoned = crate::run::poisoned();
    let armed: Vec<RowKey> = state
        .rows
        .iter()
        .filter(|(key, row)| row.due.is_some() && **key != poisoned)
        .map(|(key, _)| key.clone())
        .collect();
    for key in armed {
        state.fault(format!("I5 {key:?} is stuck"));
    }
    for number in 0..state.raised.len() {
        let raised = &state.raised[number];
        let recipients = raised.recipients.clone();
        for (user, channels) in recipients {
            let allowed = channels & state.raised[number].policy.channels;
            if !allowed.is_empty() {
                state.counts.count("activities");
                check_outcome(state, number, &user);
            }
        }
    }
}

fn check_outcome(state: &mut State, event: usize, user: &UserId) {
    let id = state.raised[event].event.id.clone();
    let key = (user.clone(), id.clone());
    // A row may have expired, as far as drivers know.
    let rows = state.rows.iter().filter(|(key, _)| match key {
        RowKey::Pending { event_id } | RowKey::Recipients { event_id, .. } => *event_id == id,
        _ => false,
    });
    let found = rows.filter_map(|(key, row)| {
        let page = match key {
            RowKey::Recipients { page, .. } => *page,
            _ => 0,
        };
        let allowed = allowed_of(key, row, user)?;
        Some((page, states(key, row).remove(user)?, allowed))
    });
    let mut found: Vec<_> = found.collect();
    let Some((page, last, allowed)) = found.pop() else {
        return state.fault(format!("I1 {key:?} was never recorded"));
    };
    if !found.is_empty() {
        return state.fault(format!("I1 {key:?} is recorded twice"));
    }
    let carried = state.carried.get(&key).cloned();
    match last {
        ActivityState::Pending | ActivityState::Batched { .. } | ActivityState::Claimed { .. } => {
            state.fault(format!("I1 {key:?} is lost"));
        }
        ActivityState::Delivered { generation, notification_id, withheld, .. } => {
            let own = PageRef { event_id: id.clone(), page }.generation();
            let windows = state
                .closed
                .keys()
                .filter(|(other, of)| of == user && *other != generation && *other != own);
            state.counts.add("beaten", windows.count() as u64);
            let channels = withheld.keys().fold(allowed, |left, gone| left.without(*gone));
            if carried.as_ref() != Some(&notification_id) {
                state.fault(format!("I1 {key:?} is not in {notification_id} but in {carried:?}"));
            }
            if state.mailed.contains(&(user.clone(), id)) != channels.has(Channel::Email) {
                state.fault(format!("N16 {key:?} and its mail differ"));
            }
            state.counts.add("narrowed", u64::from(!withheld.is_empty()));
            justify(state, event, user, withheld);
        }
        ActivityState::Dropped { reasons, .. } => {
            if carried.is_some() {
                state.fault(format!("I1 {key:?} is out though it was dropped"));
            }
            state.counts.count("dropped");
            justify(state, event, user, reasons);
        }
    }
}

/// The channels that were allowed for a recipient in a row.
fn allowed_of(key: &RowKey, row: &notification::Row, user: &UserId) -> Option<Channels> {
    let page: RecipientPage = match key {
        RowKey::Pending { .. } => PendingEvent::from_row(row.clone()).unwrap().first,
        _ => Recipients::from_row(row.clone()).unwrap().page,
    };
    let group = page.groups.into_iter().find(|group| group.users.contains(user))?;
    Some(group.allowed)
}

fn justify(
    state: &mut State,
    event: usize,
    user: &UserId,
    reasons: impl IntoIterator<Item = (Channel, Reason)>,
) {
    for (channel, reason) in reasons {
        let raised = &state.raised[event];
        let number = number(user);
        let is_true = match reason {
            Reason::Deleted => state.deleted.contains_key(&raised.thread),
            Reason::NoAccess => state.was_locked_out.contains(&number),
            Reason::Seen => state
                .sights
                .get(&(number, raised.thread))
                .is_some_and(|all| all.iter().any(|at| *at >= raised.event.t0)),
            Reason::ServiceOff => state.was_off,
            Reason::Muted => {
                state.unwanted.get(&number).is_some_and(|unwanted| unwanted.has(channel))
            }
            _ => false,
        };
        if !is_true {
            let id = raised.event.id.clone();
            state.fault(format!("I1 {id} is kept from {user} on {channel:?} as {reason:?}"));
        }
    }
}
