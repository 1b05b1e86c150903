//! Real time, and the clocks of tenants, which may be ahead of it (contract
//! `schedule.test_clock_advance`). A plain number of [`Millis`] is a time by the clock of the
//! tenant that it belongs to, or a length of time.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Millis;

/// A moment of real time, in epoch milliseconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct WallTime(Millis);

/// How far the clock of a tenant is ahead of real time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClockOffset(Millis);

impl WallTime {
    /// The moment of these epoch milliseconds.
    pub const fn from_millis(millis: Millis) -> Self {
        Self(millis)
    }

    /// The moment at which the clock of a tenant shows `time`.
    pub const fn when_tenant_shows(time: Millis, ahead: ClockOffset) -> Self {
        Self(time.saturating_sub(ahead.0))
    }

    /// The time that the clock of a tenant shows then.
    pub const fn shown_to_tenant(self, ahead: ClockOffset) -> Millis {
        self.0.saturating_add(ahead.0)
    }

    /// Epoch milliseconds.
    pub const fn millis(self) -> Millis {
        self.0
    }

    /// The moment that is this much later, in milliseconds.
    #[must_use]
    pub const fn saturating_add(self, length: Millis) -> Self {
        Self(self.0.saturating_add(length))
    }

    /// Milliseconds since an earlier moment.
    pub const fn since(self, earlier: Self) -> Millis {
        self.0.saturating_sub(earlier.0)
    }
}

impl fmt::Display for WallTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ClockOffset {
    /// An offset of this length, in milliseconds.
    pub const fn from_millis(millis: Millis) -> Self {
        Self(millis)
    }

    /// Length of the offset, in milliseconds.
    pub const fn millis(self) -> Millis {
        self.0
    }

    /// Whether the clock shows real time.
    pub const fn is_zero(&self) -> bool {
        self.0 == 0
    }

    /// The offset after an advance by `length`, in milliseconds.
    #[must_use]
    pub const fn saturating_add(self, length: Millis) -> Self {
        Self(self.0.saturating_add(length))
    }
}

#[cfg(test)]
mod tests {
    use super::{ClockOffset, WallTime};

    #[test]
    fn a_time_of_a_tenant_is_ahead_of_real_time() {
        let (now, ahead) = (WallTime::from_millis(1_000), ClockOffset::from_millis(60));
        let shown = now.shown_to_tenant(ahead);
        assert_eq!(shown, 1_060);
        assert_eq!(WallTime::when_tenant_shows(shown, ahead), now);
        assert_eq!(serde_json::to_string(&(now, ahead)).unwrap(), "[1000,60]");
    }
}
