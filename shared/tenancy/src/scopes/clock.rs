use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use model::Millis;

/// Bits of the counter within one millisecond.
const COUNT_BITS: u32 = 16;

/// The clock of the process, or of one tenant. Tests move it forward instead of waiting.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// Offset of real time from that of the system, in milliseconds; a negative one is its two's
    /// complement.
    ahead: Arc<AtomicU64>,
    ticked: Arc<AtomicU64>,
    /// Offset of a tenant's clock, in milliseconds.
    tenant_ahead: Millis,
}

impl Clock {
    /// Epoch milliseconds.
    pub fn now(&self) -> Millis {
        self.real().saturating_add(self.tenant_ahead)
    }

    /// Real time in epoch milliseconds, without the offset of a tenant.
    pub fn real(&self) -> Millis {
        system().wrapping_add(self.ahead.load(Ordering::Relaxed))
    }

    /// A clock that continues from a time, such as that of a snapshot of the data.
    #[must_use]
    pub fn from(time: Millis) -> Self {
        let ahead = Arc::new(AtomicU64::new(time.wrapping_sub(system())));
        Self { ahead, ..Self::default() }
    }

    /// The clock of another process on the same machine, with a counter of its own.
    #[must_use]
    pub fn of_another_process(&self) -> Self {
        Self { ticked: Arc::default(), ..self.clone() }
    }

    /// The clock of a tenant with this offset in milliseconds (contract
    /// `schedule.test_clock_advance`).
    pub(crate) fn of_tenant(&self, ahead: Millis) -> Self {
        Self { tenant_ahead: ahead, ..self.clone() }
    }

    /// Offset of the tenant's clock.
    pub(crate) fn tenant_ahead(&self) -> Millis {
        self.tenant_ahead
    }

    /// A strictly increasing number: milliseconds and, below them, a counter.
    pub fn tick(&self) -> u64 {
        let now = self.now().saturating_mul(1 << COUNT_BITS);
        let next = |last: u64| now.max(last.saturating_add(1));
        let last =
            self.ticked.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |t| Some(next(t)));
        next(last.unwrap_or_else(|last| last))
    }

    /// Advances the clock for all its holders.
    pub fn advance(&self, by: Duration) {
        let millis = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        self.ahead.fetch_add(millis, Ordering::Relaxed);
    }
}

/// Epoch milliseconds by the clock of the system.
#[expect(clippy::disallowed_methods, reason = "this is the clock everything else uses")]
fn system() -> Millis {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{COUNT_BITS, Clock};

    #[test]
    fn ticks_increase_and_follow_the_time() {
        let clock = Clock::default();
        let ticks: Vec<u64> = (0..1000).map(|_| clock.clone().tick()).collect();
        assert!(ticks.is_sorted_by(|a, b| a < b));
        clock.advance(Duration::from_secs(60));
        let before = clock.now();
        assert!(clock.tick() >> COUNT_BITS >= before);
    }

    #[test]
    fn a_clock_continues_from_a_time_of_the_past_or_the_future() {
        for time in [1_000, Clock::default().now() + 1_000_000] {
            let clock = Clock::from(time);
            clock.advance(Duration::from_secs(60));
            assert!((time + 60_000..time + 90_000).contains(&clock.now()));
        }
    }
}
