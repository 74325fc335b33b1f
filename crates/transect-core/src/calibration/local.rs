//! Errors that differ from place to place.

use serde::{Deserialize, Serialize};
use transect_gp::Points;

use super::error_scale::{ANYWHERE, OVERALL};
use super::hull::Hull;
use super::spread::squared_distances;

/// Weight of the overall factor, in readings.
const PRIOR_READINGS: f64 = 4.0;

/// Errors of the readings around a place.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Local {
    #[serde(serialize_with = "write_places", deserialize_with = "read_places")]
    pub(crate) places: Points,
    pub(crate) squares: Vec<f64>,
    pub(crate) overall: f64,
    /// None where the overall factor holds everywhere.
    reach: Option<f64>,
}

impl Local {
    /// From errors of readings at some places, with the best of some reaches or none, and the factors at the readings that are made
    /// without themselves; none if the errors are not numbers.
    pub(crate) fn learn(
        places: Points,
        errors: &[f64],
        reaches: &[f64],
    ) -> Option<(Self, Vec<f64>)> {
        let squares: Vec<f64> = errors.iter().map(|z| z * z).collect();
        let mean = squares.iter().sum::<f64>() / squares.len() as f64;
        if !mean.is_finite() || places.len() != squares.len() {
            return None;
        }
        let mut local = Self {
            places,
            squares,
            overall: mean.sqrt().clamp(*OVERALL.start(), *OVERALL.end()),
            reach: None,
        };
        let everywhere = vec![local.overall; errors.len()];
        let mut best = (density(errors, &everywhere), everywhere, None);
        for &reach in reaches {
            local.reach = Some(reach);
            let factors = local.without_own(&local.places);
            let density = density(errors, &factors);
            if density > best.0 {
                best = (density, factors, Some(reach));
            }
        }
        local.reach = best.2;
        Some((local, best.1))
    }

    /// The factor at some places, in scaled units. Beyond the outermost readings nobody has looked: that the ground is calm on this side of
    /// them says nothing about what rises there, so that errors are not thought smaller than overall.
    pub(crate) fn at(&self, places: &Points) -> Vec<f64> {
        let hull = Hull::of(&self.places);
        let mut factors = self.each(places, |_| ());
        for (i, factor) in factors.iter_mut().enumerate() {
            if hull.is_beyond(places, i) {
                *factor = factor.max(self.overall);
            }
        }
        factors
    }

    /// The factor at the places of readings, made without the readings there.
    pub(crate) fn without_own(&self, places: &Points) -> Vec<f64> {
        self.each(places, |squares| {
            let own = squares.iter_mut().filter(|square| **square <= 0.0);
            own.for_each(|square| *square = f64::INFINITY);
        })
    }

    /// The factor at some places, given what becomes of their squared distances from the readings.
    fn each(&self, places: &Points, change: impl Fn(&mut [f64])) -> Vec<f64> {
        let mut squares = vec![0.0; self.places.len()];
        let mut factor = |i: usize| {
            squared_distances(&self.places, places, i, &mut squares);
            change(&mut squares);
            self.around(&squares)
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
}

/// Log density of errors that have these standard deviations, up to a constant.
fn density(errors: &[f64], stds: &[f64]) -> f64 {
    let each = errors.iter().zip(stds);
    each.map(|(z, t)| -t.ln() - 0.5 * (z / t).powi(2)).sum()
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
