//! How good a map is.
//!
//! - [`Evaluation`]: all numbers of one evaluation
//! - [`accuracy`]: SMSE, RMSE, MAE
//! - [`likelihood`]: NLPD, MSLL
//! - [`Calibration`]: are the error bars as wide as they should be?
//! - [`Tails`]: the shape of the predicted distributions
//!
//! Series are plain slices in the same order: predicted mean, predicted standard deviation, truth.
//! Statistics are those of the population (divided by n).

pub mod accuracy;
mod calibration;
mod error;
mod evaluation;
pub mod likelihood;
mod series;
mod tails;

pub use calibration::Calibration;
pub use error::MetricError;
pub use evaluation::Evaluation;
pub use tails::Tails;
