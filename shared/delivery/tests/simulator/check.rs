//! What must hold, whatever happens.

use delivery::{
    Activity, ActivityState, Body as _, Change, Channel, CloseReason, Digest, DigestState, Limits,
    Mail, MailState, Notice, Quota, Reason, RowKey, Scope, Window, WindowLimits,
    quota::{HOUR, MAX_MAILS},
};
use model::{Millis, UserId};

use crate::state::{State, number, organization};

/// By how much clocks differ, from each other.
const SKEW: Millis = 10_000;
/// For how long a driver may go on with what it has read.
const STALE: Millis = 600_000;

/// A notification goes out.
pub(crate) fn publish(state: &mut State, notice: &Notice, clock: Millis) {
    state.trace(|| {
        let ids: Vec<&str> = notice.activities.iter().map(|it| it.event_id.as_str()).collect();
        format!("PUBLISH {} to {}: {ids:?}", notice.id, notice.user_id)
    });
    let key = (notice.user_id.clone(), notice.id.clone());
    if let Some(earlier) = state.published.get(&key) {
        if earlier != notice {
            state.fault(format!("I1 {key:?} says something else the second time"));
        }
        return;
    }
    state.counts.notices += 1;
    state.counts.digests += u64::from(notice.activities.len() > 1);
    for activity in &notice.activities {
        one(state, notice, activity, clock);
    }
    let order: Vec<_> = notice.activities.iter().map(|it| (it.t0, &it.event_id)).collect();
    if !order.is_sorted() || order.is_empty() {
        state.fault(format!("N15 {} is out of order: {order:?}", notice.id));
    }
    if notice.batch.as_ref().map_or(1, |batch| batch.total) != notice.activities.len() {
        state.fault(format!("N14 {} counts wrong", notice.id));
    }
    state.published.insert(key, notice.clone());
}

fn one(state: &mut State, notice: &Notice, activity: &Activity, clock: Millis) {
    let id = &activity.event_id;
    let key = (notice.user_id.clone(), id.clone());
    if let Some(other) = state.carried.insert(key.clone(), notice.id.clone()) {
        state.fault(format!("I1 {key:?} is in {other} and in {}", notice.id));
    }
    let raised = &state.raised[state.numbers[id]];
    let thread = raised.thread;
    let due = raised.event.t0 + raised.policy.delay.unwrap_or(0) * 1000;
    if clock + SKEW < due {
        state.fault(format!("I2 {key:?} is out {} ms early", due - clock));
    }
    let ActivityState::Delivered { generation, .. } = &activity.state else {
        return state.fault(format!("I1 {key:?} is out but not delivered"));
    };
    let digest = RowKey::Digest {
        organization_id: organization(),
        user_id: notice.user_id.clone(),
        generation: generation.clone(),
    };
    let digest = state.stored(&digest).map(|it| Digest::from_row(it.row).unwrap());
    let Some(digest) = digest else { return state.fault(format!("no digest of {key:?}")) };
    let closed_at = match &digest.window {
        Some(window) => window.closed_at,
        None if state.raised[state.numbers[id]].policy.delay.is_some() => due,
        None => return,
    };
    let before = closed_at.saturating_sub(SKEW);
    let sights = state.sights.get(&(number(&notice.user_id), thread));
    let was_seen = |at: &Millis| (activity.t0..before).contains(at);
    if sights.is_some_and(|all| all.iter().any(was_seen)) {
        state.fault(format!("I4 {key:?} is out though it was seen"));
    }
    if state.deleted.get(&thread).is_some_and(|at| *at < before) {
        state.fault(format!("N13 {key:?} is out though it is gone"));
    }
}

/// A row changes, by a machine whose clock shows that time.
pub(crate) fn change(state: &mut State, change: &Change, clock: Millis) {
    match change {
        Change::Put { key: key @ RowKey::Activity { .. }, row, seen: Some(_) } => {
            let before = state.stored(key).map(|it| Activity::from_row(it.row).unwrap());
            let after = Activity::from_row(row.clone()).unwrap();
            let raised = &state.raised[state.numbers[&after.event_id]];
            let due = raised.event.t0 + raised.policy.delay.unwrap_or(0) * 1000;
            let is_released = before.is_some_and(|it| it.state == ActivityState::Held);
            if is_released && clock < due {
                state.fault(format!("I2 {key:?} is released {} ms early", due - clock));
            }
        }
        Change::Put { key: RowKey::Window { document_id, .. }, row, .. } => {
            let window = Window::from_row(row.clone()).unwrap();
            let scope = if document_id.is_some() { Scope::Document } else { Scope::User };
            window_put(state, change_key(change), scope, &window, clock);
        }
        Change::Put { key: RowKey::Digest { .. }, row, seen: None } => {
            let digest = Digest::from_row(row.clone()).unwrap();
            let Some(window) = &digest.window else { return };
            if window.reason == CloseReason::Window && clock < window.closed_at {
                state.fault(format!("N18 {} closes early", digest.generation));
            }
            match window.reason {
                CloseReason::Window => state.counts.over += 1,
                CloseReason::MaxActivities => state.counts.full += 1,
            }
            let max = in_force(state, window.scope, window.opened_at).map(|it| it.max).max();
            if max.is_none_or(|max| digest.ids.len() as u64 > max) {
                let count = digest.ids.len();
                state.fault(format!("I3 {} holds {count}, not {max:?}", digest.generation));
            }
        }
        Change::Put { key: RowKey::Quota { user_id, .. }, row, .. } => {
            let quota = Quota::from_row(row.clone()).unwrap();
            quota_put(state, user_id, &quota);
        }
        Change::Put { key: RowKey::Mail { user_id, generation, .. }, row, seen: None } => {
            let mail = Mail::from_row(row.clone()).unwrap();
            mail_put(state, user_id, generation, &mail);
        }
        Change::Put { key: RowKey::Audience { .. }, .. } => state.counts.pages += 1,
        Change::Put { key: RowKey::Digest { .. }, row, .. } => {
            if let DigestState::Claimed { keep, .. } = Digest::from_row(row.clone()).unwrap().state
                && let Some(before) = state.stored(change_key(change))
            {
                let before = Digest::from_row(before.row).unwrap();
                state.counts.beaten += (before.ids.len() - keep.len()) as u64;
            }
        }
        Change::Put { .. } | Change::Delete { .. } => {}
    }
}

fn change_key(change: &Change) -> &RowKey {
    match change {
        Change::Put { key, .. } | Change::Delete { key, .. } => key,
    }
}

fn window_put(state: &mut State, key: &RowKey, scope: Scope, window: &Window, clock: Millis) {
    let earlier = state.stored(key).map(|it| Window::from_row(it.row).unwrap());
    let earlier = earlier.filter(|earlier| earlier.generation == window.generation);
    // A driver may have taken its time since it looked at the clock.
    if earlier.is_some() && clock > window.closes_at + STALE {
        state.fault(format!("N9 {key:?} is joined though it is over"));
    }
    let is_right = match earlier {
        Some(it) => it.closes_at == window.closes_at && it.opened_at == window.opened_at,
        None => in_force(state, scope, window.opened_at)
            .any(|limits| window.closes_at == window.opened_at + limits.seconds * 1000),
    };
    if !is_right {
        state.fault(format!("I6 {key:?} closes at {}", window.closes_at));
    }
}

/// An hour of mails begins, or goes on.
fn quota_put(state: &mut State, user: &UserId, quota: &Quota) {
    let known = state.hours.get(user).cloned();
    let is_same = known.as_ref().is_some_and(|(since, ..)| *since == quota.opened_at);
    if is_same {
        return;
    }
    if let Some((since, ..)) = known {
        state.counts.hours += 1;
        if quota.opened_at + SKEW < since + HOUR {
            state.fault(format!("an hour of {user} is over too early"));
        }
    }
    state.hours.insert(user.clone(), (quota.opened_at, 0, None));
}

/// A mail is made: one of its own, of which an hour has twenty, or that of the rest of the hour.
fn mail_put(state: &mut State, user: &UserId, generation: &str, mail: &Mail) {
    if let MailState::Collapsed { .. } = mail.state {
        return state.counts.collapsed += 1;
    }
    let (organization_id, user_id) = (organization(), user.clone());
    let digest = RowKey::Digest { organization_id, user_id, generation: generation.to_owned() };
    let is_own = state.stored(&digest).is_some();
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
    let earlier = earlier.map(|it| Mail::from_row(it.row).unwrap());
    if own < MAX_MAILS || earlier.is_some_and(|it| it.joined_by(&[]).is_some()) {
        state.fault(format!("{user} gets another mail of the rest"));
    }
    state.hours.insert(user.clone(), (since, own, Some(generation.to_owned())));
}

/// The limits of a scope that a driver may have known since then.
fn in_force(state: &State, scope: Scope, since: Millis) -> impl Iterator<Item = WindowLimits> {
    let since = since.saturating_sub(STALE);
    let ends = state.limits.iter().skip(1).map(|(at, _)| *at).chain([Millis::MAX]);
    let valid = state.limits.iter().zip(ends).filter(move |(_, end)| *end >= since);
    valid.filter_map(move |((_, Limits { document, user }), _)| match scope {
        Scope::Document => *document,
        Scope::User => *user,
    })
}

/// Everything is over.
pub(crate) fn end(state: &mut State) {
    let poisoned = crate::run::poisoned();
    let armed: Vec<RowKey> = state
        .rows
        .iter()
        .filter(|(key, (row, _))| row.due.is_some() && **key != poisoned)
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
                state.counts.activities += 1;
                fate(state, number, &user);
            }
        }
    }
}

fn fate(state: &mut State, event: usize, user: &UserId) {
    let id = state.raised[event].event.id.clone();
    let key = (user.clone(), id.clone());
    let row = RowKey::Activity {
        organization_id: organization(),
        user_id: user.clone(),
        event_id: id.clone(),
    };
    // It may have expired, as far as drivers know.
    let Some((row, _)) = state.rows.get(&row).cloned() else {
        return state.fault(format!("I1 {key:?} was never recorded"));
    };
    let activity = Activity::from_row(row).unwrap();
    let carried = state.carried.get(&key).cloned();
    match activity.state {
        ActivityState::Held | ActivityState::Batched { .. } => {
            state.fault(format!("I1 {key:?} is lost"));
        }
        ActivityState::Delivered { notification_id, channels, withheld, .. } => {
            if carried.as_ref() != Some(&notification_id) {
                state.fault(format!("I1 {key:?} is not in {notification_id} but in {carried:?}"));
            }
            if state.mailed.contains(&(user.clone(), id)) != channels.has(Channel::Email) {
                state.fault(format!("N16 {key:?} and its mail differ"));
            }
            state.counts.narrowed += u64::from(!withheld.is_empty());
            justify(state, event, user, withheld);
        }
        ActivityState::Dropped { reasons, .. } => {
            if carried.is_some() {
                state.fault(format!("I1 {key:?} is out though it was dropped"));
            }
            state.counts.dropped += 1;
            justify(state, event, user, reasons);
        }
    }
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
            Reason::Muted => state.unwanted.get(&number).is_some_and(|it| it.has(channel)),
            _ => false,
        };
        if !is_true {
            let id = raised.event.id.clone();
            state.fault(format!("I1 {id} is kept from {user} on {channel:?} as {reason:?}"));
        }
    }
}
