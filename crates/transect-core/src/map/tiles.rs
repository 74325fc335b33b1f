//! Many models side by side, each of the soundings near it, blended where they meet.
//!
//! The grid is cut in four, and each part again, until no more than [`NEIGHBOURS`] soundings lie within half a
//! side of a part: a tile. A tile's model takes these, and more of the nearest up to [`NEIGHBOURS`], so
//! that every sounding is used by the tiles around it. It predicts its own cells and a rim of an eighth of its
//! side around them. Where tiles overlap, their Gaussians are mixed with weights w that fall linearly across the
//! seam: mean `sum w m`, variance `sum w (s^2 + m^2) - mean^2`, which is wider where tiles disagree.

use super::index::Index;
use super::quality::Verdict;
use super::training::Trained;
use super::{MapGrid, Method, Surface};
use crate::Error;
use crate::inputs;
use crate::surrogate::Surrogate;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use transect_gp::{Prediction, Threads};

/// Soundings of one model.
const NEIGHBOURS: usize = 512;
/// Soundings within this share of a side around a tile are its own.
const MARGIN: f64 = 0.5;
/// Half the width of a seam, as a share of the tile's side.
const SEAM: f64 = 0.125;

/// A rectangle of cells.
#[derive(Debug, Clone, PartialEq)]
struct Tile {
    rows: Range<usize>,
    columns: Range<usize>,
}

/// What one tile knows.
struct Told {
    /// Its cells and the rim around them.
    area: Tile,
    prediction: Prediction,
    /// The soundings of its model.
    members: Vec<usize>,
    verdict: Verdict,
    /// Which of these soundings are inside.
    inside: Vec<bool>,
}

pub(super) fn predict(
    trained: &Trained,
    soundings: (&[[f64; 2]], &[f64]),
    index: &Index<'_>,
    grid: &MapGrid,
    mapped: &[bool],
    watch: &(dyn Fn(f64) + Sync),
) -> Result<(Surface, Method), Error> {
    let mut tiles = Vec::new();
    let whole = Tile {
        rows: 0..grid.rows,
        columns: 0..grid.columns,
    };
    whole.cut(grid, index, mapped, &mut tiles);
    let done = AtomicUsize::new(0);
    let told: Vec<Told> = tiles
        .par_iter()
        .map(|tile| {
            let told = tile.tell(trained, soundings, index, grid)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            watch(done as f64 / tiles.len() as f64);
            Ok(told)
        })
        .collect::<Result<_, Error>>()?;
    let method = Method::Tiles {
        tiles: tiles.len(),
        neighbours: NEIGHBOURS.min(soundings.1.len()),
    };
    Ok((blend(&tiles, &told, grid, soundings.1.len()), method))
}

impl Tile {
    /// Cuts until few enough soundings are near; tiles without a mapped cell are left out.
    fn cut(self, grid: &MapGrid, index: &Index<'_>, mapped: &[bool], tiles: &mut Vec<Self>) {
        let mut cells = self.rows.clone().flat_map(|row| {
            let columns = self.columns.clone();
            columns.map(move |column| row * grid.columns + column)
        });
        if !cells.any(|cell| mapped[cell]) {
            return;
        }
        let splittable = self.rows.len() > 1 || self.columns.len() > 1;
        if !splittable || self.around(grid, index).len() <= NEIGHBOURS {
            tiles.push(self);
            return;
        }
        for rows in halves(&self.rows) {
            for columns in halves(&self.columns) {
                let rows = rows.clone();
                Self { rows, columns }.cut(grid, index, mapped, tiles);
            }
        }
    }

    /// Sides of the tile, m: south-west and north-east corner, moved outwards by `by`.
    fn corners(&self, grid: &MapGrid, by: f64) -> ([f64; 2], [f64; 2]) {
        let x = |column: usize| grid.extent.xmin() + column as f64 * grid.cell_m;
        let y = |row: usize| grid.extent.ymin() + row as f64 * grid.cell_m;
        (
            [x(self.columns.start) - by, y(self.rows.start) - by],
            [x(self.columns.end) + by, y(self.rows.end) + by],
        )
    }

    /// The longer side, in cells.
    fn side(&self) -> usize {
        self.rows.len().max(self.columns.len())
    }

    /// Numbers of the soundings in it and in its margin.
    fn around(&self, grid: &MapGrid, index: &Index<'_>) -> Vec<usize> {
        let margin = MARGIN * self.side() as f64 * grid.cell_m;
        let (south_west, north_east) = self.corners(grid, margin);
        index.within(south_west, north_east)
    }

    /// Half the width of its seams, cells.
    fn seam(&self) -> f64 {
        (SEAM * self.side() as f64).max(0.5)
    }

    /// The tile with its rim.
    fn with_rim(&self, grid: &MapGrid) -> Self {
        let rim = self.seam().ceil() as usize;
        let grown = |range: &Range<usize>, end: usize| {
            range.start.saturating_sub(rim)..(range.end + rim).min(end)
        };
        Self {
            rows: grown(&self.rows, grid.rows),
            columns: grown(&self.columns, grid.columns),
        }
    }

    /// Weight of this tile at a cell: 1 well inside, 1/2 on a side, 0 beyond the seam.
    fn weight(&self, row: usize, column: usize) -> f64 {
        let along = |range: &Range<usize>, at: usize| {
            let middle = at as f64 + 0.5;
            let inside = (middle - range.start as f64).min(range.end as f64 - middle);
            (0.5 + 0.5 * inside / self.seam()).clamp(0.0, 1.0)
        };
        along(&self.rows, row) * along(&self.columns, column)
    }

    fn tell(
        &self,
        trained: &Trained,
        soundings: (&[[f64; 2]], &[f64]),
        index: &Index<'_>,
        grid: &MapGrid,
    ) -> Result<Told, Error> {
        let (south_west, north_east) = self.corners(grid, 0.0);
        let centre = [0, 1].map(|axis| 0.5 * (south_west[axis] + north_east[axis]));
        let mut members = self.around(grid, index);
        if members.len() <= NEIGHBOURS {
            let nearest = index.nearest(centre, NEIGHBOURS).into_iter();
            let more: Vec<usize> = nearest
                .filter(|number| members.binary_search(number).is_err())
                .collect();
            let room = NEIGHBOURS - members.len();
            members.extend(more.into_iter().take(room));
        } else {
            // A single cell with more soundings around it than one model takes.
            members = index.nearest(centre, NEIGHBOURS);
        }
        members.sort_unstable();
        let mut model = trained.model(soundings, &members, Threads::One)?;
        let verdict = Verdict::of(&mut model)?;
        let area = self.with_rim(grid);
        let x: Vec<f64> = area.columns.clone().map(|column| grid.x(column)).collect();
        let y: Vec<f64> = area.rows.clone().map(|row| grid.y(row)).collect();
        let known = model.posterior().forecast(&inputs::grid(&x, &y)?)?;
        let prediction = known.surface.moments();
        let is_inside = |number: &usize| {
            let cell = grid.cell_at(soundings.0[*number]);
            cell.is_some_and(|(row, column)| {
                self.rows.contains(&row) && self.columns.contains(&column)
            })
        };
        Ok(Told {
            area,
            prediction,
            inside: members.iter().map(is_inside).collect(),
            verdict,
            members,
        })
    }
}

/// One or two parts of a range.
fn halves(range: &Range<usize>) -> Vec<Range<usize>> {
    if range.len() < 2 {
        return vec![range.clone()];
    }
    let middle = range.start + range.len() / 2;
    vec![range.start..middle, middle..range.end]
}

/// Mixes what the tiles told, in their order: the result does not depend on who finished first.
fn blend(tiles: &[Tile], told: &[Told], grid: &MapGrid, count: usize) -> Surface {
    let mut weights = vec![0.0; grid.cells()];
    let mut mean = vec![0.0; grid.cells()];
    // Second moments about the mean of the first tile that spoke, which keeps their digits.
    let mut anchor = vec![f64::NAN; grid.cells()];
    let mut second = vec![0.0; grid.cells()];
    let mut left_out = vec![None; count];
    let mut suspicious = vec![false; count];
    let mut apart = (0.0, 0.0);
    for (tile, told) in tiles.iter().zip(told) {
        let cells = told.area.rows.clone().flat_map(|row| {
            let columns = told.area.columns.clone();
            columns.map(move |column| (row, column))
        });
        for (i, (row, column)) in cells.enumerate() {
            let (m, s) = (told.prediction.mean[i], told.prediction.std[i]);
            let weight = tile.weight(row, column);
            let cell = row * grid.columns + column;
            if weight > 0.0 {
                if anchor[cell].is_nan() {
                    anchor[cell] = m;
                }
                let from_anchor = m - anchor[cell];
                weights[cell] += weight;
                mean[cell] += weight * from_anchor;
                second[cell] += weight * (s * s + from_anchor * from_anchor);
            }
        }
        for (i, number) in told.members.iter().enumerate() {
            // Whoever is ignored somewhere is told of.
            suspicious[*number] |= told.verdict.suspicious[i];
            if told.inside[i] {
                left_out[*number] = Some(told.verdict.left_out[i]);
            }
        }
        let own = told.inside.iter().filter(|inside| **inside).count() as f64;
        if told.verdict.coverage_apart.is_finite() {
            apart = (apart.0 + own * told.verdict.coverage_apart, apart.1 + own);
        }
    }
    let mut std = vec![f64::NAN; grid.cells()];
    for cell in 0..grid.cells() {
        let from_anchor = mean[cell] / weights[cell];
        mean[cell] = anchor[cell] + from_anchor;
        std[cell] = (second[cell] / weights[cell] - from_anchor * from_anchor).sqrt();
    }
    Surface {
        mean,
        std,
        left_out,
        suspicious,
        coverage_apart: apart.0 / apart.1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: usize, columns: usize) -> MapGrid {
        let far = [[0.0, 0.0], [columns as f64, rows as f64]];
        MapGrid::around(&far, Some(1.0)).unwrap()
    }

    #[test]
    fn tiles_cover_every_cell_once_and_weights_never_vanish() {
        let grid = grid(37, 53);
        // Crowded in a corner, sparse elsewhere.
        let places: Vec<[f64; 2]> = (0..4000)
            .map(|i| {
                let t = f64::from(i) / 4000.0;
                [53.0 * t * t, 37.0 * (t * 977.0).fract() * t]
            })
            .collect();
        let index = Index::new(&places);
        let mut tiles = Vec::new();
        let whole = Tile {
            rows: 0..37,
            columns: 0..53,
        };
        let mapped = vec![true; grid.cells()];
        whole.cut(&grid, &index, &mapped, &mut tiles);
        assert!(tiles.len() > 10);
        let mut times = vec![0; grid.cells()];
        for tile in &tiles {
            for row in tile.rows.clone() {
                for column in tile.columns.clone() {
                    times[row * 53 + column] += 1;
                    assert!(tile.weight(row, column) >= 0.25);
                }
            }
        }
        assert!(times.iter().all(|count| *count == 1));
    }

    #[test]
    fn weights_are_continuous_across_a_seam_of_equal_tiles() {
        let left = Tile {
            rows: 0..16,
            columns: 0..16,
        };
        let right = Tile {
            rows: 0..16,
            columns: 16..32,
        };
        for column in 8..24 {
            let sum = left.weight(8, column) + right.weight(8, column);
            assert!((sum - 1.0).abs() < 1e-12, "{column}: {sum}");
        }
        let rim = left.with_rim(&grid(16, 32));
        assert_eq!(left.weight(8, rim.columns.end), 0.0);
    }
}
