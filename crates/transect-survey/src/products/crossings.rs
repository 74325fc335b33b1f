//! Crossings: two depths of one place, measured at different times, say how good a survey is.
//!
//! Where two legs between consecutive soundings cross, both depths are interpolated along their legs.

use std::collections::HashMap;
use transect::map::rounding;

/// Legs this close in the log are one pass.
const SAME_PASS: usize = 20;
/// Legs longer than this many times the usual one are gaps of the log.
const GAP: f64 = 5.0;
/// More crossings say nothing new.
const MOST: usize = 100_000;
/// Lines contradict each other when they are usually this many times as far apart as soundings scatter along them, at this many crossings or more.
const CONTRADICTION: (f64, usize) = (8.0, 3);
/// A standard deviation in median absolute deviations.
const DEVIATION: f64 = 1.4826;

/// What crossings say.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossings {
    /// Second value less the first, for each crossing.
    pub differences: Vec<f64>,
    /// Standard deviation of soundings around the line through their neighbours before and after.
    pub scatter: f64,
}

impl Crossings {
    /// Root mean square.
    #[must_use]
    pub fn rms(&self) -> f64 {
        let sum: f64 = self.differences.iter().map(|d| d * d).sum();
        (sum / self.differences.len().max(1) as f64).sqrt()
    }

    /// The absolute difference that this share of the crossings does not exceed; NaN without crossings.
    #[must_use]
    pub fn quantile(&self, share: f64) -> f64 {
        let mut sizes: Vec<f64> = self.differences.iter().map(|d| d.abs()).collect();
        sizes.sort_unstable_by(f64::total_cmp);
        let rank = (sizes.len().saturating_sub(1)) as f64 * share;
        sizes
            .get(rank.round() as usize)
            .copied()
            .unwrap_or(f64::NAN)
    }

    /// Whether lines say another thing where they cross than their own scatter explains: a tide that is not applied, a wrong draught, or clocks.
    #[must_use]
    pub fn contradict(&self) -> bool {
        let (times, fewest) = CONTRADICTION;
        self.differences.len() >= fewest && self.quantile(0.5) > times * self.scatter
    }

    /// Mean, with its sign: a tide that is not applied shows here.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.differences.iter().sum::<f64>() / self.differences.len().max(1) as f64
    }
}

/// Soundings in the order they were taken.
#[derive(Debug, Clone, Copy)]
pub struct Track<'a> {
    /// Where, m.
    pub places: &'a [[f64; 2]],
    /// What was measured.
    pub values: &'a [f64],
    /// Which log each is from: legs do not go from one to another.
    pub sources: &'a [u16],
}

/// The crossings of a track with itself.
#[must_use]
pub fn crossings(track: Track<'_>) -> Crossings {
    let Track {
        places,
        values,
        sources,
    } = track;
    let length =
        |i: usize| (places[i + 1][0] - places[i][0]).hypot(places[i + 1][1] - places[i][1]);
    let legs: Vec<usize> = (0..places.len().saturating_sub(1))
        .filter(|i| sources[*i] == sources[i + 1] && length(*i) > 0.0)
        .collect();
    let mut lengths: Vec<f64> = legs.iter().map(|i| length(*i)).collect();
    if lengths.is_empty() {
        return Crossings {
            differences: Vec::new(),
            scatter: f64::NAN,
        };
    }
    let half = lengths.len() / 2;
    let (_, usual, _) = lengths.select_nth_unstable_by(half, f64::total_cmp);
    let (longest, cell) = (GAP * *usual, GAP * *usual);
    let mut cells: HashMap<[i64; 2], Vec<usize>> = HashMap::new();
    let mut differences = Vec::new();
    for i in legs.into_iter().filter(|i| length(*i) <= longest) {
        let ends = [places[i], places[i + 1]].map(|at| at.map(|c| (c / cell).floor() as i64));
        let range =
            |axis: usize| ends[0][axis].min(ends[1][axis])..=ends[0][axis].max(ends[1][axis]);
        let mut seen = Vec::new();
        for x in range(0) {
            for y in range(1) {
                let here = cells.entry([x, y]).or_default();
                for j in here.iter().copied().filter(|j| i - j > SAME_PASS) {
                    if !seen.contains(&j) {
                        seen.push(j);
                        if let Some([s, t]) =
                            meeting([places[j], places[j + 1]], [places[i], places[i + 1]])
                        {
                            let at = |k: usize, share: f64| {
                                values[k] + share * (values[k + 1] - values[k])
                            };
                            differences.push(at(i, t) - at(j, s));
                        }
                    }
                }
                here.push(i);
            }
        }
        if differences.len() >= MOST {
            break;
        }
    }
    Crossings {
        differences,
        scatter: scatter(values),
    }
}

/// From second differences, whose variance is six times that of independent readings; where ground is rough they are larger.
fn scatter(values: &[f64]) -> f64 {
    let mut bends: Vec<f64> = (values.windows(3))
        .map(|three| (three[0] - 2.0 * three[1] + three[2]).abs())
        .collect();
    if bends.is_empty() {
        return f64::NAN;
    }
    let half = bends.len() / 2;
    let (_, usual, _) = bends.select_nth_unstable_by(half, f64::total_cmp);
    let scattered = DEVIATION * *usual / 6.0_f64.sqrt();
    // Rounded readings of flat ground do not scatter, and may yet be off by half a step: a deviation of step / sqrt 12.
    scattered.max(rounding(values) / 12.0_f64.sqrt())
}

/// How far along each of two legs they meet, if they do.
fn meeting([a, b]: [[f64; 2]; 2], [c, d]: [[f64; 2]; 2]) -> Option<[f64; 2]> {
    let (u, v, w) = (
        [b[0] - a[0], b[1] - a[1]],
        [d[0] - c[0], d[1] - c[1]],
        [c[0] - a[0], c[1] - a[1]],
    );
    let cross = u[0] * v[1] - u[1] * v[0];
    if cross == 0.0 {
        return None;
    }
    let s = (w[0] * v[1] - w[1] * v[0]) / cross;
    let t = (w[0] * u[1] - w[1] * u[0]) / cross;
    ((0.0..1.0).contains(&s) && (0.0..1.0).contains(&t)).then_some([s, t])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_across_lines_meet_where_they_should() {
        // Five lines east, then five north, soundings a metre apart; the second half reads 0.3 m more, and the ground slopes.
        let mut places = Vec::new();
        let mut values = Vec::new();
        for (half, extra) in [(0, 0.0), (1, 0.3)] {
            for line in 0..5 {
                for step in 0..100 {
                    let (along, across) = (f64::from(step) + 0.25, 10.0 + 20.0 * f64::from(line));
                    let place = if half == 0 {
                        [along, across]
                    } else {
                        [across, along]
                    };
                    places.push(place);
                    values.push(5.0 + 0.01 * place[0] - 0.02 * place[1] + extra);
                }
            }
        }
        let sources = vec![0; places.len()];
        let found = crossings(Track {
            places: &places,
            values: &values,
            sources: &sources,
        });
        assert_eq!(found.differences.len(), 25);
        assert!(
            found.differences.iter().all(|d| (d - 0.3).abs() < 1e-9),
            "{found:?}"
        );
        assert!((found.rms() - 0.3).abs() < 1e-9 && (found.quantile(0.95) - 0.3).abs() < 1e-9);
    }

    /// Soundings that scatter by about 5 cm, on lines that cross others; the second half is taken at another water level.
    fn two_levels(offset: f64) -> Crossings {
        let (mut places, mut values) = (Vec::new(), Vec::new());
        for line in 0..10_u32 {
            for step in 0..100_u32 {
                let (along, across) = (f64::from(step) + 0.25, 10.0 + 20.0 * f64::from(line % 5));
                let is_second = line >= 5;
                places.push(if is_second {
                    [across, along]
                } else {
                    [along, across]
                });
                // Odd enough for noise; its standard deviation is 0.058.
                let noise = 0.2 * (f64::from(step * 7919 + line * 104_729).sin().abs() - 0.5);
                values.push(8.0 + noise + if is_second { offset } else { 0.0 });
            }
        }
        crossings(Track {
            places: &places,
            values: &values,
            sources: &vec![0; places.len()],
        })
    }

    #[test]
    fn readings_of_one_decimal_scatter_by_their_rounding() {
        let values: Vec<f64> = (0..300)
            .map(|i| if i % 10 < 5 { 1.2 } else { 1.3 })
            .collect();
        assert!((scatter(&values) - 0.1 / 12.0_f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn a_tide_of_two_metres_is_a_contradiction_and_scatter_is_none() {
        assert!(two_levels(2.0).contradict());
        assert!(!two_levels(0.0).contradict());
    }
}
