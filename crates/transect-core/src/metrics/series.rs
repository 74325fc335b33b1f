//! Checked series and their means.

use crate::Error;
use crate::metrics::MetricError;

const FINITE: &str = "a finite number is needed";

/// Refuses an empty series and values that are not finite.
pub(super) fn check_finite(what: &'static str, values: &[f64]) -> Result<(), Error> {
    if values.is_empty() {
        return Err(MetricError::NothingToEvaluate { what }.into());
    }
    refuse(what, values, FINITE, |v| !v.is_finite())
}

/// Refuses series that are empty, differ in length or hold values that are not finite.
pub(super) fn check_mean(mean: &[f64], truth: &[f64]) -> Result<(), Error> {
    check_finite("truth", truth)?;
    check_length("predicted mean", mean, truth)?;
    check_finite("predicted mean", mean)
}

/// Refuses standard deviations that are not positive and finite, or too few.
pub(super) fn check_std(std: &[f64], truth: &[f64]) -> Result<(), Error> {
    check_length("predicted std", std, truth)?;
    let accepted = "a positive, finite number is needed";
    refuse("predicted std", std, accepted, |v| {
        !(v > 0.0 && v.is_finite())
    })
}

fn check_length(what: &'static str, values: &[f64], truth: &[f64]) -> Result<(), Error> {
    if values.len() == truth.len() {
        return Ok(());
    }
    Err(Error::Metric(MetricError::LengthMismatch {
        what,
        expected: truth.len(),
        got: values.len(),
    }))
}

fn refuse(
    what: &'static str,
    values: &[f64],
    accepted: &'static str,
    bad: impl Fn(f64) -> bool,
) -> Result<(), Error> {
    match values.iter().position(|&v| bad(v)) {
        None => Ok(()),
        Some(index) => Err(Error::Metric(MetricError::BadValue {
            what,
            index,
            value: values[index],
            accepted,
        })),
    }
}

/// The mean, by Neumaier's compensated sum.
pub(super) fn mean_of(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    let (mut sum, mut lost) = (0.0_f64, 0.0);
    for value in values {
        let next = sum + value;
        lost += if sum.abs() >= value.abs() {
            (sum - next) + value
        } else {
            (value - next) + sum
        };
        sum = next;
    }
    (sum + lost) / count
}

/// Mean and population variance.
pub(super) fn moments(values: &[f64]) -> (f64, f64) {
    let mean = mean_of(values.iter().copied());
    let variance = mean_of(values.iter().map(|v| (v - mean) * (v - mean)));
    (mean, variance)
}

/// Whether all values are the same number. A computed variance of 0 would not tell: rounding makes it positive.
pub(super) fn is_constant(values: &[f64]) -> bool {
    values.iter().all(|&v| v == values[0])
}
