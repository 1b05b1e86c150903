//! What the events of connections cost. The accounts of the user's calls pay for them.

use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering},
};

use aws::Usage;
use store::Account;

use crate::{limit::UNITS, operation::Effect};

/// Posts that cost a capacity unit.
const POSTS: f64 = 5.0;
/// Posted bytes that cost a capacity unit.
const BYTES: f64 = 10.0 * 1024.0;
/// Capacity units for an event itself.
const EVENT: f64 = 1.0;

/// What an event has cost, and who pays.
#[derive(Default)]
pub(crate) struct Bill {
    posts: AtomicU64,
    bytes: AtomicU64,
    /// Capacity units that others pay, in thousandths.
    free: AtomicU64,
    payers: OnceLock<(Vec<Account>, Effect)>,
}

impl Bill {
    /// Adds messages to so many connections, of so many bytes together.
    pub(crate) fn add(&self, posts: usize, bytes: usize) {
        self.posts.fetch_add(posts as u64, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Takes units off.
    pub(crate) fn forgive(&self, units: f64) {
        self.free.fetch_add((units.max(0.0) * 1e3) as u64, Ordering::Relaxed);
    }

    /// Names who pays.
    pub(crate) fn is_paid_by(&self, payers: Vec<Account>, effect: Effect) {
        let _ = self.payers.set((payers, effect));
    }

    pub(crate) fn payers(&self) -> Option<&(Vec<Account>, Effect)> {
        self.payers.get()
    }

    /// Its tokens.
    pub(crate) fn tokens(&self, used: &Usage) -> f64 {
        let posts = self.posts.load(Ordering::Relaxed) as f64 / POSTS;
        let bytes = self.bytes.load(Ordering::Relaxed) as f64 / BYTES;
        let free = self.free.load(Ordering::Relaxed) as f64 / 1e3;
        let units = (used.read_units + used.write_units - free).max(0.0);
        (EVENT + units + posts + bytes) / UNITS
    }
}

#[cfg(test)]
mod tests {
    use aws::Usage;

    use super::Bill;

    #[test]
    fn units_posts_and_bytes_are_tokens() {
        let bill = Bill::default();
        let used = Usage { read_units: 10.0, write_units: 4.0, ..Usage::default() };
        assert_eq!(bill.tokens(&used), 15.0 / 50.0);
        bill.add(50, 0);
        bill.add(0, 51_200);
        assert_eq!(bill.tokens(&used), 30.0 / 50.0);
        bill.forgive(4.0);
        assert_eq!(bill.tokens(&used), 26.0 / 50.0);
    }
}
