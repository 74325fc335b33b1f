//! The variance, for those who want large errors to count more than their logarithm.

use transect_gp::{Of, Points};

use super::{Objective, factored};
use crate::Error;
use crate::posterior::Posterior;

/// The sum of the variances of readings, each given those before it, in squared raw units. Ranks single places as
/// [`Entropy`](super::Entropy) does, but weighs differently against distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Variance;

impl Objective for Variance {
    /// The squared diagonal of the Cholesky factor holds the variance of each reading given those before it.
    fn path(&self, known: &dyn Posterior, places: &Points) -> Result<f64, Error> {
        let joint = known.joint(places, Of::Measurement)?;
        let factor = factored(&joint.covariance)?;
        let lower = factor.lower();
        Ok((0..places.len()).map(|i| lower.column(i)[i].powi(2)).sum())
    }

    fn each(&self, known: &dyn Posterior, places: &Points) -> Result<Vec<f64>, Error> {
        let readings = known.marginals(places, Of::Measurement)?;
        Ok(readings.std.into_iter().map(|std| std * std).collect())
    }
}
