//! MT19937, the Mersenne Twister of Matsumoto and Nishimura (1998), with the
//! seeding of their 2002 revision.
//!
//! The state is a window of `N = 624` words over the recurrence
//!
//! ```text
//! x[k+N] = x[k+M] ^ twist(upper bit of x[k] | lower 31 bits of x[k+1])
//! twist(y) = (y >> 1) ^ (A if y is odd, else 0)
//! ```
//!
//! and each output is a word of that series, tempered by an invertible bit mix.

use std::fmt;

/// Words of state.
const N: usize = 624;
/// Distance to the word that the twisted one is combined with.
const M: usize = 397;
/// Last row of the twist matrix.
const A: u32 = 0x9908_b0df;
/// The one bit that the recurrence takes from `x[k]`.
const UPPER: u32 = 0x8000_0000;
/// Multiplier of the recurrence that spreads a seed over the state.
const SEEDING: u32 = 1_812_433_253;

/// The Mersenne Twister, one 32-bit word at a time.
#[derive(Clone)]
pub struct Mt19937 {
    words: [u32; N],
    /// The next word to temper; `N` when the window is used up.
    position: usize,
}

impl Mt19937 {
    /// Seeds the whole state from one word.
    pub fn new(seed: u32) -> Self {
        let mut words = [seed; N];
        for k in 1..N {
            let last = words[k - 1];
            words[k] = SEEDING
                .wrapping_mul(last ^ (last >> 30))
                .wrapping_add(k as u32);
        }
        Self { words, position: N }
    }

    /// The next output.
    pub fn next_u32(&mut self) -> u32 {
        if self.position == N {
            self.advance();
        }
        let word = self.words[self.position];
        self.position += 1;
        temper(word)
    }

    /// Replaces the window by the `N` words that follow it.
    fn advance(&mut self) {
        for k in 0..N {
            let joined = (self.words[k] & UPPER) | (self.words[(k + 1) % N] & !UPPER);
            let twisted = (joined >> 1) ^ if joined % 2 == 1 { A } else { 0 };
            self.words[k] = self.words[(k + M) % N] ^ twisted;
        }
        self.position = 0;
    }
}

/// Mixes the bits of a state word so that outputs are equidistributed.
fn temper(mut y: u32) -> u32 {
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c_5680;
    y ^= (y << 15) & 0xefc6_0000;
    y ^ (y >> 18)
}

/// Says where in the window the generator is, not its 624 words.
impl fmt::Debug for Mt19937 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mt19937")
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The authors' default seed.
    const DEFAULT_SEED: u32 = 5489;

    #[test]
    fn opens_with_the_published_outputs() {
        let mut generator = Mt19937::new(DEFAULT_SEED);
        let opening: Vec<u32> = (0..5).map(|_| generator.next_u32()).collect();
        assert_eq!(
            opening,
            [3499211612, 581869302, 3890346734, 3586334585, 545404204]
        );
    }

    #[test]
    fn ten_thousandth_output_is_the_one_the_cpp_standard_requires() {
        let mut generator = Mt19937::new(DEFAULT_SEED);
        for _ in 1..10_000 {
            generator.next_u32();
        }
        assert_eq!(generator.next_u32(), 4123659995);
    }
}
