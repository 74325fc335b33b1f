//! The differential entropy of Gaussian readings, `½ log det(2πe Σ)`; of one, `½ log(2π std²) + ½`.

use std::f64::consts::TAU;

use transect_gp::{Of, Points};

use super::{Objective, factored, log_determinant};
use crate::Error;
use crate::posterior::Posterior;

/// The differential entropy of readings, nats: the paper's objective.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Entropy;

impl Entropy {
    /// The entropy of one reading with this standard deviation.
    pub fn of_std(std: f64) -> f64 {
        0.5 * (TAU * (std * std)).ln() + 0.5
    }
}

impl Objective for Entropy {
    fn path(&self, known: &dyn Posterior, places: &Points) -> Result<f64, Error> {
        let joint = known.joint(places, Of::Measurement)?;
        let factor = factored(&joint.covariance)?;
        let count = places.len() as f64;
        Ok(0.5 * (log_determinant(&factor) + count * (TAU.ln() + 1.0)))
    }

    fn each(&self, known: &dyn Posterior, places: &Points) -> Result<Vec<f64>, Error> {
        let readings = known.marginals(places, Of::Measurement)?;
        Ok(readings.std.into_iter().map(Self::of_std).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.norm(scale=s).entropy()` for s = 1 and 5.
    #[test]
    fn agrees_with_scipy() {
        for (std, expected) in [(1.0, 1.4189385332046727), (5.0, 3.028376445638773)] {
            assert!((Entropy::of_std(std) - expected).abs() < 1e-15);
        }
    }
}
