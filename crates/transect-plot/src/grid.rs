//! Values on a rectangular grid.

use crate::axis::Range;
use crate::error::PlotError;

/// The rectangle a grid covers, from the outer edge of its first cell to the outer edge of its last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// From west to east.
    pub x: Range,
    /// From south to north.
    pub y: Range,
}

impl Extent {
    /// The rectangle between two x and two y values.
    pub fn new(x_low: f64, x_high: f64, y_low: f64, y_high: f64) -> Result<Self, PlotError> {
        Ok(Extent {
            x: Range::new("extent in x", x_low, x_high)?,
            y: Range::new("extent in y", y_low, y_high)?,
        })
    }

    /// Height over width.
    pub(crate) fn aspect(&self) -> f64 {
        self.y.length() / self.x.length()
    }
}

/// Values on a rectangular grid: row after row, row 0 at the bottom (least y). NaN marks a missing cell.
///
/// ```
/// use transect_plot::{Extent, Grid};
/// let extent = Extent::new(0.0, 3.0, 0.0, 2.0)?;
/// let grid = Grid::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 3, extent)?;
/// assert_eq!((grid.rows(), grid.columns()), (2, 3));
/// assert!(Grid::new(&[1.0, 2.0, 3.0], 2, extent).is_err());
/// # Ok::<(), transect_plot::PlotError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    values: Vec<f64>,
    columns: usize,
    extent: Extent,
}

impl Grid {
    /// A grid from rows of `columns` values each.
    pub fn new(values: &[f64], columns: usize, extent: Extent) -> Result<Self, PlotError> {
        let rows = values.len().checked_div(columns).unwrap_or(0);
        if rows == 0 || rows * columns != values.len() {
            return Err(PlotError::Shape {
                what: "grid",
                values: values.len(),
                rows,
                columns,
            });
        }
        Ok(Grid {
            values: values.to_vec(),
            columns,
            extent,
        })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.values.len() / self.columns
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All values, row by row from the bottom.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The rectangle covered.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.columns + column]
    }

    /// A coarser grid with at most `limit` cells a side: means over blocks, missing cells passed over.
    pub(crate) fn reduced(&self, limit: usize) -> Grid {
        let block = self.rows().max(self.columns).div_ceil(limit.max(1)).max(1);
        if block == 1 {
            return self.clone();
        }
        let (rows, columns) = (self.rows().div_ceil(block), self.columns.div_ceil(block));
        let mut values = Vec::with_capacity(rows * columns);
        for r in 0..rows {
            for c in 0..columns {
                let (mut sum, mut count) = (0.0, 0.0);
                for i in r * block..((r + 1) * block).min(self.rows()) {
                    for j in c * block..((c + 1) * block).min(self.columns) {
                        let v = self.at(i, j);
                        if v.is_finite() {
                            sum += v;
                            count += 1.0;
                        }
                    }
                }
                values.push(sum / count);
            }
        }
        Grid {
            values,
            columns,
            extent: self.extent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_means_keep_the_mean_and_pass_over_missing_cells() {
        let extent = Extent::new(0.0, 1.0, 0.0, 1.0).expect("legal");
        let grid = Grid::new(
            &[1.0, 3.0, 10.0, 10.0, f64::NAN, 5.0, f64::NAN, f64::NAN],
            4,
            extent,
        )
        .expect("2 by 4");
        let coarse = grid.reduced(2);
        assert_eq!((coarse.rows(), coarse.columns()), (1, 2));
        assert_eq!(coarse.values(), [3.0, 10.0]);
    }
}
