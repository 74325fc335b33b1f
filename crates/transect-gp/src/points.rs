//! Sets of inputs.

use crate::error::{GpError, Result, require_finite};
use crate::simd::{Lanes, padded};

/// N points of D coordinates, stored coordinate by coordinate so that vector instructions take
/// eight points at a time. All coordinates are finite.
///
/// A set made by [`Points::grid`] remembers its axes, which lets kernels that separate over the
/// axes evaluate it much faster.
///
/// ```
/// use transect_gp::Points;
/// let points = Points::from_rows(&[[0.0, 1.0], [2.0, 3.0]])?;
/// assert_eq!((points.len(), points.dim()), (2, 2));
/// assert_eq!(points.row(1), [2.0, 3.0]);
/// # Ok::<(), transect_gp::GpError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Points {
    len: usize,
    /// One padded column per coordinate; the padding is zero.
    columns: Vec<Vec<f64>>,
    /// Axes of a rectangular grid, the first running fastest.
    axes: Option<Vec<Vec<f64>>>,
}

impl Points {
    /// No points, of `dim` coordinates.
    ///
    /// # Errors
    /// If `dim` is zero.
    pub fn empty(dim: usize) -> Result<Self> {
        if dim == 0 {
            return Err(GpError::Dimension {
                expected: 1,
                got: 0,
            });
        }
        Ok(Self {
            len: 0,
            columns: vec![Vec::new(); dim],
            axes: None,
        })
    }

    /// Points given one row each.
    ///
    /// # Errors
    /// If a coordinate is not finite.
    pub fn from_rows<const D: usize>(rows: &[[f64; D]]) -> Result<Self> {
        Self::from_flat(D, rows.as_flattened())
    }

    /// Points given as one list of numbers, point after point.
    ///
    /// # Errors
    /// If a number is not finite, or their count is not a multiple of `dim`.
    pub fn from_flat(dim: usize, numbers: &[f64]) -> Result<Self> {
        let mut points = Self::empty(dim)?;
        require_finite("input", numbers)?;
        if !numbers.len().is_multiple_of(dim) {
            return Err(GpError::Length {
                what: format!("coordinates of {dim}-dimensional points"),
                expected: numbers.len().next_multiple_of(dim),
                got: numbers.len(),
            });
        }
        points.len = numbers.len() / dim;
        for (d, column) in points.columns.iter_mut().enumerate() {
            column.extend(numbers.iter().skip(d).step_by(dim));
            column.resize(padded(points.len), 0.0);
        }
        Ok(points)
    }

    /// Points of one coordinate.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn line(numbers: &[f64]) -> Result<Self> {
        Self::from_flat(1, numbers)
    }

    /// The rectangular grid over `axes`, the first axis running fastest (as NumPy's
    /// `meshgrid(x, y)` flattened).
    ///
    /// # Errors
    /// If there are no axes or a coordinate is not finite.
    pub fn grid(axes: &[&[f64]]) -> Result<Self> {
        let mut points = Self::empty(axes.len())?;
        for axis in axes {
            require_finite("input", axis)?;
        }
        let len = axes.iter().map(|axis| axis.len()).product();
        let mut repeat = 1;
        for (column, axis) in points.columns.iter_mut().zip(axes) {
            let once = axis.iter().flat_map(|v| std::iter::repeat_n(*v, repeat));
            column.reserve_exact(padded(len));
            column.extend(once.cycle().take(len));
            column.resize(padded(len), 0.0);
            repeat *= axis.len();
        }
        points.len = len;
        points.axes = Some(axes.iter().map(|axis| axis.to_vec()).collect());
        Ok(points)
    }

    /// How many points there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Coordinates per point.
    #[must_use]
    pub fn dim(&self) -> usize {
        self.columns.len()
    }

    /// Coordinate `d` of every point.
    #[must_use]
    pub fn column(&self, d: usize) -> &[f64] {
        &self.columns[d][..self.len]
    }

    /// The coordinates of point `i`.
    #[must_use]
    pub fn row(&self, i: usize) -> Vec<f64> {
        self.columns.iter().map(|column| column[i]).collect()
    }

    /// The axes, if the set is a rectangular grid.
    #[must_use]
    pub fn axes(&self) -> Option<&[Vec<f64>]> {
        self.axes.as_deref()
    }

    /// Appends the points of `more`.
    ///
    /// # Errors
    /// If they have another dimension.
    pub fn append(&mut self, more: &Points) -> Result<()> {
        self.require_dim(more)?;
        let len = self.len + more.len;
        for (column, new) in self.columns.iter_mut().zip(&more.columns) {
            column.truncate(self.len);
            column.extend_from_slice(&new[..more.len]);
            column.resize(padded(len), 0.0);
        }
        self.len = len;
        self.axes = None;
        Ok(())
    }

    /// The points `from..to`. Whole layers of a grid, along its last axis, are a grid again.
    #[must_use]
    pub fn slice(&self, from: usize, to: usize) -> Self {
        let cut = |column: &Vec<f64>| {
            let mut part = column[from..to].to_vec();
            part.resize(padded(to - from), 0.0);
            part
        };
        let layer = self.layer();
        let axes = self
            .axes
            .clone()
            .filter(|_| from.is_multiple_of(layer) && to.is_multiple_of(layer));
        Self {
            len: to - from,
            columns: self.columns.iter().map(cut).collect(),
            axes: axes.map(|mut axes| {
                if let Some(last) = axes.last_mut() {
                    *last = last[from / layer..to / layer].to_vec();
                }
                axes
            }),
        }
    }

    /// Points in one layer of a grid along its last axis; 1 where the set is not a grid or empty.
    #[must_use]
    pub fn layer(&self) -> usize {
        match &self.axes {
            Some(axes) => (self.len / axes.last().map_or(1, Vec::len).max(1)).max(1),
            None => 1,
        }
    }

    /// Applies `f(coordinate number, value)` to every coordinate; a grid stays a grid.
    #[must_use]
    pub fn map(&self, f: impl Fn(usize, f64) -> f64) -> Self {
        let apply = |(d, column): (usize, &Vec<f64>)| {
            let mut mapped: Vec<f64> = column[..column.len().min(self.len)]
                .iter()
                .map(|v| f(d, *v))
                .collect();
            mapped.resize(padded(self.len), 0.0);
            mapped
        };
        Self {
            len: self.len,
            columns: self.columns.iter().enumerate().map(apply).collect(),
            axes: self.axes.as_ref().map(|axes| {
                let axis = |(d, axis): (usize, &Vec<f64>)| axis.iter().map(|v| f(d, *v)).collect();
                axes.iter().enumerate().map(axis).collect()
            }),
        }
    }

    /// Points given coordinate by coordinate: finite numbers, equally many of each.
    pub(crate) fn from_columns(mut columns: Vec<Vec<f64>>) -> Self {
        let len = columns.first().map_or(0, Vec::len);
        columns
            .iter_mut()
            .for_each(|column| column.resize(padded(len), 0.0));
        Self {
            len,
            columns,
            axes: None,
        }
    }

    /// Replaces the points by rows of `dim` numbers, which must be finite; keeps its memory.
    pub(crate) fn gather<'a>(&mut self, dim: usize, rows: impl Iterator<Item = &'a [f64]> + Clone) {
        self.columns.resize_with(dim, Vec::new);
        self.axes = None;
        for (d, column) in self.columns.iter_mut().enumerate() {
            column.clear();
            column.extend(rows.clone().map(|row| row[d]));
            self.len = column.len();
            column.resize(padded(self.len), 0.0);
        }
    }

    /// Whether the first points of `self` are exactly those of `start`.
    #[must_use]
    pub fn starts_with(&self, start: &Points) -> bool {
        self.dim() == start.dim()
            && self.len >= start.len
            && (self.columns.iter())
                .zip(&start.columns)
                .all(|(mine, its)| mine[..start.len] == its[..start.len])
    }

    /// Coordinate `d` in vectors of eight points, zeros behind the last point.
    #[must_use]
    #[inline(always)]
    pub fn lanes(&self, d: usize) -> &[Lanes] {
        self.columns[d].as_chunks().0
    }

    pub(crate) fn require_dim(&self, other: &Points) -> Result<()> {
        if other.dim() == self.dim() {
            return Ok(());
        }
        Err(GpError::Dimension {
            expected: self.dim(),
            got: other.dim(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_runs_its_first_axis_fastest() {
        let grid = Points::grid(&[&[0.0, 1.0, 2.0], &[5.0, 6.0]]).unwrap();
        assert_eq!(grid.column(0), [0.0, 1.0, 2.0, 0.0, 1.0, 2.0]);
        assert_eq!(grid.column(1), [5.0, 5.0, 5.0, 6.0, 6.0, 6.0]);
        let scaled = grid.map(|d, v| v + d as f64);
        assert_eq!(scaled.axes().unwrap()[1], [6.0, 7.0]);
        assert_eq!(grid.slice(3, 6).axes().unwrap()[1], [6.0]);
        assert_eq!(grid.slice(3, 6).column(0), [0.0, 1.0, 2.0]);
        assert!(grid.slice(2, 6).axes().is_none());
    }

    #[test]
    fn appending_keeps_order_and_forgets_the_grid() {
        let mut points = Points::grid(&[&[1.0, 2.0, 3.0]]).unwrap();
        let start = points.clone();
        points.append(&Points::line(&[4.0]).unwrap()).unwrap();
        assert_eq!(points.column(0), [1.0, 2.0, 3.0, 4.0]);
        assert!(points.starts_with(&start) && points.axes().is_none());
        assert_eq!(points.slice(1, 3).column(0), [2.0, 3.0]);
    }

    #[test]
    fn bad_numbers_are_named() {
        let error = Points::from_flat(2, &[0.0, 1.0, f64::NAN, 2.0]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "input number 2 is NaN; every value must be finite"
        );
        assert!(Points::from_flat(2, &[0.0, 1.0, 2.0]).is_err());
        assert!(Points::empty(0).is_err());
    }
}
