//! Loops for kernels that are written as a function of one pair of points.
//!
//! The kernels of this crate work on eight rows at a time; a new one need not. These functions
//! call a closure per pair and take care of triangles, threads and the factor two.

use crate::compute::Compute;
use crate::linalg::Matrix;
use crate::pairwise::for_panels;

/// Resizes `out` to n x n and fills its lower triangle with `value(i, j)`.
pub fn lower(
    out: &mut Matrix,
    n: usize,
    compute: &Compute,
    value: impl Fn(usize, usize) -> f64 + Send + Sync,
) {
    fill(out, (n, n), compute, |j| j, value);
}

/// Resizes `out` to `rows` x `columns` and fills it with `value(i, j)`.
pub fn cross(
    out: &mut Matrix,
    (rows, columns): (usize, usize),
    compute: &Compute,
    value: impl Fn(usize, usize) -> f64 + Send + Sync,
) {
    fill(out, (rows, columns), compute, |_| 0, value);
}

/// Calls `each(i, j, weight)` for every pair `i >= j`. `weight` is what the pair's value counts
/// for in the loss: its slope, twice where `(j, i)` is another entry of the matrix.
pub fn contract(slopes: &Matrix, mut each: impl FnMut(usize, usize, f64)) {
    for j in 0..slopes.columns() {
        for (i, slope) in slopes.column(j).iter().enumerate().skip(j) {
            each(i, j, if i == j { *slope } else { 2.0 * slope });
        }
    }
}

fn fill(
    out: &mut Matrix,
    (rows, columns): (usize, usize),
    compute: &Compute,
    first: impl Fn(usize) -> usize + Send + Sync,
    value: impl Fn(usize, usize) -> f64 + Send + Sync,
) {
    out.resize(rows, columns);
    for_panels(out, compute, |mut panel| {
        for (j, column) in panel.columns() {
            for i in first(j)..rows {
                column.as_flattened_mut()[i] = value(i, j);
            }
        }
    });
}
