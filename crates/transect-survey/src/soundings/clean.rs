//! Bad pings along a track: single ones, and runs of them, which is how sonars fail.
//!
//! A ping is suspected if it is far from the median of the 21 around it (its own line, so a scarp that is crossed moves
//! the median with it). A run of suspects is bad if it also jumps away from the straight line between the good pings
//! before and after it: `|d - line| > 6 s + |step| / 2 + 0.3 l`, where `s` is the usual difference between neighbours there,
//! `step` how much the good pings on both sides differ, and `l` how far the ping is from the nearer of them: ground may be steep. Ground that rises or falls never comes back, so it is not flagged.
//!
//! Scales are medians over 201 pings, so that rough ground may be rough, and at least what soundings are rounded to.

use super::flags::{Flag, Reason};
use std::ops::Range;

/// Pings on either side of one that its median is over.
const HALF_WINDOW: usize = 10;
/// Pings on either side that say how large differences usually are.
const HALF_SCALE: usize = 100;
/// How many times the usual difference makes a suspect.
const SUSPICIOUS: f64 = 8.0;
/// And from the line between its neighbours.
const JUMP: f64 = 6.0;
/// Ground this steep is nothing to wonder about.
const STEEP: f64 = 0.3;
/// Standard deviations of a normal distribution in one median absolute deviation.
const MAD: f64 = 1.4826;
/// The least scale: rounding, and half a percent of the depth.
const LEAST: f64 = 0.03;
const LEAST_SHARE: f64 = 0.005;

/// Flags the bad pings of one track, in the order they were taken, by their place in it; `metres` are its places.
#[must_use]
pub fn spikes(values: &[f64], metres: &[[f64; 2]]) -> Vec<Flag> {
    if values.len() < 2 * HALF_WINDOW + 1 {
        return Vec::new();
    }
    let medians = running_median(values, HALF_WINDOW);
    let residuals: Vec<f64> = values
        .iter()
        .zip(&medians)
        .map(|(v, m)| (v - m).abs())
        .collect();
    let steps: Vec<f64> = (0..values.len())
        .map(|i| (values[i] - values[i.saturating_sub(1)]).abs())
        .collect();
    let suspects = scales(&residuals, &medians);
    let jumps = scales(&steps, &medians);
    let suspected: Vec<bool> = (0..values.len())
        .map(|i| residuals[i] > SUSPICIOUS * suspects[i])
        .collect();
    let mut flags = Vec::new();
    for run in runs(&suspected) {
        let before = run.start.checked_sub(1).map(|i| values[i]);
        let after = values.get(run.end).copied();
        let (Some(left), Some(right)) = (before.or(after), after.or(before)) else {
            continue;
        };
        let mut bad = Vec::new();
        for i in run.clone() {
            let share = (i + 1 - run.start) as f64 / (run.len() + 1) as f64;
            let expected = left + share * (right - left);
            let away = |other: Option<usize>| {
                let there = other.and_then(|k| metres.get(k));
                there.map_or(f64::INFINITY, |at| {
                    (at[0] - metres[i][0]).hypot(at[1] - metres[i][1])
                })
            };
            let apart = away(run.start.checked_sub(1)).min(away(Some(run.end)));
            let allowed = JUMP * jumps[i] + (right - left).abs() / 2.0 + STEEP * apart;
            if (values[i] - expected).abs() > allowed {
                bad.push((i, expected));
            }
        }
        let count = bad.len();
        flags.extend(bad.into_iter().map(|(i, expected)| Flag {
            index: i,
            reason: Reason::Spike {
                expected,
                run: count,
            },
        }));
    }
    flags
}

/// Stretches of true.
fn runs(flags: &[bool]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut start = None;
    for (i, flag) in flags.iter().chain([&false]).enumerate() {
        match (*flag, start) {
            (true, None) => start = Some(i),
            (false, Some(from)) => {
                runs.push(from..i);
                start = None;
            }
            _ => {}
        }
    }
    runs
}

/// How large these deviations usually are around each ping.
fn scales(deviations: &[f64], medians: &[f64]) -> Vec<f64> {
    let overall = MAD * median(&mut deviations.to_vec());
    let local = running_median(deviations, HALF_SCALE);
    let least = |i: usize| LEAST + LEAST_SHARE * medians[i].abs();
    (0..deviations.len())
        .map(|i| (MAD * local[i]).max(0.5 * overall).max(least(i)))
        .collect()
}

fn median(values: &mut [f64]) -> f64 {
    let half = values.len() / 2;
    let (_, median, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    *median
}

/// The median of each value and `half` others on either side; the ends count as often as is needed. A sorted window is
/// kept while it moves on.
fn running_median(values: &[f64], half: usize) -> Vec<f64> {
    let at = |i: isize| values[i.clamp(0, values.len() as isize - 1) as usize];
    let half = half as isize;
    let mut window: Vec<f64> = (-half..=half).map(at).collect();
    window.sort_unstable_by(f64::total_cmp);
    let mut medians = Vec::with_capacity(values.len());
    for i in 0..values.len() as isize {
        medians.push(window[half as usize]);
        let (old, new) = (at(i - half), at(i + half + 1));
        let out = window.partition_point(|v| v.total_cmp(&old).is_lt());
        window.remove(out);
        let into = window.partition_point(|v| v.total_cmp(&new).is_lt());
        window.insert(into, new);
    }
    medians
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Noise of a few centimetres, always the same.
    fn noise(i: usize) -> f64 {
        let turned = (i as f64 * 12.9898).sin() * 43_758.545;
        0.06 * (turned - turned.floor() - 0.5)
    }

    /// Half a metre from ping to ping.
    fn places(count: usize) -> Vec<[f64; 2]> {
        (0..count).map(|i| [0.5 * i as f64, 0.0]).collect()
    }

    fn flagged(values: &[f64]) -> Vec<usize> {
        spikes(values, &places(values.len()))
            .iter()
            .map(|flag| flag.index)
            .collect()
    }

    #[test]
    fn runs_are_found_and_scarps_are_not() {
        let slope = |i: usize| 5.0 + 0.01 * i as f64 + noise(i);
        let mut track: Vec<f64> = (0..600).map(slope).collect();
        // A scarp of 1.5 m, down and, much later, up again.
        for value in &mut track[200..350] {
            *value += 1.5;
        }
        assert_eq!(flagged(&track), [0; 0]);
        for value in &mut track[400..406] {
            *value += 13.9;
        }
        track[500] = 0.4;
        assert_eq!(flagged(&track), [400, 401, 402, 403, 404, 405, 500]);
        let Reason::Spike { expected, run } = spikes(&track, &places(600))[0].reason else {
            panic!("no spike")
        };
        assert!((expected - 9.0).abs() < 0.1 && run == 6);
    }

    #[test]
    fn the_ends_and_short_tracks_are_left_alone() {
        assert!(flagged(&[1.0, 99.0, 1.0]).is_empty());
        let mut track: Vec<f64> = (0..100).map(|i| 3.0 + noise(i)).collect();
        track[99] = 30.0;
        assert!(flagged(&track).is_empty());
    }

    #[test]
    fn a_sorted_window_gives_the_medians() {
        let values: Vec<f64> = (0..50).map(|i| noise(7 * i)).collect();
        let fast = running_median(&values, 3);
        for i in 0..values.len() {
            let mut window: Vec<f64> = (0..7)
                .map(|k| values[(i + k).saturating_sub(3).min(values.len() - 1)])
                .collect();
            assert_eq!(fast[i], median(&mut window));
        }
    }
}
