//! The surface that is surveyed: a grid of values over an extent.
//!
//! Row 0 lies at `ymin`, column 0 at `xmin`; values are row-major. NaN marks a void (no data). With
//! `n` columns over width `w`, column `c` covers `xmin + [c, c + 1) w/n` and its centre is half-way.

mod error;

pub use error::TerrainError;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::geometry::{Position, Rect};

/// How a value is read between cell centres.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Lookup {
    /// The cell that the position is in.
    #[default]
    Nearest,
    /// Linear in x and y between the four nearest cell centres; constant beyond the outermost ones.
    Bilinear,
    /// As the paper's program: the index is truncated from a cell size that is 1e-4 m too large, so that
    /// the last rows and columns of a fine grid are never read.
    PaperNearest,
}

/// A grid of values over an extent, with at least one cell that is not void.
#[derive(Debug, Clone, PartialEq)]
pub struct Terrain {
    values: Vec<f64>,
    rows: usize,
    columns: usize,
    extent: Rect,
    summary: Summary,
}

/// What the valid cells of a terrain hold. Population statistics.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Mean value.
    pub mean: f64,
    /// Standard deviation.
    pub std: f64,
    /// Cells without data.
    pub voids: usize,
}

impl Terrain {
    /// A terrain from row-major values, row 0 at `ymin`. NaN marks a void.
    pub fn new(values: Vec<f64>, rows: usize, columns: usize, extent: Rect) -> Result<Self, Error> {
        if rows == 0 || columns == 0 {
            return Err(TerrainError::Empty { rows, columns }.into());
        }
        if rows.checked_mul(columns) != Some(values.len()) {
            return Err(TerrainError::Size {
                rows,
                columns,
                values: values.len(),
            }
            .into());
        }
        if let Some(index) = values.iter().position(|v| v.is_infinite()) {
            return Err(TerrainError::Infinite {
                row: index / columns,
                column: index % columns,
                value: values[index],
            }
            .into());
        }
        let summary = summarise(&values).ok_or(TerrainError::AllVoid {
            cells: values.len(),
        })?;
        Ok(Self {
            values,
            rows,
            columns,
            extent,
            summary,
        })
    }

    /// The value at a position, or `None` outside the extent and at a void.
    ///
    /// [`Lookup::Bilinear`] gives `None` when a cell that has a share in the value is void.
    ///
    /// ```
    /// use transect::geometry::{Position, Rect};
    /// use transect::terrain::{Lookup, Terrain};
    /// let slope = Terrain::new(vec![0.0, 10.0], 1, 2, Rect::new(0.0, 2.0, 0.0, 1.0)?)?;
    /// let at = Position::new(0.75, 0.5);
    /// assert_eq!(slope.value(at, Lookup::Nearest), Some(0.0));
    /// assert_eq!(slope.value(at, Lookup::Bilinear), Some(2.5));
    /// assert_eq!(slope.value(Position::new(3.0, 0.5), Lookup::Nearest), None);
    /// # Ok::<(), transect::Error>(())
    /// ```
    pub fn value(&self, at: Position, lookup: Lookup) -> Option<f64> {
        if !self.extent.contains(at) {
            return None;
        }
        let (dx, dy) = (at.x - self.extent.xmin(), at.y - self.extent.ymin());
        let (width, height) = (self.extent.width(), self.extent.height());
        let (columns, rows) = (self.columns as f64, self.rows as f64);
        let value = match lookup {
            Lookup::Nearest => self.cell(dy * rows / height, dx * columns / width),
            Lookup::PaperNearest => {
                self.cell(dy / (height / rows + 1e-4), dx / (width / columns + 1e-4))
            }
            Lookup::Bilinear => self.between(dy * rows / height, dx * columns / width),
        };
        (!value.is_nan()).then_some(value)
    }

    /// The value of the cell with this row and column, NaN for a void; fractions are cut off.
    fn cell(&self, row: f64, column: f64) -> f64 {
        let row = (row as usize).min(self.rows - 1);
        let column = (column as usize).min(self.columns - 1);
        self.values[row * self.columns + column]
    }

    fn between(&self, row: f64, column: f64) -> f64 {
        let (low_row, up) = split(row, self.rows);
        let (low_column, right) = split(column, self.columns);
        let corners = [
            (0.0, 0.0, (1.0 - up) * (1.0 - right)),
            (0.0, 1.0, (1.0 - up) * right),
            (1.0, 0.0, up * (1.0 - right)),
            (1.0, 1.0, up * right),
        ];
        // Cells without a share are left out: they may be voids, or beyond the edge.
        corners
            .into_iter()
            .filter(|&(_, _, share)| share > 0.0)
            .map(|(r, c, share)| share * self.cell(low_row + r, low_column + c))
            .sum()
    }

    /// Row-major values, row 0 at `ymin`; NaN for voids.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Number of rows, along y.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns, along x.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The rectangle that the cells cover.
    pub fn extent(&self) -> Rect {
        self.extent
    }

    /// Range, mean and spread of the valid cells, and the number of voids.
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// Whether all valid cells are equal: there is nothing to survey then, and SMSE is not defined.
    pub fn is_constant(&self) -> bool {
        self.summary.min == self.summary.max
    }
}

/// The cell centre at or below a grid coordinate, and the share of the next one.
fn split(coordinate: f64, cells: usize) -> (f64, f64) {
    let from_first_centre = (coordinate - 0.5).clamp(0.0, cells as f64 - 1.0);
    (from_first_centre.floor(), from_first_centre.fract())
}

fn summarise(values: &[f64]) -> Option<Summary> {
    let valid = || values.iter().copied().filter(|v| !v.is_nan());
    let count = valid().count();
    if count == 0 {
        return None;
    }
    // The mean of differences from one value: large offsets do not cancel, huge sums do not overflow.
    let origin = valid().next()?;
    let mean = origin + valid().map(|v| (v - origin) / count as f64).sum::<f64>();
    let variance = valid()
        .map(|v| (v - mean) * (v - mean) / count as f64)
        .sum::<f64>();
    Some(Summary {
        min: valid().fold(f64::INFINITY, f64::min),
        max: valid().fold(f64::NEG_INFINITY, f64::max),
        mean,
        std: variance.sqrt(),
        voids: values.len() - count,
    })
}
