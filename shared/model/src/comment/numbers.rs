//! Generated numbers of comments and attachments.

/// A pseudorandom number for a seed.
fn scrambled(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Six pseudorandom digits.
fn six_digits(seed: u64) -> u64 {
    100_000 + scrambled(seed) % 900_000
}

/// Fifteen pseudorandom digits: too many for a collision within a thread.
pub(super) fn fifteen_digits(seed: u64) -> u64 {
    100_000_000_000_000 + scrambled(seed) % 900_000_000_000_000
}

/// The first free number from a random one on. A thread has far fewer comments than there are
/// numbers.
pub(super) fn first_free(seed: u64, is_taken: impl Fn(u64) -> bool) -> u64 {
    let first = six_digits(seed);
    let ring = (first..1_000_000).chain(100_000..first);
    ring.into_iter().find(|number| !is_taken(*number)).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::{first_free, six_digits};

    #[test]
    fn numbers_have_six_digits_and_are_free() {
        for seed in 0..1000 {
            assert!((100_000..1_000_000).contains(&six_digits(seed)));
        }
        let first = six_digits(7);
        assert_eq!(first_free(7, |number| number == first), first + 1);
        assert_eq!(first_free(7, |number| number >= first), 100_000);
    }
}
