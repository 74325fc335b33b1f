//! How probable the truth is under the predicted distributions.

use super::Tails;
use super::series::{check_finite, check_mean, check_std, is_constant, mean_of, moments};
use crate::Error;
use crate::metrics::MetricError;

/// Mean negative log predictive density, nats; `mean(½ log 2π + log std + ½ (e/std)²)` for Gaussian tails. The
/// standard deviation is that of the noisy prediction, in the units of the truth.
pub fn nlpd(mean: &[f64], std: &[f64], tails: Tails, truth: &[f64]) -> Result<f64, Error> {
    check_mean(mean, truth)?;
    check_std(std, truth)?;
    Ok(mean_of(
        (0..truth.len()).map(|i| log_loss(truth[i] - mean[i], std[i], tails)),
    ))
}

/// Mean standardised log loss, nats: [`nlpd`] less that of the trivial prediction N(mean(y), std(y)) from
/// the training targets y so far. 0 for that prediction, negative for better ones.
pub fn msll(
    mean: &[f64],
    std: &[f64],
    tails: Tails,
    truth: &[f64],
    training_targets: &[f64],
) -> Result<f64, Error> {
    check_mean(mean, truth)?;
    check_std(std, truth)?;
    check_finite("training targets", training_targets)?;
    let (trivial_mean, variance) = moments(training_targets);
    if is_constant(training_targets) || variance == 0.0 {
        return Err(MetricError::NoVariance {
            what: "training targets",
            metric: "MSLL",
        }
        .into());
    }
    let trivial_std = variance.sqrt();
    Ok(mean_of((0..truth.len()).map(|i| {
        let trivial = log_loss(truth[i] - trivial_mean, trivial_std, Tails::Gaussian);
        log_loss(truth[i] - mean[i], std[i], tails) - trivial
    })))
}

fn log_loss(error: f64, std: f64, tails: Tails) -> f64 {
    std.ln() - tails.log_density(error / std)
}
