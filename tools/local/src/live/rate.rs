//! How many connections are made.

/// Count of the current second.
#[derive(Default)]
pub(super) struct Rate {
    second: u64,
    count: u32,
}

impl Rate {
    /// Counts one more at `now`, in milliseconds, unless `limit` of the second are used up.
    pub(super) fn admits(&mut self, now: u64, limit: u32) -> bool {
        if self.second != now / 1000 {
            *self = Self { second: now / 1000, count: 0 };
        }
        let is_free = self.count < limit;
        self.count += u32::from(is_free);
        is_free
    }
}

#[cfg(test)]
mod tests {
    use super::Rate;

    #[test]
    fn what_a_second_admits_is_limited_and_the_next_one_begins_anew() {
        let mut rate = Rate::default();
        let admitted = |rate: &mut Rate, now| (0..5).filter(|_| rate.admits(now, 3)).count();
        assert_eq!(admitted(&mut rate, 1_000), 3);
        assert_eq!(admitted(&mut rate, 1_999), 0);
        assert_eq!(admitted(&mut rate, 2_000), 3);
    }
}
