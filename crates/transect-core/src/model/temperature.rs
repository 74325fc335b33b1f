//! How much wider the errors are than the models say, and where: judged by the readings themselves.
//!
//! Let `z_i` be the error of reading i as predicted from all others, in units of that prediction's standard
//! deviation, and `T^2 = mean z_i^2`. Predicted standard deviations at x are multiplied by t(x),
//!
//! `t(x)^2 = (k T^2 + sum_j c_j z_j^2) / (k + sum_j c_j)`, with `c_j = max(0, 1 - |x - x_j|^2 / R^2)^3`,
//!
//! a mean over the readings within the reach R of x, drawn towards the overall T by the weight k of half a reading. The reach is
//! the one of [`REACHES`], or none at all (T everywhere), under which the errors themselves are most likely:
//! it maximises `sum_i -log t_i - z_i^2 / (2 t_i^2)`, where `t_i` is t at reading i made from all other readings. So a map
//! that is smooth here and rugged there gets error bars to match even where the kernel did not find out, and
//! a uniform one is left as it is.
//!
//! A reading left out is as far from the others as readings are from each other, on a dense track much closer than most of
//! the map is. So its error says nothing good about places much farther away: beyond four times the median distance
//! between neighbouring readings error bars are never narrowed, and from twice on in part.
//!
//! The errors in units of the widened standard deviations, `z_i / t_i`, then say which [tails](Tails) the predicted
//! distributions have.

use super::pool::pooled;
use crate::metrics::Tails;
use serde::{Deserialize, Serialize};
use transect_gp::{LeftOut, Points};

/// A model that is further off than this overall is wrong in a way that no factor mends.
const OVERALL: std::ops::RangeInclusive<f64> = 0.5..=2.0;
/// No place is given a factor beyond these.
const ANYWHERE: std::ops::RangeInclusive<f64> = 0.1..=10.0;
/// Up to so many times the distance between neighbouring readings their errors speak for narrower error bars, and not at all
/// at twice as much.
const SPEAKS_FOR: f64 = 2.0;
/// Reaches to choose from, in scaled units: the workspace is 2 wide.
pub(super) const REACHES: &[f64] = &[0.25, 0.4, 0.6, 0.9, 1.4];
/// What the overall factor counts for, in readings.
const PRIOR_READINGS: f64 = 0.5;

/// The factor t(x).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Temperature {
    /// T.
    overall: f64,
    /// Share of readings inside their 95 % intervals, widened by the others' errors.
    #[serde(skip, default = "unknown")]
    coverage_95: f64,
    /// The shape of what is left of the errors.
    tails: Tails,
    local: Option<Local>,
}

/// Errors of the readings around a place.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Local {
    #[serde(serialize_with = "write_places", deserialize_with = "read_places")]
    places: Points,
    squares: Vec<f64>,
    overall: f64,
    /// None for the overall factor everywhere.
    reach: Option<f64>,
    /// Median distance of a reading to the nearest other one.
    spacing: f64,
}

impl Temperature {
    /// 1 everywhere.
    pub(super) fn one() -> Self {
        Self {
            overall: 1.0,
            coverage_95: unknown(),
            tails: Tails::Gaussian,
            local: None,
        }
    }

    /// From the errors of readings at `places`, in scaled units, with the best of some reaches or none; 1 if the
    /// errors are not numbers.
    pub(super) fn learn(places: Points, errors: &[f64], reaches: &[f64]) -> Self {
        let squares: Vec<f64> = errors.iter().map(|z| z * z).collect();
        let mean = squares.iter().sum::<f64>() / squares.len() as f64;
        if !mean.is_finite() || places.len() != squares.len() {
            return Self::one();
        }
        let overall = mean.sqrt().clamp(*OVERALL.start(), *OVERALL.end());
        let mut local = Local {
            spacing: spacing(&places),
            places,
            squares,
            overall,
            reach: None,
        };
        let everywhere = local.factors(&local.places, Whose::Others);
        let mut best = (local.density(&everywhere), everywhere, None);
        for &reach in reaches {
            local.reach = Some(reach);
            let factors = local.factors(&local.places, Whose::Others);
            let density = local.density(&factors);
            if density > best.0 {
                best = (density, factors, Some(reach));
            }
        }
        let (_, factors, reach) = best;
        let left: Vec<f64> = errors.iter().zip(&factors).map(|(z, t)| z / t).collect();
        let tails = Tails::learn(&left);
        let half_width = tails.half_width(0.95);
        let inside = left.iter().filter(|z| z.abs() <= half_width);
        Self {
            overall,
            coverage_95: inside.count() as f64 / errors.len() as f64,
            tails,
            local: Some(Local { reach, ..local }),
        }
    }

    /// Whether it holds together and is one of places with so many coordinates.
    pub(super) fn suits(&self, dimensions: usize) -> bool {
        let suits = |local: &Local| {
            local.places.dim() == dimensions && local.places.len() == local.squares.len()
        };
        self.local.as_ref().is_none_or(suits)
    }

    /// T.
    pub(super) fn overall(&self) -> f64 {
        self.overall
    }

    /// The shape of the predicted distributions.
    pub(super) fn tails(&self) -> Tails {
        self.tails
    }

    /// Share of readings inside the 95 % intervals that all other readings make; not a number before there are any.
    pub(super) fn coverage_95(&self) -> f64 {
        self.coverage_95
    }

    /// t at some places, in scaled units.
    pub(super) fn at(&self, places: &Points) -> Vec<f64> {
        match &self.local {
            Some(local) => local.factors(places, Whose::All),
            None => vec![self.overall; places.len()],
        }
    }

    /// t at the places of readings, made without the readings there.
    pub(super) fn without_own(&self, places: &Points) -> Vec<f64> {
        match &self.local {
            Some(local) => local.factors(places, Whose::Others),
            None => vec![self.overall; places.len()],
        }
    }
}

/// Whose errors count at a place.
#[derive(Clone, Copy, PartialEq)]
enum Whose {
    All,
    /// Those of readings elsewhere.
    Others,
}

impl Local {
    fn factors(&self, places: &Points, whose: Whose) -> Vec<f64> {
        let mut distances = vec![0.0; self.squares.len()];
        let mut factor = |i: usize| {
            squared_distances(&self.places, places, i, &mut distances);
            if whose == Whose::Others {
                // A reading's own place is no evidence about it.
                let own = distances.iter_mut().filter(|square| **square == 0.0);
                own.for_each(|square| *square = f64::INFINITY);
            }
            let nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
            self.unless_far(self.around(&distances), nearest.sqrt())
        };
        (0..places.len()).map(&mut factor).collect()
    }

    /// The factor of a place, given its squared distances from the readings.
    fn around(&self, distances: &[f64]) -> f64 {
        let Some(reach) = self.reach else {
            return self.overall;
        };
        let per_square = 1.0 / (reach * reach);
        let (mut sum, mut total) = (0.0, 0.0);
        for (distance, square) in distances.iter().zip(&self.squares) {
            let near = (1.0 - distance * per_square).max(0.0);
            let near = near * near * near;
            sum += near * square;
            total += near;
        }
        let prior = PRIOR_READINGS * self.overall * self.overall;
        let square = (prior + sum) / (PRIOR_READINGS + total);
        square.sqrt().clamp(*ANYWHERE.start(), *ANYWHERE.end())
    }

    /// A factor that narrows error bars, as far as readings at that distance say something about it.
    fn unless_far(&self, factor: f64, nearest: f64) -> f64 {
        let said = (2.0 - nearest / (SPEAKS_FOR * self.spacing)).clamp(0.0, 1.0);
        match factor < 1.0 && said.is_finite() {
            true => 1.0 - said * (1.0 - factor),
            false => factor,
        }
    }

    /// Log density of the errors, up to a constant.
    fn density(&self, factors: &[f64]) -> f64 {
        let each = self.squares.iter().zip(factors);
        each.map(|(square, t)| -t.ln() - 0.5 * square / (t * t))
            .sum()
    }
}

/// Median distance of a place to the nearest other one.
fn spacing(places: &Points) -> f64 {
    let mut distances = vec![0.0; places.len()];
    let mut nearest: Vec<f64> = (0..places.len())
        .map(|i| {
            squared_distances(places, places, i, &mut distances);
            distances[i] = f64::INFINITY;
            distances.iter().copied().fold(f64::INFINITY, f64::min)
        })
        .collect();
    nearest.sort_by(f64::total_cmp);
    let median = nearest.get(nearest.len() / 2).copied();
    median
        .filter(|square| square.is_finite())
        .map_or(0.0, f64::sqrt)
}

/// Squared distances of place `i` of `from` from each of `places`.
fn squared_distances(places: &Points, from: &Points, i: usize, to: &mut [f64]) {
    to.fill(0.0);
    for d in 0..places.dim() {
        let x = from.column(d)[i];
        for (square, place) in to.iter_mut().zip(places.column(d)) {
            *square += (x - place) * (x - place);
        }
    }
}

fn unknown() -> f64 {
    f64::NAN
}

fn write_places<S: serde::Serializer>(places: &Points, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq((0..places.len()).map(|i| places.row(i)))
}

fn read_places<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Points, D::Error> {
    let rows = Vec::<Vec<f64>>::deserialize(from)?;
    let dim = rows.first().map_or(1, Vec::len);
    if rows.iter().any(|row| row.len() != dim) {
        return Err(serde::de::Error::custom("places of different dimensions"));
    }
    Points::from_flat(dim, &rows.concat()).map_err(serde::de::Error::custom)
}

/// Errors of the readings as predicted without themselves by the pool of models, in units of the predicted
/// standard deviations.
pub(super) fn left_out_errors(members: &[Vec<LeftOut>], readings: &[f64]) -> Vec<f64> {
    let error = |(i, reading): (usize, &f64)| {
        let models = members.iter().filter_map(|left_out| left_out.get(i));
        let (mean, std) = pooled(models.map(|point| (point.mean, point.std)));
        (reading - mean) / std
    };
    readings.iter().enumerate().map(error).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(side: usize) -> Points {
        let axis: Vec<f64> = (0..side)
            .map(|i| -1.0 + 2.0 * i as f64 / (side - 1) as f64)
            .collect();
        Points::grid(&[&axis, &axis]).unwrap()
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
            let errors = left_out_errors(&[vec![point; 2], vec![point; 2]], &readings);
            Temperature::learn(Points::line(&[-1.0, 1.0]).unwrap(), &errors, REACHES).overall()
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
        let learnt = Temperature::learn(places.clone(), &errors, REACHES);
        let there = learnt.at(&Points::from_rows(&[[-0.8, 0.1], [0.8, -0.3]]).unwrap());
        // The overall factor, 1, counts for half a reading beside the few around a place.
        assert!((0.2..0.45).contains(&there[0]), "{there:?}");
        assert!((1.25..1.4).contains(&there[1]), "{there:?}");
        assert_eq!(learnt.coverage_95(), 1.0);
    }

    #[test]
    fn a_dense_track_says_nothing_good_about_places_far_from_it() {
        let rows: Vec<[f64; 2]> = (0..200)
            .map(|i| [-1.0 + 0.01 * f64::from(i), 0.0])
            .collect();
        let errors: Vec<f64> = (0..200).map(|i| 0.3 * f64::from(i % 2 * 2 - 1)).collect();
        for reaches in [REACHES, &[]] {
            let places = Points::from_rows(&rows).unwrap();
            let learnt = Temperature::learn(places, &errors, reaches);
            let there = Points::from_rows(&[[0.1, 0.0], [0.1, 0.03], [0.1, 0.5]]).unwrap();
            let there = learnt.at(&there);
            assert!(there[0] < 0.55, "{there:?}");
            assert!(there[0] < there[1] && there[1] < 1.0, "{there:?}");
            assert_eq!(there[2], 1.0);
        }
    }

    #[test]
    fn a_uniform_map_keeps_one_factor() {
        // Every neighbourhood has the same errors as the whole: looking around can only lose.
        let places = square(20);
        let errors: Vec<f64> = (0..places.len())
            .map(|i| 0.5 + (i as f64 * 0.618_034).fract() * 1.5)
            .collect();
        let learnt = Temperature::learn(places.clone(), &errors, REACHES);
        let spread = learnt.at(&places);
        assert!(
            spread
                .iter()
                .all(|t| (t / learnt.overall() - 1.0).abs() < 0.15),
            "{spread:?}"
        );
    }
}
