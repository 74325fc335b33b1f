//! Distance of the predicted mean from the truth.

use super::series::{check_mean, is_constant, mean_of, moments};
use crate::Error;
use crate::metrics::MetricError;

/// Standardised mean squared error, `mean(e²) / var(truth)`: 1 for a map that is the truth's mean everywhere.
///
/// ```
/// let truth = [1.0, 2.0, 3.0, 6.0];
/// let smse = transect::metrics::accuracy::smse(&[3.0; 4], &truth)?;
/// assert_eq!(smse, 1.0);
/// # Ok::<(), transect::Error>(())
/// ```
pub fn smse(mean: &[f64], truth: &[f64]) -> Result<f64, Error> {
    let squared = mean_squared_error(mean, truth)?;
    let (_, variance) = moments(truth);
    if is_constant(truth) || variance == 0.0 {
        return Err(MetricError::NoVariance {
            what: "truth",
            metric: "SMSE",
        }
        .into());
    }
    Ok(squared / variance)
}

/// Root mean squared error, in the units of the truth.
pub fn rmse(mean: &[f64], truth: &[f64]) -> Result<f64, Error> {
    Ok(mean_squared_error(mean, truth)?.sqrt())
}

/// Mean absolute error, in the units of the truth.
pub fn mae(mean: &[f64], truth: &[f64]) -> Result<f64, Error> {
    check_mean(mean, truth)?;
    Ok(mean_of(mean.iter().zip(truth).map(|(m, t)| (m - t).abs())))
}

fn mean_squared_error(mean: &[f64], truth: &[f64]) -> Result<f64, Error> {
    check_mean(mean, truth)?;
    Ok(mean_of(
        mean.iter().zip(truth).map(|(m, t)| (m - t) * (m - t)),
    ))
}
