//! The stream of the default profile: ChaCha with 8 rounds, for noise,
//! candidates and network starts alike.
//!
//! Uniform deviates are the same on every platform; normal ones up to the last
//! bits of the platform's logarithm.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::polar::Polar;
use super::{NetworkStart, Randomness, start_bound};

/// A seeded ChaCha stream.
///
/// ```
/// use transect_gp::random::{Randomness, Stream};
///
/// let (mut one, mut same) = (Stream::new(42), Stream::new(42));
/// assert_eq!(one.standard_normal(), same.standard_normal());
/// ```
#[derive(Clone, Debug)]
pub struct Stream {
    chacha: ChaCha8Rng,
    polar: Polar,
}

impl Stream {
    /// The stream of this seed, from its beginning.
    pub fn new(seed: u64) -> Self {
        Self {
            chacha: ChaCha8Rng::seed_from_u64(seed),
            polar: Polar::default(),
        }
    }
}

impl Randomness for Stream {
    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * unit(&mut self.chacha)
    }

    fn standard_normal(&mut self) -> f64 {
        self.polar.standard_normal(|| unit(&mut self.chacha))
    }
}

impl NetworkStart for Stream {
    fn linear(&mut self, fan_in: usize, fan_out: usize) -> (Vec<f64>, Vec<f64>) {
        let bound = start_bound(fan_in);
        let weights = self.uniforms(-bound, bound, fan_out * fan_in);
        let biases = self.uniforms(-bound, bound, fan_out);
        (weights, biases)
    }
}

/// A uniform deviate on `[0, 1)` with 53 bits.
fn unit(chacha: &mut ChaCha8Rng) -> f64 {
    const TWO_TO_53: f64 = 9_007_199_254_740_992.0;
    (chacha.next_u64() >> 11) as f64 / TWO_TO_53
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of a separate implementation of ChaCha8 and of the seeding, so that
    /// a new version of the dependency cannot change past runs unseen.
    #[test]
    fn opens_as_chacha8_does() {
        assert_eq!(
            Stream::new(0).uniforms(0.0, 1.0, 3),
            [0.7090754154265618, 0.46592172228961015, 0.6991432426747317]
        );
        // The ninth begins the second block.
        assert_eq!(Stream::new(42).uniforms(0.0, 1.0, 9)[8], 0.7712487808028571);
    }

    /// Each moment lies within five of its own standard errors, √(var / n).
    #[test]
    fn normal_deviates_have_the_moments_of_a_normal() {
        let n = 100_000;
        let mut stream = Stream::new(1);
        let deviates: Vec<f64> = (0..n).map(|_| stream.normal(3.0, 2.0)).collect();
        let moment = |power: i32| {
            let sum: f64 = deviates.iter().map(|d| ((d - 3.0) / 2.0).powi(power)).sum();
            sum / f64::from(n)
        };
        for (power, expected, variance) in
            [(1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0)]
        {
            let standard_error = f64::sqrt(variance / f64::from(n));
            assert!(
                (moment(power) - expected).abs() < 5.0 * standard_error,
                "moment {power} is {}",
                moment(power)
            );
        }
    }

    #[test]
    fn layer_is_sized_and_bounded_by_its_fans() {
        let start: &mut dyn NetworkStart = &mut Stream::new(2);
        let (weights, biases) = start.linear(4, 300);
        assert_eq!((weights.len(), biases.len()), (1200, 300));

        let largest = weights
            .iter()
            .chain(&biases)
            .fold(0.0, |largest: f64, w| largest.max(w.abs()));
        assert!((0.49..=0.5).contains(&largest), "{largest}");
    }
}
