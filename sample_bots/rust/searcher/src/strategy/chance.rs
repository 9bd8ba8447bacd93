//! Chance: splitmix64 (Steele, Lea, Flood 2014), so that the same seed gives the same games.

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// A generator for one question: the game's seed, and numbers that name the question.
    pub fn new(seed: u64, names: [u32; 2]) -> Self {
        let mut chance = Self(seed);
        for name in names {
            chance.0 ^= u64::from(name).wrapping_mul(0xd6e8_feb8_6659_fd93);
            chance.0 = chance.next();
        }
        chance
    }

    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is above 0 and small.
    pub fn below(&mut self, bound: usize) -> usize {
        let product = u128::from(self.next()) * (bound as u128);
        usize::try_from(product >> 64).unwrap_or(0)
    }

    /// A number from 0 to below 1.
    #[allow(clippy::cast_precision_loss)]
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_splitmix64() {
        let mut chance = Chance(1_234_567);
        assert_eq!(chance.next(), 6_457_827_717_110_365_317);
        assert_eq!(chance.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_stay_in_their_bounds() {
        let mut chance = Chance::new(7, [1, 2]);
        let mut seen = [false; 5];
        for _ in 0..200 {
            seen[chance.below(5)] = true;
            assert!((0.0..1.0).contains(&chance.unit()));
        }
        assert_eq!(seen, [true; 5]);
    }
}
