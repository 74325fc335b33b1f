//! What the soundings say about the map.

use crate::model::{Model, Standing};
use transect_gp::GpError;

/// How well each sounding is predicted by the others (leave-one-out). Those that the map ignores do not count.
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
    /// Soundings whose errors are more than eight times as wide as those of the soundings around them, the worst first: indices.
    pub suspicious: Vec<usize>,
}

/// A reading as predicted by the others.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeftOut {
    standing: Standing,
    suspicious: bool,
}

impl LeftOut {
    /// All readings of a model.
    pub(super) fn of(model: &mut Model) -> Result<Vec<Self>, GpError> {
        let forecast = model.leave_one_out()?;
        let standings = forecast.standings(model.readings()).into_iter();
        let outliers = model.outliers().chain(std::iter::repeat(false));
        let left_out = standings.zip(outliers);
        let left_out = left_out.map(|(standing, suspicious)| Self {
            standing,
            suspicious,
        });
        Ok(left_out.collect())
    }
}

impl Quality {
    pub(super) fn of(left_out: &[Option<LeftOut>], values: &[f64], ignore_outliers: bool) -> Self {
        let all = left_out.iter().enumerate();
        let all: Vec<(usize, LeftOut)> = all.filter_map(|(i, l)| Some((i, (*l)?))).collect();
        let counts = |(_, l): &&(usize, LeftOut)| !(ignore_outliers && l.suspicious);
        let known: Vec<&(usize, LeftOut)> = all.iter().filter(counts).collect();
        let error = |(i, l): &(usize, LeftOut)| (values[*i] - l.standing.mean).abs();
        let mean_of = |number: &dyn Fn(&(usize, LeftOut)) -> f64| {
            known.iter().map(|point| number(point)).sum::<f64>() / known.len() as f64
        };
        let inside = |probability: f64| {
            mean_of(&|(_, l)| f64::from(u8::from(l.standing.probability <= probability)))
        };
        let mut suspicious: Vec<_> = all.iter().filter(|(_, l)| l.suspicious).collect();
        suspicious.sort_by(|a, b| error(b).total_cmp(&error(a)));
        Self {
            rmse: mean_of(&|point| error(point).powi(2)).sqrt(),
            coverage_50: inside(0.5),
            coverage_95: inside(0.95),
            log_density: mean_of(&|(_, l)| l.standing.log_density),
            suspicious: suspicious.into_iter().map(|(i, _)| *i).collect(),
        }
    }
}
