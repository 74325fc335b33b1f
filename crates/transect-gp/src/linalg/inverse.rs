//! The inverse of a symmetric positive definite matrix from its Cholesky factor.
//!
//! `T = L^-1`, then `A^-1 = T'T`. Both halve the matrix until a piece is so small that a dense
//! product is faster than respecting its triangle; everything above is matrix products at the
//! machine's full rate. (faer's own routine recurses to 2 x 2.) Smaller matrices go through
//! `strips`, which has no small pieces.

use super::Matrix;
use super::strips::Strips;
use crate::compute::Compute;
use crate::simd::Simd;
use faer::linalg::matmul::{matmul, triangular, triangular::BlockStructure};
use faer::prelude::*;
use faer::{Accum, MatMut, MatRef};

/// Up to this size a triangle is inverted column by column.
const LEAF: usize = 16;
/// Up to this size a triangular factor in a product is treated as dense.
const DENSE: usize = 32;

/// Up to this size a matrix is inverted in strips, where the registers have room for their sums.
const SMALL: usize = 2048;

/// Memory for [`invert_spd`], kept between calls.
#[derive(Debug, Default)]
pub struct InverseWorkspace {
    /// `T = L^-1`, zero above the diagonal in its leaf blocks.
    triangle: Matrix,
    product: Matrix,
    strips: Strips,
}

/// Writes the lower triangle of `(L L')^-1` into `out`.
pub fn invert_spd(
    lower: &Matrix,
    out: &mut Matrix,
    workspace: &mut InverseWorkspace,
    compute: &Compute,
) {
    let n = lower.rows();
    let InverseWorkspace {
        triangle,
        product,
        strips,
    } = workspace;
    out.resize(n, n);
    if n <= SMALL && compute.simd == Simd::Avx512 {
        return strips.invert(lower, out, compute);
    }
    triangle.resize(n, n);
    product.resize(n.div_ceil(2), n);
    invert_lower(
        lower.view(),
        triangle.view_mut(),
        product.view_mut(),
        compute,
    );
    transposed_times_self(triangle.view(), out.view_mut(), compute);
}

/// Where a triangle is cut: the middle, in whole vectors.
fn middle(n: usize) -> usize {
    (n / 2).next_multiple_of(8)
}

/// `T = L^-1`: `T11 = L11^-1`, `T22 = L22^-1`, `T21 = -T22 L21 T11`.
///
/// `work` has at least half as many rows as `l`, and as many columns; the halves use its two sides.
fn invert_lower(l: MatRef<'_, f64>, t: MatMut<'_, f64>, work: MatMut<'_, f64>, compute: &Compute) {
    let n = l.nrows();
    if n <= LEAF {
        return invert_leaf(l, t);
    }
    let h = middle(n);
    let (mut t11, _, t21, mut t22) = t.split_at_mut(h, h);
    let (mut work1, mut work2) = work.split_at_col_mut(h);
    compute.join(
        n * n * n / 24,
        || {
            invert_lower(
                l.submatrix(0, 0, h, h),
                t11.rb_mut(),
                work1.rb_mut(),
                compute,
            )
        },
        || {
            invert_lower(
                l.submatrix(h, h, n - h, n - h),
                t22.rb_mut(),
                work2.rb_mut(),
                compute,
            )
        },
    );
    let mut product = work1.submatrix_mut(0, 0, n - h, h);
    times_lower(
        product.rb_mut(),
        l.submatrix(h, 0, n - h, h),
        t11.rb(),
        compute,
    );
    lower_times(t21, t22.rb(), product.rb(), compute);
}

/// Forward substitution on the unit vectors; zeroes what is above the diagonal.
pub(super) fn invert_leaf(l: MatRef<'_, f64>, mut t: MatMut<'_, f64>) {
    let n = l.nrows();
    for j in 0..n {
        for i in 0..n {
            t[(i, j)] = f64::from(u8::from(i == j));
        }
        for k in j..n {
            let value = t[(k, j)] / l[(k, k)];
            t[(k, j)] = value;
            for i in k + 1..n {
                t[(i, j)] -= value * l[(i, k)];
            }
        }
    }
}

fn product_par(compute: &Compute, a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> faer::Par {
    compute.par(2 * a.nrows() * a.ncols() * b.ncols())
}

/// `out = A T` with a lower triangular T.
fn times_lower(
    mut out: MatMut<'_, f64>,
    a: MatRef<'_, f64>,
    t: MatRef<'_, f64>,
    compute: &Compute,
) {
    let n = t.nrows();
    if n <= DENSE {
        return matmul(out, Accum::Replace, a, t, 1.0, product_par(compute, a, t));
    }
    let h = middle(n);
    let (t11, _, t21, t22) = t.split_at(h, h);
    let (mut out1, out2) = out.rb_mut().split_at_col_mut(h);
    let (a1, a2) = a.split_at_col(h);
    times_lower(out1.rb_mut(), a1, t11, compute);
    matmul(
        out1,
        Accum::Add,
        a2,
        t21,
        1.0,
        product_par(compute, a2, t21),
    );
    times_lower(out2, a2, t22, compute);
}

/// `out = -T B` with a lower triangular T.
fn lower_times(
    mut out: MatMut<'_, f64>,
    t: MatRef<'_, f64>,
    b: MatRef<'_, f64>,
    compute: &Compute,
) {
    let n = t.nrows();
    if n <= DENSE {
        return matmul(out, Accum::Replace, t, b, -1.0, product_par(compute, t, b));
    }
    let h = middle(n);
    let (t11, _, t21, t22) = t.split_at(h, h);
    let (out1, mut out2) = out.rb_mut().split_at_row_mut(h);
    let (b1, b2) = b.split_at_row(h);
    lower_times(out1, t11, b1, compute);
    lower_times(out2.rb_mut(), t22, b2, compute);
    matmul(
        out2,
        Accum::Add,
        t21,
        b1,
        -1.0,
        product_par(compute, t21, b1),
    );
}

/// `out = T' B` with a lower triangular T.
fn transposed_times(
    mut out: MatMut<'_, f64>,
    t: MatRef<'_, f64>,
    b: MatRef<'_, f64>,
    compute: &Compute,
) {
    let n = t.nrows();
    if n <= DENSE {
        let par = product_par(compute, t, b);
        return matmul(out, Accum::Replace, t.transpose(), b, 1.0, par);
    }
    let h = middle(n);
    let (t11, _, t21, t22) = t.split_at(h, h);
    let (mut out1, out2) = out.rb_mut().split_at_row_mut(h);
    let (b1, b2) = b.split_at_row(h);
    transposed_times(out1.rb_mut(), t11, b1, compute);
    matmul(
        out1,
        Accum::Add,
        t21.transpose(),
        b2,
        1.0,
        product_par(compute, t21, b2),
    );
    transposed_times(out2, t22, b2, compute);
}

/// The lower triangle of `out = T'T`.
fn transposed_times_self(t: MatRef<'_, f64>, out: MatMut<'_, f64>, compute: &Compute) {
    let n = t.nrows();
    let symmetric = |out: MatMut<'_, f64>, accum, factor: MatRef<'_, f64>| {
        triangular::matmul(
            out,
            BlockStructure::TriangularLower,
            accum,
            factor.transpose(),
            BlockStructure::Rectangular,
            factor,
            BlockStructure::Rectangular,
            1.0,
            compute.par(factor.nrows() * factor.ncols() * factor.ncols()),
        );
    };
    if n <= DENSE {
        return symmetric(out, Accum::Replace, t);
    }
    let h = middle(n);
    let (t11, _, t21, t22) = t.split_at(h, h);
    let (mut out11, _, out21, out22) = out.split_at_mut(h, h);
    compute.join(
        n * n * n / 6,
        || {
            transposed_times_self(t11, out11.rb_mut(), compute);
            symmetric(out11, Accum::Add, t21);
        },
        || {
            transposed_times(out21, t22, t21, compute);
            transposed_times_self(t22, out22, compute);
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute::Threads;
    use crate::linalg::Factor;

    /// `min(i, j) + 1` has the inverse tridiag(-1, 2, -1) with a last diagonal entry of 1.
    #[test]
    fn the_inverse_of_the_brownian_covariance_is_tridiagonal() {
        let levels = Simd::available().into_iter();
        for (simd, threads) in levels.flat_map(|simd| [(simd, Threads::One), (simd, Threads::All)])
        {
            let compute = Compute {
                simd,
                ..Compute::with_threads(threads)
            };
            for n in [1, 2, 15, 16, 17, 24, 25, 40, 64, 65, 130, 301] {
                let mut factor = Factor::default();
                let build = |a: &mut Matrix| {
                    for j in 0..n {
                        a.column_mut(j)[j..].fill((j + 1) as f64);
                    }
                };
                factor.factorise(n, &compute, build).unwrap();
                let (mut out, mut workspace) = (Matrix::default(), InverseWorkspace::default());
                invert_spd(factor.lower(), &mut out, &mut workspace, &compute);
                for j in 0..n {
                    for i in j..n {
                        let expected = match i - j {
                            0 => 2.0 - f64::from(u8::from(i == n - 1)),
                            1 => -1.0,
                            _ => 0.0,
                        };
                        let got = out.column(j)[i];
                        assert!((got - expected).abs() < 1e-9, "{n}: ({i},{j}) is {got}");
                    }
                }
            }
        }
    }
}
