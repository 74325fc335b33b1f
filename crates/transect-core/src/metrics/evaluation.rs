//! All numbers of one evaluation.

use serde::{Deserialize, Serialize};

use super::{Calibration, Tails, accuracy, likelihood};
use crate::Error;

/// All numbers of one evaluation of a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evaluation {
    /// Soundings that the model was trained on.
    pub samples: usize,
    /// [Standardised mean squared error](accuracy::smse).
    pub smse: f64,
    /// [Mean standardised log loss](likelihood::msll), nats.
    pub msll: f64,
    /// [Mean negative log predictive density](likelihood::nlpd), nats.
    pub nlpd: f64,
    /// [Root mean squared error](accuracy::rmse), in the units of the truth.
    pub rmse: f64,
    /// [Mean absolute error](accuracy::mae), in the units of the truth.
    pub mae: f64,
    /// Coverage and PIT histogram.
    pub calibration: Calibration,
}

impl Evaluation {
    /// Evaluates predictions against the truth; `training_targets` are those of the model so far.
    pub fn of(
        mean: &[f64],
        std: &[f64],
        tails: Tails,
        truth: &[f64],
        training_targets: &[f64],
    ) -> Result<Self, Error> {
        Ok(Self {
            samples: training_targets.len(),
            smse: accuracy::smse(mean, truth)?,
            msll: likelihood::msll(mean, std, tails, truth, training_targets)?,
            nlpd: likelihood::nlpd(mean, std, tails, truth)?,
            rmse: accuracy::rmse(mean, truth)?,
            mae: accuracy::mae(mean, truth)?,
            calibration: Calibration::of(mean, std, tails, truth)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up surface, prediction and training set on the 6 × 5 grid over [-2, 3] × [-1, 4]; the numbers
    /// are those of the paper's program (pypolo's Evaluator) and of SciPy for the calibration.
    #[test]
    fn agrees_with_the_papers_evaluator() {
        let grid = || (0..30).map(|i| (-2.0 + (i % 6) as f64, -1.0 + 1.25 * (i / 6) as f64));
        let truth: Vec<f64> = grid()
            .map(|(x, y): (f64, f64)| 40.0 + 30.0 * x.sin() * (2.0 * y).cos() + x)
            .collect();
        let mean: Vec<f64> = grid()
            .map(|(x, y)| 38.0 + 27.0 * (x + 0.1).sin() * (2.0 * y).cos())
            .collect();
        let std: Vec<f64> = grid().map(|(x, y)| 2.0 + 1.5 * (x * y).cos()).collect();
        let targets: Vec<f64> = (0..9)
            .map(|k| 40.0 + 11.0 * (1.7 * k as f64).sin() + k as f64)
            .collect();

        let evaluation = Evaluation::of(&mean, &std, Tails::Gaussian, &truth, &targets).unwrap();
        assert_eq!(evaluation.samples, 9);
        for (got, expected) in [
            (evaluation.smse, 0.05918667765921732),
            (evaluation.msll, -0.268896050249896),
            (evaluation.nlpd, 4.67476842868816),
            (evaluation.rmse, 3.6904202370521064),
            (evaluation.mae, 3.006538315979125),
            (evaluation.calibration.coverage_50, 7.0 / 30.0),
            (evaluation.calibration.coverage_90, 18.0 / 30.0),
            (evaluation.calibration.coverage_95, 20.0 / 30.0),
        ] {
            assert!((got - expected).abs() < 1e-12, "{got} {expected}");
        }
        assert_eq!(
            evaluation.calibration.pit_histogram,
            [1, 0, 1, 2, 1, 3, 1, 1, 6, 14]
        );
    }

    #[test]
    fn refuses_what_cannot_be_evaluated() {
        let y = [1.0, 2.0];
        let of = |mean: &[f64], std: &[f64], truth: &[f64], targets: &[f64]| {
            Evaluation::of(mean, std, Tails::Gaussian, truth, targets)
                .unwrap_err()
                .to_string()
        };
        for (message, part) in [
            (of(&[], &[], &[], &y), "truth is empty"),
            (of(&[1.0], &y, &y, &y), "predicted mean has 1 values"),
            (of(&y, &[1.0], &y, &y), "predicted std has 1 values"),
            (of(&y, &y, &[1.0, f64::NAN], &y), "truth number 1 is NaN"),
            (of(&y, &[1.0, 0.0], &y, &y), "predicted std number 1 is 0"),
            (of(&y, &y, &[0.1, 0.1], &y), "SMSE is not defined"),
            (of(&y, &y, &y, &[3.0, 3.0]), "MSLL is not defined"),
            (of(&y, &y, &y, &[]), "training targets is empty"),
        ] {
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn large_offsets_do_not_drown_small_errors() {
        let truth: Vec<f64> = (0..1000).map(|i| 1e9 + (i % 2) as f64).collect();
        let mean = vec![1e9 + 0.5; 1000];
        assert_eq!(accuracy::smse(&mean, &truth).unwrap(), 1.0);
    }
}
