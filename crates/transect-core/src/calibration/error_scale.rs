//! How much wider errors are than the models say, and where, learnt from the residuals of the readings.
//!
//! First, the standard deviations of predictions are made to grow as fast as the errors of readings left out with more and more of
//! their neighbours do ([`Growth`]). Let `z_i` then be the error of reading i as predicted from all others, in units of that
//! prediction's standard deviation, and `T^2 = mean z_i^2`. Predicted standard deviations at x are multiplied by t(x),
//!
//! `t(x)^2 = (k T^2 + sum_j c_j z_j^2) / (k + sum_j c_j)`, with `c_j = max(0, 1 - |x - x_j|^2 / R^2)^3`,
//!
//! a mean over the readings within the reach R of x, drawn towards the overall T by the weight k of four readings ([`local`]). The reach is
//! the one of [`REACHES`], or none at all (T everywhere), under which the errors themselves are most likely:
//! it maximises `sum_i -log t_i - z_i^2 / (2 t_i^2)`, where `t_i` is t at reading i made from all other readings. So a map
//! that is smooth here and rugged there gets error bars to match even where the kernel did not find out, and
//! a uniform one is left as it is.
//!
//! The errors in units of the widened standard deviations, `z_i / t_i`, then say which [tails](Tails) the predicted
//! distributions have.

use super::growth::{Growth, Residuals};
use super::local::Local;
use crate::metrics::Tails;
use serde::{Deserialize, Serialize};
use transect_gp::Points;

/// Bounds of the overall factor: a model that is further off is wrong in a way that no factor mends.
pub(super) const OVERALL: std::ops::RangeInclusive<f64> = 0.5..=3.0;
/// Bounds of the factor at any place.
pub(super) const ANYWHERE: std::ops::RangeInclusive<f64> = 0.1..=10.0;
/// Reaches to choose from, in scaled units: the workspace is 2 wide.
pub(crate) const REACHES: &[f64] = &[0.25, 0.4, 0.6, 0.9, 1.4];

/// What standard deviations are multiplied by.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrorScale {
    /// Share of readings inside their 95 % intervals, widened by the others' errors.
    #[serde(skip, default = "unknown")]
    coverage_95: f64,
    /// The shape of what is left of the errors.
    tails: Tails,
    growth: Growth,
    /// None where the factor is 1 everywhere.
    local: Option<Local>,
}

impl ErrorScale {
    /// 1 everywhere.
    pub(crate) fn one() -> Self {
        Self {
            coverage_95: unknown(),
            tails: Tails::Gaussian,
            growth: Growth::as_predicted(),
            local: None,
        }
    }

    /// Learns the scale from the errors of readings that are left out `alone`, and with more and more of their neighbours
    /// (`levels`), with the best of some reaches or none. It is 1 if the errors are not numbers. From level `typical` on, the
    /// nearest reading that stays is farther away than most of the map is from readings.
    pub(crate) fn learn(
        places: Points,
        alone: &Residuals,
        (levels, typical): (&[Residuals], usize),
        reaches: &[f64],
    ) -> Self {
        let growth = Growth::learn(alone, levels);
        let Some((local, factors)) = Local::learn(places, &growth.correct(alone), reaches) else {
            return Self::one();
        };
        let left = |residuals: &Residuals| ratios(&growth.correct(residuals), &factors);
        let tails = Tails::learn(&left(alone));
        let half_width = tails.half_width(0.95);
        let residuals = left(levels[..typical].last().unwrap_or(alone));
        let inside = residuals.iter().filter(|z| z.abs() <= half_width);
        Self {
            coverage_95: inside.count() as f64 / residuals.len() as f64,
            tails,
            growth,
            local: Some(local),
        }
    }

    /// Whether it holds together and belongs to places with this many coordinates.
    pub(crate) fn suits(&self, dimensions: usize) -> bool {
        let suits = |local: &Local| {
            local.places.dim() == dimensions && local.places.len() == local.squares.len()
        };
        self.growth.is_sound() && self.local.as_ref().is_none_or(suits)
    }

    /// T, that of readings left out alone.
    pub(crate) fn overall(&self) -> f64 {
        self.local.as_ref().map_or(1.0, |local| local.overall)
    }

    /// The shape of the predicted distributions.
    pub(crate) fn tails(&self) -> Tails {
        self.tails
    }

    /// Share of readings inside the 95 % intervals that readings as far away as those of most of the map make; not a number
    /// before there are any.
    pub(crate) fn coverage_95(&self) -> f64 {
        self.coverage_95
    }

    /// What to multiply standard deviations by at some places, in scaled units, where those of measurements are `stds`.
    pub(crate) fn at(&self, places: &Points, stds: &[f64]) -> Vec<f64> {
        match &self.local {
            Some(local) => self.grown(local.at(places), stds),
            None => vec![1.0; places.len()],
        }
    }

    /// The same at the places of readings, made without the readings there.
    pub(crate) fn without_own(&self, places: &Points, stds: &[f64]) -> Vec<f64> {
        match &self.local {
            Some(local) => self.grown(local.without_own(places), stds),
            None => vec![1.0; places.len()],
        }
    }

    fn grown(&self, mut factors: Vec<f64>, stds: &[f64]) -> Vec<f64> {
        for (factor, std) in factors.iter_mut().zip(stds) {
            *factor *= self.growth.factor(*std);
            *factor = factor.clamp(*ANYWHERE.start(), *ANYWHERE.end());
        }
        factors
    }
}

fn ratios(errors: &[f64], stds: &[f64]) -> Vec<f64> {
    errors.iter().zip(stds).map(|(z, t)| z / t).collect()
}

fn unknown() -> f64 {
    f64::NAN
}

#[cfg(test)]
mod tests {
    use super::*;
    use transect_gp::LeftOut;

    fn square(side: usize) -> Points {
        let axis: Vec<f64> = (0..side)
            .map(|i| -1.0 + 2.0 * i as f64 / (side - 1) as f64)
            .collect();
        Points::grid(&[&axis, &axis]).unwrap()
    }

    /// From errors of readings that are left out one by one.
    fn learn_alone(places: Points, errors: &[f64], reaches: &[f64]) -> ErrorScale {
        let alone = Residuals {
            errors: errors.to_vec(),
            stds: vec![1.0; errors.len()],
        };
        ErrorScale::learn(places, &alone, (&[], 0), reaches)
    }

    #[test]
    fn errors_half_again_as_wide_as_predicted_give_three_halves() {
        let point = LeftOut {
            mean: 10.0,
            std: 2.0,
            log_density: 0.0,
        };
        let off_by = |error: f64| {
            let readings = [10.0 + error, 10.0 - error];
            let residuals = Residuals::of(&[&[point; 2], &[point; 2]], readings.into_iter());
            let places = Points::line(&[-1.0, 1.0]).unwrap();
            ErrorScale::learn(places, &residuals, (&[], 0), REACHES).overall()
        };
        assert!((off_by(3.0) - 1.5).abs() < 1e-12);
        assert_eq!(off_by(0.0), 0.5);
        assert_eq!(off_by(1e300), 1.0);
    }

    #[test]
    fn what_is_rugged_on_one_side_is_widened_there_and_narrowed_elsewhere() {
        let places = square(20);
        let size = |i: usize| if places.column(0)[i] > 0.0 { 1.4 } else { 0.2 };
        let errors: Vec<f64> = (0..places.len())
            .map(|i| size(i) * f64::from(i as u8 % 2 * 2) - size(i))
            .collect();
        let learnt = learn_alone(places.clone(), &errors, REACHES);
        let two = Points::from_rows(&[[-0.8, 0.1], [0.8, -0.3]]).unwrap();
        let there = learnt.at(&two, &[1.0, 1.0]);
        // The overall factor, 1, counts for four readings beside those around a place.
        assert!((0.2..0.45).contains(&there[0]), "{there:?}");
        assert!((1.25..1.4).contains(&there[1]), "{there:?}");
        assert_eq!(learnt.coverage_95(), 1.0);
    }

    #[test]
    fn calm_readings_say_nothing_of_what_lies_beyond_them() {
        let places = square(20);
        let size = |i: usize| if places.column(0)[i] > 0.0 { 1.4 } else { 0.2 };
        let errors: Vec<f64> = (0..places.len())
            .map(|i| size(i) * f64::from(i as u8 % 2 * 2) - size(i))
            .collect();
        let learnt = learn_alone(places.clone(), &errors, REACHES);
        // Just inside of the calm side and the rugged one, and just outside.
        let four = Points::from_rows(&[[-0.99, 0.1], [-1.01, 0.1], [0.99, 0.1], [1.01, 0.1]]);
        let there = learnt.at(&four.unwrap(), &[1.0; 4]);
        assert!(there[0] < 0.6 && there[1] == learnt.overall(), "{there:?}");
        assert!(there[2] > 1.2 && there[3] > 1.2, "{there:?}");
    }

    #[test]
    fn errors_that_grow_faster_than_predicted_are_believed_near_and_far() {
        let places = square(12);
        let level = |std: f64| {
            // Twice as wide as predicted where 4 is predicted, half as wide where 1/4 is.
            let size = std.sqrt();
            let error = |i: usize| size * (i as f64 % 2.0 * 2.0 - 1.0);
            Residuals {
                errors: (0..places.len()).map(error).collect(),
                stds: vec![std; places.len()],
            }
        };
        let levels = [1.5, 2.0, 4.0].map(level);
        for (typical, reaches) in [(0, REACHES), (3, &[][..])] {
            let learnt =
                ErrorScale::learn(places.clone(), &level(1.0), (&levels, typical), reaches);
            let at = Points::from_rows(&[[0.1, 0.1]; 4]).unwrap();
            let there = learnt.at(&at, &[0.25, 1.0, 4.0, 1e9]);
            for (t, expected) in there.iter().zip([0.5, 1.0, 2.0, 2.0]) {
                assert!((t / expected - 1.0).abs() < 1e-9, "{there:?}");
            }
            assert_eq!(learnt.coverage_95(), 1.0);
        }
    }

    #[test]
    fn a_uniform_map_keeps_one_factor() {
        // Every neighbourhood has the same errors as the whole: looking around can only lose.
        let places = square(20);
        let errors: Vec<f64> = (0..places.len())
            .map(|i| 0.5 + (i as f64 * 0.618_034).fract() * 1.5)
            .collect();
        let learnt = learn_alone(places.clone(), &errors, REACHES);
        let spread = learnt.at(&places, &vec![1.0; places.len()]);
        assert!(
            spread
                .iter()
                .all(|t| (t / learnt.overall() - 1.0).abs() < 0.15),
            "{spread:?}"
        );
    }
}
