//! Pieces of track that contradict the others where they pass them: a wrong sound speed, another datum, a broken log.
//!
//! Every sounding is compared with those around it that were taken at another time. It is off if it lies outside of all of them (ground
//! may be steep) by more than [`UNUSUAL`] times what soundings usually differ from their median. A piece is in doubt where soundings that are off outnumber the others, in the
//! order they were taken: what is wrong with a log stays wrong for a while, wherever the ship is. One against one nothing can be said: others of at
//! least two times must contradict a piece, and few may bear it out where they differ among themselves by as much as
//! the piece is off, as a second ship with the same depths would. The processes have the last
//! word, who know how steep the ground is: half of the soundings asked must be beyond [`BEYOND`] standard deviations of what they are
//! predicted to be without the piece.

use super::index::Index;
use super::track::{Averaged, distance, median};
use std::ops::Range;

/// Soundings before and after one that it is not compared with.
const OWN: usize = 150;
/// Soundings are compared with those within this many usual steps.
const NEAR: f64 = 2.0;
/// Soundings of other times that one is compared with, at most and at least.
const OTHERS: (usize, usize) = (24, 3);
/// By how many the soundings that are off outnumber the others in a piece, at least.
const FEWEST: i32 = 6;
/// So many more that are not off end a piece.
const END: i32 = 5;
/// Soundings of a piece that are predicted without it, at most.
const ASKED: usize = 16;
/// A piece that others bear out at more than this share of the soundings that are off is kept.
const BORNE_OUT: f64 = 0.25;
/// Others bear a sounding out where they differ by at least this share of what the piece is off by: on steep ground soundings differ
/// from some and agree with others anyway, which says nothing about a piece that is off by far more.
const AT_ODDS: f64 = 0.5;
/// How far outside the others soundings are that are off, in usual differences.
const UNUSUAL: f64 = 3.0;
/// Standard deviations that are too many for half of a piece.
const BEYOND: f64 = 4.0;

/// A piece in doubt.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Doubt {
    /// Numbers of its soundings.
    pub(super) piece: Range<usize>,
    /// Numbers of those that others pass, some of them.
    pub(super) passed: Vec<usize>,
}

impl Doubt {
    /// Whether the piece is wrong, from the standard deviations by which the `passed` ones are off.
    pub(super) fn is_wrong(&self, deviations: impl Iterator<Item = f64>) -> bool {
        let mut deviations: Vec<f64> = deviations.map(f64::abs).collect();
        median(&mut deviations).is_some_and(|usual| usual > BEYOND)
    }
}

/// Pieces that differ from the others unusually.
pub(super) fn doubts(data: &Averaged, index: &Index<'_>) -> Vec<Doubt> {
    let mut steps: Vec<f64> = (data.places.windows(2))
        .map(|pair| distance(pair[0], pair[1]))
        .collect();
    let reach = NEAR * median(&mut steps).unwrap_or_default();
    let compared: Vec<(usize, Comparison)> = (0..data.values.len())
        .filter_map(|i| Some((i, compare(data, index, i, reach)?)))
        .collect();
    let mut usual: Vec<f64> = compared.iter().map(|(_, with)| with.median).collect();
    let most = UNUSUAL * median(&mut usual).unwrap_or_default();
    let is_off: Vec<bool> = compared
        .iter()
        .map(|(_, with)| with.outside > most)
        .collect();
    let is_doubted = |run: &Range<usize>| {
        let off = || run.clone().filter(|k| is_off[*k]).map(|k| &compared[k].1);
        let first = off().map(|with| with.times.0).min();
        let last = off().map(|with| with.times.1).max();
        let mut sizes: Vec<f64> = off().map(|with| with.outside).collect();
        let size = median(&mut sizes).unwrap_or_default();
        let at_odds = (UNUSUAL * most).max(AT_ODDS * size);
        // A second ship does not follow all the way.
        let numbers = compared[run.start].0.saturating_sub(OWN)..compared[run.end - 1].0 + OWN;
        let borne_out = (compared.iter())
            .filter(|(i, _)| numbers.contains(i))
            .map(|(_, with)| with)
            .filter(|with| with.nearest <= most && with.farthest > at_odds)
            .count();
        let is_by_several = first.zip(last).is_some_and(|(a, b)| b.abs_diff(a) > OWN);
        is_by_several && borne_out as f64 <= BORNE_OUT * off().count() as f64
    };
    let doubt = |run: Range<usize>| {
        let off: Vec<usize> = (run.clone())
            .filter(|k| is_off[*k])
            .map(|k| compared[k].0)
            .collect();
        let every = off.len().div_ceil(ASKED);
        Doubt {
            piece: compared[run.start].0..compared[run.end - 1].0 + 1,
            passed: off.into_iter().step_by(every).collect(),
        }
    };
    let numbers: Vec<usize> = compared.iter().map(|(i, _)| *i).collect();
    let stretches = outnumbering(&is_off, &numbers).into_iter();
    stretches.filter(is_doubted).map(doubt).collect()
}

/// Stretches, from one that is off to another, in which those outnumber the others. Soundings with these numbers were compared: a stretch ends
/// where many in a row were not.
fn outnumbering(is_off: &[bool], numbers: &[usize]) -> Vec<Range<usize>> {
    let mut stretches = Vec::new();
    let mut from = 0;
    while let Some(skipped) = is_off[from..].iter().position(|off| *off) {
        from += skipped;
        let (mut score, mut best, mut end) = (0, 0, from + 1);
        for (i, off) in is_off.iter().enumerate().skip(from) {
            if i > from && numbers[i] - numbers[i - 1] > OWN {
                break;
            }
            score += if *off { 1 } else { -1 };
            if score > best {
                (best, end) = (score, i + 1);
            }
            if score <= best - END {
                break;
            }
        }
        if best >= FEWEST {
            stretches.push(from..end);
        }
        from = end;
    }
    stretches
}

/// How far a sounding is from others.
struct Comparison {
    /// From their median.
    median: f64,
    /// From the nearest of them, if it lies outside their range.
    outside: f64,
    /// From the one that is nearest in value, and from the one that is farthest.
    nearest: f64,
    farthest: f64,
    /// Numbers of the first and the last of them.
    times: (usize, usize),
}

/// Compares sounding `i` with the soundings around it that were taken neither shortly before nor shortly after.
fn compare(data: &Averaged, index: &Index<'_>, i: usize, reach: f64) -> Option<Comparison> {
    let (at, value) = (data.places[i], data.values[i]);
    let mut numbers = index.nearest(at, OTHERS.0);
    numbers.retain(|other| other.abs_diff(i) > OWN && distance(data.places[*other], at) <= reach);
    if numbers.len() < OTHERS.1 {
        return None;
    }
    let mut others: Vec<f64> = numbers.iter().map(|other| data.values[*other]).collect();
    let low = others.iter().copied().fold(f64::INFINITY, f64::min);
    let high = others.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let apart = || others.iter().map(|other| (value - other).abs());
    Some(Comparison {
        nearest: apart().fold(f64::INFINITY, f64::min),
        farthest: apart().fold(0.0, f64::max),
        times: (*numbers.iter().min()?, *numbers.iter().max()?),
        outside: (low - value).max(value - high).max(0.0),
        median: (value - median(&mut others)?).abs(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines to the east, then lines to the north across them.
    fn crossing_lines(wrong_line: usize, offset: f64) -> Averaged {
        let mut data = Averaged::default();
        for line in 0..20 {
            for i in 0..100 {
                let (along, across) = (f64::from(i), 5.0 * f64::from(line % 10) + 0.5);
                let [x, y] = if line < 10 {
                    [0.5 * along, across]
                } else {
                    [across, 0.5 * along]
                };
                let wrong = if line as usize == wrong_line {
                    offset
                } else {
                    0.0
                };
                data.places.push([x, y]);
                data.values
                    .push(10.0 + 2.0 * (0.1 * x).sin() + (0.2 * y).cos() + wrong);
                data.counts.push(1.0);
                data.firsts.push(data.firsts.len());
            }
        }
        data
    }

    #[test]
    fn a_line_with_another_datum_is_doubted_and_no_other() {
        let data = crossing_lines(7, 8.0);
        let found = doubts(&data, &Index::new(&data.places));
        assert_eq!(found.len(), 1, "{found:?}");
        // From its first crossing to its last.
        let piece = &found[0].piece;
        assert!(piece.start < 705 && piece.start >= 700, "{found:?}");
        assert!(piece.end <= 800 && piece.end > 790, "{found:?}");
        assert!(found[0].passed.len() > 8);
        assert!(found[0].is_wrong(found[0].passed.iter().map(|_| -9.0)));
        assert!(!found[0].is_wrong(found[0].passed.iter().map(|_| 1.0)));
    }

    /// A second ship with the same depths along half of the line: two against two.
    #[test]
    fn a_line_that_another_bears_out_is_not_doubted() {
        let mut data = crossing_lines(7, 8.0);
        for i in 700..750 {
            data.places
                .push([data.places[i][0] + 0.01, data.places[i][1]]);
            data.values.push(data.values[i]);
            data.counts.push(1.0);
            data.firsts.push(data.firsts.len());
        }
        assert_eq!(doubts(&data, &Index::new(&data.places)), []);
    }

    /// Half of the ground is so steep that every sounding there agrees with some of the others and differs from the rest by far more than
    /// is usual. Nearly all of that is the ground's doing, and says nothing about a line that is off by ten times as much.
    #[test]
    fn steep_ground_does_not_bear_out_a_line() {
        let mut data = crossing_lines(7, 0.0);
        for ([x, y], value) in data.places.iter().zip(&mut data.values) {
            *value += 20.0 * (x + y - 60.0).max(0.0);
        }
        assert_eq!(doubts(&data, &Index::new(&data.places)), []);
        data.values[700..745].iter_mut().for_each(|v| *v += 400.0);
        let found = doubts(&data, &Index::new(&data.places));
        assert_eq!(found.len(), 1, "{found:?}");
        let piece = &found[0].piece;
        assert!(piece.start >= 700 && piece.end <= 746, "{found:?}");
        assert!(piece.len() > 35, "{found:?}");
    }

    /// Two lines beside each other that differ: one of them is wrong, and nothing says which.
    #[test]
    fn one_line_alone_contradicts_nothing() {
        let mut data = crossing_lines(20, 0.0);
        let mut add = |y: f64, depth: f64| {
            for i in 0..100 {
                data.places.push([0.5 * f64::from(i), y]);
                data.values.push(depth);
                data.counts.push(1.0);
                data.firsts.push(data.firsts.len());
            }
        };
        // Two other lines are between them in time.
        [
            (1000.0, 10.0),
            (2000.0, 10.0),
            (3000.0, 10.0),
            (1000.3, 18.0),
        ]
        .into_iter()
        .for_each(|(y, depth)| add(y, depth));
        assert_eq!(doubts(&data, &Index::new(&data.places)), []);
    }

    #[test]
    fn lines_that_agree_are_not_doubted() {
        let data = crossing_lines(7, 0.0);
        assert_eq!(doubts(&data, &Index::new(&data.places)), []);
    }
}
