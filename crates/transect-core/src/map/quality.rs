//! What the soundings say about the map.

use super::Surface;
use crate::Error;
use crate::map::MapError;
use crate::posterior::Standing;
use crate::surrogate::{Committee, Surrogate};

/// How well each sounding is predicted by the others (leave-one-out). Those that the map ignores do not count.
#[derive(Debug, Clone, PartialEq)]
pub struct Quality {
    /// Root mean squared error, in the unit of the values.
    pub rmse: f64,
    /// Share of readings inside their 50 % intervals, noise included.
    pub coverage_50: f64,
    /// Share of readings inside their 95 % intervals, noise included.
    pub coverage_95: f64,
    /// Share of readings inside their 95 % intervals when so many of their neighbours are left out as well that the nearest sounding left is as
    /// far away as most of the map is from soundings; not a number where soundings are too few.
    pub coverage_apart: f64,
    /// Mean log density of the readings, nats.
    pub log_density: f64,
    /// Soundings whose errors are more than eight times as wide as those of the soundings around them, the worst first: indices.
    pub suspicious: Vec<usize>,
}

/// What one model says of its soundings.
#[derive(Debug)]
pub(super) struct Verdict {
    /// Each predicted without itself.
    pub(super) left_out: Vec<Standing>,
    /// Which are outliers.
    pub(super) suspicious: Vec<bool>,
    /// As in [`Quality`].
    pub(super) coverage_apart: f64,
}

impl Verdict {
    pub(super) fn of(model: &mut Committee) -> Result<Self, Error> {
        let left_out = model.left_out().ok_or(MapError::NoLeftOut)?;
        let left_out = left_out.standings(model.readings());
        let mut suspicious: Vec<bool> = model.outliers().collect();
        // None were looked for where the numbers did not allow it.
        suspicious.resize(left_out.len(), false);
        Ok(Self {
            left_out,
            suspicious,
            coverage_apart: model.coverage_apart(),
        })
    }
}

impl Quality {
    pub(super) fn of(surface: &Surface, values: &[f64], ignore_outliers: bool) -> Self {
        let suspicious = |i: &usize| surface.suspicious[*i];
        let error = |i: usize, left_out: &Standing| (values[i] - left_out.mean).abs();
        let all = surface.left_out.iter().enumerate();
        let counted: Vec<(usize, Standing)> = all
            .filter(|(i, _)| !(ignore_outliers && suspicious(i)))
            .filter_map(|(i, left_out)| Some((i, (*left_out)?)))
            .collect();
        let mean_of = |number: &dyn Fn(usize, &Standing) -> f64| {
            let numbers = counted.iter().map(|(i, left_out)| number(*i, left_out));
            numbers.sum::<f64>() / counted.len() as f64
        };
        let inside = |probability: f64| {
            mean_of(&|_, left_out| f64::from(u8::from(left_out.probability <= probability)))
        };
        let size = |i: &usize| surface.left_out[*i].map_or(0.0, |left_out| error(*i, &left_out));
        let mut worst: Vec<usize> = (0..values.len()).filter(suspicious).collect();
        worst.sort_by(|a, b| size(b).total_cmp(&size(a)));
        Self {
            rmse: mean_of(&|i, left_out| error(i, left_out).powi(2)).sqrt(),
            coverage_50: inside(0.5),
            coverage_95: inside(0.95),
            coverage_apart: surface.coverage_apart,
            log_density: mean_of(&|_, left_out| left_out.log_density),
            suspicious: worst,
        }
    }
}
