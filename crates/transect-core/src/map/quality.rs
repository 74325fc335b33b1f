//! What the soundings say about the map.

use crate::Error;
use crate::metrics::{Calibration, Tails, accuracy};
use transect_gp::LeftOut;

/// A reading that misses its prediction by more deviations than this is worth a second look: noise alone
/// does so once in 1.7 million.
const SUSPICIOUS: f64 = 5.0;

/// How well each sounding is predicted by the others (leave-one-out).
#[derive(Debug, Clone, PartialEq)]
pub struct Quality {
    /// Root mean squared error, in the unit of the values.
    pub rmse: f64,
    /// Share of readings inside their 50 % intervals, noise included.
    pub coverage_50: f64,
    /// Share of readings inside their 95 % intervals, noise included.
    pub coverage_95: f64,
    /// Mean log density of the readings, nats.
    pub log_density: f64,
    /// Readings more than five deviations from what all others say, the worst first: indices of soundings.
    pub suspicious: Vec<usize>,
}

impl Quality {
    pub(super) fn of(left_out: &[Option<LeftOut>], values: &[f64]) -> Result<Self, Error> {
        let known = left_out.iter().enumerate();
        let known: Vec<(usize, LeftOut)> = known.filter_map(|(i, l)| Some((i, (*l)?))).collect();
        let mean: Vec<f64> = known.iter().map(|(_, l)| l.mean).collect();
        let std: Vec<f64> = known.iter().map(|(_, l)| l.std).collect();
        let truth: Vec<f64> = known.iter().map(|(i, _)| values[*i]).collect();
        let calibration = Calibration::of(&mean, &std, Tails::Gaussian, &truth)?;
        let deviations = |(i, l): &(usize, LeftOut)| ((values[*i] - l.mean) / l.std).abs();
        let mut suspicious: Vec<&(usize, LeftOut)> = known.iter().collect();
        suspicious.retain(|point| deviations(point) > SUSPICIOUS);
        suspicious.sort_by(|a, b| deviations(b).total_cmp(&deviations(a)));
        Ok(Self {
            rmse: accuracy::rmse(&mean, &truth)?,
            coverage_50: calibration.coverage_50,
            coverage_95: calibration.coverage_95,
            log_density: known.iter().map(|(_, l)| l.log_density).sum::<f64>() / known.len() as f64,
            suspicious: suspicious.into_iter().map(|(i, _)| *i).collect(),
        })
    }
}
