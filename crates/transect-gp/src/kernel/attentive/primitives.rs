//! The primitive kernels k_m of pairs of points.
//!
//! They depend on the inputs alone, so they are computed once and kept while they fit into the
//! caller's memory budget; adding a point adds a row.

use super::{Family, Variant};
use crate::compute::{Compute, Threads};
use crate::memory::Buffer;
use crate::pairwise::{PANEL, squared_distances};
use crate::points::Points;
use crate::simd::{Arithmetic, LANES, Lanes, Work, dispatch};
use rayon::prelude::*;

/// Blocks of eight rows in a tile of [`PANEL`] rows.
pub(super) const TILE_BLOCKS: usize = PANEL / LANES;

/// How many columns of a tile ahead of a pass its values are asked for: 20 KiB of ten primitives.
const AHEAD: usize = 4;

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
/// Tiles follow one another row by row, so that new points append; within a tile, the vectors of
/// column c, block b, primitive m follow one another in that order.
#[derive(Debug, Default)]
pub(super) struct PrimitiveCache {
    family: Option<Family>,
    inverse_squares: Vec<f64>,
    points: Option<Points>,
    values: Buffer,
}

impl PrimitiveCache {
    /// The cache brought up to date with `primitives`, or nothing if it would not fit the budget
    /// or the primitives are trained.
    pub(super) fn of(
        &mut self,
        primitives: &Primitives<'_>,
        variant: Variant,
        compute: &Compute,
    ) -> Option<Known<'_>> {
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
            return Some(self.known());
        }
        let need = tiles * (tiles + 1) / 2 * tile * LANES;
        if need > self.values.len() {
            // Room for a few more rows of tiles: a survey adds points one by one.
            let roomy = need + tiles.div_ceil(4) * tiles * tile * LANES;
            let mut values =
                Buffer::zeroed(roomy.min(compute.cache_bytes / size_of::<f64>()).max(need));
            values[..self.values.len()].copy_from_slice(&self.values);
            self.values = values;
        }
        let first_block = known / LANES;
        let (lanes, _) = self.values[..need].as_chunks_mut();
        let fill = |(index, values): (usize, &mut [Lanes])| {
            dispatch(
                compute.simd,
                FillTile {
                    primitives,
                    tile: Tile::number(index),
                    first_block,
                    values,
                },
            );
        };
        let first_tile = Tile::first_of_row(first_block / TILE_BLOCKS);
        let open = lanes.chunks_exact_mut(tile).enumerate().skip(first_tile);
        match compute.threads {
            Threads::One => open.for_each(fill),
            Threads::All => open.par_bridge().for_each(fill),
        }
        self.family = Some(primitives.family);
        self.inverse_squares.clear();
        self.inverse_squares.extend(primitives.inverse_squares);
        self.points = Some(x.clone());
        Some(self.known())
    }

    fn known(&self) -> Known<'_> {
        Known {
            values: self.values.as_chunks().0,
            count: self.inverse_squares.len(),
        }
    }
}

/// What is in a [`PrimitiveCache`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    values: &'a [Lanes],
    count: usize,
}

impl<'a> Known<'a> {
    /// The values of blocks `from..to`, all in one tile, in column `c` of panel `p`.
    #[inline(always)]
    pub(super) fn of(&self, (p, c): (usize, usize), from: usize, to: usize) -> &'a [Lanes] {
        let tile = Tile::first_of_row(from / TILE_BLOCKS) + p;
        let at = (tile * PANEL + c) * TILE_BLOCKS + from % TILE_BLOCKS;
        &self.values[at * self.count..][..(to - from) * self.count]
    }

    /// Asks for what a pass through the tiles reads soon after block `block` of column `c` of panel `p`, of which `count`
    /// values are known. The processor does so by itself, but not far enough ahead of a loop that computes as much as
    /// a contraction.
    #[inline(always)]
    pub(super) fn prefetch<A: Arithmetic>(
        &self,
        a: A,
        (p, c): (usize, usize),
        block: usize,
        count: usize,
    ) {
        let tile = Tile::first_of_row(block / TILE_BLOCKS) + p;
        let at = (tile * PANEL + c + AHEAD) * TILE_BLOCKS + block % TILE_BLOCKS;
        if let Some(soon) = self.values.get(at * count..(at + 1) * count) {
            for vector in soon {
                a.prefetch(vector);
            }
        }
    }
}

/// A tile of the lower triangle.
#[derive(Debug, Clone, Copy)]
struct Tile {
    row: usize,
    column: usize,
}

impl Tile {
    /// How many tiles come before row `row`.
    #[inline(always)]
    fn first_of_row(row: usize) -> usize {
        row * (row + 1) / 2
    }

    /// Tile number `index`.
    fn number(index: usize) -> Self {
        // The root is exact enough to be off by one at most.
        let guess = ((2.0 * index as f64 + 0.25).sqrt() - 0.5) as usize;
        let row = guess - usize::from(Self::first_of_row(guess) > index);
        let row = row + usize::from(Self::first_of_row(row + 1) <= index);
        Self {
            row,
            column: index - Self::first_of_row(row),
        }
    }
}

struct FillTile<'a, 'p> {
    primitives: &'a Primitives<'p>,
    tile: Tile,
    first_block: usize,
    values: &'a mut [Lanes],
}

impl Work for FillTile<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        let (n, count) = (self.primitives.rows.len(), self.primitives.len());
        let Tile { row, column } = self.tile;
        let first = row * TILE_BLOCKS;
        for j in column * PANEL..((column + 1) * PANEL).min(n) {
            let blocks = self.first_block.max(j / LANES).max(first)
                ..n.div_ceil(LANES).min(first + TILE_BLOCKS);
            for block in blocks {
                let at = (j % PANEL * TILE_BLOCKS + block % TILE_BLOCKS) * count;
                self.primitives
                    .values(a, block, j, &mut self.values[at..at + count]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_numbered_row_by_row() {
        let mut index = 0;
        for row in 0..300 {
            for column in 0..=row {
                let tile = Tile::number(index);
                assert_eq!((tile.row, tile.column), (row, column));
                index += 1;
            }
        }
    }
}
