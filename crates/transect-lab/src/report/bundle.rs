//! Curves of several seeds as one: mean and standard deviation on a common axis.
//!
//! Runs need not be judged at the same sample counts (a planner's epochs end where they end), so each
//! curve is interpolated linearly onto evenly spaced places that all of them cover.

use crate::tables::Spread;

/// One curve: places in ascending order, and values there.
pub(super) type Curve<'a> = (&'a [f64], &'a [f64]);

/// The mean of curves and their (population) standard deviation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bundle {
    /// Where.
    pub(super) at: Vec<f64>,
    /// The mean there.
    pub(super) mean: Vec<f64>,
    /// The standard deviation there.
    pub(super) std: Vec<f64>,
    /// How many curves there are.
    pub(super) count: usize,
}

impl Bundle {
    /// Of curves with at least one point each, at no more than `limit` places; none if they have no part
    /// of the axis in common.
    pub(super) fn of(curves: &[Curve<'_>], limit: usize) -> Option<Self> {
        Self::along(curves, limit, true)
    }

    /// The same along an axis of whole numbers, such as sample counts and training steps, or of any.
    pub(super) fn along(curves: &[Curve<'_>], limit: usize, whole: bool) -> Option<Self> {
        let firsts = curves.iter().filter_map(|(x, _)| x.first());
        let lasts = curves.iter().filter_map(|(x, _)| x.last());
        let from = firsts.copied().fold(f64::NAN, f64::max);
        let to = lasts.copied().fold(f64::NAN, f64::min);
        if from.is_nan() || to.is_nan() || from > to {
            return None;
        }
        let step = (to - from) / limit.max(2) as f64;
        let step = if whole {
            step.ceil().max(1.0)
        } else {
            step.max(1e-9)
        };
        let count = ((to - from) / step).floor() as usize;
        let mut at: Vec<f64> = (0..=count).map(|k| from + k as f64 * step).collect();
        if at.last().is_some_and(|last| *last < to) {
            at.push(to);
        }
        let spreads: Vec<Spread> = at
            .iter()
            .map(|place| {
                let there: Vec<f64> = curves.iter().map(|c| value_at(*c, *place)).collect();
                Spread::of(&there)
            })
            .collect();
        Some(Self {
            at,
            mean: spreads.iter().map(|s| s.mean).collect(),
            std: spreads.iter().map(|s| s.std).collect(),
            count: curves.len(),
        })
    }
}

/// The curve's value at a place within it.
fn value_at((x, y): Curve<'_>, place: f64) -> f64 {
    let after = x.partition_point(|known| *known < place);
    match (x.get(after), after.checked_sub(1)) {
        (Some(known), _) if *known == place => y[after],
        (Some(high), Some(before)) => {
            let share = (place - x[before]) / (high - x[before]);
            y[before] + share * (y[after] - y[before])
        }
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_as_lines_whatever_their_places() {
        // y = 2x and y = 4x at different places: mean 3x, deviation x.
        let (a, b) = ([0.0, 3.0, 10.0], [1.0, 2.0, 7.0, 12.0]);
        let double: Vec<f64> = a.iter().map(|x| 2.0 * x).collect();
        let fourfold: Vec<f64> = b.iter().map(|x| 4.0 * x).collect();
        let bundle = Bundle::of(&[(&a, &double), (&b, &fourfold)], 100).unwrap();
        assert_eq!(bundle.at, (1..=10).map(f64::from).collect::<Vec<_>>());
        for (i, x) in bundle.at.iter().enumerate() {
            assert!((bundle.mean[i] - 3.0 * x).abs() < 1e-12);
            assert!((bundle.std[i] - x).abs() < 1e-12);
        }
    }

    #[test]
    fn long_curves_are_thinned_and_keep_their_end() {
        let x: Vec<f64> = (0..=1001).map(f64::from).collect();
        let bundle = Bundle::of(&[(&x, &x)], 100).unwrap();
        assert!(bundle.at.len() <= 102);
        assert_eq!(bundle.at.last(), Some(&1001.0));
        assert_eq!(bundle.at, bundle.mean);
    }

    #[test]
    fn curves_apart_have_no_mean() {
        assert_eq!(Bundle::of(&[], 10), None);
        assert_eq!(
            Bundle::of(&[(&[1.0, 2.0], &[0.0, 0.0]), (&[3.0], &[0.0])], 10),
            None
        );
        let single = Bundle::of(&[(&[5.0], &[7.0])], 10).unwrap();
        assert_eq!((single.at, single.mean), (vec![5.0], vec![7.0]));
    }
}
