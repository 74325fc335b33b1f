//! Scaling of inputs and targets.
//!
//! Inputs go to [-1, 1] per axis, targets to zero mean and unit (population) variance, by the
//! statistics of the first data; later data are scaled alike.

use crate::error::{GpError, Result, require_finite, require_within};
use crate::points::Points;
use serde::{Deserialize, Serialize};

/// The largest magnitude of scaled inputs and targets: their squares, over a variance of 1e-6,
/// squared again, must not overflow.
pub(crate) const SCALED_LIMIT: f64 = 1e50;
/// The largest magnitude of raw targets: their squares must not overflow.
const TARGET_LIMIT: f64 = 1e100;

/// Maps each axis of the inputs linearly.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedInputScaler")]
pub struct InputScaler {
    /// What becomes -1, per axis.
    lowest: Vec<f64>,
    /// What spans from -1 to 1, per axis.
    spans: Vec<f64>,
}

/// An [`InputScaler`] as read from a file, to be checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedInputScaler {
    lowest: Vec<f64>,
    spans: Vec<f64>,
}

impl TryFrom<SavedInputScaler> for InputScaler {
    type Error = GpError;
    fn try_from(SavedInputScaler { lowest, spans }: SavedInputScaler) -> Result<Self> {
        if lowest.len() != spans.len() {
            return Err(GpError::Length {
                what: "spans of the input axes".into(),
                expected: lowest.len(),
                got: spans.len(),
            });
        }
        require_finite("lowest input", &lowest)?;
        spans.iter().try_for_each(|span| require_span(*span))?;
        Ok(Self { lowest, spans })
    }
}

fn require_span(span: f64) -> Result<()> {
    if span.is_finite() && span > 0.0 {
        return Ok(());
    }
    Err(GpError::NotPositive {
        what: "the range of an input axis".into(),
        value: span,
        above: 0.0,
    })
}

impl InputScaler {
    /// Takes the range of each axis from `points`. An axis on which all points agree keeps its
    /// unit.
    ///
    /// # Errors
    /// If there are no points.
    pub fn fit(points: &Points) -> Result<Self> {
        if points.is_empty() {
            return Err(GpError::Empty);
        }
        let range = |d: usize| {
            let start = (f64::INFINITY, f64::NEG_INFINITY);
            let column = points.column(d).iter();
            column.fold(start, |(low, high), v| (low.min(*v), high.max(*v)))
        };
        let ranges: Vec<(f64, f64)> = (0..points.dim()).map(range).collect();
        let span = |(low, high): &(f64, f64)| match high - low {
            span if span > 0.0 && span.is_finite() => span,
            _ => 2.0,
        };
        Ok(Self {
            lowest: ranges.iter().map(|(low, _)| *low).collect(),
            spans: ranges.iter().map(span).collect(),
        })
    }

    /// Maps `low..high` of every axis to [-1, 1].
    ///
    /// # Errors
    /// If a range is empty or not finite.
    pub fn from_ranges(ranges: &[(f64, f64)]) -> Result<Self> {
        for (low, high) in ranges {
            require_span(high - low)?;
        }
        Ok(Self {
            lowest: ranges.iter().map(|(low, _)| *low).collect(),
            spans: ranges.iter().map(|(low, high)| high - low).collect(),
        })
    }

    /// Coordinates per point.
    #[must_use]
    pub fn dim(&self) -> usize {
        self.spans.len()
    }

    /// Raw to scaled.
    ///
    /// # Errors
    /// If the points have another dimension, or one lies more than 1e50 spans away.
    pub fn scale(&self, points: &Points) -> Result<Points> {
        if points.dim() != self.dim() {
            return Err(GpError::Dimension {
                expected: self.dim(),
                got: points.dim(),
            });
        }
        let scaled = points.map(|d, v| (v - self.lowest[d]) / self.spans[d] * 2.0 + -1.0);
        let columns: Vec<&[f64]> = (0..self.dim()).map(|d| scaled.column(d)).collect();
        let point_by_point = (0..scaled.len()).flat_map(|i| columns.iter().map(move |c| c[i]));
        require_within(SCALED_LIMIT, "scaled input", point_by_point)?;
        Ok(scaled)
    }

    /// Raw units per scaled unit along axis `d`.
    #[must_use]
    pub fn unit(&self, d: usize) -> f64 {
        self.spans[d] / 2.0
    }
}

/// Standardises targets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedTargetScaler")]
pub struct TargetScaler {
    mean: f64,
    std: f64,
}

/// A [`TargetScaler`] as read from a file, to be checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedTargetScaler {
    mean: f64,
    std: f64,
}

impl TryFrom<SavedTargetScaler> for TargetScaler {
    type Error = GpError;
    fn try_from(saved: SavedTargetScaler) -> Result<Self> {
        Self::new(saved.mean, saved.std)
    }
}

impl TargetScaler {
    /// Takes mean and population standard deviation from `targets`. Targets that all agree (one
    /// alone, say) keep their unit.
    ///
    /// # Errors
    /// If there are none, or one is not finite or beyond 1e100.
    pub fn fit(targets: &[f64]) -> Result<Self> {
        if targets.is_empty() {
            return Err(GpError::Empty);
        }
        require_finite("target", targets)?;
        require_within(TARGET_LIMIT, "target", targets.iter().copied())?;
        let n = targets.len() as f64;
        let mean = targets.iter().sum::<f64>() / n;
        let variance = targets.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>() / n;
        let std = variance.sqrt();
        // Rounding makes equal targets differ from their mean by a few units in the last place.
        let noticeable = std > 1e-12 * mean.abs() && std > 0.0;
        Ok(Self {
            mean,
            std: if noticeable { std } else { 1.0 },
        })
    }

    /// A given mean and standard deviation.
    ///
    /// # Errors
    /// If they are not finite or beyond 1e100, or the deviation is not positive.
    pub fn new(mean: f64, std: f64) -> Result<Self> {
        require_finite("target statistic", &[mean])?;
        require_within(TARGET_LIMIT, "target statistic", [mean, std])?;
        if !std.is_finite() || std <= 0.0 {
            let what = "the standard deviation of the targets".into();
            return Err(GpError::NotPositive {
                what,
                value: std,
                above: 0.0,
            });
        }
        Ok(Self { mean, std })
    }

    /// Raw to standardised.
    #[must_use]
    pub fn scale(&self, y: f64) -> f64 {
        (y - self.mean) / self.std
    }

    /// Standardised to raw.
    #[must_use]
    pub fn unscale(&self, y: f64) -> f64 {
        y * self.std + self.mean
    }

    /// Raw units per standardised unit.
    #[must_use]
    pub fn unit(&self) -> f64 {
        self.std
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_span_minus_one_to_one() {
        let points = Points::from_rows(&[[0.0, 5.0], [10.0, 5.0], [5.0, 5.0]]).unwrap();
        let scaled = InputScaler::fit(&points).unwrap().scale(&points).unwrap();
        assert_eq!(scaled.column(0), [-1.0, 1.0, 0.0]);
        assert_eq!(scaled.column(1), [-1.0, -1.0, -1.0]);
    }

    #[test]
    fn targets_are_standardised_by_population_statistics() {
        let scaler = TargetScaler::fit(&[1.0, 3.0]).unwrap();
        assert_eq!([scaler.scale(1.0), scaler.scale(3.0)], [-1.0, 1.0]);
        assert_eq!(scaler.unscale(2.0), 4.0);
        assert_eq!(TargetScaler::fit(&[7.0; 3]).unwrap().scale(8.0), 1.0);
        assert!(TargetScaler::fit(&[1.0, f64::NAN]).is_err());
    }
}
