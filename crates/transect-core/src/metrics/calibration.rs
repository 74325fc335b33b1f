//! Are the error bars as wide as they should be?

use serde::{Deserialize, Serialize};

use super::Tails;
use super::series::{check_mean, check_std};
use crate::Error;

/// How often the truth lies where the predicted distributions say it should.
///
/// The standard deviation must be that of the same quantity as the truth: of the latent surface against a
/// noise-free truth, of the noisy prediction against soundings that were held out.
///
/// ```
/// use transect::metrics::{Calibration, Tails};
/// let truth = [-0.5, 0.5, 1.8, -3.0];
/// let calibration = Calibration::of(&[0.0; 4], &[1.0; 4], Tails::Gaussian, &truth)?;
/// assert_eq!((calibration.coverage_50, calibration.coverage_95), (0.5, 0.75));
/// assert_eq!(calibration.pit_histogram, [1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Calibration {
    /// Share of truths inside the central 50 % interval.
    pub coverage_50: f64,
    /// Share of truths inside the central 90 % interval.
    pub coverage_90: f64,
    /// Share of truths inside the central 95 % interval.
    pub coverage_95: f64,
    /// Truths by their predicted probability, Φ((truth - mean)/std) for Gaussian tails, in ten equal bins from 0 to 1. Flat when
    /// calibrated, U-shaped when the error bars are too narrow, a hump when they are too wide.
    pub pit_histogram: [u64; 10],
}

impl Calibration {
    /// The calibration of predictions against the truth.
    pub fn of(mean: &[f64], std: &[f64], tails: Tails, truth: &[f64]) -> Result<Self, Error> {
        check_mean(mean, truth)?;
        check_std(std, truth)?;
        let half_widths = [0.5, 0.9, 0.95].map(|p| tails.half_width(p));
        let mut inside = [0_u64; 3];
        let mut pit_histogram = [0; 10];
        for i in 0..truth.len() {
            let deviations = (truth[i] - mean[i]) / std[i];
            for (count, half_width) in inside.iter_mut().zip(half_widths) {
                *count += u64::from(deviations.abs() <= half_width);
            }
            let bin = (10.0 * tails.probability_below(deviations)) as usize;
            pit_histogram[bin.min(9)] += 1;
        }
        let [coverage_50, coverage_90, coverage_95] =
            inside.map(|count| count as f64 / truth.len() as f64);
        Ok(Self {
            coverage_50,
            coverage_90,
            coverage_95,
            pit_histogram,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_the_prediction_are_perfectly_calibrated() {
        for tails in [Tails::Gaussian, Tails::Student { degrees: 4 }] {
            // Midpoints of 1000 equal slices of probability.
            let quantile = |i: usize| {
                let p = (i as f64 + 0.5) / 1000.0;
                (p - 0.5).signum() * tails.half_width((2.0 * p - 1.0).abs())
            };
            let truth: Vec<f64> = (0..1000).map(|i| 7.0 + 3.0 * quantile(i)).collect();
            let calibration = Calibration::of(&[7.0; 1000], &[3.0; 1000], tails, &truth).unwrap();
            assert_eq!(calibration.pit_histogram, [100; 10]);
            assert_eq!(calibration.coverage_50, 0.5);
            assert_eq!(calibration.coverage_90, 0.9);
            assert_eq!(calibration.coverage_95, 0.95);
        }
    }
}
