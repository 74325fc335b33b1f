//! How the bed falls away from where its depth is given, the shore of a lake.
//!
//! Close to a shore all beds are alike: they fall, steeply at first. At a distance d from the shore the value departs from that of the shore by
//!
//! ```text
//! a (1 - exp(-d / l))
//! ```
//!
//! with the fall a and the reach l that fit the soundings best. Lines that run up to the shore tell both, and then they are known along all of it,
//! where no line is too. The model has what is left.

use super::index::Index;

/// Soundings that are looked at, at most.
const MOST: usize = 20_000;
/// Fewer tell nothing.
const FEWEST: usize = 30;
/// Reaches that are tried, in shares of how far soundings are from the shore.
const REACHES: (f64, f64, u32) = (0.02, 4.0, 40);
/// Rounds of weighing errors by their size.
const ROUNDS: usize = 5;
/// The departure is believed where it leaves less than this share of the soundings' spread.
const BELIEVED: f64 = 0.8;
/// The median of absolute errors, in standard deviations of a normal distribution.
const MEDIAN_OF_NORMAL: f64 = 0.6745;

/// How the bed falls away from a shore.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bank {
    /// By how much values far from the shore differ from its own.
    pub fall: f64,
    /// The distance in which 63 % of that are reached, m.
    pub reach_m: f64,
}

impl Bank {
    /// The bank that soundings bear out; none where nothing is given, or soundings say otherwise. The last `given` values are those of the shore.
    pub(super) fn fit(
        places: &[[f64; 2]],
        values: &[f64],
        shore: &Index<'_>,
        given: usize,
    ) -> Option<Self> {
        let measured = places.len().checked_sub(given)?;
        if given == 0 || measured < FEWEST {
            return None;
        }
        let level = values[measured..].iter().sum::<f64>() / given as f64;
        let every = measured.div_ceil(MOST);
        let looked_at = (0..measured).step_by(every);
        let pairs: Vec<(f64, f64)> = looked_at
            .map(|i| (shore.distance(places[i]), values[i] - level))
            .collect();
        let farthest_m = pairs.iter().map(|pair| pair.0).fold(0.0, f64::max);
        let (least, most, count) = REACHES;
        let reaches = (0..count).map(|k| {
            let share = f64::from(k) / f64::from(count - 1);
            farthest_m * least * (most / least).powf(share)
        });
        let fitted = reaches.map(|reach_m| (fall(&pairs, reach_m), reach_m));
        let ((fall, error), reach_m) = fitted.min_by(|a, b| a.0.1.total_cmp(&b.0.1))?;
        let mut departures: Vec<f64> = pairs.iter().map(|pair| pair.1).collect();
        let middle = median(&mut departures);
        let spread = mean_error(&pairs, |_| middle);
        (error < BELIEVED * BELIEVED * spread).then_some(Self { fall, reach_m })
    }

    /// What values depart by at a distance from the shore.
    pub(super) fn at(&self, distance_m: f64) -> f64 {
        self.fall * fallen(distance_m, self.reach_m)
    }
}

/// The share of the fall at a distance.
fn fallen(distance_m: f64, reach_m: f64) -> f64 {
    -(-distance_m / reach_m).exp_m1()
}

/// The fall with this reach by weighted least squares, in which large errors count for less, and the mean squared error.
fn fall(pairs: &[(f64, f64)], reach_m: f64) -> (f64, f64) {
    let told: Vec<(f64, f64)> = pairs
        .iter()
        .map(|(distance_m, value)| (fallen(*distance_m, reach_m), *value))
        .collect();
    let (mut fall, mut usual) = (0.0, f64::INFINITY);
    for _ in 0..ROUNDS {
        let (mut above, mut below) = (0.0, f64::MIN_POSITIVE);
        for (share, value) in &told {
            let error = (value - fall * share).abs();
            let weight = if error > usual { usual / error } else { 1.0 };
            above += weight * share * value;
            below += weight * share * share;
        }
        fall = above / below;
        let errors = told
            .iter()
            .map(|(share, value)| (value - fall * share).abs());
        usual = median(&mut errors.collect::<Vec<_>>()) / MEDIAN_OF_NORMAL;
    }
    (fall, mean_error(pairs, |d| fall * fallen(d, reach_m)))
}

/// Mean squared error, of which none counts for more than nine times the usual one.
fn mean_error(pairs: &[(f64, f64)], of: impl Fn(f64) -> f64) -> f64 {
    let squares: Vec<f64> = pairs.iter().map(|(d, v)| (v - of(*d)).powi(2)).collect();
    let usual = median(&mut squares.clone()) / (MEDIAN_OF_NORMAL * MEDIAN_OF_NORMAL);
    let bounded = squares.iter().map(|square| square.min(9.0 * usual));
    bounded.sum::<f64>() / squares.len() as f64
}

fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A round lake of 200 m, its shore every two metres, and two lines across it.
    fn lake(depth: impl Fn(f64) -> f64) -> (Vec<[f64; 2]>, Vec<f64>, usize) {
        let along = (0..98).map(|i| 4.0 * f64::from(i) - 194.0);
        let mut places: Vec<[f64; 2]> = along.flat_map(|t| [[t, 20.0], [10.0, t]]).collect();
        places.retain(|[x, y]| x.hypot(*y) < 198.0);
        let mut values: Vec<f64> = places
            .iter()
            .map(|[x, y]| depth(200.0 - x.hypot(*y)))
            .collect();
        let shore: Vec<[f64; 2]> = (0..628)
            .map(|i| 0.01 * f64::from(i))
            .map(|turn| [200.0 * turn.cos(), 200.0 * turn.sin()])
            .collect();
        let given = shore.len();
        places.extend(shore);
        values.resize(places.len(), 0.0);
        (places, values, given)
    }

    fn fit((places, values, given): &(Vec<[f64; 2]>, Vec<f64>, usize)) -> Option<Bank> {
        let shore = Index::new(&places[places.len() - given..]);
        Bank::fit(places, values, &shore, *given)
    }

    #[test]
    fn a_bank_is_found_and_bad_pings_do_not_bend_it() {
        let truth = |d: f64| 12.0 * (1.0 - (-d / 40.0).exp());
        let mut lake = lake(truth);
        for bad in [5, 50, 120] {
            lake.1[bad] = 90.0;
        }
        let bank = fit(&lake).unwrap();
        for d in [0.0, 5.0, 30.0, 100.0] {
            assert!(
                (bank.at(d) - truth(d)).abs() < 0.03 * 12.0,
                "{bank:?} at {d}"
            );
        }
    }

    #[test]
    fn what_soundings_do_not_bear_out_is_none() {
        // Steps, of which nobody can say that they fall from the shore on; and a bank without a shore.
        let steps = lake(|d| {
            if ((d / 15.0) as u32).is_multiple_of(2) {
                3.0
            } else {
                9.0
            }
        });
        assert_eq!(fit(&steps), None);
        let (mut places, mut values, given) = lake(|d| 12.0 * (1.0 - (-d / 40.0).exp()));
        places.truncate(places.len() - given);
        values.truncate(places.len());
        assert_eq!(fit(&(places, values, 0)), None);
    }
}
