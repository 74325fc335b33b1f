//! Which points a place is predicted from.
//!
//! From every level, fine to coarse, the points nearest to the place that are not chosen yet: near ones and far ones.
//! Where the kernel embeds points (attention), twice as many are looked at and those with the highest correlation are
//! kept: attention can cut off what lies next door. A place amid points, rather than in a gap between them, needs only a
//! part of these, if that is asked for.

use super::tree::{Found, squared};
use super::{Vecchia, View};
use crate::kernel::Memory;
use crate::linalg::Matrix;
use crate::points::Points;

/// How many points condition a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Neighbours {
    /// Those from the finest level.
    pub near: usize,
    /// Those from each coarser level.
    pub far: usize,
}

impl Neighbours {
    /// For the evidence: parameters need fewer than predictions.
    pub const EVIDENCE: Self = Self { near: 30, far: 10 };
}

impl Default for Neighbours {
    /// For predictions: enough for means within 5 % of a standard deviation of the exact ones, see `tests/nearest.rs`.
    fn default() -> Self {
        Self { near: 200, far: 16 }
    }
}

/// Near points that a place amid points has at least.
const ENOUGH: usize = 30;
/// It has this share of the others.
const FEWER: usize = 4;
/// How many times as far as the nearest the last of the near ones is around such a place, squared.
const AROUND: f64 = 16.0;

/// Whether the nearest of these points, the nearest first, is much nearer than the last: beside a gap all are about as far.
fn is_surrounded(found: &[Found]) -> bool {
    let ends = found.first().zip(found.last());
    ends.is_some_and(|(first, last)| last.squared > AROUND * first.squared)
}

/// Where a prediction is asked for, and what it may be made from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// Embedded coordinates.
    pub(super) embedded: &'a [f64],
    /// Only points before this position of the order count.
    pub(super) before: usize,
    /// Only points farther away than this count (scaled units).
    pub(super) beyond: f64,
    /// Points with numbers from the first to before the second do not count.
    pub(super) without: (usize, usize),
}

impl<'a> Place<'a> {
    /// A place that is predicted from all points.
    pub(super) fn anywhere(embedded: &'a [f64]) -> Self {
        Self {
            embedded,
            before: usize::MAX,
            beyond: 0.0,
            without: (0, 0),
        }
    }
}

/// Sets of points, one after the other.
#[derive(Debug, Default)]
pub(super) struct Sets {
    pub(super) numbers: Vec<u32>,
    /// Where each ends.
    pub(super) ends: Vec<usize>,
}

impl Sets {
    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.ends.clear();
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends);
        ranges.map(|(from, to)| &self.numbers[from..*to])
    }
}

/// Memory for the search.
#[derive(Debug, Default)]
pub(super) struct Search {
    found: Vec<Found>,
    scored: Vec<(f64, u32)>,
    candidates: Points,
    place: Points,
    cross: Matrix,
    memory: Memory,
}

impl Search {
    /// Adds the numbers of the points that `place` is predicted from to `chosen`.
    pub(super) fn choose(
        &mut self,
        view: &View<'_>,
        neighbours: Neighbours,
        place: Place<'_>,
        chosen: &mut Vec<u32>,
    ) {
        let process = view.process;
        let levels = &process.levels;
        let start = chosen.len();
        let at = &place.embedded[..levels.places().width()];
        let nearest = place.beyond * place.beyond;
        let is_attentive = process.rows.width() > at.len();
        let mut counts = neighbours;
        for (turn, level) in levels.searched(place.before).enumerate() {
            let is_filtered = turn == 0 && place.before < levels.places().len();
            let mut accept = |one: Found| {
                let number = one.number as usize;
                (place.beyond == 0.0 || one.squared > nearest)
                    && !(place.without.0..place.without.1).contains(&number)
                    && !(is_filtered && levels.rank(number) >= place.before)
                    && !(turn > 0 && chosen[start..].contains(&one.number))
            };
            if turn == 0 && process.is_screened && neighbours.near > ENOUGH {
                levels.nearest(level, at, ENOUGH, &mut accept, &mut self.found);
                if is_surrounded(&self.found) {
                    let far = neighbours.far.div_ceil(FEWER);
                    let near = ENOUGH.max(neighbours.near / FEWER);
                    counts = Neighbours { near, far };
                }
            }
            let count = if turn == 0 { counts.near } else { counts.far };
            let looked_at = if is_attentive { 2 * count } else { count };
            levels.nearest(level, at, looked_at, &mut accept, &mut self.found);
            if is_attentive && self.found.len() > count {
                self.keep_correlated(process, place.embedded, count);
            }
            chosen.extend(self.found.iter().map(|one| one.number));
        }
        self.choose_supposed(view, neighbours.near, at, chosen);
    }

    /// Adds the nearest of the supposed measurements.
    fn choose_supposed(
        &mut self,
        view: &View<'_>,
        count: usize,
        at: &[f64],
        chosen: &mut Vec<u32>,
    ) {
        self.found.clear();
        let first = view.process.len();
        self.found.extend((0..view.more.rows.len()).map(|i| Found {
            squared: squared(&view.more.rows.row(i)[..at.len()], at),
            number: (first + i) as u32,
        }));
        if self.found.len() > count {
            let by_distance = |a: &Found, b: &Found| {
                a.squared
                    .total_cmp(&b.squared)
                    .then(a.number.cmp(&b.number))
            };
            self.found.select_nth_unstable_by(count, by_distance);
            self.found.truncate(count);
        }
        chosen.extend(self.found.iter().map(|one| one.number));
    }

    fn keep_correlated(&mut self, process: &Vecchia, place: &[f64], count: usize) {
        let rows = &process.rows;
        let numbers = self.found.iter().map(|one| one.number as usize);
        let found = numbers.map(|i| rows.row(i));
        self.candidates.gather(rows.width(), found);
        self.place.gather(rows.width(), std::iter::once(place));
        process.kernel.embedded_cross(
            process.kernel_theta(),
            (&self.candidates, &self.place),
            &mut self.cross,
            &mut self.memory,
            &process.compute.on_one_thread(),
        );
        let column = self.cross.column(0);
        let score = |k: &f64, one: &Found| (-k.abs(), one.number);
        self.scored.clear();
        let pairs = column.iter().zip(&self.found);
        self.scored.extend(pairs.map(|(k, one)| score(k, one)));
        let by_score = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        let (_, worst, _) = self.scored.select_nth_unstable_by(count - 1, by_score);
        let worst = *worst;
        let mut column = column.iter();
        let is_kept = |one: &Found| {
            let k = column.next();
            k.is_some_and(|k| by_score(&score(k, one), &worst).is_le())
        };
        self.found.retain(is_kept);
    }
}
