//! Random numbers that are the same for the same seed.

/// A small generator (splitmix64): codes and order numbers, nothing that must be hard to guess.
#[derive(Clone, Debug)]
pub(crate) struct SeededRng(u64);

impl SeededRng {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number with this many decimal digits, the first not zero.
    pub(crate) fn digits(&mut self, count: u32) -> u64 {
        let low = 10u64.pow(count.saturating_sub(1));
        low + self.next() % (low * 9)
    }
}
