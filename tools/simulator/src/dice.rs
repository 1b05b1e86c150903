//! Chance that repeats itself.

/// Draws the same numbers for the same seed.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The dice of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to just below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// From `start` to `end`, both included.
    pub fn between(&mut self, start: u64, end: u64) -> u64 {
        start + self.below(end - start + 1)
    }

    /// True in so many of 10,000 cases. A chance of zero draws no number.
    pub fn chance(&mut self, in_10_000: u64) -> bool {
        in_10_000 > 0 && self.below(10_000) < in_10_000
    }

    /// A random value of several, each as likely as the others.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        let n = usize::try_from(self.below(of.len() as u64)).expect("an index");
        of[n]
    }
}
