//! Costs of an event of a connection.

use std::sync::atomic::{AtomicU64, Ordering};

use aws::Usage;

/// Posts that cost a capacity unit.
const POSTS: f64 = 5.0;
/// Posted bytes that cost a capacity unit.
const BYTES: f64 = 10.0 * 1024.0;
/// Capacity units for an event itself.
const EVENT: f64 = 1.0;

/// The cost of an event besides the calls of the tables.
#[derive(Default)]
pub(super) struct Cost {
    posts: AtomicU64,
    bytes: AtomicU64,
    /// Capacity units that others pay, in thousandths.
    free: AtomicU64,
}

impl Cost {
    /// Adds messages to so many connections, of so many bytes together.
    pub(super) fn add(&self, posts: usize, bytes: usize) {
        self.posts.fetch_add(posts as u64, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Takes units off.
    pub(super) fn forgive(&self, units: f64) {
        self.free.fetch_add((units.max(0.0) * 1e3) as u64, Ordering::Relaxed);
    }

    /// Capacity units of the event, with those of the tables.
    pub(super) fn units(&self, used: &Usage) -> f64 {
        let posts = self.posts.load(Ordering::Relaxed) as f64 / POSTS;
        let bytes = self.bytes.load(Ordering::Relaxed) as f64 / BYTES;
        let free = self.free.load(Ordering::Relaxed) as f64 / 1e3;
        let units = (used.read_units + used.write_units - free).max(0.0);
        EVENT + units + posts + bytes
    }
}

#[cfg(test)]
mod tests {
    use aws::Usage;

    use super::Cost;

    #[test]
    fn posts_and_bytes_are_units_like_those_of_the_tables() {
        let cost = Cost::default();
        let used = Usage { read_units: 10.0, write_units: 4.0, ..Usage::default() };
        assert_eq!(cost.units(&used), 15.0);
        cost.add(50, 0);
        cost.add(0, 51_200);
        assert_eq!(cost.units(&used), 30.0);
        cost.forgive(4.0);
        assert_eq!(cost.units(&used), 26.0);
    }
}
