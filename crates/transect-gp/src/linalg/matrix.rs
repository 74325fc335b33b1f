//! Column-major storage that vector instructions like.

use crate::memory::{Buffer, LINE};
use crate::simd::{LANES, Lanes};
use faer::{MatMut, MatRef};

/// A dense column-major matrix whose columns start on a cache line and are padded to whole
/// vectors of eight numbers. What the padding holds is unspecified.
///
/// Symmetric matrices are kept in their lower triangle; what is above it is unspecified too.
#[derive(Debug, Clone, Default)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    stride: usize,
    data: Buffer,
}

impl Matrix {
    /// A matrix of zeros.
    #[must_use]
    pub fn zeros(rows: usize, columns: usize) -> Self {
        let mut matrix = Self::default();
        matrix.resize(rows, columns);
        matrix
    }

    /// Rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Changes the size. Numbers that lie in both the old and the new matrix keep their place;
    /// new ones are unspecified. Allocates only beyond the largest size so far, and then with
    /// some room to grow.
    pub fn resize(&mut self, rows: usize, columns: usize) {
        let fits = rows <= self.stride && self.stride * columns <= self.data.len();
        if !fits {
            // Columns a multiple of 4 KiB apart would fall into the same cache sets.
            let mut stride = rows.max(1).next_multiple_of(LINE);
            if stride.is_multiple_of(512) {
                stride += LANES;
            }
            let room = if rows == columns { stride } else { columns };
            let mut data = Buffer::zeroed(stride * room);
            for j in 0..self.columns.min(columns) {
                let kept = self.rows.min(rows);
                data[j * stride..][..kept].copy_from_slice(&self.column(j)[..kept]);
            }
            (self.stride, self.data) = (stride, data);
        }
        (self.rows, self.columns) = (rows, columns);
    }

    /// Column `j`.
    #[must_use]
    pub fn column(&self, j: usize) -> &[f64] {
        &self.data[j * self.stride..][..self.rows]
    }

    /// Column `j`, to be changed.
    pub fn column_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.data[j * self.stride..][..self.rows]
    }

    /// Column `j` in vectors of eight numbers, padding included.
    #[must_use]
    #[inline(always)]
    pub fn lanes(&self, j: usize) -> &[Lanes] {
        let column = &self.data[j * self.stride..][..self.stride];
        column.as_chunks().0
    }

    /// Column `j` in vectors of eight numbers, to be changed, padding included.
    #[inline(always)]
    pub fn lanes_mut(&mut self, j: usize) -> &mut [Lanes] {
        let column = &mut self.data[j * self.stride..][..self.stride];
        column.as_chunks_mut().0
    }

    /// Groups of `width` neighbouring columns, padding included, with the number of their first
    /// column: disjoint, so that threads may share them out.
    pub fn panels_mut(
        &mut self,
        width: usize,
    ) -> (usize, impl ExactSizeIterator<Item = Panel<'_>>) {
        let stride = self.stride;
        let used = &mut self.data[..stride * self.columns];
        let panels = used.chunks_mut((stride * width).max(1)).enumerate();
        let wrap = move |(p, numbers)| Panel {
            first: p * width,
            stride,
            numbers,
        };
        (panels.len(), panels.map(wrap))
    }

    /// faer's view of the matrix.
    #[must_use]
    pub fn view(&self) -> MatRef<'_, f64> {
        let used = &self.data[..self.stride * self.columns];
        MatRef::from_column_major_slice_with_stride(used, self.rows, self.columns, self.stride)
    }

    /// faer's view of the matrix, to be changed.
    pub fn view_mut(&mut self) -> MatMut<'_, f64> {
        let used = &mut self.data[..self.stride * self.columns];
        MatMut::from_column_major_slice_with_stride_mut(used, self.rows, self.columns, self.stride)
    }

    /// Puts the columns of a matrix of as many rows behind those that are there.
    pub(crate) fn append_columns(&mut self, more: &Self) {
        let before = self.columns;
        self.resize(self.rows, before + more.columns);
        for j in 0..more.columns {
            self.column_mut(before + j).copy_from_slice(more.column(j));
        }
    }

    /// Copies the lower triangle onto the upper one.
    pub fn mirror(&mut self) {
        for j in 0..self.columns {
            for i in j + 1..self.rows {
                let value = self.column(j)[i];
                self.column_mut(i)[j] = value;
            }
        }
    }
}

/// Neighbouring columns of a [`Matrix`].
pub struct Panel<'a> {
    /// The number of the first column.
    pub first: usize,
    stride: usize,
    numbers: &'a mut [f64],
}

impl<'a> Panel<'a> {
    /// The distance between columns and the numbers, padding included.
    pub fn into_numbers(self) -> (usize, &'a mut [f64]) {
        (self.stride, self.numbers)
    }

    /// Columns of the panel, each as vectors of eight numbers, with their numbers.
    #[inline(always)]
    pub fn columns(&mut self) -> impl Iterator<Item = (usize, &mut [Lanes])> {
        let first = self.first;
        let columns = self.numbers.chunks_exact_mut(self.stride);
        columns
            .enumerate()
            .map(move |(c, column)| (first + c, column.as_chunks_mut().0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resizing_keeps_what_was_there() {
        let mut m = Matrix::zeros(3, 3);
        for j in 0..3 {
            for i in 0..3 {
                m.column_mut(j)[i] = (10 * i + j) as f64;
            }
        }
        for n in [4, 63, 64, 65, 513, 2] {
            m.resize(n, n);
            for j in 0..3.min(n) {
                for i in 0..3.min(n) {
                    assert_eq!(m.column(j)[i], (10 * i + j) as f64, "{i},{j} at size {n}");
                    assert_eq!(m.view()[(i, j)], m.column(j)[i]);
                }
            }
            assert!(m.column(n - 1).as_ptr().align_offset(LINE) == 0);
        }
    }
}
