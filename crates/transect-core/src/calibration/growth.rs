//! How errors grow with predicted standard deviations.
//!
//! A kernel says how fast a surface becomes unknown on the way from a reading, and may be wrong about it: ground that is smoother
//! than its kernel is known better than it says next to readings, and worse far away. So readings are also predicted without
//! their 1, 3, 7, 15 and 31 nearest neighbours. With `z_k` their errors in units of the predicted standard deviations `s_k`, the
//! points `(mean log s_k, 1/2 log mean z_k^2)` make a curve: by how much more than standard deviations errors have grown, beginning with
//! readings left out alone. Between its points it is straight, it does not fall, and it is level beyond the last one.
//!
//! On a dense track 31 neighbours are a short stretch, and the map is known from farther away. So the last point is that of readings without
//! all that is as near as the far places of the map are to readings.
//!
//! Places nearer to readings than these are to each other, as there are many where a planner has spread them evenly, lie before the first point:
//! there the curve goes on as the straight line through all points does, by least squares.

use serde::{Deserialize, Serialize};
use transect_gp::{LeftOut, Points};

use super::spread::squared_distances;
use crate::surrogate::pooled;

/// How many of the nearest neighbours are left out as well.
const NEIGHBOURS: [usize; 5] = [1, 3, 7, 15, 31];
/// Most readings that are judged from as far away as the map is: blocks are large there.
const JUDGED_FAR: usize = 128;
/// Blocks are at most this share of all readings.
const LARGEST_BLOCK: usize = 4;
/// Slopes before the first point: errors that shrink while standard deviations grow are an accident, and twice the power of the kernel is
/// enough.
const SLOPES: std::ops::RangeInclusive<f64> = 0.0..=1.0;
/// Fewest points that make a curve to be trusted.
const FEWEST_LEVELS: usize = 3;

/// Errors of some readings, each predicted without itself and perhaps without others.
#[derive(Debug)]
pub(crate) struct Residuals {
    /// In units of the predicted standard deviations.
    pub(crate) errors: Vec<f64>,
    /// The predicted standard deviations, in the units of the readings.
    pub(crate) stds: Vec<f64>,
}

impl Residuals {
    /// The residuals of readings, from the predictions of several models, which are pooled.
    pub(crate) fn of(members: &[&[LeftOut]], readings: impl Iterator<Item = f64>) -> Self {
        let judge = |(i, reading): (usize, f64)| {
            let models = members.iter().filter_map(|left_out| left_out.get(i));
            let (mean, std) = pooled(models.map(|point| (point.mean, point.std)));
            ((reading - mean) / std, std)
        };
        let (errors, stds) = readings.enumerate().map(judge).unzip();
        Self { errors, stds }
    }

    /// Mean logarithm of the standard deviations.
    pub(crate) fn mean_log_std(&self) -> f64 {
        let logs: f64 = self.stds.iter().map(|std| std.ln()).sum();
        logs / self.stds.len() as f64
    }

    /// The residuals with these indices.
    pub(crate) fn only(&self, which: &[usize]) -> Self {
        Self {
            errors: which.iter().map(|i| self.errors[*i]).collect(),
            stds: which.iter().map(|i| self.stds[*i]).collect(),
        }
    }
}

/// By how much errors outgrow standard deviations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Growth {
    /// Logarithms of standard deviations, and of what to multiply them by; none where errors grow as predicted.
    points: Vec<(f64, f64)>,
    /// Slope of the curve before the first point.
    slope: f64,
}

impl Growth {
    /// Errors grow as standard deviations do.
    pub(crate) fn as_predicted() -> Self {
        Self {
            points: Vec::new(),
            slope: 0.0,
        }
    }

    /// From the errors of the same readings, left out alone and with more and more neighbours.
    pub(crate) fn learn(alone: &Residuals, levels: &[Residuals]) -> Self {
        let all = std::iter::once(alone).chain(levels);
        let points: Vec<(f64, f64)> = all.map(level).collect();
        let finite = points.iter().all(|(x, y)| x.is_finite() && y.is_finite());
        let increasing = points.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if points.len() < FEWEST_LEVELS || !finite || !increasing {
            return Self::as_predicted();
        }
        let slope = slope(&points).clamp(*SLOPES.start(), *SLOPES.end());
        let mut highest = points[0].1;
        let grown = |(x, y): &(f64, f64)| {
            highest = highest.max(*y);
            (*x, highest - points[0].1)
        };
        Self {
            points: points.iter().map(grown).collect(),
            slope,
        }
    }

    /// Whether the curve holds together.
    pub(crate) fn is_sound(&self) -> bool {
        self.points.windows(2).all(|pair| pair[0].0 < pair[1].0)
    }

    /// The factor of a standard deviation.
    pub(crate) fn factor(&self, std: f64) -> f64 {
        let x = std.ln();
        let after = self.points.partition_point(|point| point.0 <= x);
        let log = match (after.checked_sub(1), self.points.get(after)) {
            (None, None) => 0.0,
            (None, Some(first)) => first.1 + self.slope * (x - first.0),
            (Some(last), None) => self.points[last].1,
            (Some(before), Some(next)) => {
                let before = self.points[before];
                let share = (x - before.0) / (next.0 - before.0);
                before.1 + share * (next.1 - before.1)
            }
        };
        log.exp()
    }

    /// Errors in units of the standard deviations that this makes.
    pub(crate) fn correct(&self, residuals: &Residuals) -> Vec<f64> {
        let pairs = residuals.errors.iter().zip(&residuals.stds);
        pairs.map(|(z, std)| z / self.factor(*std)).collect()
    }
}

/// Mean logarithm of the standard deviations, and logarithm of the root mean square of errors in their units.
fn level(residuals: &Residuals) -> (f64, f64) {
    let count = residuals.errors.len() as f64;
    let squares: f64 = residuals.errors.iter().map(|z| z * z).sum();
    (residuals.mean_log_std(), 0.5 * (squares / count).ln())
}

/// Slope of the straight line through some points, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let sums = points
        .iter()
        .fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    let middle = (sums.0 / count, sums.1 / count);
    let (mut products, mut squares) = (0.0, 0.0);
    for (x, y) in points {
        products += (x - middle.0) * (y - middle.1);
        squares += (x - middle.0).powi(2);
    }
    products / squares
}

/// Which readings to leave out together: for each of [`NEIGHBOURS`] that leaves half of the readings in place, a block for each reading
/// whose index is in `judge`, with that reading last. With each level comes the median distance of the nearest reading that stays.
pub(crate) fn levels(places: &Points, judge: &[usize]) -> Vec<(Vec<Vec<usize>>, f64)> {
    let enough = |neighbours: &&usize| 2 * (**neighbours + 1) <= places.len();
    let counts: Vec<usize> = NEIGHBOURS.iter().take_while(enough).copied().collect();
    let Some(&most) = counts.last() else {
        return Vec::new();
    };
    let mut squares = vec![0.0; places.len()];
    let mut order = Vec::with_capacity(places.len());
    let nearest: Vec<(Vec<usize>, Vec<f64>)> = judge
        .iter()
        .map(|&i| {
            squared_distances(places, places, i, &mut squares);
            order.clear();
            order.extend((0..places.len()).filter(|j| *j != i));
            // By number where distances are equal, so that the order is always the same.
            let nearer = |a: &usize, b: &usize| squares[*a].total_cmp(&squares[*b]).then(a.cmp(b));
            order.select_nth_unstable_by(most, nearer);
            order.truncate(most + 1);
            order.sort_unstable_by(nearer);
            let distances = order.iter().map(|j| squares[*j].sqrt()).collect();
            (order.clone(), distances)
        })
        .collect();
    let level = |count: usize| {
        let block = |(i, (order, _)): (&usize, &(Vec<usize>, Vec<f64>))| {
            let neighbours = order[..count].iter().copied();
            neighbours.chain([*i]).collect::<Vec<_>>()
        };
        let blocks = judge.iter().zip(&nearest).map(block).collect();
        let mut kept: Vec<f64> = nearest.iter().map(|(_, far)| far[count]).collect();
        kept.sort_by(f64::total_cmp);
        (blocks, kept.get(kept.len() / 2).copied().unwrap_or(0.0))
    };
    counts.into_iter().map(level).collect()
}

/// Which readings to leave out together so that none within a distance stays: a block for each of some readings whose indices are in
/// `judge`, with that reading last. None where too few readings would be left for most of them.
pub(crate) fn far_level(places: &Points, judge: &[usize], distance: f64) -> Vec<Vec<usize>> {
    let mut squares = vec![0.0; places.len()];
    let some = judge
        .iter()
        .step_by(judge.len().div_ceil(JUDGED_FAR).max(1));
    let asked = some.len();
    let block = |&i: &usize| {
        squared_distances(places, places, i, &mut squares);
        let is_near = |j: &usize| *j != i && squares[*j] <= distance * distance;
        let near = (0..places.len()).filter(is_near);
        near.chain([i]).collect::<Vec<_>>()
    };
    let mut blocks: Vec<Vec<usize>> = some.map(block).collect();
    blocks.retain(|block| LARGEST_BLOCK * block.len() <= places.len());
    if 2 * blocks.len() < asked {
        blocks.clear();
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn residuals(stds: &[f64], size: impl Fn(f64) -> f64) -> Residuals {
        let errors = stds.iter().enumerate().map(|(i, std)| match i % 2 {
            0 => size(*std) / std,
            _ => -size(*std) / std,
        });
        Residuals {
            errors: errors.collect(),
            stds: stds.to_vec(),
        }
    }

    #[test]
    fn errors_that_grow_with_a_power_give_the_power() {
        let level = |scale: f64| [0.9 * scale, scale, 1.2 * scale, 1.1 * scale];
        let typical = |scale: f64| scale * (0.9_f64 * 1.2 * 1.1).powf(0.25);
        // The power of errors, and by what standard deviations change at half, twice and ten times what is predicted alone.
        let powers = [
            (1.0, [1.0, 1.0, 1.0]),
            (
                1.4,
                [0.5_f64.powf(0.4), 2.0_f64.powf(0.4), 2.9_f64.powf(0.4)],
            ),
            (0.5, [1.0, 1.0, 1.0]),
            (3.0, [0.5, 4.0, 2.9_f64.powi(2)]),
        ];
        for (power, expected) in powers {
            let size = |std: f64| 2.0 * std.powf(power);
            let alone = residuals(&level(1.0), size);
            let more = [1.3, 1.7, 2.9].map(|scale| residuals(&level(scale), size));
            let growth = Growth::learn(&alone, &more);
            for (scale, expected) in [0.5, 2.0, 10.0].into_iter().zip(expected) {
                let factor = growth.factor(typical(scale));
                assert!((factor / expected - 1.0).abs() < 1e-9, "{growth:?} {scale}");
            }
            assert!((growth.factor(typical(1.0)) - 1.0).abs() < 1e-9);
            assert!(growth.is_sound());
        }
    }

    #[test]
    fn too_little_to_go_by_changes_nothing() {
        let alone = residuals(&[1.0, 2.0], |std| std);
        let same = || residuals(&[1.0, 2.0], |std| std);
        let none = residuals(&[1.0, 2.0], |_| 0.0);
        let odd = residuals(&[1.0, f64::NAN], |std| std);
        assert_eq!(Growth::learn(&alone, &[same()]).factor(7.0), 1.0);
        assert_eq!(Growth::learn(&alone, &[same(), same()]).factor(7.0), 1.0);
        assert_eq!(Growth::learn(&alone, &[same(), none]).factor(7.0), 1.0);
        assert_eq!(Growth::learn(&alone, &[same(), odd]).factor(7.0), 1.0);
    }

    #[test]
    fn nothing_near_stays_of_those_judged_from_far_away() {
        let line = Points::line(&(0..400).map(f64::from).collect::<Vec<_>>()).unwrap();
        let every: Vec<usize> = (0..400).collect();
        let blocks = far_level(&line, &every, 3.0);
        assert_eq!(blocks[0], [1, 2, 3, 0]);
        assert_eq!(blocks[1], [1, 2, 3, 5, 6, 7, 4]);
        assert!(blocks.len() <= JUDGED_FAR && blocks.len() > JUDGED_FAR / 2);
        // Of blocks that would take more than a quarter, only those at the ends are smaller.
        assert!(far_level(&line, &every, 60.0).is_empty());
        assert!(far_level(&line, &[], 3.0).is_empty());
    }

    #[test]
    fn the_nearest_are_left_out_together() {
        let line = Points::line(&(0..20).map(f64::from).collect::<Vec<_>>()).unwrap();
        let levels = levels(&line, &[0, 10]);
        // 15 neighbours and the reading itself are more than half of 20.
        assert_eq!(levels.len(), 3);
        assert_eq!(levels[0].0, [vec![1, 0], vec![9, 10]]);
        assert_eq!(levels[1].0, [vec![1, 2, 3, 0], vec![9, 11, 8, 10]]);
        assert_eq!((levels[0].1, levels[2].1), (2.0, 8.0));
        assert!(
            super::levels(&line, &[])
                .iter()
                .all(|(blocks, _)| blocks.is_empty())
        );
        assert!(super::levels(&Points::line(&[1.0, 2.0]).unwrap(), &[0]).is_empty());
    }
}
