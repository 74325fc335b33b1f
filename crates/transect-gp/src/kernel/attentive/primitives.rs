//! The primitive kernels k_m of pairs of points.
//!
//! They depend on the inputs alone, so they are computed once and kept while they fit into the
//! caller's memory budget; adding a point adds a row.

use super::{Family, Variant};
use crate::compute::{Compute, Threads};
use crate::pairwise::{PANEL, squared_distances};
use crate::points::Points;
use crate::simd::{Arithmetic, LANES, Lanes, Work, dispatch};
use rayon::prelude::*;

/// Blocks of eight rows in a tile of [`PANEL`] rows.
pub(super) const TILE_BLOCKS: usize = PANEL / LANES;

/// k_m between two sets of points.
#[derive(Debug, Clone)]
pub(super) struct Primitives<'a> {
    pub(super) family: Family,
    /// `1 / l_m^2`.
    pub(super) inverse_squares: &'a [f64],
    pub(super) rows: &'a Points,
    pub(super) columns: &'a Points,
}

impl<'a> Primitives<'a> {
    /// `memory` holds the `1 / l_m^2`: a training step does not allocate.
    pub(super) fn new(
        family: Family,
        lengthscales: &[f64],
        (rows, columns): (&'a Points, &'a Points),
        memory: &'a mut Vec<f64>,
    ) -> Self {
        memory.clear();
        memory.extend(lengthscales.iter().map(|l| 1.0 / (l * l)));
        Self {
            family,
            inverse_squares: memory,
            rows,
            columns,
        }
    }

    /// How many there are.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.inverse_squares.len()
    }

    /// k_m for rows `8 block ..` against column `j`, for every m.
    #[inline(always)]
    pub(super) fn values<A: Arithmetic>(&self, a: A, block: usize, j: usize, to: &mut [Lanes]) {
        let mut squared = [[0.0; LANES]];
        squared_distances(a, (self.rows, self.columns), (j, block), 1.0, &mut squared);
        for (to, scale) in to.iter_mut().zip(self.inverse_squares) {
            for l in 0..LANES {
                to[l] = squared[0][l] * scale;
            }
        }
        self.family.apply(a, 1.0, to.as_flattened_mut());
    }

    /// `q f'(q)` of the first primitive.
    #[inline(always)]
    pub(super) fn slope<A: Arithmetic>(&self, a: A, block: usize, j: usize) -> Lanes {
        let (mut q, mut slope) = ([[0.0; LANES]], [0.0; LANES]);
        let scale = self.inverse_squares[0];
        squared_distances(a, (self.rows, self.columns), (j, block), scale, &mut q);
        self.family
            .apply_with_slopes(a, q.as_flattened_mut(), &mut slope);
        slope
    }
}

/// Primitive values of the lower triangle of a set, tile by tile.
///
/// Panel p of [`PANEL`] columns holds the tiles of rows p, p+1, ...; within a tile, the vectors
/// of column c, block b, primitive m follow one another in that order.
#[derive(Debug, Default)]
pub(super) struct PrimitiveCache {
    family: Option<Family>,
    inverse_squares: Vec<f64>,
    points: Option<Points>,
    panels: Vec<Vec<Lanes>>,
}

impl PrimitiveCache {
    /// The cache brought up to date with `primitives`, or nothing if it would not fit the budget
    /// or the primitives are trained.
    pub(super) fn of(
        &mut self,
        primitives: &Primitives<'_>,
        variant: Variant,
        compute: &Compute,
    ) -> Option<&Self> {
        let x = primitives.rows;
        let tiles = x.len().div_ceil(PANEL);
        let tile = PANEL * TILE_BLOCKS * primitives.len();
        let bytes = tiles * (tiles + 1) / 2 * tile * size_of::<Lanes>();
        if variant == Variant::Mask || bytes > compute.cache_bytes {
            *self = Self::default();
            return None;
        }
        let same_kind = self.family == Some(primitives.family)
            && self.inverse_squares == primitives.inverse_squares;
        let known = match &self.points {
            Some(points) if same_kind && x.starts_with(points) => points.len(),
            _ => 0,
        };
        if known == x.len() && known > 0 {
            return Some(self);
        }
        self.panels.resize_with(tiles, Vec::new);
        let first_block = known / LANES;
        let fill = |(p, panel): (usize, &mut Vec<Lanes>)| {
            let size = (tiles - p) * tile;
            panel.reserve_exact(size.saturating_sub(panel.len()));
            panel.resize(size, [0.0; LANES]);
            dispatch(
                compute.simd,
                FillPanel {
                    primitives,
                    p,
                    first_block,
                    panel,
                },
            );
        };
        match compute.threads {
            Threads::One => self.panels.iter_mut().enumerate().for_each(fill),
            Threads::All => self.panels.par_iter_mut().enumerate().for_each(fill),
        }
        self.family = Some(primitives.family);
        self.inverse_squares.clear();
        self.inverse_squares.extend(primitives.inverse_squares);
        self.points = Some(x.clone());
        Some(self)
    }

    /// The values of blocks `from..to` of one tile in column `c` of panel `p`.
    #[inline(always)]
    pub(super) fn values(&self, (p, c): (usize, usize), from: usize, to: usize) -> &[Lanes] {
        let count = self.inverse_squares.len();
        &self.panels[p][place(p, c, from) * count..][..(to - from) * count]
    }
}

/// Where in panel `p` the primitives of column `c` and block `block` are.
#[inline(always)]
fn place(p: usize, c: usize, block: usize) -> usize {
    let tile = block / TILE_BLOCKS - p;
    (tile * PANEL + c) * TILE_BLOCKS + block % TILE_BLOCKS
}

struct FillPanel<'a, 'p> {
    primitives: &'a Primitives<'p>,
    p: usize,
    first_block: usize,
    panel: &'a mut [Lanes],
}

impl Work for FillPanel<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        let (n, count) = (self.primitives.rows.len(), self.primitives.len());
        for j in self.p * PANEL..((self.p + 1) * PANEL).min(n) {
            for block in self.first_block.max(j / LANES)..n.div_ceil(LANES) {
                let at = place(self.p, j % PANEL, block) * count;
                self.primitives
                    .values(a, block, j, &mut self.panel[at..at + count]);
            }
        }
    }
}
