//! A fixed batch window (rules N8 to N11).

use model::{Millis, UserId};
use serde::{Deserialize, Serialize};

use crate::PageRef;

/// The scope of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WindowScope {
    /// One window for each document.
    Document,
    /// One window for all documents of a user.
    User,
}

/// The limits of a batch window (contract `configuration.notifications_update`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowLimits {
    /// The duration in seconds.
    pub seconds: u64,
    /// The number of activities that closes it early.
    pub max: u64,
}

/// The limits of windows in each enabled scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchLimits {
    /// The limits of the windows by document, if they are enabled.
    pub document: Option<WindowLimits>,
    /// The limits of the windows by user, if they are enabled.
    pub user: Option<WindowLimits>,
}

/// The reason for closing a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CloseReason {
    /// The end time was reached.
    Window,
    /// The maximum number of activities was reached.
    MaxActivities,
}

/// Equal windows of several recipients: with the same opening and content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Distinguishes it from earlier windows of the same recipients. Windows that were equal and
    /// diverged share it.
    pub generation: String,
    /// The recipients of the windows.
    pub users: Vec<UserId>,
    /// The time of the first activity.
    pub opened_at: Millis,
    /// The closing time, fixed at opening (rule N9).
    pub closes_at: Millis,
    /// Activities of the window, in the order of joining.
    pub ids: Vec<PageRef>,
    /// Closing of the window, while its activities are being delivered.
    pub closed: Option<Closed>,
    /// Whether the wake of another row closes it, together with others ([`crate::SeparateWindow`]).
    pub led: bool,
}

/// A closed window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Closed {
    /// The closing time.
    pub at: Millis,
    /// The reason for closing.
    pub reason: CloseReason,
    /// The end of the lease of its delivery.
    pub due: Millis,
}

impl Window {
    /// Whether it is closed: it is open until just before `closes_at`.
    pub const fn is_over(&self, now: Millis) -> bool {
        now >= self.closes_at
    }

    /// Whether it takes activities.
    pub(crate) const fn is_open(&self) -> bool {
        self.closed.is_none()
    }

    pub(crate) fn closed(self, reason: CloseReason, now: Millis) -> Self {
        let at = match reason {
            CloseReason::Window => self.closes_at,
            CloseReason::MaxActivities => now,
        };
        Self { closed: Some(Closed { at, reason, due: now }), ..self }
    }

    /// The time of its delivery.
    pub(crate) const fn until(&self) -> Millis {
        match self.closed {
            Some(Closed { due, .. }) => due,
            None => self.closes_at,
        }
    }

    /// The time of its wake, unless the wake of another row closes it.
    pub(crate) const fn due(&self) -> Option<Millis> {
        match self.closed {
            None if self.led => None,
            _ => Some(self.until()),
        }
    }
}
