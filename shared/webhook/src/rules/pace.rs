//! Strict rate limits, by GCRA without burst.

/// A second plus 100 ms of network jitter between two arrivals.
const SECOND_AND_JITTER_MICROS: u64 = 1_100_000;

/// A slot for a request; times in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReservedSlot {
    /// The time of the slot.
    pub(crate) at: u64,
    /// The theoretical arrival time of the request after it, to be stored.
    pub(crate) next_arrival: u64,
}

/// Reserves the slot for the next request of an endpoint with a limit of `rate` requests a second.
/// `arrival` is the theoretical arrival time; all times are in microseconds.
///
/// The caller sends at the slot, and stores the next arrival in the same conditional write, so that
/// each of many senders has its own slot. A rate of 0 counts as 1.
pub(crate) fn reserve(arrival: Option<u64>, rate: u32, now: u64) -> ReservedSlot {
    let at = arrival.unwrap_or(0).max(now);
    ReservedSlot { at, next_arrival: at.saturating_add(spacing(rate)) }
}

/// The theoretical arrival time after the rate changed. Slots that were reserved at the old rate do
/// not hold, but the latest request counts: a caller who changes the rate again and again gains
/// nothing.
pub(crate) fn arrival_at_rate(arrival: Option<u64>, rate: u32, now: u64) -> Option<u64> {
    arrival.map(|arrival| arrival.min(now.saturating_add(spacing(rate))))
}

fn spacing(rate: u32) -> u64 {
    SECOND_AND_JITTER_MICROS.div_ceil(u64::from(rate.max(1)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn slot(at: u64, next_arrival: u64) -> ReservedSlot {
        ReservedSlot { at, next_arrival }
    }

    #[test]
    fn the_first_request_and_one_after_a_rest_go_out_at_once() {
        assert_eq!(reserve(None, 5, 1_000_000), slot(1_000_000, 1_220_000));
        assert_eq!(reserve(Some(1_220_000), 5, 1_000_001), slot(1_220_000, 1_440_000));
        assert_eq!(reserve(Some(1_440_000), 5, 9_000_000), slot(9_000_000, 9_220_000));
    }

    #[test]
    fn after_a_change_of_the_rate_nobody_waits_longer_than_one_request_at_the_new_rate() {
        assert_eq!(arrival_at_rate(Some(3_600_000_000), 100, 1_000_000), Some(1_011_000));
        assert_eq!(arrival_at_rate(Some(22_000_000), 1, 1_000_000), Some(2_100_000));
        assert_eq!(
            arrival_at_rate(Some(1_500_000), 1, 1_000_000),
            Some(1_500_000),
            "one was just made"
        );
        assert_eq!(arrival_at_rate(None, 1, 1_000_000), None);
        assert_eq!(arrival_at_rate(Some(u64::MAX), 0, u64::MAX), Some(u64::MAX));
    }

    #[test]
    fn no_rate_and_no_time_overflows() {
        assert_eq!(reserve(None, 0, 0), reserve(None, 1, 0));
        assert_eq!(reserve(Some(u64::MAX), u32::MAX, 0), slot(u64::MAX, u64::MAX));
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
            let (mut now, mut arrival) = (1_000_000_000_u64, None);
            let mut arrivals = vec![];
            for (pause, jitter) in requests {
                now = now.saturating_add_signed(pause);
                let slot = reserve(arrival, rate, now);
                prop_assert!(slot.at >= now);
                arrival = Some(slot.next_arrival);
                arrivals.push(slot.at + jitter);
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
            let (mut now, mut arrival) = (1_000_000_000_u64, None);
            let (mut latest, mut last) = (0, None);
            for (waiting, (pause, _)) in requests.into_iter().enumerate() {
                now = now.saturating_add_signed(pause);
                latest = now.max(latest);
                let ReservedSlot { at, next_arrival } = reserve(arrival, rate, now);
                let after_last = last.map_or(0, |last| last + spacing);
                prop_assert!(after_last <= at && at <= after_last.max(now));
                // Equivalent to all of them coming at the latest time so far.
                prop_assert!(at <= latest + waiting as u64 * spacing);
                (arrival, last) = (Some(next_arrival), Some(at));
            }
        }
    }
}
