//! How much wider the errors are than the models say, and where: judged by the readings themselves.
//!
//! Let `z_i` be the error of reading i as predicted from all others, in units of that prediction's standard
//! deviation, and `T^2 = mean z_i^2`. Predicted standard deviations at x are multiplied by t(x),
//!
//! `t(x)^2 = (k T^2 + sum_j c_j z_j^2) / (k + sum_j c_j)`, with `c_j = max(0, 1 - |x - x_j|^2 / R^2)^3`,
//!
//! a mean over the readings within the reach R of x, drawn towards the overall T by the weight k of four readings. The reach is
//! the one of [`REACHES`], or none at all (T everywhere), under which the errors themselves are most likely:
//! it maximises `sum_i -log t_i - z_i^2 / (2 t_i^2)`, where `t_i` is t at reading i made from all other readings. So a map
//! that is smooth here and rugged there gets error bars to match even where the kernel did not find out, and
//! a uniform one is left as it is.
//!
//! A reading left out is as far from the others as readings are from each other, on a dense track much closer than most of
//! the map is; its error says nothing about places much farther away. So readings are also predicted without all others
//! within `r_k = 2^k s` of them, k = 1, 2 and so on, where s is the median distance between neighbours, as long as a
//! tenth of the map is farther from all readings than `r_k / 2`, if it is farther than `r_1` at all ([`ladder`]). Their errors say what `t_k` is: one factor for
//! all places, or one that multiplies `t_0(x)`, made without readings within `r_k`; whichever makes them more likely. Errors
//! within `r_k` of each other are nearly the same and count as one together. A reading whose neighbours on a track
//! are left out lies between readings on both sides, a place beside the track has them on one side only, and is as hard to
//! predict at half the distance: where the nearest reading is at distance d, log t is interpolated over log d between
//! `t_0` at s / 2 and `t_k` at `r_k / 2`.
//!
//! The errors in units of the widened standard deviations, `z_i / t_i`, of the rung that is nearest to the map's
//! median distance from readings, then say which [tails](Tails) the predicted distributions have.

mod ladder;

pub(super) use ladder::{Ladder, Rung};

use super::pool::pooled;
use crate::metrics::Tails;
use serde::{Deserialize, Serialize};
use transect_gp::{LeftOut, Points};

/// A model that is further off than this overall is wrong in a way that no factor mends.
const OVERALL: std::ops::RangeInclusive<f64> = 0.5..=3.0;
/// No place is given a factor beyond these.
const ANYWHERE: std::ops::RangeInclusive<f64> = 0.1..=10.0;
/// Reaches to choose from, in scaled units: the workspace is 2 wide.
pub(super) const REACHES: &[f64] = &[0.25, 0.4, 0.6, 0.9, 1.4];
/// What the overall factor counts for, in readings.
const PRIOR_READINGS: f64 = 4.0;

/// Errors of some readings, predicted from readings that are all farther than `radius` away.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) radius: f64,
    /// In scaled units.
    pub(super) places: Points,
    /// In units of the predicted standard deviations.
    pub(super) errors: Vec<f64>,
}

/// The factor t(x).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Temperature {
    /// Share of readings inside their 95 % intervals, widened by the others' errors.
    #[serde(skip, default = "unknown")]
    coverage_95: f64,
    /// The shape of what is left of the errors.
    tails: Tails,
    /// Next to readings; 1 everywhere when there is none.
    near: Option<Local>,
    /// Farther and farther away from them.
    far: Vec<Far>,
    /// T of most of the map.
    overall: f64,
}

/// Errors of the readings around a place.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Local {
    /// How far the nearest reading is from places that this is for.
    distance: f64,
    #[serde(serialize_with = "write_places", deserialize_with = "read_places")]
    places: Points,
    squares: Vec<f64>,
    overall: f64,
    /// None for the overall factor everywhere.
    reach: Option<f64>,
}

/// The factor far from readings.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Far {
    /// How far the nearest reading is from places that this is for.
    distance: f64,
    factor: f64,
    /// Whether it is what multiplies the factor next to readings, which differs from place to place.
    times_near: bool,
}

impl Temperature {
    /// 1 everywhere.
    pub(super) fn one() -> Self {
        Self {
            coverage_95: unknown(),
            tails: Tails::Gaussian,
            near: None,
            far: Vec::new(),
            overall: 1.0,
        }
    }

    /// From the errors of all readings left `alone`, and of some left out together as the ladder has it, with the best of
    /// some reaches or none; 1 if the errors are not numbers.
    pub(super) fn learn(
        alone: Judged,
        ladder: &Ladder,
        together: &[Judged],
        reaches: &[f64],
    ) -> Self {
        let Some((near, mut left)) = Local::learn(alone, ladder.spacing, reaches) else {
            return Self::one();
        };
        let mut overall = near.overall;
        let mut far = Vec::new();
        for judged in together {
            let Some((rung, left_here)) = Far::learn(judged, &near) else {
                break;
            };
            far.push(rung);
            // By ratio: halfway between two rungs is the root of their product.
            if judged.radius < std::f64::consts::SQRT_2 * ladder.typical {
                left = left_here;
                overall = match rung.times_near {
                    true => rung.factor * near.overall,
                    false => rung.factor,
                };
            }
        }
        let tails = Tails::learn(&left);
        let half_width = tails.half_width(0.95);
        let inside = left.iter().filter(|z| z.abs() <= half_width);
        Self {
            coverage_95: inside.count() as f64 / left.len() as f64,
            tails,
            near: Some(near),
            far,
            overall,
        }
    }

    /// Whether it holds together and is one of places with so many coordinates.
    pub(super) fn suits(&self, dimensions: usize) -> bool {
        let suits = |near: &Local| {
            near.places.dim() == dimensions && near.places.len() == near.squares.len()
        };
        self.near.as_ref().is_none_or(suits)
    }

    /// T of most of the map.
    pub(super) fn overall(&self) -> f64 {
        self.overall
    }

    /// The shape of the predicted distributions.
    pub(super) fn tails(&self) -> Tails {
        self.tails
    }

    /// Share of readings inside the 95 % intervals that readings as far away as those of most of the map make; not a number
    /// before there are any.
    pub(super) fn coverage_95(&self) -> f64 {
        self.coverage_95
    }

    /// t at some places, in scaled units.
    pub(super) fn at(&self, places: &Points) -> Vec<f64> {
        let Some(near) = &self.near else {
            return vec![1.0; places.len()];
        };
        let mut squares = Vec::new();
        let mut factor = |i: usize| {
            near.measure(places, i, &mut squares);
            let t = near.around(&squares);
            let nearest = squares.iter().copied().fold(f64::INFINITY, f64::min);
            self.farther(near, t, nearest.sqrt())
        };
        (0..places.len()).map(&mut factor).collect()
    }

    /// t at a place at some distance from the nearest reading, where it is `t` next to readings.
    fn farther(&self, near: &Local, t: f64, nearest: f64) -> f64 {
        let mut below = (near.distance, t);
        for rung in &self.far {
            let here = match rung.times_near {
                true => rung.factor * t,
                false => rung.factor,
            };
            if nearest < rung.distance {
                let ratio = |to: f64| (to / below.0).ln();
                let share = (ratio(nearest) / ratio(rung.distance)).clamp(0.0, 1.0);
                return below.1.powf(1.0 - share) * here.powf(share);
            }
            below = (rung.distance, here);
        }
        below.1
    }

    /// t at the places of readings, made without the readings there.
    pub(super) fn without_own(&self, places: &Points) -> Vec<f64> {
        match &self.near {
            Some(near) => near.without(places, 0.0),
            None => vec![1.0; places.len()],
        }
    }
}

impl Local {
    /// The factor from errors of readings whose nearest ones were `kept` away, and the errors in units of the standard
    /// deviations that it makes; none if they are not numbers.
    fn learn(judged: Judged, kept: f64, reaches: &[f64]) -> Option<(Self, Vec<f64>)> {
        let squares: Vec<f64> = judged.errors.iter().map(|z| z * z).collect();
        let mean = squares.iter().sum::<f64>() / squares.len() as f64;
        if !mean.is_finite() || judged.places.len() != squares.len() {
            return None;
        }
        let mut local = Self {
            distance: 0.5 * kept,
            places: judged.places,
            squares,
            overall: mean.sqrt().clamp(*OVERALL.start(), *OVERALL.end()),
            reach: None,
        };
        let shares = vec![1.0; judged.errors.len()];
        let everywhere = vec![local.overall; judged.errors.len()];
        let density = density(&judged.errors, &shares, &everywhere);
        let mut best = (density, everywhere, None);
        for &reach in reaches {
            local.reach = Some(reach);
            let factors = local.without(&local.places, 0.0);
            let density = self::density(&judged.errors, &shares, &factors);
            if density > best.0 {
                best = (density, factors, Some(reach));
            }
        }
        local.reach = best.2;
        Some((local, ratios(&judged.errors, &best.1)))
    }

    /// The factor at some places, made without readings within a radius.
    fn without(&self, places: &Points, radius: f64) -> Vec<f64> {
        let mut squares = Vec::new();
        let own = radius * radius;
        let mut factor = |i: usize| {
            self.measure(places, i, &mut squares);
            let own = squares.iter_mut().filter(|square| **square <= own);
            own.for_each(|square| *square = f64::INFINITY);
            self.around(&squares)
        };
        (0..places.len()).map(&mut factor).collect()
    }

    /// Writes the squared distances of place `i` from the readings.
    fn measure(&self, places: &Points, i: usize, to: &mut Vec<f64>) {
        to.resize(self.places.len(), 0.0);
        squared_distances(&self.places, places, i, to);
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
}

impl Far {
    /// The factor from errors of readings left out together with those around them, and the errors in units of the standard
    /// deviations that it makes; none if they are not numbers.
    fn learn(judged: &Judged, near: &Local) -> Option<(Self, Vec<f64>)> {
        let shares = shares(&judged.places, judged.radius);
        let pattern = near.without(&judged.places, judged.radius);
        let everywhere = vec![1.0; judged.errors.len()];
        let learn = |pattern: &[f64], times_near: bool| {
            let left = ratios(&judged.errors, pattern);
            let sum: f64 = left.iter().zip(&shares).map(|(z, c)| c * z * z).sum();
            let mean = sum / shares.iter().sum::<f64>();
            let base = if times_near { near.overall } else { 1.0 };
            let factor = mean
                .sqrt()
                .clamp(OVERALL.start() / base, OVERALL.end() / base);
            let factors: Vec<f64> = pattern.iter().map(|t| factor * t).collect();
            let rung = Self {
                distance: 0.5 * judged.radius,
                factor,
                times_near,
            };
            let density = density(&judged.errors, &shares, &factors);
            (density, rung, ratios(&judged.errors, &factors))
        };
        let (even, local) = (learn(&everywhere, false), learn(&pattern, true));
        let (density, rung, left) = match local.0 > even.0 {
            true => local,
            false => even,
        };
        density.is_finite().then_some((rung, left))
    }
}

/// Log density of errors that have these standard deviations, up to a constant, where each counts for its share.
fn density(errors: &[f64], shares: &[f64], stds: &[f64]) -> f64 {
    let each = errors.iter().zip(shares).zip(stds);
    each.map(|((z, share), t)| share * (-t.ln() - 0.5 * (z / t).powi(2)))
        .sum()
}

fn ratios(errors: &[f64], stds: &[f64]) -> Vec<f64> {
    errors.iter().zip(stds).map(|(z, t)| z / t).collect()
}

/// What the errors of readings count for that were left out together with all within a radius: those so close to each
/// other are nearly the same error, and count as one together.
fn shares(places: &Points, radius: f64) -> Vec<f64> {
    let mut squares = vec![0.0; places.len()];
    let share = |i: usize| {
        squared_distances(places, places, i, &mut squares);
        let close = |square: &&f64| **square <= radius * radius;
        1.0 / squares.iter().filter(close).count() as f64
    };
    (0..places.len()).map(share).collect()
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

/// Errors of readings as predicted without themselves by the pool of models, in units of the predicted
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

    /// From errors of readings that are left out one by one.
    fn learn_alone(places: Points, errors: &[f64], reaches: &[f64]) -> Temperature {
        let alone = Judged {
            radius: 0.0,
            places,
            errors: errors.to_vec(),
        };
        let ladder = Ladder::of(&alone.places, &[]);
        Temperature::learn(alone, &ladder, &[], reaches)
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
            learn_alone(Points::line(&[-1.0, 1.0]).unwrap(), &errors, REACHES).overall()
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
        let there = learnt.at(&Points::from_rows(&[[-0.8, 0.1], [0.8, -0.3]]).unwrap());
        // The overall factor, 1, counts for four readings beside those around a place.
        assert!((0.2..0.45).contains(&there[0]), "{there:?}");
        assert!((1.25..1.4).contains(&there[1]), "{there:?}");
        assert_eq!(learnt.coverage_95(), 1.0);
    }

    #[test]
    fn far_from_a_dense_track_what_was_left_out_with_its_neighbours_counts() {
        let rows: Vec<[f64; 2]> = (0..400)
            .map(|i| [-1.0 + 0.01 * f64::from(i % 200), f64::from(i / 200)])
            .collect();
        let places = Points::from_rows(&rows).unwrap();
        let all: Vec<usize> = (0..400).collect();
        let ladder = Ladder::of(&places, &all);
        // Half as wide as predicted next to a reading, twice as wide far away.
        let sizes = |radius: f64| if radius > 0.0 { 2.0 } else { 0.5 };
        let judged = |radius: f64, which: &[usize]| Judged {
            radius,
            places: Points::from_rows(&which.iter().map(|i| rows[*i]).collect::<Vec<_>>()).unwrap(),
            errors: which
                .iter()
                .map(|i| sizes(radius) * (*i as f64 % 2.0 * 2.0 - 1.0))
                .collect(),
        };
        let together = |rung: &Rung| {
            let last: Vec<usize> = rung
                .blocks
                .iter()
                .filter_map(|b| b.last().copied())
                .collect();
            judged(rung.radius, &last)
        };
        for reaches in [REACHES, &[]] {
            let together: Vec<_> = ladder.rungs.iter().map(together).collect();
            let learnt = Temperature::learn(judged(0.0, &all), &ladder, &together, reaches);
            assert_eq!(learnt.overall(), 2.0);
            let beside = [0.0, 0.005, 0.00707, 0.01, 0.5].map(|y| [0.1, y]);
            let there = learnt.at(&Points::from_rows(&beside).unwrap());
            let expected = [0.5, 0.5, 1.0, 2.0, 2.0];
            for (t, expected) in there.iter().zip(expected) {
                assert!((t / expected - 1.0).abs() < 0.02, "{there:?}");
            }
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
        let spread = learnt.at(&places);
        assert!(
            spread
                .iter()
                .all(|t| (t / learnt.overall() - 1.0).abs() < 0.15),
            "{spread:?}"
        );
    }
}
