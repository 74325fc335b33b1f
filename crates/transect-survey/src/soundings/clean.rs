//! Bad pings along a track, with what the track around them says. Which pings are bad is decided by the map's own detector,
//! [`transect::map::bad_pings`]: `transect soundings` sets aside what a map would.

use super::flags::{Flag, Reason};
use transect::map::bad_pings;

/// Flags the bad pings of one track, in the order they were taken, by their place in it; `metres` are its places.
#[must_use]
pub fn spikes(values: &[f64], metres: &[[f64; 2]]) -> Vec<Flag> {
    let bad = bad_pings(metres, values);
    let mut flags = Vec::new();
    let mut from = 0;
    for run in bad.chunk_by(|a, b| a == b) {
        let (start, end) = (from, from + run.len());
        from = end;
        if !run[0] {
            continue;
        }
        // Along the straight line between the good pings before and after; at an end of the track there is only one.
        let before = start.checked_sub(1).map(|i| values[i]);
        let after = values.get(end).copied();
        let (Some(left), Some(right)) = (before.or(after), after.or(before)) else {
            continue;
        };
        flags.extend((start..end).map(|index| {
            let share = (index + 1 - start) as f64 / (run.len() + 1) as f64;
            Flag {
                index,
                reason: Reason::Spike {
                    expected: left + share * (right - left),
                    run: run.len(),
                },
            }
        }));
    }
    flags
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
    fn the_last_ping_is_judged_and_short_tracks_are_left_alone() {
        assert!(flagged(&[1.0, 99.0, 1.0]).is_empty());
        let mut track: Vec<f64> = (0..100).map(|i| 3.0 + noise(i)).collect();
        track[99] = 30.0;
        assert_eq!(flagged(&track), [99]);
        let Reason::Spike { expected, run } = spikes(&track, &places(100))[0].reason else {
            panic!("no spike")
        };
        assert!((expected - 3.0).abs() < 0.1 && run == 1);
    }
}
