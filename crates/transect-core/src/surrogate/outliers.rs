//! Readings that have nothing to do with the surface.
//!
//! A reading is an outlier when its leave-one-out error is more than [`LIMIT`] times as wide as the errors of ordinary readings,
//! and of the readings around it: `|z_i| > LIMIT q / 0.6745`, with q the median of all `|z|`, and the same over its
//! [`NEIGHBOURS`] nearest with a lower quantile, because an outlier and another next to it may have spoiled most of those. The
//! first rule alone would take every reading of a rugged corner for an outlier. Dividing by quantiles makes both rules blind to
//! how much the outliers themselves have widened the predictions.
//!
//! An outlier also spoils the predictions of its neighbours. So readings are judged again once those found are ignored, and a
//! reading that was ignored and then fits is taken back. Where half the ground is flat, ordinary errors are next to nothing; so
//! an outlier must also be off by more than [`LEAST`] predicted standard deviations.

use transect_gp::Points;

use crate::calibration::squared_distances;

/// How many times wider than ordinary errors.
const LIMIT: f64 = 8.0;
/// Fewest predicted standard deviations that an outlier is off by. A share p of outliers widens predictions until they are off by 1 / sqrt p.
const LEAST: f64 = 3.0;
/// Among fewer readings there is nothing ordinary to compare with.
const FEWEST: usize = 16;
/// How many of the nearest readings a reading is compared with.
const NEIGHBOURS: usize = 32;
/// A probability, and the bound below which the size of a standard normal deviate stays with it.
const HALF: (f64, f64) = (0.5, 0.674_489_750_196_081_7);
const FEWER: (f64, f64) = (0.375, 0.488_776_411_114_669_5);
/// A survey with a greater share of outliers cannot be trusted without saying so.
pub(super) const NOTABLE_SHARE: f64 = 0.01;

/// Which readings are outliers, from their places and all leave-one-out errors in units of their predicted standard deviations.
pub(super) fn outliers(places: &Points, errors: &[f64]) -> Vec<bool> {
    if errors.len() < FEWEST {
        return vec![false; errors.len()];
    }
    let limit = limit(errors.to_vec(), HALF).max(LEAST);
    let mut squares = vec![0.0; errors.len()];
    let mut is_outlier = |(i, z): (usize, &f64)| {
        if z.abs() <= limit {
            return false;
        }
        squared_distances(places, places, i, &mut squares);
        let others = (0..errors.len()).filter(|j| *j != i);
        let mut nearest: Vec<usize> = others.collect();
        if nearest.len() > NEIGHBOURS {
            let by_distance =
                |a: &usize, b: &usize| squares[*a].total_cmp(&squares[*b]).then(a.cmp(b));
            nearest.select_nth_unstable_by(NEIGHBOURS, by_distance);
            nearest.truncate(NEIGHBOURS);
        }
        let around = nearest.into_iter().map(|j| errors[j]).collect();
        z.abs() > self::limit(around, FEWER)
    };
    errors.iter().enumerate().map(&mut is_outlier).collect()
}

/// The size beyond which an error stands out among others, a share of which is ordinary; infinite among errors of 0.
fn limit(mut errors: Vec<f64>, (share, size): (f64, f64)) -> f64 {
    errors.iter_mut().for_each(|z| *z = z.abs());
    errors.sort_by(f64::total_cmp);
    let index = (share * errors.len() as f64) as usize;
    match errors.get(index) {
        Some(ordinary) if *ordinary > 0.0 => LIMIT * ordinary / size,
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(count: usize) -> Points {
        let places: Vec<f64> = (0..count).map(|i| i as f64).collect();
        Points::line(&places).unwrap()
    }

    fn which(errors: &[f64]) -> Vec<usize> {
        let found = outliers(&line(errors.len()), errors);
        (0..errors.len()).filter(|i| found[*i]).collect()
    }

    #[test]
    fn what_is_far_from_the_bulk_stands_out_whatever_the_scale() {
        for scale in [0.3, 1.0, 50.0] {
            let mut errors: Vec<f64> = (0..40).map(|i| scale * f64::sin(f64::from(i))).collect();
            assert!(which(&errors).is_empty());
            errors[17] = -12.0 * scale;
            assert_eq!(which(&errors), [17]);
        }
        let mut flat = vec![0.0; 40];
        assert!(which(&flat).is_empty());
        flat[..25].fill(1e-3);
        flat[3] = 2.0;
        assert!(which(&flat).is_empty());
        flat[3] = 20.0;
        assert_eq!(which(&flat), [3]);
        assert!(which(&[0.1, 0.1, 50.0]).is_empty());
        assert!(outliers(&line(1), &[]).is_empty());
    }

    #[test]
    fn a_rugged_corner_is_not_made_of_outliers() {
        let ruggedness = |at: f64| 1.0 + 19.0 * ((80.0 - at) / 40.0).clamp(0.0, 1.0);
        let errors = (0..300).map(|i| ruggedness(f64::from(i)) * f64::sin(f64::from(i)));
        let mut errors: Vec<f64> = errors.collect();
        assert!(which(&errors).is_empty());
        errors[30] = 300.0;
        errors[200] = 15.0;
        assert_eq!(which(&errors), [30, 200]);
    }
}
