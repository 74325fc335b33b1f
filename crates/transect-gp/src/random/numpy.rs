//! NumPy's legacy stream, `numpy.random.RandomState(seed)`.
//!
//! A uniform deviate on `[0, 1)` takes its 53 bits from two outputs of MT19937,
//! 27 from the first and 26 from the second. Normal deviates come from the polar
//! method, in pairs; the second of a pair outlasts uniform draws in between.
//!
//! Uniform deviates equal NumPy's bit for bit everywhere. Normal ones need a
//! logarithm, so they do so where it comes from the same C library.

use super::Randomness;
use super::mt19937::Mt19937;
use super::polar::Polar;

/// The series that NumPy's `RandomState(seed)` gives.
///
/// ```
/// use transect_gp::random::{RandomState, Randomness};
///
/// let mut stream = RandomState::new(0);
/// assert_eq!(stream.uniform(0.0, 1.0), 0.5488135039273248);
/// ```
#[derive(Clone, Debug)]
pub struct RandomState {
    twister: Mt19937,
    polar: Polar,
}

impl RandomState {
    /// The stream of this seed, from its beginning.
    pub fn new(seed: u32) -> Self {
        Self {
            twister: Mt19937::new(seed),
            polar: Polar::default(),
        }
    }
}

impl Randomness for RandomState {
    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * unit(&mut self.twister)
    }

    fn standard_normal(&mut self) -> f64 {
        self.polar.standard_normal(|| unit(&mut self.twister))
    }
}

/// A uniform deviate on `[0, 1)` with 53 bits.
fn unit(twister: &mut Mt19937) -> f64 {
    const TWO_TO_26: f64 = 67_108_864.0;
    const TWO_TO_53: f64 = 9_007_199_254_740_992.0;
    let high = f64::from(twister.next_u32() >> 5);
    let low = f64::from(twister.next_u32() >> 6);
    (high * TWO_TO_26 + low) / TWO_TO_53
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of `RandomState(0).random_sample(3)` and `.standard_normal(3)`.
    #[test]
    fn opens_as_numpy_does() {
        assert_eq!(
            RandomState::new(0).uniforms(0.0, 1.0, 3),
            [0.5488135039273248, 0.7151893663724195, 0.6027633760716439]
        );

        let mut stream = RandomState::new(0);
        for expected in [1.764052345967664, 0.4001572083672233, 0.9787379841057392] {
            let drawn = stream.standard_normal();
            assert!((drawn - expected).abs() <= 2.0 * f64::EPSILON);
        }
    }

    #[test]
    fn serves_behind_the_trait_object() {
        let stream: &mut dyn Randomness = &mut RandomState::new(0);
        let deviate = stream.normal(10.0, 2.0);
        assert_eq!(deviate, 10.0 + 2.0 * RandomState::new(0).standard_normal());
    }
}
