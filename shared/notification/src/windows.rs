//! The windows of many recipients in one row (rules N8 to N11).

use std::collections::{BTreeMap, BTreeSet};

use model::{Millis, UserId};
use serde::{Deserialize, Serialize};

use crate::{Body, CloseReason, MAX_ACTIVITIES, PageRef, RETRY, Window, WindowLimits, stored};

/// Recipients whose open windows are in rows of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Apart {
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
    pub apart: Vec<Apart>,
    /// The starts of further rows, in order; only in the first row.
    pub splits: Vec<UserId>,
    /// The time since which it is empty.
    pub idle: Option<Millis>,
}

/// Retention of an empty row that others refer to, so that it is not recreated.
const IDLE: Millis = 24 * 60 * 60 * 1000;
/// Bytes of a row above which windows of few recipients leave it.
const ROW: usize = 2 * 1024;
/// Bytes of a row above which it is split.
const MOST_BYTES: usize = 3 * 1024;
/// Maximum number of recipients per row.
const MOST: usize = 200;
/// Bytes of a large row, such as one of an earlier version.
const LARGE: usize = 16 * 1024;
/// Recipients that leave a large row at a time.
const LEAVING: usize = 80;

/// Closing times of the joined windows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Joined {
    /// The windows it opened or closed, with the times to wake them.
    pub hints: BTreeSet<Millis>,
    /// The latest closing time of each recipient's joined window.
    pub until: Vec<(UserId, Millis)>,
}

impl Windows {
    /// Adds an activity of these recipients to their windows, unless it joined before. `generation`
    /// is for a new window.
    pub fn join(
        &mut self,
        users: &BTreeSet<UserId>,
        id: &PageRef,
        limits: WindowLimits,
        generation: &str,
        now: Millis,
    ) -> Joined {
        let (mut joined, left) = self.join_open(users, id, limits, now);
        if !left.is_empty() {
            let opened = Window {
                generation: generation.to_owned(),
                users: left.iter().cloned().collect(),
                opened_at: now,
                closes_at: now.saturating_add(limits.seconds.saturating_mul(1000)),
                ids: Vec::new(),
                closed: None,
                led: false,
            };
            let opened = fill(opened, id, most(limits), now);
            joined.hints.insert(opened.until());
            joined.until.extend(left.into_iter().map(|user| (user, opened.until())));
            self.open.push(opened);
        }
        joined
    }

    /// Adds an activity to open windows, and closes those that do not take it. Returns the
    /// recipients without an open window as well.
    pub(crate) fn join_open(
        &mut self,
        users: &BTreeSet<UserId>,
        id: &PageRef,
        limits: WindowLimits,
        now: Millis,
    ) -> (Joined, BTreeSet<UserId>) {
        let max = most(limits);
        let mut joined = Joined::default();
        let mut left = users.clone();
        let mut windows: Vec<Window> = Vec::new();
        for window in std::mem::take(&mut self.open) {
            if window.ids.contains(id) {
                for user in window.users.iter().filter(|user| users.contains(*user)) {
                    left.remove(user);
                    joined.until.push((user.clone(), window.until()));
                }
                windows.push(window);
                continue;
            }
            let (these, others): (Vec<UserId>, Vec<UserId>) =
                window.users.iter().cloned().partition(|user| users.contains(user));
            if these.is_empty() || !window.is_open() {
                windows.push(window);
                continue;
            }
            let part = |users: Vec<UserId>| Window { users, ..window.clone() };
            if !others.is_empty() {
                windows.push(part(others));
            }
            let these = part(these);
            if these.is_over(now) {
                joined.hints.insert(now);
                windows.push(these.closed(CloseReason::Window, now));
            } else if these.ids.len() >= max {
                // The limit was lowered below the number of its activities.
                joined.hints.insert(now);
                windows.push(these.closed(CloseReason::MaxActivities, now));
            } else {
                let these = fill(these, id, max, now);
                joined.hints.extend(these.closed.map(|closed| closed.due));
                these.users.iter().for_each(|user| {
                    left.remove(user);
                    joined.until.push((user.clone(), these.until()));
                });
                windows.push(these);
            }
        }
        (self.open, self.idle) = (windows, None);
        (joined, left)
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
        let is_done = |it: &Window| {
            let is_same =
                |done: &Window| (&done.generation, &done.users) == (&it.generation, &it.users);
            !it.is_open() && done.iter().any(is_same)
        };
        self.open.retain(|window| !is_done(window));
        self.rest(now);
    }

    /// Notes whether it is empty.
    pub(crate) fn rest(&mut self, now: Millis) {
        self.idle = self.open.is_empty().then_some(now);
    }

    /// The next time at which it closes windows.
    pub(crate) fn next(&self) -> Option<Millis> {
        let open = self.open.iter().filter(|window| window.is_open()).filter_map(Window::due);
        let led = self.apart.iter().filter(|apart| apart.led).map(|apart| apart.closes_at);
        open.chain(led).min()
    }

    /// Whether the row can be removed without loss.
    pub(crate) fn is_needless(&self) -> bool {
        self.open.is_empty() && self.splits.is_empty() && self.apart.is_empty()
    }

    /// Those of these recipients whose windows are in rows of their own.
    pub(crate) fn apart_of<'a>(
        &self,
        users: impl IntoIterator<Item = &'a UserId>,
    ) -> BTreeSet<UserId> {
        let apart: BTreeSet<&UserId> = self.apart.iter().flat_map(|it| &it.users).collect();
        users.into_iter().filter(|user| apart.contains(user)).cloned().collect()
    }

    /// Recipients in rows of their own whose windows this row closes by now.
    pub(crate) fn led_by(&self, now: Millis) -> BTreeSet<UserId> {
        let due = self.apart.iter().filter(|it| it.led && it.closes_at <= now);
        due.flat_map(|it| it.users.iter().cloned()).collect()
    }

    /// Takes recipients back whose rows have no open window.
    pub(crate) fn take_back(&mut self, users: &BTreeSet<UserId>) {
        for apart in &mut self.apart {
            apart.users.retain(|user| !users.contains(user));
        }
        self.apart.retain(|apart| !apart.users.is_empty());
    }

    /// Forgets recipients whose windows are long over.
    pub(crate) fn forget(&mut self, now: Millis) {
        self.apart.retain(|it| it.led || now < it.closes_at.saturating_add(IDLE));
    }

    /// When the row has become too large: the windows that get rows of their own, by recipient.
    pub(crate) fn leave(&mut self) -> BTreeMap<UserId, Window> {
        let mut leaving = BTreeMap::new();
        // One window at a time keeps each write small.
        let most = if self.is_large() { LEAVING } else { 1 };
        while leaving.len() < most {
            let bytes = self.bytes();
            // Later activities write a row for each of them instead of this one.
            let most = (LEAVING - leaving.len()).min(bytes / 1024);
            let few = |window: &Window| window.is_open() && window.users.len() <= most;
            let all = self.open.iter().enumerate().filter(|(_, window)| few(window));
            let largest = all.max_by_key(|(_, it)| it.ids.len() / it.users.len().max(1));
            let largest = largest.map(|(at, _)| at).filter(|_| bytes > ROW);
            let Some(at) = largest else { break };
            let mut window = self.open.remove(at);
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
        let (led, at) = (window.led, window.closes_at);
        let is_like = |it: &&mut Apart| it.led == led && (!led || it.closes_at == at);
        match self.apart.iter_mut().find(is_like) {
            Some(apart) => {
                apart.users.extend(window.users.iter().cloned());
                apart.closes_at = apart.closes_at.max(at);
            }
            None => self.apart.push(Apart { users: window.users.clone(), closes_at: at, led }),
        }
    }

    /// The size of the row without its splits.
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
        self.bytes() > LARGE
    }

    /// Its upper half, and the start of that, when it has become too large. Rows grow with the list
    /// of all rows, so that this list grows with the root of the number of recipients.
    pub(crate) fn split(&mut self, rows: &[UserId]) -> Option<(UserId, Self)> {
        let users = self.users();
        let list: usize = rows.iter().map(|from| from.as_str().len()).sum();
        let is_over = self.bytes() > MOST_BYTES.max(list) || users.len() > MOST.max(rows.len());
        let at = users.iter().nth(users.len() / 2).filter(|_| is_over && users.len() > 1);
        let at = at.map(|at| (*at).clone())?;
        let mut upper = Self::default();
        for window in std::mem::take(&mut self.open) {
            // Windows in delivery stay together.
            if !window.is_open() {
                self.open.push(window);
                continue;
            }
            for (users, into) in halves(&window.users, &at, &mut self.open, &mut upper.open) {
                into.push(Window { users, ..window.clone() });
            }
        }
        for apart in std::mem::take(&mut self.apart) {
            for (users, into) in halves(&apart.users, &at, &mut self.apart, &mut upper.apart) {
                into.push(Apart { users, ..apart.clone() });
            }
        }
        Some((at, upper))
    }
}

fn most(limits: WindowLimits) -> usize {
    usize::try_from(limits.max).unwrap_or(MAX_ACTIVITIES).clamp(1, MAX_ACTIVITIES)
}

fn fill(mut window: Window, id: &PageRef, max: usize, now: Millis) -> Window {
    window.ids.push(id.clone());
    match window.ids.len() < max {
        true => window,
        false => window.closed(CloseReason::MaxActivities, now),
    }
}

/// The recipients below a start and the others, each with where they go; none without recipients.
fn halves<'a, T>(
    users: &[UserId],
    at: &UserId,
    low: &'a mut Vec<T>,
    high: &'a mut Vec<T>,
) -> impl Iterator<Item = (Vec<UserId>, &'a mut Vec<T>)> {
    let (upper, lower): (Vec<UserId>, Vec<UserId>) =
        users.iter().cloned().partition(|user| user >= at);
    [(lower, low), (upper, high)].into_iter().filter(|(users, _)| !users.is_empty())
}

impl Body for Windows {
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
