//! Where the cells of a map are, and which of them soundings speak for.

use super::index::Index;
use crate::Error;
use crate::geometry::Rect;
use crate::map::MapError;
use crate::settings::SettingError;

/// Cells of a map when nobody said how large they are.
const CELLS: f64 = 500_000.0;
/// Cells beyond which a map is refused: two bands of f64 in memory, and hours of work.
const MOST_CELLS: f64 = 25e6;
/// Cells between two neighbouring soundings, about.
const PER_SPACING: f64 = 2.0;
/// How far from soundings cells are mapped, in medians of the distance to the nearest one.
const REACH: f64 = 4.0;
/// Side of a cell over the radius of the circle that holds it, inverted.
const CORNER: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Square cells over a rectangle. Sides lie on multiples of the cell, so that maps of neighbouring surveys
/// with equal cells fit together.
#[derive(Debug, Clone, PartialEq)]
pub struct MapGrid {
    /// The rectangle, m.
    pub extent: Rect,
    /// Cells from south to north.
    pub rows: usize,
    /// Cells from west to east.
    pub columns: usize,
    /// Side of a cell, m.
    pub cell_m: f64,
}

impl MapGrid {
    /// The smallest grid that holds all places. Without a cell size, it is the largest of 1, 2, 5, 10, 20, ...
    /// that is at most half of `sqrt(area / soundings)`, but not so small that there are more than 500,000 cells.
    ///
    /// # Errors
    /// If all places are one, or there would be more than 25 million cells.
    pub fn around(places: &[[f64; 2]], cell_m: Option<f64>) -> Result<Self, Error> {
        Self::over(places, None, cell_m)
    }

    /// As [`MapGrid::around`], and it holds an area too, as far as that is no farther from the places than these are from each other.
    pub(super) fn over(
        places: &[[f64; 2]],
        area: Option<Rect>,
        cell_m: Option<f64>,
    ) -> Result<Self, Error> {
        let range = |axis: usize| {
            let all = places.iter().map(|place| place[axis]);
            let empty = (f64::INFINITY, f64::NEG_INFINITY);
            all.fold(empty, |(low, high), v| (low.min(v), high.max(v)))
        };
        let ((west, east), (south, north)) = (range(0), range(1));
        let longer = (east - west).max(north - south);
        if !(longer > 0.0 && longer.is_finite()) {
            return Err(MapError::OnePlace.into());
        }
        let (west, east, south, north) = match area {
            Some(area) => (
                west.min(area.xmin().max(west - longer)),
                east.max(area.xmax().min(east + longer)),
                south.min(area.ymin().max(south - longer)),
                north.max(area.ymax().min(north + longer)),
            ),
            None => (west, east, south, north),
        };
        let cell = match cell_m {
            Some(cell) if cell > 0.0 && cell.is_finite() => cell,
            Some(cell) => {
                return Err(SettingError::OutOfRange {
                    name: "cell",
                    value: cell,
                    accepted: "a positive number of metres is needed",
                }
                .into());
            }
            None => {
                // A survey along a line has no area: its length over the number of soundings counts then.
                let area = hull_area(&hull(places)).max(longer * longer / places.len() as f64);
                let spacing = (area / places.len() as f64).sqrt();
                let box_area = (east - west).max(spacing) * (north - south).max(spacing);
                round_down(spacing / PER_SPACING).max(round_up((box_area / CELLS).sqrt()))
            }
        };
        let (first_column, columns) = steps(west, east, cell);
        let (first_row, rows) = steps(south, north, cell);
        if rows * columns > MOST_CELLS {
            return Err(MapError::TooManyCells {
                rows,
                columns,
                cell_m: cell,
                most: MOST_CELLS,
            }
            .into());
        }
        Ok(Self {
            extent: Rect::new(
                first_column * cell,
                (first_column + columns) * cell,
                first_row * cell,
                (first_row + rows) * cell,
            )?,
            rows: rows as usize,
            columns: columns as usize,
            cell_m: cell,
        })
    }

    /// Number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// The middle of a cell, m.
    #[must_use]
    pub fn centre(&self, row: usize, column: usize) -> [f64; 2] {
        [self.x(column), self.y(row)]
    }

    /// x of a column's middle, m.
    #[must_use]
    pub fn x(&self, column: usize) -> f64 {
        self.extent.xmin() + (column as f64 + 0.5) * self.cell_m
    }

    /// y of a row's middle, m.
    #[must_use]
    pub fn y(&self, row: usize) -> f64 {
        self.extent.ymin() + (row as f64 + 0.5) * self.cell_m
    }

    /// Row and column of the cell that a place lies in, if it is inside.
    #[must_use]
    pub fn cell_at(&self, [x, y]: [f64; 2]) -> Option<(usize, usize)> {
        let number = |from: f64, at: f64, count: usize| {
            let number = ((at - from) / self.cell_m).floor();
            // The far side belongs to the last cell.
            let inside = number >= 0.0 && number <= count as f64;
            inside.then_some((number as usize).min(count - 1))
        };
        let column = number(self.extent.xmin(), x, self.columns)?;
        Some((number(self.extent.ymin(), y, self.rows)?, column))
    }

    /// Which cells are mapped: those that the convex hull of the soundings touches and that are no farther from
    /// a sounding than four times the median of all such cells. The hull keeps the map from growing outwards,
    /// the distance keeps it out of bays and off land that the survey went around. The median makes the reach a
    /// matter of the spacing of lines, not of the soundings along them.
    pub(super) fn near(&self, places: &[[f64; 2]], index: &Index<'_>) -> Vec<bool> {
        let (distances, reach) = self.within_reach(places, index);
        distances.iter().map(|d| *d <= reach).collect()
    }

    /// The share of some cells that is out of reach of the soundings, as [`MapGrid::near`] has it, but for the hull.
    pub(super) fn far_share(&self, places: &[[f64; 2]], cells: &[bool]) -> f64 {
        let index = Index::new(places);
        let (_, reach) = self.within_reach(places, &index);
        let (mut far, mut all) = (0.0, 0.0);
        for cell in (0..self.cells()).filter(|cell| cells[*cell]) {
            let centre = self.centre(cell / self.columns, cell % self.columns);
            all += 1.0;
            far += f64::from(u8::from(index.distance(centre) > reach));
        }
        far / f64::max(all, 1.0)
    }

    /// Distances to the nearest sounding of the cells that the hull touches, infinite for others, and how far soundings reach.
    fn within_reach(&self, places: &[[f64; 2]], index: &Index<'_>) -> (Vec<f64>, f64) {
        let hull = hull(places);
        let slack = CORNER * self.cell_m;
        let mut distances = vec![f64::INFINITY; self.cells()];
        for (cell, distance) in distances.iter_mut().enumerate() {
            let centre = self.centre(cell / self.columns, cell % self.columns);
            if within(&hull, centre, slack) {
                *distance = index.distance(centre);
            }
        }
        let mut inside: Vec<f64> = distances
            .iter()
            .copied()
            .filter(|d| d.is_finite())
            .collect();
        inside.sort_unstable_by(f64::total_cmp);
        let median = inside.get(inside.len() / 2).copied().unwrap_or_default();
        let reach = (REACH * median).max(slack * (1.0 + 1e-9));
        (distances, reach)
    }
}

/// Index of the first cell and number of cells that cover `low..high`, at least one.
fn steps(low: f64, high: f64, cell: f64) -> (f64, f64) {
    let first = (low / cell).floor();
    let count = (high / cell).ceil() - first;
    (first, count.max(1.0))
}

/// The largest of 1, 2 and 5 times a power of ten that is at most `size`.
fn round_down(size: f64) -> f64 {
    let decade = 10_f64.powf(size.log10().floor());
    let steps = [5.0, 2.0, 1.0].map(|step| step * decade);
    steps
        .into_iter()
        .find(|step| *step <= size)
        .unwrap_or(decade)
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least `size`.
fn round_up(size: f64) -> f64 {
    let decade = 10_f64.powf(size.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|step| step * decade);
    steps
        .into_iter()
        .find(|step| *step >= size)
        .unwrap_or(10.0 * decade)
}

/// The convex hull, counter-clockwise (Andrew's monotone chain).
fn hull(places: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut sorted = places.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let half = |points: &mut dyn Iterator<Item = &[f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && cross(a, b, *point) <= 0.0
            {
                chain.pop();
            }
            chain.push(*point);
        }
        chain.pop();
        chain
    };
    let mut chain = half(&mut sorted.iter());
    chain.extend(half(&mut sorted.iter().rev()));
    chain
}

/// Twice the area of the triangle a, b, c; positive when it turns left.
fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn hull_area(hull: &[[f64; 2]]) -> f64 {
    let Some(first) = hull.first() else {
        return 0.0;
    };
    let fan = hull.windows(2).map(|edge| cross(*first, edge[0], edge[1]));
    0.5 * fan.sum::<f64>()
}

/// Whether a place is left of, or at most `slack` right of, every edge of a hull; a hull without area is a
/// line, and its ends do not matter here because the grid ends there too.
fn within(hull: &[[f64; 2]], place: [f64; 2], slack: f64) -> bool {
    let edges = hull.iter().zip(hull.iter().cycle().skip(1));
    edges.into_iter().all(|(a, b)| {
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        cross(*a, *b, place) >= -slack * length
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_round_and_lie_on_multiples() {
        // 100 places 10 m apart: half the spacing is a little below 5 (the hull is 90 m wide).
        let places: Vec<[f64; 2]> = (0..100)
            .map(|i| [1003.0 + 10.0 * f64::from(i % 10), 10.0 * f64::from(i / 10)])
            .collect();
        let grid = MapGrid::around(&places, None).unwrap();
        assert_eq!((grid.cell_m, grid.rows, grid.columns), (2.0, 45, 46));
        assert_eq!((grid.extent.xmin(), grid.extent.ymin()), (1002.0, 0.0));
        assert_eq!(grid.cell_at([1003.0, 90.0]), Some((44, 0)));
        assert_eq!(grid.cell_at([1003.0, 92.1]), None);
        let grid = MapGrid::around(&places, Some(7.5)).unwrap();
        assert_eq!((grid.cell_m, grid.rows, grid.columns), (7.5, 12, 13));
    }

    #[test]
    fn every_size_is_rounded_to_one_two_or_five() {
        for (size, down, up) in [
            (0.03, 0.02, 0.05),
            (1.0, 1.0, 1.0),
            (4.9, 2.0, 5.0),
            (77.0, 50.0, 100.0),
        ] {
            assert!((round_down(size) / down - 1.0).abs() < 1e-12, "{size}");
            assert!((round_up(size) / up - 1.0).abs() < 1e-12, "{size}");
        }
    }

    #[test]
    fn wrong_cells_are_refused() {
        let places = [[0.0, 0.0], [1e6, 0.0], [0.0, 1e6]];
        for cell in [0.0, -1.0, f64::NAN, 1.0] {
            assert!(MapGrid::around(&places, Some(cell)).is_err(), "{cell}");
        }
        assert!(MapGrid::around(&[[3.0, 4.0]; 5], None).is_err());
    }

    #[test]
    fn a_survey_along_a_line_has_cells_along_it() {
        let line: Vec<[f64; 2]> = (0..50).map(|i| [f64::from(i), 7.0]).collect();
        let grid = MapGrid::around(&line, None).unwrap();
        assert!(grid.rows < 20 && grid.columns >= 49, "{grid:?}");
        let mapped = grid.near(&line, &Index::new(&line));
        let along = line.iter().all(|place| {
            let (row, column) = grid.cell_at(*place).unwrap();
            mapped[row * grid.columns + column]
        });
        assert!(along);
    }

    /// An L of soundings: the map must cover the L, not the square around it.
    #[test]
    fn bays_are_left_out() {
        let places: Vec<[f64; 2]> = (0..900)
            .map(|i| [f64::from(i % 30) + 0.1, f64::from(i / 30) + 0.1])
            .filter(|[x, y]| *x < 10.0 || *y < 10.0)
            .collect();
        let grid = MapGrid::around(&places, Some(0.5)).unwrap();
        let mapped = grid.near(&places, &Index::new(&places));
        let at = |place| {
            let (row, column) = grid.cell_at(place).unwrap();
            mapped[row * grid.columns + column]
        };
        assert!(places.iter().all(|place| at(*place)));
        assert!(at([5.3, 20.4]) && at([20.4, 5.3]));
        assert!(!at([20.0, 20.0]) && !at([15.0, 15.0]) && !at([28.0, 28.0]));
    }

    /// Lines 20 m apart with a sounding every metre: what is between the lines belongs to the map.
    #[test]
    fn gaps_between_lines_are_mapped() {
        let places: Vec<[f64; 2]> = (0..505)
            .map(|i| [f64::from(i % 101), 20.0 * f64::from(i / 101)])
            .collect();
        let grid = MapGrid::around(&places, None).unwrap();
        assert!(grid.near(&places, &Index::new(&places)).iter().all(|m| *m));
    }
}
