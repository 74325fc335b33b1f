//! What a prediction is worth: how much would be learnt by measuring there.
//!
//! - [`Objective`]: a score per predicted point
//! - [`Entropy`], [`Variance`]: of the predicted measurement
//! - [`normalised`], [`less_distance`]: the paper's trade-off between a score and the way to go

mod entropy;
mod trade_off;
mod variance;

pub use entropy::Entropy;
pub use trade_off::{less_distance, normalised};
pub use variance::Variance;

use std::fmt::Debug;

use transect_gp::Prediction;

/// Scores predicted points; the higher, the more is learnt by measuring there.
///
/// ```
/// use transect::gp::Prediction;
/// use transect::objective::Objective;
///
/// /// Wants to know where the surface is high: the upper end of the central 95 % interval.
/// #[derive(Debug)]
/// struct HighGround;
///
/// impl Objective for HighGround {
///     fn score(&self, prediction: &Prediction) -> Vec<f64> {
///         let points = prediction.mean.iter().zip(&prediction.std);
///         points.map(|(mean, std)| mean + 1.96 * std).collect()
///     }
/// }
///
/// let prediction = Prediction { mean: vec![0.0, 1.0], std: vec![1.0, 0.1], floored: 0 };
/// let scores = HighGround.score(&prediction);
/// assert!(scores[0] > scores[1]);
/// ```
pub trait Objective: Debug + Send {
    /// One score per predicted point. Standard deviations are those of measurements (noise included),
    /// in raw units.
    fn score(&self, prediction: &Prediction) -> Vec<f64>;
}

/// Makes an objective.
pub type Build = fn() -> Box<dyn Objective>;

/// Every objective by name. A new objective is one file and one line here.
pub const OBJECTIVES: &[(&str, Build)] = &[
    ("entropy", || Box::new(Entropy)),
    ("variance", || Box::new(Variance)),
];
