//! The variance, for those who want large errors to count more than their logarithm.

use transect_gp::Prediction;

use super::Objective;

/// The variance of the predicted measurement, in squared raw units. Ranks points as
/// [`Entropy`](super::Entropy) does, but weighs differently against distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Variance;

impl Objective for Variance {
    fn score(&self, prediction: &Prediction) -> Vec<f64> {
        prediction.std.iter().map(|std| std * std).collect()
    }
}
