//! The windows of many recipients in one row (rules N8 to N11).

pub(crate) mod closing;
pub(crate) mod digests;
pub(crate) mod joining;
mod stored;

use std::collections::{BTreeMap, BTreeSet};

use model::{Millis, UserId};
use serde::{Deserialize, Serialize};

use crate::{CloseReason, MAX_ACTIVITIES, PageRef, RETRY, RowBody, Window, WindowLimits};

/// Recipients whose open windows are in rows of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeparateWindow {
    /// The recipients.
    pub users: Vec<UserId>,
    /// The closing time of their windows, or the latest one.
    pub closes_at: Millis,
    /// Whether this row closes them: windows of the same closing time have activities in common, so
    /// they are decided together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub led: bool,
}

/// Windows of one scope, for the recipients between two splits. The first row has the splits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "stored::Windows", try_from = "stored::Windows")]
pub struct Windows {
    /// The windows; a recipient is in at most one open window.
    pub open: Vec<Window>,
    /// Recipients with a row of their own; none of them is in an open window of this row.
    pub apart: Vec<SeparateWindow>,
    /// The starts of further rows, in order; only in the first row.
    pub splits: Vec<UserId>,
    /// The time since which it is empty.
    pub idle: Option<Millis>,
}

/// The retention of an empty row that others refer to, so that it is not recreated.
const IDLE: Millis = 24 * 60 * 60 * 1000;
/// The size in bytes above which windows of few recipients leave a row.
const LEAVING_BYTES: usize = 2 * 1024;
/// The size in bytes above which a row is split.
const SPLIT_BYTES: usize = 3 * 1024;
/// The maximum number of recipients in a row.
const MAX_RECIPIENTS: usize = 200;
/// The size in bytes of a large row, such as one of an earlier version.
const LARGE_BYTES: usize = 16 * 1024;
/// The number of recipients that leave a large row at a time.
const MAX_LEAVING: usize = 80;

/// The closing time of a recipient's window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowEnd {
    /// The recipient.
    pub user_id: UserId,
    /// The time at which the window closes, at the latest.
    pub at: Millis,
}

/// The effect of an activity on windows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Joined {
    /// The times to wake the windows that the activity opened or closed.
    pub hints: BTreeSet<Millis>,
    /// The closing times of the windows that the activity is in.
    pub ends: Vec<WindowEnd>,
}

/// The effect of an activity on open windows.
pub(crate) struct JoinedOpen {
    pub(crate) joined: Joined,
    /// The recipients without an open window.
    pub(crate) windowless: BTreeSet<UserId>,
}

/// The upper part of a row of windows.
pub(crate) struct UpperHalf {
    /// The first recipient of the part.
    pub(crate) from: UserId,
    pub(crate) windows: Windows,
}

impl Windows {
    /// Adds an activity of these recipients to their windows, unless it joined before. `generation`
    /// is for a new window.
    pub fn join(
        &mut self,
        users: &BTreeSet<UserId>,
        page: &PageRef,
        limits: WindowLimits,
        generation: &str,
        now: Millis,
    ) -> Joined {
        let JoinedOpen { mut joined, windowless } = self.join_open(users, page, limits, now);
        if !windowless.is_empty() {
            let opened = Window {
                generation: generation.to_owned(),
                users: windowless.iter().cloned().collect(),
                opened_at: now,
                closes_at: now.saturating_add(limits.seconds.saturating_mul(1000)),
                ids: Vec::new(),
                closed: None,
                led: false,
            };
            let opened = with_activity(opened, page, max_activities(limits), now);
            joined.hints.insert(opened.until());
            joined.ends.extend(ends_of(&opened));
            self.open.push(opened);
        }
        joined
    }

    /// Adds an activity to open windows, and closes those that do not take it.
    pub(crate) fn join_open(
        &mut self,
        users: &BTreeSet<UserId>,
        page: &PageRef,
        limits: WindowLimits,
        now: Millis,
    ) -> JoinedOpen {
        let max = max_activities(limits);
        let mut joined = Joined::default();
        let mut windowless = users.clone();
        let mut windows: Vec<Window> = Vec::new();
        for window in std::mem::take(&mut self.open) {
            if window.ids.contains(page) {
                for end in ends_of(&window).filter(|end| users.contains(&end.user_id)) {
                    windowless.remove(&end.user_id);
                    joined.ends.push(end);
                }
                windows.push(window);
                continue;
            }
            let (joining, others): (Vec<UserId>, Vec<UserId>) =
                window.users.iter().cloned().partition(|user| users.contains(user));
            if joining.is_empty() || !window.is_open() {
                windows.push(window);
                continue;
            }
            let part = |users: Vec<UserId>| Window { users, ..window.clone() };
            if !others.is_empty() {
                windows.push(part(others));
            }
            let joining = part(joining);
            if joining.is_over(now) {
                joined.hints.insert(now);
                windows.push(joining.closed(CloseReason::Window, now));
            } else if joining.ids.len() >= max {
                // The limit was lowered below the number of its activities.
                joined.hints.insert(now);
                windows.push(joining.closed(CloseReason::MaxActivities, now));
            } else {
                let joining = with_activity(joining, page, max, now);
                joined.hints.extend(joining.closed.map(|closed| closed.due));
                for end in ends_of(&joining) {
                    windowless.remove(&end.user_id);
                    joined.ends.push(end);
                }
                windows.push(joining);
            }
        }
        (self.open, self.idle) = (windows, None);
        JoinedOpen { joined, windowless }
    }

    /// Closes expired windows, and leases closed ones without a delivery. Returns the latter.
    pub(crate) fn lease(&mut self, now: Millis) -> Vec<Window> {
        let mut leased = Vec::new();
        for window in &mut self.open {
            if window.is_open() && window.is_over(now) {
                *window = window.clone().closed(CloseReason::Window, now);
            }
            if let Some(closed) = window.closed.as_mut().filter(|closed| closed.due <= now) {
                closed.due = now + RETRY;
                leased.push(window.clone());
            }
        }
        leased
    }

    /// Removes delivered windows.
    pub(crate) fn remove(&mut self, done: &[Window], now: Millis) {
        let is_done = |window: &Window| {
            let is_same = |done: &Window| {
                (&done.generation, &done.users) == (&window.generation, &window.users)
            };
            !window.is_open() && done.iter().any(is_same)
        };
        self.open.retain(|window| !is_done(window));
        self.note_idle(now);
    }

    /// Notes whether the row is empty.
    pub(crate) fn note_idle(&mut self, now: Millis) {
        self.idle = self.open.is_empty().then_some(now);
    }

    /// The next time at which the row closes windows.
    pub(crate) fn next_closing(&self) -> Option<Millis> {
        let open = self.open.iter().filter(|window| window.is_open()).filter_map(Window::due);
        let led = self.apart.iter().filter(|apart| apart.led).map(|apart| apart.closes_at);
        open.chain(led).min()
    }

    /// Whether the row can be removed without loss.
    pub(crate) fn is_needless(&self) -> bool {
        self.open.is_empty() && self.splits.is_empty() && self.apart.is_empty()
    }

    /// The users among `users` whose windows are in rows of their own.
    pub(crate) fn apart_of<'a>(
        &self,
        users: impl IntoIterator<Item = &'a UserId>,
    ) -> BTreeSet<UserId> {
        let apart: BTreeSet<&UserId> = self.apart.iter().flat_map(|apart| &apart.users).collect();
        users.into_iter().filter(|user| apart.contains(user)).cloned().collect()
    }

    /// Recipients in rows of their own whose windows this row closes by now.
    pub(crate) fn led_by(&self, now: Millis) -> BTreeSet<UserId> {
        let due = self.apart.iter().filter(|apart| apart.led && apart.closes_at <= now);
        due.flat_map(|apart| apart.users.iter().cloned()).collect()
    }

    /// Takes recipients back whose rows have no open window.
    pub(crate) fn remove_users(&mut self, users: &BTreeSet<UserId>) {
        for apart in &mut self.apart {
            apart.users.retain(|user| !users.contains(user));
        }
        self.apart.retain(|apart| !apart.users.is_empty());
    }

    /// Forgets recipients whose windows are long over.
    pub(crate) fn forget(&mut self, now: Millis) {
        self.apart.retain(|apart| apart.led || now < apart.closes_at.saturating_add(IDLE));
    }

    /// Takes out the windows that get rows of their own when the row has become too large, by
    /// recipient.
    pub(crate) fn split_off(&mut self) -> BTreeMap<UserId, Window> {
        let mut leaving = BTreeMap::new();
        // One window at a time keeps each write small.
        let max_leaving = if self.is_large() { MAX_LEAVING } else { 1 };
        while leaving.len() < max_leaving {
            let bytes = self.bytes();
            // Later activities write a row for each of them instead of this one.
            let max_recipients = (MAX_LEAVING - leaving.len()).min(bytes / 1024);
            let can_leave =
                |window: &Window| window.is_open() && window.users.len() <= max_recipients;
            let candidates = self.open.iter().enumerate().filter(|(_, window)| can_leave(window));
            let largest = candidates
                .max_by_key(|(_, window)| window.ids.len() / window.users.len().max(1))
                .map(|(position, _)| position)
                .filter(|_| bytes > LEAVING_BYTES);
            let Some(position) = largest else { break };
            let mut window = self.open.remove(position);
            window.led = window.users.len() > 1 || self.has_others_until(window.closes_at);
            self.set_apart(&window);
            for user in &window.users {
                leaving
                    .insert(user.clone(), Window { users: vec![user.clone()], ..window.clone() });
            }
        }
        leaving
    }

    /// Whether other windows have this closing time.
    fn has_others_until(&self, closes_at: Millis) -> bool {
        let mut open = self.open.iter().filter(|window| window.is_open());
        open.any(|window| window.closes_at == closes_at)
            || self.apart.iter().any(|apart| apart.led && apart.closes_at == closes_at)
    }

    fn set_apart(&mut self, window: &Window) {
        let Window { led, closes_at, .. } = *window;
        let is_like = |apart: &&mut SeparateWindow| {
            apart.led == led && (!led || apart.closes_at == closes_at)
        };
        match self.apart.iter_mut().find(is_like) {
            Some(apart) => {
                apart.users.extend(window.users.iter().cloned());
                apart.closes_at = apart.closes_at.max(closes_at);
            }
            None => self.apart.push(SeparateWindow { users: window.users.clone(), closes_at, led }),
        }
    }

    /// The size of the row in bytes, without its splits.
    fn bytes(&self) -> usize {
        let own = Self { splits: Vec::new(), ..self.clone() };
        serde_json::to_vec(&own).map_or(usize::MAX, |text| text.len())
    }

    fn users(&self) -> BTreeSet<&UserId> {
        let open = self.open.iter().filter(|window| window.is_open());
        let open = open.flat_map(|window| &window.users);
        open.chain(self.apart.iter().flat_map(|apart| &apart.users)).collect()
    }

    /// Whether windows should leave it before it is split.
    pub(crate) fn is_large(&self) -> bool {
        self.bytes() > LARGE_BYTES
    }

    /// Splits off the upper half when the row has become too large. Rows grow with the list of all
    /// rows, so that this list grows with the root of the number of recipients.
    pub(crate) fn split(&mut self, rows: &[UserId]) -> Option<UpperHalf> {
        let users = self.users();
        let list_bytes: usize = rows.iter().map(|from| from.as_str().len()).sum();
        let is_over = self.bytes() > SPLIT_BYTES.max(list_bytes)
            || users.len() > MAX_RECIPIENTS.max(rows.len());
        let from = users.iter().nth(users.len() / 2).filter(|_| is_over && users.len() > 1);
        let from = from.map(|from| (*from).clone())?;
        let mut upper = Self::default();
        for window in std::mem::take(&mut self.open) {
            // Windows in delivery stay together.
            if !window.is_open() {
                self.open.push(window);
                continue;
            }
            let users = Halves::of(&window.users, &from);
            let with = |users: Vec<UserId>| Window { users, ..window.clone() };
            self.open.extend(users.lower.map(with));
            upper.open.extend(users.upper.map(with));
        }
        for apart in std::mem::take(&mut self.apart) {
            let users = Halves::of(&apart.users, &from);
            let with = |users: Vec<UserId>| SeparateWindow { users, ..apart.clone() };
            self.apart.extend(users.lower.map(with));
            upper.apart.extend(users.upper.map(with));
        }
        Some(UpperHalf { from, windows: upper })
    }
}

fn max_activities(limits: WindowLimits) -> usize {
    usize::try_from(limits.max).unwrap_or(MAX_ACTIVITIES).clamp(1, MAX_ACTIVITIES)
}

/// The closing time of a window, for each of its recipients.
fn ends_of(window: &Window) -> impl Iterator<Item = WindowEnd> {
    let at = window.until();
    window.users.iter().map(move |user| WindowEnd { user_id: user.clone(), at })
}

/// The window with a further activity, which may close it.
fn with_activity(mut window: Window, page: &PageRef, max: usize, now: Millis) -> Window {
    window.ids.push(page.clone());
    match window.ids.len() < max {
        true => window,
        false => window.closed(CloseReason::MaxActivities, now),
    }
}

/// Recipients below the start of a row, and the others; none where there are no recipients.
struct Halves {
    lower: Option<Vec<UserId>>,
    upper: Option<Vec<UserId>>,
}

impl Halves {
    fn of(users: &[UserId], from: &UserId) -> Self {
        let (upper, lower): (Vec<UserId>, Vec<UserId>) =
            users.iter().cloned().partition(|user| user >= from);
        let some = |users: Vec<UserId>| (!users.is_empty()).then_some(users);
        Self { lower: some(lower), upper: some(upper) }
    }
}

impl RowBody for Windows {
    fn due(&self) -> Option<Millis> {
        let led = self.apart.iter().filter(|apart| apart.led).map(|apart| apart.closes_at);
        self.open.iter().filter_map(Window::due).chain(led).min()
    }

    fn expires(&self) -> Option<Millis> {
        // Existing splits remain.
        if !self.open.is_empty() || !self.splits.is_empty() || self.due().is_some() {
            return None;
        }
        let apart = self.apart.iter().map(|apart| apart.closes_at);
        self.idle.into_iter().chain(apart).max().map(|since| since + IDLE)
    }
}
