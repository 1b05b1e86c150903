//! What is taken together: fixed windows (rules N8 to N11).

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::{Body, CloseReason, MAX_ACTIVITIES, WindowLimits};

/// Which activities of a recipient a window takes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// Those of one document.
    Document,
    /// Those of all documents.
    User,
}

/// A window that is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    /// Tells it from earlier windows of the same key; becomes the id of its digest.
    pub generation: String,
    /// When the first activity joined.
    pub opened_at: Millis,
    /// When it closes, fixed when it was opened (rule N9).
    pub closes_at: Millis,
    /// The events that joined, in that order.
    pub ids: Vec<String>,
}

/// What an activity that joins makes of a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// The window that is open now.
    pub open: Option<Window>,
    /// The windows this closed, each with why.
    pub closed: Vec<(Window, CloseReason)>,
    /// When the window it joined closes, at the latest.
    pub until: Millis,
}

impl Window {
    /// Whether it takes nothing any more: it is open until just before `closes_at`.
    pub const fn is_over(&self, now: Millis) -> bool {
        now >= self.closes_at
    }
}

/// What an activity makes of a window that is open, or of none. `generation` is for a new one.
pub fn join(
    open: Option<Window>,
    event_id: &str,
    limits: WindowLimits,
    generation: String,
    now: Millis,
) -> Joined {
    let max = usize::try_from(limits.max).unwrap_or(MAX_ACTIVITIES).clamp(1, MAX_ACTIVITIES);
    let mut closed = Vec::new();
    let mut window = match open {
        Some(window) if window.is_over(now) => {
            closed.push((window, CloseReason::Window));
            None
        }
        // The limit was lowered below what is in it.
        Some(window) if window.ids.len() >= max => {
            closed.push((window, CloseReason::MaxActivities));
            None
        }
        open => open,
    }
    .unwrap_or_else(|| Window {
        generation,
        opened_at: now,
        closes_at: now.saturating_add(limits.seconds.saturating_mul(1000)),
        ids: Vec::new(),
    });
    window.ids.push(event_id.to_owned());
    let until = window.closes_at;
    if window.ids.len() < max {
        return Joined { open: Some(window), closed, until };
    }
    closed.push((window, CloseReason::MaxActivities));
    Joined { open: None, closed, until: now }
}

impl Body for Window {
    fn due(&self) -> Option<Millis> {
        Some(self.closes_at)
    }

    fn expires(&self) -> Option<Millis> {
        None
    }
}
