use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use model::{
    Millis,
    clock::{ClockOffset, WallTime},
};

/// Most milliseconds to wait for the next one.
const PASSING: usize = 10;
/// Bits of the counter within one millisecond.
const COUNT_BITS: u32 = 16;

/// The source of a clock's own movement.
#[derive(Clone, Copy, Debug, Default)]
enum Beat {
    /// The clock of the system.
    #[default]
    System,
    /// Nothing.
    Still,
}

impl Beat {
    /// Milliseconds.
    fn millis(self) -> Millis {
        match self {
            Self::System => system(),
            Self::Still => 0,
        }
    }
}

/// The clock of the process, or of one tenant. That of a test stands still: a test moves it forward
/// instead of waiting.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    beat: Beat,
    /// Offset of real time from that of the beat, in milliseconds; a negative one is its two's
    /// complement.
    ahead: Arc<AtomicU64>,
    ticked: Arc<AtomicU64>,
    /// Offset of a tenant's clock.
    tenant_ahead: ClockOffset,
}

impl Clock {
    /// The time that this clock shows, in epoch milliseconds: that of its tenant, or real time.
    pub fn now(&self) -> Millis {
        self.real().shown_to_tenant(self.tenant_ahead)
    }

    /// Real time.
    pub fn real(&self) -> WallTime {
        WallTime::from_millis(self.beat.millis().wrapping_add(self.ahead.load(Ordering::Relaxed)))
    }

    /// Whether a deadline by this clock has passed.
    pub fn is_past(&self, deadline: Deadline) -> bool {
        self.now() >= deadline.0
    }

    /// A clock that stands still at a time, in epoch milliseconds, and moves by
    /// [`Clock::advance`] only.
    #[must_use]
    pub fn stopped(time: Millis) -> Self {
        Self { beat: Beat::Still, ahead: Arc::new(AtomicU64::new(time)), ..Self::default() }
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

    /// The clock of a tenant with this offset (contract `schedule.test_clock_advance`).
    pub(crate) fn of_tenant(&self, ahead: ClockOffset) -> Self {
        Self { tenant_ahead: ahead, ..self.clone() }
    }

    /// Offset of the tenant's clock.
    pub(crate) fn tenant_ahead(&self) -> ClockOffset {
        self.tenant_ahead
    }

    /// Returns in a later millisecond than `time`. An end answers so late, so that what follows it is
    /// also later by this clock; how late at most is bounded, for clocks of other machines.
    pub async fn pass(&self, time: Millis) {
        for _ in 0..PASSING {
            if self.now() > time {
                return;
            }
            match self.beat {
                Beat::System => tokio::time::sleep(Duration::from_millis(1)).await,
                // Nothing else would move it.
                Beat::Still => self.advance(Duration::from_millis(1)),
            }
        }
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

/// The end of the time for some work, by the clock of its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline(Millis);

impl Deadline {
    /// The deadline of work that began at `start` and may take `time`.
    pub fn after(start: Millis, time: Duration) -> Self {
        Self(start.saturating_add(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)))
    }

    /// The deadline of a process by the clock of a tenant with this offset.
    #[must_use]
    pub const fn shown_to_tenant(self, ahead: ClockOffset) -> Self {
        Self(self.0.saturating_add(ahead.millis()))
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
    fn a_stopped_clock_moves_for_all_its_holders_and_only_when_it_is_moved() {
        let clock = Clock::stopped(1_000);
        let (process, tenant) = (
            clock.of_another_process(),
            clock.of_tenant(model::clock::ClockOffset::from_millis(500)),
        );
        let times = || [&clock, &process, &tenant].map(Clock::now);
        assert_eq!(times(), [1_000, 1_000, 1_500]);
        std::thread::sleep(Duration::from_millis(3));
        clock.advance(Duration::ZERO);
        assert_eq!(times(), [1_000, 1_000, 1_500]);
        process.advance(Duration::from_millis(1));
        assert_eq!(times(), [1_001, 1_001, 1_501]);
        assert!(clock.tick() < clock.tick(), "ticks of one millisecond differ");
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
