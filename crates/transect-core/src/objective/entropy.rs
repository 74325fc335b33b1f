//! The entropy of a Gaussian, `½ log(2π std²) + ½`.

use std::f64::consts::TAU;

use transect_gp::Prediction;

use super::Objective;

/// The differential entropy of the predicted measurement, nats: the paper's objective.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Entropy;

impl Objective for Entropy {
    fn score(&self, prediction: &Prediction) -> Vec<f64> {
        let entropy = |std: &f64| 0.5 * (TAU * (std * std)).ln() + 0.5;
        prediction.std.iter().map(entropy).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.norm(scale=s).entropy()` for s = 1 and 5.
    #[test]
    fn agrees_with_scipy() {
        let prediction = Prediction {
            mean: vec![0.0; 2],
            std: vec![1.0, 5.0],
            floored: 0,
        };
        let expected = [1.4189385332046727, 3.028376445638773];
        for (got, expected) in Entropy.score(&prediction).iter().zip(expected) {
            assert!((got - expected).abs() < 1e-15, "{got} {expected}");
        }
    }
}
