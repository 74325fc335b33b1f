//! Predicted distributions, and how they stand up to the truth.

use transect_gp::{Prediction, Warp};

use crate::Error;
use crate::metrics::{Calibration, Evaluation, Tails, likelihood};

/// Predicted distributions at several places. Warped values have a Gaussian or Student's t distribution with a mean and a standard
/// deviation; the distribution of the values themselves follows from it, and leans to one side where the [`Warp`] bends.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    pub(crate) warped: Prediction,
    pub(crate) warp: Warp,
    pub(crate) tails: Tails,
}

/// How a value stands up to its predicted distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Standing {
    /// What was expected.
    pub mean: f64,
    /// Probability of the narrowest central interval that holds the value: at most 0.95 for 95 of 100 values of an honest model.
    pub probability: f64,
    /// Log density of the value, nats.
    pub log_density: f64,
}

impl Forecast {
    /// Gaussian distributions with these means and standard deviations.
    pub fn gaussian(prediction: Prediction) -> Self {
        Self {
            warped: prediction,
            warp: Warp::identity(),
            tails: Tails::Gaussian,
        }
    }

    /// The shape of the distributions of warped values.
    pub fn tails(&self) -> Tails {
        self.tails
    }

    /// Means and standard deviations, in raw units.
    pub fn moments(&self) -> Prediction {
        let warped = self.warped.mean.iter().zip(&self.warped.std);
        let (mean, std) = warped
            .map(|(mean, std)| self.warp.unwarp_moments(*mean, *std))
            .unzip();
        Prediction {
            mean,
            std,
            floored: self.warped.floored,
        }
    }

    /// How often the truth, in raw units, lies where it should. The warp keeps order, so that intervals of warped values
    /// hold the warped truth whenever those of values hold the truth.
    ///
    /// # Errors
    /// As [`Calibration::of`].
    pub fn calibration(&self, truth: &[f64]) -> Result<Calibration, Error> {
        let Prediction { mean, std, .. } = &self.warped;
        Calibration::of(mean, std, self.tails, &self.warped(truth))
    }

    /// How each of some values, in raw units, stands up to its predicted distribution.
    pub(crate) fn standings(&self, values: &[f64]) -> Vec<Standing> {
        let moments = self.moments();
        let standing = |(i, value): (usize, &f64)| {
            let std = self.warped.std[i];
            let z = (self.warp.warp(*value) - self.warped.mean[i]) / std;
            Standing {
                mean: moments.mean[i],
                probability: self.tails.central_probability(z.abs()),
                log_density: self.tails.log_density(z) - std.ln() + self.warp.log_slope(*value),
            }
        };
        values.iter().enumerate().map(standing).collect()
    }

    /// All numbers of an evaluation against the truth, and the moments that were evaluated; `readings` are those of the model so far.
    ///
    /// # Errors
    /// As [`Evaluation::of`].
    pub fn evaluation(
        &self,
        truth: &[f64],
        readings: &[f64],
    ) -> Result<(Evaluation, Prediction), Error> {
        let moments = self.moments();
        let plain = Evaluation::of(&moments.mean, &moments.std, self.tails, truth, readings)?;
        if self.warp.is_identity() {
            return Ok((plain, moments));
        }
        let nlpd = self.nlpd(truth)?;
        let evaluation = Evaluation {
            msll: plain.msll + nlpd - plain.nlpd,
            nlpd,
            calibration: self.calibration(truth)?,
            ..plain
        };
        Ok((evaluation, moments))
    }

    /// Mean negative log density of the truth: the density of a value y is that of the warped one times g'(y).
    fn nlpd(&self, truth: &[f64]) -> Result<f64, Error> {
        let Prediction { mean, std, .. } = &self.warped;
        let log_slopes = truth.iter().map(|y| self.warp.log_slope(*y)).sum::<f64>();
        let warped = likelihood::nlpd(mean, std, self.tails, &self.warped(truth))?;
        Ok(warped - log_slopes / truth.len() as f64)
    }

    fn warped(&self, values: &[f64]) -> Vec<f64> {
        values.iter().map(|y| self.warp.warp(*y)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(mean: f64, std: f64, tails: Tails, count: usize) -> Forecast {
        let warp = r#"{"knots":[0.0,1.0,3.0],"slopes":[4.0,0.5,2.0],"values":[0.0,2.25,4.75]}"#;
        Forecast {
            warped: Prediction {
                mean: vec![mean; count],
                std: vec![std; count],
                floored: 0,
            },
            warp: serde_json::from_str(warp).unwrap(),
            tails,
        }
    }

    /// Sums over a fine grid of values: the density has the area 1, and the moments and intervals that it says.
    #[test]
    fn densities_moments_and_intervals_belong_together() {
        for tails in [Tails::Gaussian, Tails::Student { degrees: 8 }] {
            let forecast = at(2.0, 0.7, tails, 1);
            let step = 1e-3;
            let (mut area, mut mean, mut square, mut inside) = (0.0, 0.0, 0.0, 0.0);
            for i in -8_000..12_000 {
                let y = (f64::from(i) + 0.5) * step;
                let p = step * (-forecast.nlpd(&[y]).unwrap()).exp();
                area += p;
                mean += p * y;
                square += p * y * y;
                inside += p * forecast.calibration(&[y]).unwrap().coverage_95;
            }
            assert!((area - 1.0).abs() < 1e-3, "{area}");
            assert!((inside - 0.95).abs() < 2e-3, "{inside}");
            let moments = forecast.moments();
            let spread = (square - mean * mean).sqrt();
            // Those of Student's t are taken for those of a Gaussian as wide.
            assert!((moments.mean[0] - mean).abs() < 0.03 * spread, "{mean}");
            assert!((moments.std[0] / spread - 1.0).abs() < 0.05, "{spread}");
        }
    }

    #[test]
    fn a_forecast_that_is_not_warped_is_judged_as_it_stands() {
        let mut forecast = at(2.0, 0.7, Tails::Gaussian, 3);
        let (truth, readings) = ([1.0, 2.5, 4.0], [0.0, 1.0, 5.0]);
        let (bent, _) = forecast.evaluation(&truth, &readings).unwrap();
        forecast.warp = Warp::identity();
        let (plain, moments) = forecast.evaluation(&truth, &readings).unwrap();
        let expected = Evaluation::of(
            &moments.mean,
            &moments.std,
            Tails::Gaussian,
            &truth,
            &readings,
        );
        assert_eq!(plain, expected.unwrap());
        assert!((bent.msll - bent.nlpd) - (plain.msll - plain.nlpd) < 1e-12);
        assert!(bent.nlpd != plain.nlpd && bent.smse != plain.smse);
        assert!(
            forecast
                .evaluation(&[1.0, f64::NAN, 2.0], &readings)
                .is_err()
        );
    }
}
