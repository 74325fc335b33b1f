//! Scalar products: of two vectors, and of the columns of a matrix with a vector or with themselves.

use super::Matrix;
use crate::simd::{Arithmetic, LANES, Lanes, Simd, Work, dispatch};

/// Sums that do not wait for each other.
const SUMS: usize = 4;

/// `left . right`.
pub(crate) fn dot(left: &[f64], right: &[f64], simd: Simd) -> f64 {
    dispatch(simd, Dot(left, right))
}

struct Dot<'a>(&'a [f64], &'a [f64]);

impl Work for Dot<'_> {
    type Output = f64;
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) -> f64 {
        product(a, self.0, self.1)
    }
}

/// `column . vector` of every column, or `column . column` where there is no vector.
pub(crate) fn dots(columns: &Matrix, vector: Option<&[f64]>, simd: Simd, to: &mut Vec<f64>) {
    to.clear();
    dispatch(
        simd,
        Dots {
            columns,
            vector,
            to,
        },
    );
}

struct Dots<'a> {
    columns: &'a Matrix,
    vector: Option<&'a [f64]>,
    to: &'a mut Vec<f64>,
}

impl Work for Dots<'_> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        for j in 0..self.columns.columns() {
            let column = self.columns.column(j);
            self.to
                .push(product(a, column, self.vector.unwrap_or(column)));
        }
    }
}

#[inline(always)]
fn product<A: Arithmetic>(a: A, left: &[f64], right: &[f64]) -> f64 {
    let (left, left_rest) = left.as_chunks::<LANES>();
    let (right, right_rest) = right.as_chunks::<LANES>();
    let rest = left_rest.iter().zip(right_rest);
    let rest: f64 = rest.map(|(left, right)| left * right).sum();
    let (left, left_last) = left.as_chunks::<SUMS>();
    let (right, right_last) = right.as_chunks::<SUMS>();
    let mut sums = [a.splat(0.0); SUMS];
    for (left, right) in left.iter().zip(right) {
        for s in 0..SUMS {
            sums[s] = a.fma(a.load(&left[s]), a.load(&right[s]), sums[s]);
        }
    }
    for (sum, (left, right)) in sums.iter_mut().zip(left_last.iter().zip(right_last)) {
        *sum = a.fma(a.load(left), a.load(right), *sum);
    }
    let mut parts: Lanes = [0.0; LANES];
    let mut total = rest;
    for sum in sums {
        a.store(sum, &mut parts);
        total += parts.iter().sum::<f64>();
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Compute;

    /// Squares of 1 to n add up to n (n + 1) (2n + 1) / 6.
    #[test]
    fn sums_of_squares_are_known() {
        for n in [1, 7, 8, 31, 32, 40, 45, 100] {
            let mut columns = Matrix::zeros(n, 2);
            let ones: Vec<f64> = (1..=n).map(|i| i as f64).collect();
            columns.column_mut(0).copy_from_slice(&ones);
            columns.column_mut(1).fill(2.0);
            let squares = (n * (n + 1) * (2 * n + 1) / 6) as f64;
            let twice = (n * (n + 1)) as f64;
            let mut to = Vec::new();
            for simd in [Simd::Portable, Compute::default().simd] {
                dots(&columns, Some(&ones), simd, &mut to);
                assert_eq!(to, [squares, twice]);
                assert_eq!(dot(&ones, &ones, simd), squares);
                dots(&columns, None, simd, &mut to);
                assert_eq!(to, [squares, 4.0 * n as f64]);
            }
        }
    }
}
