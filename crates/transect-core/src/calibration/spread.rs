//! How far readings are from each other, and the map from readings.

use transect_gp::Points;

/// Number of places, spread over the map, at which distances are taken.
const PLACES: usize = 400;
/// Share of the map that is nearer to readings than what counts as far.
const FARTHEST: f64 = 0.9;
/// Steps between readings tell about steps up to this many times as wide.
const TELLING: f64 = 4.0;

/// Distances in scaled units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    /// Median distance of a reading to the nearest one elsewhere.
    spacing: f64,
    /// Median distance of the map's places to the nearest reading.
    pub(crate) typical: f64,
    /// Distance from the nearest reading that a tenth of the map's places exceed.
    farthest: f64,
}

impl Spread {
    /// The spread of readings at `places`, in scaled units.
    pub(crate) fn of(places: &Points) -> Self {
        Self::seen_from(places, places)
    }

    /// The same, with the spacing as it is seen from `some` of the places: for places that are too many to look at all pairs.
    pub(crate) fn seen_from(places: &Points, some: &Points) -> Self {
        let elsewhere = nearest(places, some, |square| square > 0.0);
        let from_map = nearest(places, &all_over(places), |_| true);
        Self {
            spacing: quantile(&elsewhere, 0.5),
            typical: quantile(&from_map, 0.5),
            farthest: quantile(&from_map, FARTHEST),
        }
    }

    /// Median distance of a reading to the nearest one elsewhere.
    pub(crate) fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Distance from the nearest reading that a tenth of the map's places exceed.
    pub(crate) fn farthest(&self) -> f64 {
        self.farthest
    }

    /// What steps between readings tell about steps as wide as those from readings to the map: 1 where readings are not much
    /// closer to each other than to the map, less on a dense track.
    pub(crate) fn likeness(&self) -> f64 {
        match self.farthest > TELLING * self.spacing {
            true => TELLING * self.spacing / self.farthest,
            false => 1.0,
        }
    }
}

/// Squared distances of place `i` of `from` from each of `places`.
pub(crate) fn squared_distances(places: &Points, from: &Points, i: usize, to: &mut [f64]) {
    to.fill(0.0);
    for d in 0..places.dim() {
        let x = from.column(d)[i];
        for (square, place) in to.iter_mut().zip(places.column(d)) {
            *square += (x - place) * (x - place);
        }
    }
}

/// Distance of each of `from` to the nearest of those of `places` whose squared distance counts.
fn nearest(places: &Points, from: &Points, counts: impl Fn(f64) -> bool) -> Vec<f64> {
    let mut squares = vec![0.0; places.len()];
    let to_nearest = |i: usize| {
        squared_distances(places, from, i, &mut squares);
        let counted = squares.iter().copied().filter(|square| counts(*square));
        counted.fold(f64::INFINITY, f64::min).sqrt()
    };
    (0..from.len()).map(to_nearest).collect()
}

/// The finite value that a share of the finite ones is not above; 0 if there are none.
fn quantile(values: &[f64], share: f64) -> f64 {
    let mut values: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    let index = (share * last as f64).round() as usize;
    values.get(index).copied().unwrap_or(0.0)
}

/// Places spread evenly over the smallest box around some: multiples of the powers of 1/g, less their integer parts,
/// where `g^(D+1) = g + 1` (M. Roberts' generalisation of the golden ratio).
fn all_over(places: &Points) -> Points {
    let dimensions = places.dim();
    let g = (0..30).fold(1.5_f64, |g, _| {
        (1.0 + g).powf(1.0 / (dimensions as f64 + 1.0))
    });
    let mut columns = (0..dimensions).map(|d| {
        let column = places.column(d);
        let low = column.iter().copied().fold(f64::INFINITY, f64::min);
        let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (g.powi(-(d as i32 + 1)), low, high - low)
    });
    let columns: Vec<_> = columns.by_ref().collect();
    let flat = (0..PLACES).flat_map(|i| {
        let share = move |step: f64| (0.5 + step * i as f64).fract();
        columns
            .iter()
            .map(move |(step, low, width)| low + width * share(*step))
    });
    let flat: Vec<f64> = flat.collect();
    // The box around finite places is finite.
    Points::from_flat(dimensions, &flat).unwrap_or_else(|_| places.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(rows: impl Iterator<Item = [f64; 2]>) -> Spread {
        Spread::of(&Points::from_rows(&rows.collect::<Vec<_>>()).unwrap())
    }

    #[test]
    fn readings_all_over_the_map_tell_about_it() {
        let scattered = (0..300).map(|i| {
            let share = |step: f64| (step * f64::from(i)).fract();
            [share(0.754_877), share(0.569_840)]
        });
        assert_eq!(spread(scattered).likeness(), 1.0);
    }

    #[test]
    fn a_dense_track_tells_little() {
        // Two lines 0.8 apart, readings every 0.01.
        let track = (0..200).map(|i| [0.01 * f64::from(i % 100), 0.8 * f64::from(i / 100)]);
        let spread = spread(track);
        assert!((spread.spacing - 0.01).abs() < 1e-9);
        assert!((0.15..0.25).contains(&spread.typical), "{spread:?}");
        // A tenth of the way between the lines is 0.36 or more from both.
        assert!((spread.likeness() / (0.04 / 0.36) - 1.0).abs() < 0.1);
    }

    #[test]
    fn one_place_is_like_itself() {
        let spread = spread((0..50).map(|_| [0.3, 0.4]));
        assert_eq!((spread.spacing, spread.likeness()), (0.0, 1.0));
    }
}
