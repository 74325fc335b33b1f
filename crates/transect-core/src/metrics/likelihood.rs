//! How probable the truth is under the predicted Gaussians.

use std::f64::consts::PI;

use super::series::{check_finite, check_mean, check_std, is_constant, mean_of, moments};
use crate::Error;

/// Mean negative log predictive density, `mean(½ log 2π + log std + ½ (e/std)²)`, nats. The standard
/// deviation is that of the noisy prediction, in the units of the truth.
pub fn nlpd(mean: &[f64], std: &[f64], truth: &[f64]) -> Result<f64, Error> {
    check_mean(mean, truth)?;
    check_std(std, truth)?;
    Ok(mean_of(
        (0..truth.len()).map(|i| log_loss(truth[i] - mean[i], std[i])),
    ))
}

/// Mean standardised log loss, nats: [`nlpd`] less that of the trivial prediction N(mean(y), std(y)) from
/// the training targets y so far. 0 for that prediction, negative for better ones.
pub fn msll(
    mean: &[f64],
    std: &[f64],
    truth: &[f64],
    training_targets: &[f64],
) -> Result<f64, Error> {
    check_mean(mean, truth)?;
    check_std(std, truth)?;
    check_finite("training targets", training_targets)?;
    let (trivial_mean, variance) = moments(training_targets);
    if is_constant(training_targets) || variance == 0.0 {
        return Err(Error::NoVariance {
            what: "training targets",
            metric: "MSLL",
        });
    }
    let trivial_std = variance.sqrt();
    Ok(mean_of((0..truth.len()).map(|i| {
        log_loss(truth[i] - mean[i], std[i]) - log_loss(truth[i] - trivial_mean, trivial_std)
    })))
}

fn log_loss(error: f64, std: f64) -> f64 {
    let deviations = error / std;
    0.5 * (2.0 * PI).ln() + std.ln() + 0.5 * deviations * deviations
}
