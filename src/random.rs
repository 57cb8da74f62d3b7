//! The random number generator of the whole engine.

/// Returns a seed that differs from call to call.
pub fn fresh_seed() -> u64 {
    crate::host::random_bits()
}

/// A small pseudorandom number generator: SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014).
///
/// The same seed gives the same numbers, and thus the same starting positions, on every machine and in every
/// release. The generator passes the usual statistical test suites and has a period of 2^64. The generator is
/// not cryptographically secure: a starting position drawn with a known seed can be predicted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// Creates a generator from a seed. All seeds are equally good.
    pub const fn new(seed: u64) -> Rng {
        Rng { state: seed }
    }

    /// Returns 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Returns a number from 0 to `bound - 1`, exactly uniformly distributed, or 0 if `bound` is 0.
    ///
    /// Uses the high half of the product of `bound` and 64 random bits (D. Lemire, "Fast Random Integer
    /// Generation in an Interval", 2019). Products whose low half is below `2^64 mod bound` are rejected,
    /// so that each result has the same number of accepted products.
    pub const fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        let surplus = bound.wrapping_neg() % bound;
        loop {
            let product = self.next_u64() as u128 * bound as u128;
            if product as u64 >= surplus {
                return (product >> 64) as u64;
            }
        }
    }

    /// Shuffles a slice so that every order is equally likely (Fisher-Yates shuffle).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::start::chi_square::{Evenness, judge};

    /// The expected numbers come from the published reference code with this seed.
    #[test]
    fn is_split_mix_64() {
        let mut rng = Rng::new(1_234_567);
        for expected in [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ] {
            assert_eq!(rng.next_u64(), expected);
        }
    }

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        for bound in [1, 2, 6, 7, 96, 960] {
            let mut rng = Rng::new(bound);
            let mut counts = vec![0; bound as usize];
            for _ in 0..bound * 1_000 {
                counts[rng.below(bound) as usize] += 1;
            }
            assert_eq!(judge(&counts), Evenness::Uniform, "{bound}");
        }
        assert_eq!(Rng::new(0).below(0), 0);
    }

    /// With a bound of three quarters of 2^64, a quarter of the draws must be rejected. Without rejection,
    /// every third number would be twice as likely as the others.
    #[test]
    fn large_bounds_are_not_biased() {
        let bound = 3 << 62;
        let mut rng = Rng::new(7);
        let mut counts = [0; 3];
        for _ in 0..30_000 {
            let number = rng.below(bound);
            assert!(number < bound);
            counts[(number % 3) as usize] += 1;
        }
        assert_eq!(judge(&counts), Evenness::Uniform);
    }
}
