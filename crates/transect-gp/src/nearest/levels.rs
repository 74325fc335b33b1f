//! Points from coarse to fine.
//!
//! The square around all points is halved again and again. Of the points in a cell, one (drawn by lot) stands for the
//! others; the finest cells first, then those that remain in cells of twice the side, and so on. Points that stand for
//! large cells come first in the order. So every beginning of the order is spread evenly over the survey, however
//! densely its lines are sampled, and the neighbours of a place on several levels are near *and* far ones.

use super::Rows;
use super::tree::{Found, Tree, squared};

/// The next coarser level that is searched has at most this share of the points of the one before.
const THINNING: f64 = 0.4;
/// Levels of fewer points are not searched.
const FEWEST: usize = 8;
/// New points are looked through one by one until there are this many, and this share of all.
const TAIL: usize = 256;
const TAIL_SHARE: usize = 64;

/// Places in their order, and how to find those near a place.
#[derive(Debug, Clone)]
pub(super) struct Levels {
    places: Rows,
    /// Position of each point in the order; that of later points is their number.
    rank: Vec<u32>,
    /// All points that are in the order, then fewer and fewer.
    trees: Vec<Tree>,
}

impl Levels {
    /// No points of `dim` coordinates.
    pub(super) fn new(dim: usize) -> Self {
        Self {
            places: Rows::new(dim),
            rank: Vec::new(),
            trees: Vec::new(),
        }
    }

    /// The places.
    pub(super) fn places(&self) -> &Rows {
        &self.places
    }

    /// Position of a point in the order.
    pub(super) fn rank(&self, point: usize) -> usize {
        self.rank[point] as usize
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        let trees: usize = self.trees.iter().map(Tree::bytes).sum();
        trees + self.places.bytes() + self.rank.capacity() * size_of::<u32>()
    }

    /// Adds places. They come last in the order until there are enough of them for a new one.
    pub(super) fn extend(&mut self, places: impl Iterator<Item = Vec<f64>>) {
        for place in places {
            self.rank.push(self.rank.len() as u32);
            self.places.push(&place);
        }
        let new = self.places.len() - self.indexed();
        let is_due = new >= TAIL && new * TAIL_SHARE >= self.places.len();
        if is_due || self.trees.is_empty() {
            self.arrange();
        }
    }

    /// How many points are in the order; those after are new.
    fn indexed(&self) -> usize {
        self.trees.first().map_or(0, Tree::len)
    }

    /// Puts all points in order.
    fn arrange(&mut self) {
        let cells = cells(&self.places);
        let mut numbers: Vec<u32> = (0..cells.codes.len() as u32).collect();
        numbers.sort_unstable_by_key(|i| (cells.codes[*i as usize], lot(*i)));
        let mut levels = vec![numbers.clone()];
        let mut remaining = numbers;
        for level in 0..cells.bits {
            let cell = |i: u32| cells.codes[i as usize] >> (level * cells.dim);
            let mut coarser: Vec<u32> = Vec::with_capacity(remaining.len());
            for i in remaining {
                match coarser.last_mut() {
                    Some(last) if cell(*last) == cell(i) => {
                        if lot(i) < lot(*last) {
                            *last = i;
                        }
                    }
                    _ => coarser.push(i),
                }
            }
            remaining = coarser;
            levels.push(remaining.clone());
        }
        // Points that remain longest come first.
        let mut depth = vec![0_u32; cells.codes.len()];
        for (level, members) in levels.iter().enumerate() {
            members
                .iter()
                .for_each(|i| depth[*i as usize] = level as u32);
        }
        let mut order: Vec<u32> = (0..depth.len() as u32).collect();
        order.sort_unstable_by_key(|i| (std::cmp::Reverse(depth[*i as usize]), lot(*i)));
        for (position, i) in order.iter().enumerate() {
            self.rank[*i as usize] = position as u32;
        }
        self.trees.clear();
        let mut most = usize::MAX;
        for members in levels {
            if members.len() <= most && (members.len() >= FEWEST || self.trees.is_empty()) {
                most = (members.len() as f64 * THINNING) as usize;
                self.trees.push(Tree::new(&self.places, members));
            }
        }
    }

    /// Numbers of levels to search among the first `before` points of the order, from fine to coarse. On the first of
    /// them, points behind must be left out.
    pub(super) fn searched(&self, before: usize) -> std::ops::Range<usize> {
        let finest = self.trees.iter().rposition(|tree| tree.len() >= before);
        finest.unwrap_or(0)..self.trees.len()
    }

    /// The `count` points nearest to a place on a level that pass the filter, the nearest first. New points are on all levels
    /// that hold every point, that is, on the first.
    pub(super) fn nearest(
        &self,
        level: usize,
        at: &[f64],
        count: usize,
        accept: &mut impl FnMut(Found) -> bool,
        found: &mut Vec<Found>,
    ) {
        self.trees[level].nearest(at, count, accept, found);
        if level > 0 {
            return;
        }
        for i in self.indexed()..self.places.len() {
            let one = Found {
                squared: squared(self.places.row(i), at),
                number: i as u32,
            };
            let is_full = found.len() == count;
            let is_nearer = found.last().is_none_or(|last| one.squared < last.squared);
            if (!is_full || is_nearer) && count > 0 && accept(one) {
                if is_full {
                    found.pop();
                }
                let position = found.partition_point(|other| other.squared <= one.squared);
                found.insert(position, one);
            }
        }
    }
}

/// Cells of the finest grid.
struct Cells {
    dim: u32,
    /// Halvings per axis.
    bits: u32,
    /// Interleaved cell numbers (Morton): a shift by `dim` bits is the cell of twice the side.
    codes: Vec<u64>,
}

/// Numbers by which points that are near each other are near each other in a list (Morton).
pub(super) fn codes(places: &crate::points::Points) -> Vec<u64> {
    let mut rows = Rows::new(places.dim());
    rows.append(places);
    cells(&rows).codes
}

fn cells(places: &Rows) -> Cells {
    let dim = places.width();
    let bits = (63 / dim as u32).clamp(1, 20);
    let mut low = vec![f64::INFINITY; dim];
    let mut side = 0.0_f64;
    for d in 0..dim {
        let all = (0..places.len()).map(|i| places.row(i)[d]);
        let high = all.clone().fold(f64::NEG_INFINITY, f64::max);
        low[d] = all.fold(f64::INFINITY, f64::min);
        side = side.max(high - low[d]);
    }
    let steps = (1_u64 << bits) as f64;
    // The far side belongs to the last cell; places that are all one are in the first.
    let scale = if side > 0.0 { steps / side } else { 0.0 };
    let code = |i: usize| {
        let mut code = 0;
        for (d, v) in places.row(i).iter().enumerate() {
            let number = ((v - low[d]) * scale).min(steps - 1.0) as u64;
            for bit in 0..bits {
                let shift = bit * dim as u32 + d as u32;
                if shift < 64 {
                    code |= ((number >> bit) & 1) << shift;
                }
            }
        }
        code
    };
    Cells {
        dim: dim as u32,
        bits,
        codes: (0..places.len()).map(code).collect(),
    }
}

/// A lot that a point draws: well mixed bits of its number (splitmix64).
fn lot(number: u32) -> u64 {
    let mut z = (u64::from(number) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
