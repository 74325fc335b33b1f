//! Cholesky factorisation `A = L L'`, in place, and solves with it.

use super::Matrix;
use crate::compute::Compute;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::{
    LltError, LltParams, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Accum, MatMut, MatRef, Par, Spec};

/// A lower Cholesky factor that can grow.
#[derive(Debug, Clone, Default)]
pub struct Factor {
    lower: Matrix,
    scratch: Scratch,
}

/// Memory faer works in; kept, so that a training loop does not allocate.
#[derive(Default)]
struct Scratch(Option<(usize, MemBuffer)>);

/// A copy takes its own when it needs it.
impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self(None)
    }
}

impl std::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scratch")
    }
}

impl Scratch {
    fn for_size(&mut self, n: usize) -> &mut MemStack {
        self.0.take_if(|(size, _)| *size < n);
        let (_, buffer) = self.0.get_or_insert_with(|| {
            let size = n.next_multiple_of(64);
            let params = Spec::<LltParams, f64>::default();
            let need: StackReq = cholesky_in_place_scratch::<f64>(size, Par::Seq, params);
            (size, MemBuffer::new(need))
        });
        MemStack::new(buffer)
    }
}

impl Factor {
    /// The factor L; what is above the diagonal is unspecified.
    pub fn lower(&self) -> &Matrix {
        &self.lower
    }

    /// Factors the symmetric matrix that `build` writes into the lower triangle of an n x n
    /// matrix.
    ///
    /// # Errors
    /// The first pivot that is not positive.
    pub fn factorise(
        &mut self,
        n: usize,
        compute: &Compute,
        build: impl FnOnce(&mut Matrix),
    ) -> Result<(), usize> {
        self.lower.resize(n, n);
        build(&mut self.lower);
        cholesky(self.lower.view_mut(), compute, self.scratch.for_size(n))
    }

    /// Extends the factor of an n x n matrix to one of (n+r) x (n+r). `cross` holds the n x r
    /// block of the larger matrix and is overwritten; `corner` its last r x r block.
    ///
    /// With `V = L^-1 cross`, the new rows are `V'` and the new corner factors `corner - V'V`.
    ///
    /// # Errors
    /// The first pivot that is not positive; the factor is unusable then.
    pub fn extend(
        &mut self,
        cross: &mut Matrix,
        corner: &Matrix,
        compute: &Compute,
    ) -> Result<(), usize> {
        let (n, r) = (cross.rows(), cross.columns());
        solve_lower(self.lower.view(), cross.view_mut(), compute);
        self.lower.resize(n + r, n + r);
        let (_, _, mut bottom, mut end) = self.lower.view_mut().split_at_mut(n, n);
        bottom.copy_from(cross.view().transpose());
        for j in 0..r {
            for i in j..r {
                end[(i, j)] = corner.column(j)[i];
            }
        }
        matmul(
            end.as_mut(),
            BlockStructure::TriangularLower,
            Accum::Add,
            cross.view().transpose(),
            BlockStructure::Rectangular,
            cross.view(),
            BlockStructure::Rectangular,
            -1.0,
            compute.par(n * r * r),
        );
        let outcome = cholesky(end, compute, self.scratch.for_size(r));
        outcome.map_err(|pivot| n + pivot)
    }
}

fn cholesky(mut a: MatMut<'_, f64>, compute: &Compute, stack: &mut MemStack) -> Result<(), usize> {
    let n = a.nrows();
    let par = compute.par(n * n * n / 3);
    let params = Spec::<LltParams, f64>::default();
    let outcome = cholesky_in_place(a.as_mut(), Default::default(), par, stack, params);
    if let Err(LltError::NonPositivePivot { index }) = outcome {
        return Err(index);
    }
    // A NaN in the matrix slips through comparisons; it must not slip through here.
    match (0..n).find(|i| !(a[(*i, *i)].is_finite() && a[(*i, *i)] > 0.0)) {
        Some(pivot) => Err(pivot),
        None => Ok(()),
    }
}

/// Overwrites `right` with `L^-1 right`.
pub fn solve_lower(lower: MatRef<'_, f64>, right: MatMut<'_, f64>, compute: &Compute) {
    let flops = lower.nrows() * lower.nrows() * right.ncols();
    solve_lower_triangular_in_place(lower, right, compute.par(flops));
}

/// Overwrites `right` with `L'^-1 right`.
pub fn solve_lower_transposed(lower: MatRef<'_, f64>, right: MatMut<'_, f64>, compute: &Compute) {
    let flops = lower.nrows() * lower.nrows() * right.ncols();
    solve_upper_triangular_in_place(lower.transpose(), right, compute.par(flops));
}
