use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use model::Millis;

/// The time of the process. A test moves it forward instead of waiting.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    ahead: Arc<AtomicU64>,
}

impl Clock {
    /// Epoch milliseconds.
    #[expect(clippy::disallowed_methods, reason = "this is the clock everything else uses")]
    pub fn now(&self) -> Millis {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let now = Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX);
        now.saturating_add(self.ahead.load(Ordering::Relaxed))
    }

    /// Moves the time forward, for every holder of this clock.
    pub fn advance(&self, by: Duration) {
        let millis = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        self.ahead.fetch_add(millis, Ordering::Relaxed);
    }
}
