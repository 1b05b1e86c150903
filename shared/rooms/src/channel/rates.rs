//! What connections do per time, as this process sees it: what is too much is refused without a call
//! of the store.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use model::Millis;

/// Maximum number of buckets.
const MAX_BUCKETS: usize = 4096;

/// How often connections may do things, as token buckets by name: the time at which each is full.
#[derive(Default)]
pub struct Rates(Mutex<HashMap<String, Millis>>);

impl Rates {
    /// Takes a token of a bucket that refills one in `step` milliseconds and is full after
    /// `capacity`; false when there is none.
    pub(super) fn admits(&self, name: String, step: Millis, capacity: Millis, now: Millis) -> bool {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_BUCKETS {
            buckets.retain(|_, full_at| *full_at > now);
        }
        if buckets.len() >= MAX_BUCKETS {
            buckets.clear();
        }
        let full_at = buckets.entry(name).or_default();
        let next = (*full_at).max(now) + step;
        let is_admitted = next <= now + capacity;
        if is_admitted {
            *full_at = next;
        }
        is_admitted
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_BUCKETS, Rates};

    #[test]
    fn a_bucket_refills_steadily_and_is_of_one_name() {
        let rates = Rates::default();
        let admits = |name: &str, now| rates.admits(name.to_owned(), 20, 100, now);
        assert_eq!((0..9).filter(|_| admits("a", 1_000)).count(), 5);
        assert!(admits("b", 1_000));
        assert!(!admits("a", 1_019) && admits("a", 1_020) && !admits("a", 1_020));
        assert_eq!((0..9).filter(|_| admits("a", 9_000)).count(), 5, "never more than it holds");
    }

    #[test]
    fn many_names_do_not_empty_a_bucket_in_use_before_full_ones() {
        let rates = Rates::default();
        for n in 0..MAX_BUCKETS - 1 {
            assert!(rates.admits(n.to_string(), 1, 1, 1_000));
        }
        assert!(rates.admits("used".to_owned(), 50, 50, 1_002));
        assert!(rates.admits("one more".to_owned(), 1, 1, 1_003));
        assert!(!rates.admits("used".to_owned(), 50, 50, 1_003));
    }
}
