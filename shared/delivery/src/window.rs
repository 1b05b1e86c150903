//! Fixed batch windows (rules N8 to N11), those of many recipients in one row.

use std::collections::BTreeSet;

use model::{Millis, UserId};
use serde::{Deserialize, Serialize};

use crate::{Body, MAX_ACTIVITIES, PageRef, RETRY, WindowLimits};

/// The scope of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// One window for each document.
    Document,
    /// One window for all documents of a user.
    User,
}

/// The reason for closing a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CloseReason {
    /// Its end time.
    Window,
    /// Reached its maximum.
    MaxActivities,
}

/// Equal windows of several recipients: with the same opening and content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    /// Distinguishes it from earlier windows of the same recipients. Windows that were equal and
    /// diverged share it.
    pub generation: String,
    /// Recipients of the windows.
    pub users: Vec<UserId>,
    /// Time of the first activity.
    pub opened_at: Millis,
    /// Closing time, fixed at opening (rule N9).
    pub closes_at: Millis,
    /// Its activities, in the order of joining.
    pub ids: Vec<PageRef>,
    /// Its closing, while its activities are being delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<Closed>,
}

/// A closed window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Closed {
    /// Closing time.
    pub at: Millis,
    /// Why.
    pub reason: CloseReason,
    /// End of the lease of its delivery.
    pub due: Millis,
}

impl Window {
    /// Whether it is closed: it is open until just before `closes_at`.
    pub const fn is_over(&self, now: Millis) -> bool {
        now >= self.closes_at
    }

    fn closed(self, reason: CloseReason, now: Millis) -> Self {
        let at = match reason {
            CloseReason::Window => self.closes_at,
            CloseReason::MaxActivities => now,
        };
        Self { closed: Some(Closed { at, reason, due: now }), ..self }
    }

    const fn due(&self) -> Millis {
        match self.closed {
            Some(Closed { due, .. }) => due,
            None => self.closes_at,
        }
    }
}

/// Windows of one scope, for the recipients between two splits. The first row has the splits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Windows {
    /// The windows; a recipient is in at most one open window.
    pub open: Vec<Window>,
    /// The starts of further rows, in order; only in the first row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<UserId>,
    /// The time since which it is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<Millis>,
}

/// Retention of an empty row that others refer to, so that it is not recreated.
const IDLE: Millis = 24 * 60 * 60 * 1000;

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
        let max = usize::try_from(limits.max).unwrap_or(MAX_ACTIVITIES).clamp(1, MAX_ACTIVITIES);
        let mut joined = Joined::default();
        let mut left = users.clone();
        let mut windows: Vec<Window> = Vec::new();
        let fill = |mut window: Window| {
            window.ids.push(id.clone());
            match window.ids.len() < max {
                true => window,
                false => window.closed(CloseReason::MaxActivities, now),
            }
        };
        for window in std::mem::take(&mut self.open) {
            if window.ids.contains(id) {
                for user in window.users.iter().filter(|user| users.contains(*user)) {
                    left.remove(user);
                    joined.until.push((user.clone(), window.due()));
                }
                windows.push(window);
                continue;
            }
            let (these, others): (Vec<UserId>, Vec<UserId>) =
                window.users.iter().cloned().partition(|user| users.contains(user));
            if these.is_empty() || window.closed.is_some() {
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
                let these = fill(these);
                joined.hints.extend(these.closed.map(|closed| closed.due));
                these.users.iter().for_each(|user| {
                    left.remove(user);
                    joined.until.push((user.clone(), these.due()));
                });
                windows.push(these);
            }
        }
        if !left.is_empty() {
            let opened = fill(Window {
                generation: generation.to_owned(),
                users: left.iter().cloned().collect(),
                opened_at: now,
                closes_at: now.saturating_add(limits.seconds.saturating_mul(1000)),
                ids: Vec::new(),
                closed: None,
            });
            joined.hints.insert(opened.due());
            joined.until.extend(left.into_iter().map(|user| (user, opened.due())));
            windows.push(opened);
        }
        (self.open, self.idle) = (windows, None);
        joined
    }

    /// Closes expired windows, and leases closed ones without a delivery. Returns the latter.
    pub(crate) fn lease(&mut self, now: Millis) -> Vec<Window> {
        let mut leased = Vec::new();
        for window in &mut self.open {
            if window.closed.is_none() && window.is_over(now) {
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
            it.closed.is_some() && done.iter().any(is_same)
        };
        self.open.retain(|window| !is_done(window));
        self.idle = self.open.is_empty().then_some(now);
    }

    /// Whether the row can be removed without loss.
    pub(crate) fn is_needless(&self) -> bool {
        self.open.is_empty() && self.splits.is_empty()
    }

    fn users(&self) -> BTreeSet<&UserId> {
        let open = self.open.iter().filter(|window| window.closed.is_none());
        open.flat_map(|window| &window.users).collect()
    }

    /// Its upper half, and the start of that, when it has become too large.
    pub(crate) fn split(&mut self, most: usize) -> Option<(UserId, Self)> {
        let users = self.users();
        let at = users.iter().nth(users.len() / 2).filter(|_| users.len() > most);
        let at = at.map(|at| (*at).clone())?;
        let mut upper = Self::default();
        for window in std::mem::take(&mut self.open) {
            // Windows in delivery stay together.
            if window.closed.is_some() {
                self.open.push(window);
                continue;
            }
            let (high, low): (Vec<UserId>, Vec<UserId>) =
                window.users.iter().cloned().partition(|user| *user >= at);
            for (users, into) in [(low, &mut self.open), (high, &mut upper.open)] {
                if !users.is_empty() {
                    into.push(Window { users, ..window.clone() });
                }
            }
        }
        Some((at, upper))
    }
}

impl Body for Windows {
    fn due(&self) -> Option<Millis> {
        self.open.iter().map(Window::due).min()
    }

    fn expires(&self) -> Option<Millis> {
        // Existing splits remain.
        let is_over = self.open.is_empty() && self.splits.is_empty();
        self.idle.filter(|_| is_over).map(|since| since + IDLE)
    }
}
