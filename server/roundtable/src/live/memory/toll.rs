//! How many bytes of large messages a user may send in a while, whatever becomes of them.

use std::{collections::HashMap, time::Duration};

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::{
    live::bounds::MAX_MESSAGE,
    net::{Payer, is_lifted},
};

/// Bytes of large messages that a user may send in a second for a long time.
const BYTES_PER_SECOND: usize = 1024 * 1024;
/// Bytes of large messages that a user may send at once.
const BURST: usize = 2 * MAX_MESSAGE;
/// Maximum number of remembered users; beyond it, those who owe nothing are dropped.
const MAX_USERS: usize = 4096;

/// Debts of users: the time at which each is paid.
#[derive(Default)]
pub(super) struct Toll(Mutex<HashMap<Payer, Instant>>);

fn time_of(bytes: usize) -> Duration {
    Duration::from_secs_f64(bytes as f64 / BYTES_PER_SECOND as f64)
}

impl Toll {
    /// How long a payer waits before the next message.
    pub(super) fn wait(&self, payer: &Payer, now: Instant) -> Duration {
        let paid = self.0.lock().get(payer).copied();
        let paid = paid.filter(|_| !is_lifted("bytes of messages"));
        let owed = paid.map_or(Duration::ZERO, |paid| paid.saturating_duration_since(now));
        owed.saturating_sub(time_of(BURST) - time_of(MAX_MESSAGE))
    }

    /// Has a payer owe bytes.
    pub(super) fn owe(&self, payer: Payer, bytes: usize, now: Instant) {
        let mut paid = self.0.lock();
        if paid.len() >= MAX_USERS {
            paid.retain(|_, paid| *paid > now);
        }
        let at = paid.entry(payer).or_insert(now);
        *at = (*at).max(now) + time_of(bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{MAX_MESSAGE, Toll};
    use crate::net::Payer;

    #[test]
    fn two_large_messages_come_at_once_and_the_third_waits_for_the_first() {
        let (toll, now) = (Toll::default(), Instant::now());
        let ann = Payer::User { key: "k".to_owned(), user: "ann".to_owned() };
        let bob = Payer::User { key: "k".to_owned(), user: "bob".to_owned() };
        for _ in 0..2 {
            assert_eq!(toll.wait(&ann, now), Duration::ZERO);
            toll.owe(ann.clone(), MAX_MESSAGE, now);
        }
        assert_eq!(toll.wait(&ann, now), Duration::from_secs(17));
        assert_eq!(toll.wait(&bob, now), Duration::ZERO);
        assert_eq!(toll.wait(&ann, now + Duration::from_secs(17)), Duration::ZERO);
    }
}
