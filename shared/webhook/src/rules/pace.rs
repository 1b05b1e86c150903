//! Strict rate limits, by GCRA without burst.

/// A second plus 100 ms of network jitter between two arrivals.
const SECOND_AND_JITTER_MICROS: u64 = 1_100_000;

/// The slot for the next request of an endpoint with a limit of `rate` requests a second, and the
/// theoretical arrival time to store for the one after it; all in microseconds.
///
/// The caller sends at the slot, and stores the second value in the same conditional write, so that
/// each of many senders has its own slot. A rate of 0 counts as 1.
#[must_use]
pub fn reserve(tat_micros: Option<u64>, rate: u32, now_micros: u64) -> (u64, u64) {
    let slot = tat_micros.unwrap_or(0).max(now_micros);
    (slot, slot.saturating_add(spacing(rate)))
}

/// The theoretical arrival time after the rate changed. What was reserved at the old rate does not
/// hold, but the latest request counts: a caller who changes the rate again and again gains nothing.
#[must_use]
pub fn revised(tat_micros: Option<u64>, rate: u32, now_micros: u64) -> Option<u64> {
    tat_micros.map(|tat| tat.min(now_micros.saturating_add(spacing(rate))))
}

fn spacing(rate: u32) -> u64 {
    SECOND_AND_JITTER_MICROS.div_ceil(u64::from(rate.max(1)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_first_request_and_one_after_a_rest_go_out_at_once() {
        assert_eq!(reserve(None, 5, 1_000_000), (1_000_000, 1_220_000));
        assert_eq!(reserve(Some(1_220_000), 5, 1_000_001), (1_220_000, 1_440_000));
        assert_eq!(reserve(Some(1_440_000), 5, 9_000_000), (9_000_000, 9_220_000));
    }

    #[test]
    fn after_a_change_of_the_rate_nobody_waits_longer_than_one_request_at_the_new_rate() {
        assert_eq!(revised(Some(3_600_000_000), 100, 1_000_000), Some(1_011_000));
        assert_eq!(revised(Some(22_000_000), 1, 1_000_000), Some(2_100_000));
        assert_eq!(revised(Some(1_500_000), 1, 1_000_000), Some(1_500_000), "one was just made");
        assert_eq!(revised(None, 1, 1_000_000), None);
        assert_eq!(revised(Some(u64::MAX), 0, u64::MAX), Some(u64::MAX));
    }

    #[test]
    fn no_rate_and_no_time_overflows() {
        assert_eq!(reserve(None, 0, 0), reserve(None, 1, 0));
        assert_eq!(reserve(Some(u64::MAX), u32::MAX, 0), (u64::MAX, u64::MAX));
    }

    /// Request times, and network delays. The clocks of the callers differ by seconds.
    fn requests() -> impl Strategy<Value = Vec<(i64, u64)>> {
        let pause = prop_oneof![
            4 => Just(0),
            8 => 0_i64..300_000,
            1 => 0_i64..5_000_000,
            2 => -5_000_000_i64..0,
        ];
        prop::collection::vec((pause, 0_u64..=100_000), 1..200)
    }

    proptest! {
        #[test]
        fn no_second_at_the_receiver_holds_more_than_the_rate(
            rate in prop_oneof![1_u32..40, Just(0), Just(1000)],
            requests in requests(),
        ) {
            let (mut now, mut tat) = (1_000_000_000_u64, None);
            let mut arrivals = vec![];
            for (pause, jitter) in requests {
                now = now.saturating_add_signed(pause);
                let (slot, next) = reserve(tat, rate, now);
                prop_assert!(slot >= now);
                tat = Some(next);
                arrivals.push(slot + jitter);
            }
            arrivals.sort_unstable();
            for (index, start) in arrivals.iter().enumerate() {
                let within = arrivals[index..].iter().take_while(|at| **at < start + 1_000_000);
                prop_assert!(within.count() <= rate.max(1) as usize);
            }
        }

        #[test]
        fn nobody_waits_longer_than_the_rate_demands(
            rate in prop_oneof![1_u32..40, Just(1000)],
            requests in requests(),
        ) {
            let spacing = 1_100_000_u64.div_ceil(u64::from(rate));
            let (mut now, mut tat) = (1_000_000_000_u64, None);
            let (mut latest, mut last) = (0, None);
            for (waiting, (pause, _)) in requests.into_iter().enumerate() {
                now = now.saturating_add_signed(pause);
                latest = now.max(latest);
                let (slot, next) = reserve(tat, rate, now);
                let after_last = last.map_or(0, |last| last + spacing);
                prop_assert!(after_last <= slot && slot <= after_last.max(now));
                // Equivalent to all of them coming at the latest time so far.
                prop_assert!(slot <= latest + waiting as u64 * spacing);
                (tat, last) = (Some(next), Some(slot));
            }
        }
    }
}
