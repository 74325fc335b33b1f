//! Rows of numbers, one after the other: what belongs to one point lies together.

use crate::points::Points;

/// A list of rows of `width` numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Rows {
    width: usize,
    numbers: Vec<f64>,
}

impl Rows {
    /// No rows of nothing.
    pub(super) const EMPTY: Self = Self {
        width: 0,
        numbers: Vec::new(),
    };

    /// No rows.
    pub(super) fn new(width: usize) -> Self {
        Self {
            width,
            numbers: Vec::new(),
        }
    }

    /// Numbers per row.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.numbers.len() / self.width.max(1)
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.numbers.capacity() * size_of::<f64>()
    }

    /// Row `i`.
    #[inline(always)]
    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.numbers[i * self.width..][..self.width]
    }

    /// Appends a row.
    pub(super) fn push(&mut self, row: &[f64]) {
        self.numbers.extend_from_slice(row);
    }

    /// Appends rows of the same width.
    pub(super) fn extend(&mut self, rows: &Self) {
        self.numbers.extend_from_slice(&rows.numbers);
    }

    /// Appends points.
    pub(super) fn append(&mut self, points: &Points) {
        for i in 0..points.len() {
            let row = (0..points.dim()).map(|d| points.column(d)[i]);
            self.numbers.extend(row);
        }
    }

    /// All rows as points.
    pub(super) fn points(&self) -> Points {
        let column = |d: usize| {
            self.numbers
                .iter()
                .skip(d)
                .step_by(self.width)
                .copied()
                .collect()
        };
        Points::from_columns((0..self.width).map(column).collect())
    }
}
