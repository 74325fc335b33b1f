//! Surfaces that a map takes for possible: `mean + std * z`, with `z` drawn from the joint posterior.
//!
//! Errors of a volume or of an area are errors of many cells together, about which standard deviations cell by cell say nothing. So `z`
//! comes from surfaces drawn from the posterior at blocks of cells, at most [`BLOCKS`] of them, each divided by the standard
//! deviation that its process has there: the processes say how errors go together, and the map's own error bars how
//! large they are. Of several processes each gives as many surfaces as its weight says.
//!
//! All cells of a block share a `z`. Where errors are correlated over less than a block, totals are thought to be less certain than
//! they are, by at most the error of a cell over `sqrt(BLOCKS)`.

use super::MapGrid;
use crate::Error;
use transect_gp::Points;
use transect_gp::random::{Randomness, Stream};

/// Blocks of a map, about.
const BLOCKS: usize = 1500;

/// Deviations of surfaces from a map, in its standard deviations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draws {
    /// Columns of cells.
    columns: usize,
    /// Side of a block in cells.
    side: usize,
    /// Number of each block of the lattice among those that were drawn.
    numbers: Vec<usize>,
    /// One by one, in the order of the numbers.
    surfaces: Vec<Vec<f32>>,
}

impl Draws {
    /// How many surfaces there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.surfaces.len()
    }

    /// How many standard deviations surface `draw` is above the map in a cell; 0 where the cell is not mapped or there is no such surface.
    #[must_use]
    pub fn deviation(&self, draw: usize, cell: usize) -> f64 {
        let lattice = self.columns.div_ceil(self.side.max(1));
        let (row, column) = (cell / self.columns.max(1), cell % self.columns.max(1));
        let block = row / self.side.max(1) * lattice + column / self.side.max(1);
        let surface = self.surfaces.get(draw);
        let number = self.numbers.get(block);
        let z = surface
            .zip(number)
            .and_then(|(surface, number)| surface.get(*number));
        z.map_or(0.0, |z| f64::from(*z))
    }
}

/// Blocks of cells that are mapped.
pub(super) struct Blocks {
    draws: Draws,
    /// Their middles, in random order.
    pub(super) places: Points,
    stream: Stream,
}

impl Blocks {
    /// Of the cells that are mapped.
    pub(super) fn of(grid: &MapGrid, mapped: &[bool], seed: u64) -> Result<Self, Error> {
        let count = mapped.iter().filter(|mapped| **mapped).count();
        let side = (count as f64 / BLOCKS as f64).sqrt().ceil().max(1.0) as usize;
        let (rows, columns) = (grid.rows.div_ceil(side), grid.columns.div_ceil(side));
        let mut is_used = vec![false; rows * columns];
        for cell in (0..grid.cells()).filter(|cell| mapped[*cell]) {
            let (row, column) = (cell / grid.columns, cell % grid.columns);
            is_used[row / side * columns + column / side] = true;
        }
        let mut stream = Stream::new(seed);
        let mut order: Vec<(f64, usize)> = (0..is_used.len())
            .filter(|block| is_used[*block])
            .map(|block| (stream.uniform(0.0, 1.0), block))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut numbers = vec![usize::MAX; is_used.len()];
        let mut middles = Vec::with_capacity(order.len());
        for (number, (_, block)) in order.iter().enumerate() {
            numbers[*block] = number;
            let middle = |first: usize, cells: usize| {
                (first + (first + side).min(cells)) as f64 * 0.5 * grid.cell_m
            };
            middles.push([
                grid.extent.xmin() + middle(block % columns * side, grid.columns),
                grid.extent.ymin() + middle(block / columns * side, grid.rows),
            ]);
        }
        Ok(Self {
            draws: Draws {
                columns: grid.columns,
                side,
                numbers,
                surfaces: Vec::new(),
            },
            places: Points::from_rows(&middles)?,
            stream,
        })
    }

    /// Adds surfaces of a process with these means and standard deviations at the blocks.
    pub(super) fn add(
        &mut self,
        (mean, std): (&[f64], &[f64]),
        surfaces: impl FnOnce(&Points, &mut Stream) -> Result<Vec<Vec<f64>>, Error>,
    ) -> Result<(), Error> {
        let drawn = surfaces(&self.places, &mut self.stream)?;
        self.draws.surfaces.extend(drawn.iter().map(|surface| {
            let moments = mean.iter().zip(std);
            let z = surface
                .iter()
                .zip(moments)
                .map(|(f, (mean, std))| ((f - mean) / std.max(f64::MIN_POSITIVE)) as f32);
            z.collect::<Vec<f32>>()
        }));
        Ok(())
    }

    /// All that were drawn.
    pub(super) fn finish(self) -> Draws {
        self.draws
    }
}

/// How many of `count` surfaces each process gives.
pub(super) fn shares(weights: &[f64], count: usize) -> Vec<usize> {
    let mut shares = vec![0; weights.len()];
    let mut so_far = 0.0;
    let mut given = 0;
    for (share, weight) in shares.iter_mut().zip(weights) {
        so_far += weight;
        let upto = ((so_far * count as f64).round() as usize).min(count);
        *share = upto - given.min(upto);
        given += *share;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mapped_cell_has_the_deviation_of_its_block() {
        let places = [[0.5, 0.5], [99.5, 79.5]];
        let grid = MapGrid::around(&places, Some(1.0)).unwrap();
        let mapped: Vec<bool> = (0..grid.cells())
            .map(|cell| cell % grid.columns >= 10)
            .collect();
        let mut blocks = Blocks::of(&grid, &mapped, 1).unwrap();
        let count = blocks.places.len();
        assert!(count <= BLOCKS && count > BLOCKS / 4, "{count}");
        // A plane: 2 x + y at the middle of each block.
        let plane = |points: &Points| -> Vec<f64> {
            let row = |i: usize| points.row(i);
            (0..points.len())
                .map(|i| 2.0 * row(i)[0] + row(i)[1])
                .collect()
        };
        let moments = (vec![0.0; count], vec![2.0; count]);
        let added = blocks.add((&moments.0, &moments.1), |points, _| {
            Ok(vec![plane(points)])
        });
        added.unwrap();
        let draws = blocks.finish();
        assert_eq!(draws.count(), 1);
        for cell in (0..grid.cells()).filter(|cell| mapped[*cell]) {
            let [x, y] = grid.centre(cell / grid.columns, cell % grid.columns);
            let apart = (draws.deviation(0, cell) - 0.5 * (2.0 * x + y)).abs();
            // Within half a block.
            assert!(apart <= 0.75 * draws.side as f64, "{apart}");
        }
        assert_eq!(draws.deviation(1, 5), 0.0);
    }

    #[test]
    fn shares_are_those_of_the_weights() {
        assert_eq!(shares(&[0.5, 0.25, 0.25], 400), [200, 100, 100]);
        assert_eq!(shares(&[0.9, 0.1], 3), [3, 0]);
        assert_eq!(shares(&[1.0], 7), [7]);
        assert_eq!(shares(&[0.3, 0.3, 0.4], 10).iter().sum::<usize>(), 10);
    }
}
