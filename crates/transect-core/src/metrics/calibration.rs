//! Are the error bars as wide as they should be?

use std::f64::consts::FRAC_1_SQRT_2;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::series::{check_mean, check_std};
use crate::Error;

/// Half-widths of the central 50, 90 and 95 % intervals of N(0, 1).
const HALF_WIDTHS: [f64; 3] = [0.6744897501960817, 1.6448536269514722, 1.959963984540054];

/// How often the truth lies where the predicted Gaussians say it should.
///
/// The standard deviation must be that of the same quantity as the truth: of the latent surface against a
/// noise-free truth, of the noisy prediction against soundings that were held out.
///
/// ```
/// use transect::metrics::Calibration;
/// let truth = [-0.5, 0.5, 1.8, -3.0];
/// let calibration = Calibration::of(&[0.0; 4], &[1.0; 4], &truth)?;
/// assert_eq!((calibration.coverage_50, calibration.coverage_95), (0.5, 0.75));
/// assert_eq!(calibration.pit_histogram, [1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calibration {
    /// Share of truths inside the central 50 % interval.
    pub coverage_50: f64,
    /// Share of truths inside the central 90 % interval.
    pub coverage_90: f64,
    /// Share of truths inside the central 95 % interval.
    pub coverage_95: f64,
    /// Truths by their predicted probability Φ((truth - mean)/std), in ten equal bins from 0 to 1. Flat when
    /// calibrated, U-shaped when the error bars are too narrow, a hump when they are too wide.
    pub pit_histogram: [u64; 10],
}

impl Calibration {
    /// The calibration of predictions against the truth.
    pub fn of(mean: &[f64], std: &[f64], truth: &[f64]) -> Result<Self, Error> {
        check_mean(mean, truth)?;
        check_std(std, truth)?;
        let mut inside = [0_u64; 3];
        let mut pit_histogram = [0; 10];
        for i in 0..truth.len() {
            let deviations = (truth[i] - mean[i]) / std[i];
            for (count, half_width) in inside.iter_mut().zip(HALF_WIDTHS) {
                *count += u64::from(deviations.abs() <= half_width);
            }
            let bin = (10.0 * normal_cdf(deviations)) as usize;
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

/// Φ(z), accurate in both tails.
fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Φ at 0, ±1, 1.96.., -8 from the tables (Abramowitz and Stegun 26.1; SciPy's `norm.cdf`).
    #[test]
    fn normal_cdf_agrees_with_tables() {
        for (z, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (-1.0, 0.158_655_253_931_457_05),
            (1.959963984540054, 0.975),
            (-8.0, 6.220_960_574_271_785e-16),
        ] {
            assert!((normal_cdf(z) / p - 1.0).abs() < 1e-14, "{z}");
        }
    }

    #[test]
    fn quantiles_of_the_prediction_are_perfectly_calibrated() {
        // Midpoints of 1000 equal slices of probability, found by bisection.
        let quantile = |p: f64| {
            let (mut low, mut high) = (-10.0, 10.0);
            for _ in 0..80 {
                let middle = 0.5 * (low + high);
                if normal_cdf(middle) < p {
                    low = middle
                } else {
                    high = middle
                }
            }
            low
        };
        let truth: Vec<f64> = (0..1000)
            .map(|i| 7.0 + 3.0 * quantile((i as f64 + 0.5) / 1000.0))
            .collect();
        let calibration = Calibration::of(&[7.0; 1000], &[3.0; 1000], &truth).unwrap();
        assert_eq!(calibration.pit_histogram, [100; 10]);
        assert_eq!(calibration.coverage_50, 0.5);
        assert_eq!(calibration.coverage_90, 0.9);
        assert_eq!(calibration.coverage_95, 0.95);
    }
}
