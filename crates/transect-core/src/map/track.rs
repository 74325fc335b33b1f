//! Soundings along a track: bad pings, and means over what the map can resolve.
//!
//! A sonar that loses the bottom says something else for a ping or for many in a row, and finds it again at once. A
//! ping is bad when it is far from the line through the pings around it (median and median slope of 41), in units of
//! how far these are from it (median absolute deviation), and the readings jump both to it and back. A scarp is
//! kept: on either side of it most pings around are of that side. At the ends of a track nothing can be seen to come back: there, and in a
//! run of at most [`AT_END`], the jump to it is enough.
//!
//! Long runs bend that line on a slope, so what is left is looked at once more: pings between a jump away from the line through the
//! good pings before them and a jump back to the line through those after. Ground that is steep, at most [`STEEP`], does not jump.
//!
//! Ten pings a hand apart tell little more than one, so that pings are averaged over the side of a cell. The mean of k
//! readings has a k-th of their noise.

use std::ops::Range;

/// Pings to either side of the one that is judged.
pub(crate) const AROUND: usize = 20;
/// Most bad pings in a row that are looked at.
const LONGEST: usize = 20;
/// Most bad pings that a track begins or ends with: longer, they may be other ground.
const AT_END: usize = 3;
/// A ping is off by more than this many of the steps that readings are rounded to.
const ROUNDINGS: f64 = 2.0;
/// Differences that are steps of rounding are this many times the usual one, a greater share of all than this, and within this factor of each other.
const STEP: (f64, f64, f64) = (10.0, 0.05, 2.5);
/// Ground that rises or falls this much per metre is nothing to wonder about, where long runs are looked for.
const STEEP: f64 = 0.3;
/// How many deviations a bad ping is off.
const OFF: f64 = 8.0;
/// A ping is off by at least this share of what readings vary by on the whole.
const LEAST: f64 = 0.02;
/// Soundings are a track when their usual distance is below this share of that of evenly spread ones.
const DENSE: f64 = 0.5;
/// A standard deviation in median absolute deviations.
const DEVIATION: f64 = 1.4826;

/// Means of soundings in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Averaged {
    pub(super) places: Vec<[f64; 2]>,
    pub(super) values: Vec<f64>,
    /// How many soundings each is the mean of.
    pub(super) counts: Vec<f64>,
    /// Number of the first sounding of each.
    pub(super) firsts: Vec<usize>,
}

impl Averaged {
    /// Numbers of the soundings that some of the means are made of, out of `count`; bad ones in between are among them.
    pub(super) fn soundings(&self, means: &Range<usize>, count: usize) -> Range<usize> {
        let first = |mean: usize| self.firsts.get(mean).copied().unwrap_or(count);
        first(means.start)..first(means.end)
    }

    /// Those outside of some ranges, which ascend.
    pub(super) fn without(&self, ranges: &[Range<usize>]) -> Self {
        let is_left = |i: &usize| !ranges.iter().any(|range| range.contains(i));
        let left: Vec<usize> = (0..self.values.len()).filter(is_left).collect();
        Self {
            places: left.iter().map(|i| self.places[*i]).collect(),
            values: left.iter().map(|i| self.values[*i]).collect(),
            counts: left.iter().map(|i| self.counts[*i]).collect(),
            firsts: left.iter().map(|i| self.firsts[*i]).collect(),
        }
    }
}

/// Whether soundings in their order are a track rather than scattered.
pub(crate) fn is_track(places: &[[f64; 2]], area: f64) -> bool {
    let mut steps: Vec<f64> = places
        .windows(2)
        .map(|pair| distance(pair[0], pair[1]))
        .collect();
    let even = (area / places.len() as f64).sqrt();
    median(&mut steps).is_some_and(|step| step < DENSE * even)
}

/// Which pings of a track are bad: those that jump away from the pings around them, alone or in a run of up to twenty, and back. Values are in
/// the order they were taken, `places` in metres.
///
/// ```
/// let places: Vec<[f64; 2]> = (0..100).map(|i| [0.5 * f64::from(i), 0.0]).collect();
/// let mut depths: Vec<f64> = (0..100).map(|i| 4.0 + 0.01 * f64::from(i)).collect();
/// (depths[50], depths[99]) = (0.6, 31.0);
/// let bad = transect::map::bad_pings(&places, &depths);
/// assert_eq!((0..100).filter(|i| bad[*i]).collect::<Vec<usize>>(), [50, 99]);
/// ```
#[must_use]
pub fn bad_pings(places: &[[f64; 2]], values: &[f64]) -> Vec<bool> {
    let mut all = values.to_vec();
    let centre = median(&mut all).unwrap_or_default();
    all.iter_mut().for_each(|v| *v = (*v - centre).abs());
    let deviation = DEVIATION * median(&mut all).unwrap_or_default();
    let mut bad = bad_pings_of(places, values, deviation);
    let least = LEAST * deviation + ROUNDINGS * rounding(values);
    // Next to a run of bad pings a good one stands out from its neighbours.
    let left: Vec<usize> = (0..values.len()).filter(|i| !bad[*i]).collect();
    let places: Vec<[f64; 2]> = left.iter().map(|i| places[*i]).collect();
    let others: Vec<f64> = left.iter().map(|i| values[*i]).collect();
    for k in lone(&places, &others, least) {
        bad[left[k]] = true;
    }
    let begin = bad.iter().take_while(|bad| **bad).count();
    let end = bad.iter().rev().take_while(|bad| **bad).count();
    let count = bad.len();
    for at_end in [0..begin, count - end..count] {
        if at_end.len() > AT_END {
            bad[at_end].fill(false);
        }
    }
    bad
}

/// Which pings of a piece of a track are bad, where readings have this standard deviation on the whole.
pub(crate) fn bad_pings_of(places: &[[f64; 2]], values: &[f64], deviation: f64) -> Vec<bool> {
    let least = LEAST * deviation + ROUNDINGS * rounding(values);
    let residuals: Vec<Option<f64>> = (0..values.len()).map(|i| off(values, i, least)).collect();
    let mut bad = vec![false; values.len()];
    let mut from = 0;
    while from < values.len() {
        let run = residuals[from..].iter().take_while(|r| r.is_some()).count();
        if (1..=LONGEST).contains(&run) {
            let mut sizes: Vec<f64> = residuals[from..from + run]
                .iter()
                .flatten()
                .map(|r| r.abs())
                .collect();
            let half = 0.5 * median(&mut sizes).unwrap_or_default();
            let jump = |a: Option<usize>, b: usize| {
                let before = a.and_then(|a| values.get(a));
                before
                    .zip(values.get(b))
                    .is_none_or(|(a, b)| (a - b).abs() > half)
            };
            let jumps = jump(from.checked_sub(1), from) && jump(Some(from + run - 1), from + run);
            bad[from..from + run].fill(jumps);
        }
        from += run.max(1);
    }
    let left: Vec<usize> = (0..values.len()).filter(|i| !bad[*i]).collect();
    let track = Track {
        places: left.iter().map(|i| places[*i]).collect(),
        values: left.iter().map(|i| values[*i]).collect(),
        least,
    };
    let mut from = 1;
    while from < left.len() {
        let run = track.run(from).unwrap_or_default();
        left[from..from + run].iter().for_each(|i| bad[*i] = true);
        from += run + 1;
    }
    bad
}

/// Single pings that jump away from the two before and back to the two after, in units of how much readings around them differ from one to the next: on
/// curved ground these stand out from a line through 41 by too little.
fn lone(places: &[[f64; 2]], values: &[f64], least: f64) -> Vec<usize> {
    let differences: Vec<f64> = values
        .windows(2)
        .map(|pair| (pair[1] - pair[0]).abs())
        .collect();
    let is_lone = |i: &usize| {
        let above = |k: usize| values[*i] - values[k];
        let sides = [i - 2, i - 1, i + 1, i + 2].map(above);
        let is_alone = sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0);
        let size = sides.iter().map(|side| side.abs()).fold(f64::MAX, f64::min);
        let apart = distance(places[i - 1], places[*i]).max(distance(places[*i], places[i + 1]));
        let floor = least + STEEP * apart;
        // Most are ordinary: the median is looked for only where it can matter.
        if !is_alone || size <= floor {
            return false;
        }
        let around = i.saturating_sub(AROUND)..(i + AROUND).min(differences.len());
        let usual = median(&mut differences[around].to_vec()).unwrap_or_default();
        // Differences of independent readings have twice their variance.
        size > OFF * DEVIATION * usual / std::f64::consts::SQRT_2 + floor
    };
    let last = values.len().saturating_sub(2);
    (2..last.max(2)).filter(is_lone).collect()
}

/// What readings are rounded to: the usual size of the differences between neighbours that stand out from the others, where these are many and nearly of
/// one size; 0 where readings are not rounded. A tide that was taken off moves rounded readings a little from one to the next, but they still step.
#[must_use]
pub fn rounding(values: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = values
        .windows(2)
        .map(|pair| (pair[1] - pair[0]).abs())
        .collect();
    let count = sizes.len();
    let usual = median(&mut sizes).unwrap_or_default();
    sizes.retain(|size| *size > STEP.0 * usual);
    sizes.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| sizes[((sizes.len() - 1) as f64 * share) as usize];
    let is_many = sizes.len() as f64 > STEP.1 * count as f64;
    if is_many && at(0.75) <= STEP.2 * at(0.25) {
        at(0.25)
    } else {
        0.0
    }
}

/// Pings that are left when short runs are gone.
struct Track {
    places: Vec<[f64; 2]>,
    values: Vec<f64>,
    least: f64,
}

/// A line through pings: its value at one end, and how far they are from it.
#[derive(Clone, Copy)]
struct Line {
    level: f64,
    slope: f64,
    spread: f64,
}

impl Track {
    /// How many pings from `from` on are a run of bad ones, if they are.
    fn run(&self, from: usize) -> Option<usize> {
        let values = &self.values;
        let leap = (values[from] - values[from - 1]).abs();
        if leap <= self.least {
            return None;
        }
        // Seen backwards, so that lines end at the run on both sides.
        let before = line(values[from.saturating_sub(AROUND)..from].iter().rev())?;
        let usual = OFF * before.spread + self.least;
        if (values[from] - before.level).abs() <= usual {
            return None;
        }
        let last = (from + LONGEST).min(values.len() - 1);
        (from + 1..=last).find_map(|to| {
            if (values[to] - values[to - 1]).abs() <= usual {
                return None;
            }
            let after = line(values[to..(to + AROUND).min(values.len())].iter())?;
            self.is_bad(from..to, before, after).then_some(to - from)
        })
    }

    fn is_bad(&self, run: Range<usize>, before: Line, after: Line) -> bool {
        let values = &self.values;
        let rise = after.level - before.level;
        let noise = OFF * before.spread.max(after.spread) + self.least;
        let mut sizes = Vec::with_capacity(run.len());
        for i in run.clone() {
            let share = (i + 1 - run.start) as f64 / (run.len() + 1) as f64;
            let size = (values[i] - before.level - share * rise).abs();
            let apart = distance(self.places[i], self.places[run.start - 1])
                .min(distance(self.places[i], self.places[run.end]));
            if size <= noise + 0.5 * rise.abs() + STEEP * apart {
                return false;
            }
            sizes.push(size);
        }
        let half = 0.5 * median(&mut sizes).unwrap_or_default();
        // Both sides are one floor, and the readings jump away from it and back.
        let reached = before.level - before.slope * (run.len() + 1) as f64;
        (reached - after.level).abs() < half
            && (values[run.start] - values[run.start - 1]).abs() > half
            && (values[run.end] - values[run.end - 1]).abs() > half
    }
}

/// Median slope and level of pings; the level is that of the first.
fn line<'a>(pings: impl Iterator<Item = &'a f64>) -> Option<Line> {
    let pings: Vec<f64> = pings.copied().collect();
    if pings.len() < AROUND / 2 {
        return None;
    }
    let half = pings.len() / 2;
    let mut slopes: Vec<f64> = (0..pings.len() - half)
        .map(|k| (pings[k + half] - pings[k]) / half as f64)
        .collect();
    let slope = median(&mut slopes)?;
    let mut levels: Vec<f64> = pings
        .iter()
        .enumerate()
        .map(|(k, v)| v - slope * k as f64)
        .collect();
    let level = median(&mut levels)?;
    levels.iter_mut().for_each(|v| *v = (*v - level).abs());
    Some(Line {
        level,
        slope,
        spread: DEVIATION * median(&mut levels)?,
    })
}

/// How far ping `i` is from the pings around it, if that is too far.
fn off(values: &[f64], i: usize, least: f64) -> Option<f64> {
    let from = i.saturating_sub(AROUND);
    let around = &values[from..(i + AROUND + 1).min(values.len())];
    if around.len() < AROUND {
        return None;
    }
    let half = around.len() / 2;
    let mut slopes: Vec<f64> = (0..around.len() - half)
        .map(|k| (around[k + half] - around[k]) / half as f64)
        .collect();
    let slope = median(&mut slopes)?;
    let straightened = |(k, v): (usize, &f64)| v - slope * (k as f64 - (i - from) as f64);
    let mut levels: Vec<f64> = around.iter().enumerate().map(straightened).collect();
    let level = median(&mut levels)?;
    levels.iter_mut().for_each(|v| *v = (*v - level).abs());
    let spread = DEVIATION * median(&mut levels)?;
    let residual = values[i] - level;
    (residual.abs() > OFF * spread + least).then_some(residual)
}

/// Averages neighbours in the order of the track over `length` (m), without those that are bad.
pub(super) fn average(places: &[[f64; 2]], values: &[f64], bad: &[bool], length: f64) -> Averaged {
    let mut averaged = Averaged::default();
    let mut good = (0..values.len()).filter(|i| !bad[*i]).peekable();
    while let Some(first) = good.next() {
        let (mut place, mut value, mut count) = (places[first], values[first], 1.0);
        while let Some(next) = good.next_if(|next| distance(places[first], places[*next]) < length)
        {
            place = [0, 1].map(|d| place[d] + places[next][d]);
            value += values[next];
            count += 1.0;
        }
        averaged.places.push(place.map(|x| x / count));
        averaged.values.push(value / count);
        averaged.counts.push(count);
        averaged.firsts.push(first);
    }
    averaged
}

/// Between two places, m.
pub(super) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The median; changes the order.
pub(super) fn median(numbers: &mut [f64]) -> Option<f64> {
    if numbers.is_empty() {
        return None;
    }
    let middle = numbers.len() / 2;
    Some(*numbers.select_nth_unstable_by(middle, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floor(i: usize) -> f64 {
        10.0 + 2.0 * (i as f64 * 0.01).sin() + 0.03 * ((i * 37 % 11) as f64 - 5.0) / 5.0
    }

    #[test]
    fn spikes_and_runs_are_found_and_scarps_are_kept() {
        // A scarp of 4 m at 500, the bottom lost at 200 (once), 300 to 302 and 700 to 708.
        let mut values: Vec<f64> = (0..1000)
            .map(|i| floor(i) + if i >= 500 { 4.0 } else { 0.0 })
            .collect();
        let planted: Vec<usize> = std::iter::once(200)
            .chain(300..303)
            .chain(700..709)
            .collect();
        planted.iter().for_each(|i| values[*i] = 1.2);
        let bad = bad_pings(&along(1000, 0.15), &values);
        let found: Vec<usize> = (0..1000).filter(|i| bad[*i]).collect();
        assert_eq!(found, planted);
    }

    #[test]
    fn the_ends_of_a_track_are_judged_too() {
        let places = along(400, 0.15);
        let flagged = |values: &[f64]| -> Vec<usize> {
            let bad = bad_pings(&places, values);
            (0..values.len()).filter(|i| bad[*i]).collect()
        };
        let mut values: Vec<f64> = (0..400).map(floor).collect();
        values[0] = 0.4;
        values[398] = 31.0;
        values[399] = 30.0;
        assert_eq!(flagged(&values), [0, 398, 399]);
        // Ten pings on a ledge, and the end of the track: nobody knows.
        let mut values: Vec<f64> = (0..400).map(floor).collect();
        values[390..].iter_mut().for_each(|v| *v -= 4.0);
        assert!(flagged(&values).is_empty());
        // A steep shore, half a metre up per metre, at the end.
        let shore = |i: usize| floor(i) - 0.075 * (i.saturating_sub(370) as f64);
        let values: Vec<f64> = (0..400).map(shore).collect();
        assert!(flagged(&values).is_empty());
    }

    /// Off by 2.5 m on ground that bends by metres within the 41 around.
    #[test]
    fn single_pings_are_found_on_bending_ground() {
        let bend = |i: usize| floor(i) + 3.0 * (i as f64 * 0.06).sin();
        let mut values: Vec<f64> = (0..400).map(bend).collect();
        assert!(!bad_pings(&along(400, 0.15), &values).contains(&true));
        values[200] += 2.5;
        let bad = bad_pings(&along(400, 0.15), &values);
        let found: Vec<usize> = (0..400).filter(|i| bad[*i]).collect();
        assert_eq!(found, [200]);
    }

    /// A flat floor in a log with one decimal.
    #[test]
    fn a_flicker_of_the_last_digit_is_nothing() {
        let values: Vec<f64> = (0..400)
            .map(|i| 5.0 + if i % 17 == 3 { 0.1 } else { 0.0 })
            .collect();
        assert!((rounding(&values) - 0.1).abs() < 1e-9);
        assert!(!bad_pings(&along(400, 0.5), &values).contains(&true));
        // The same with a tide that falls by 0.6 m taken off.
        let level = |i: usize| values[i] + 0.0015 * i as f64;
        let mut corrected: Vec<f64> = (0..400).map(level).collect();
        assert!((rounding(&corrected) - 0.1).abs() < 0.01);
        assert!(!bad_pings(&along(400, 0.5), &corrected).contains(&true));
        corrected[200] = 25.0;
        let bad = bad_pings(&along(400, 0.5), &corrected);
        assert_eq!(bad.iter().position(|bad| *bad), Some(200));
        assert_eq!(rounding(&(0..400).map(floor).collect::<Vec<f64>>()), 0.0);
    }

    /// A boat at 1.5 m/s, ten pings a second.
    fn along(count: u32, step: f64) -> Vec<[f64; 2]> {
        (0..count).map(|i| [step * f64::from(i), 0.0]).collect()
    }

    /// Down a slope of a half, and up again: runs of up to twenty, constant ones and erratic ones.
    #[test]
    fn long_runs_are_found_on_slopes() {
        let valley = |i: usize| 5.0 + 0.075 * (500.0 - (i as f64 - 500.0).abs()) + floor(i) - 10.0;
        for run in [3, 7, 11, 15, 20] {
            let mut values: Vec<f64> = (0..1000).map(valley).collect();
            let planted: Vec<usize> = [150, 300, 700, 850]
                .into_iter()
                .flat_map(|from| from..from + run)
                .collect();
            for i in &planted {
                values[*i] = if *i < 500 {
                    1.2
                } else {
                    valley(*i) * (0.2 + 0.05 * (i % 7) as f64)
                };
            }
            let bad = bad_pings(&along(1000, 0.15), &values);
            let found: Vec<usize> = (0..1000).filter(|i| bad[*i]).collect();
            assert_eq!(found, planted, "runs of {run}");
        }
    }

    /// Soundings a kilometre apart over seamounts: two or three in a row stand out, and are right.
    #[test]
    fn what_stands_out_of_sparse_soundings_is_kept() {
        let mount = |i: usize| if (200..203).contains(&i) { 700.0 } else { 0.0 };
        let sea = |i: usize| -3000.0 + 200.0 * (i as f64 * 0.05).sin() + 30.0 * floor(3 * i);
        let values: Vec<f64> = (0..400).map(|i| sea(i) + mount(i)).collect();
        let track = Track {
            places: along(400, 1400.0),
            values,
            least: 0.0,
        };
        assert!((1..400).all(|from| track.run(from).is_none()));
    }

    /// A mound 12 pings wide with slopes, as sampled once a second.
    #[test]
    fn a_mound_with_slopes_is_kept() {
        let mound = |i: usize| (3.0 - (i as f64 - 200.0).abs() * 0.5).max(0.0);
        let values: Vec<f64> = (0..400).map(|i| floor(i) - mound(i)).collect();
        assert!(!bad_pings(&along(400, 1.5), &values).contains(&true));
    }

    #[test]
    fn means_hold_every_good_sounding_once() {
        let places: Vec<[f64; 2]> = (0..100).map(|i| [0.25 * f64::from(i), 0.0]).collect();
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let mut bad = vec![false; 100];
        bad[5] = true;
        let averaged = average(&places, &values, &bad, 2.0);
        assert_eq!(averaged.counts.iter().sum::<f64>(), 99.0);
        assert_eq!(averaged.counts[0], 7.0);
        let sum: f64 = averaged
            .values
            .iter()
            .zip(&averaged.counts)
            .map(|(v, c)| v * c)
            .sum();
        assert!((sum - (4950.0 - 5.0)).abs() < 1e-9);
        // Without length, everything stays as it is.
        assert_eq!(average(&places, &values, &bad, 0.0).values.len(), 99);
    }

    #[test]
    fn a_raster_is_no_track() {
        let raster: Vec<[f64; 2]> = (0..900)
            .map(|i| [f64::from(i % 30), f64::from(i / 30)])
            .collect();
        assert!(!is_track(&raster, 900.0));
        let lines: Vec<[f64; 2]> = (0..900)
            .map(|i| [f64::from(i % 300) * 0.1, f64::from(i / 300) * 10.0])
            .collect();
        assert!(is_track(&lines, 900.0));
    }
}
