//! Visiting pairs of points: the loops every kernel shares.
//!
//! A kernel says what one pair is worth, eight rows at a time; these functions walk the lower
//! triangle of a symmetric matrix or the whole of a rectangular one, share columns out to
//! threads, and add sums up in an order that does not depend on the number of threads.

use crate::compute::{Compute, Threads};
use crate::linalg::{Matrix, Panel};
use crate::points::Points;
use crate::simd::{Arithmetic, LANES, Lanes, Work, dispatch};
use rayon::prelude::*;

/// Columns handed out together.
pub(crate) const PANEL: usize = 64;

/// Independent running sums; panels go round them, whatever the number of threads.
pub(crate) const CHUNKS: usize = 8;

/// What pairs are worth.
pub(crate) trait Values: Sync {
    /// The values of rows `8 block ..` against column `j`. Rows behind the last point may get
    /// anything.
    fn values<A: Arithmetic>(&self, a: A, block: usize, j: usize) -> Lanes;
}

/// What pairs add to running sums.
pub(crate) trait Sums: Sync {
    /// The running sums.
    type Totals: Send;
    /// Adds rows `8 block ..` of column `j`, whose values have the weights `weights` in the loss.
    fn add<A: Arithmetic>(
        &self,
        a: A,
        to: &mut Self::Totals,
        block: usize,
        j: usize,
        weights: Lanes,
    );
}

/// Fills the lower triangle of the n x n matrix `out`.
pub(crate) fn fill_lower(out: &mut Matrix, n: usize, compute: &Compute, pairs: &impl Values) {
    out.resize(n, n);
    let blocks = n.div_ceil(LANES);
    for_panels(out, compute, |panel| {
        let from_diagonal = true;
        dispatch(
            compute.simd,
            Fill {
                panel,
                blocks,
                from_diagonal,
                pairs,
            },
        );
    });
}

/// Fills the `rows` x `columns` matrix `out`.
pub(crate) fn fill_cross(
    out: &mut Matrix,
    (rows, columns): (usize, usize),
    compute: &Compute,
    pairs: &impl Values,
) {
    out.resize(rows, columns);
    let blocks = rows.div_ceil(LANES);
    for_panels(out, compute, |panel| {
        let from_diagonal = false;
        dispatch(
            compute.simd,
            Fill {
                panel,
                blocks,
                from_diagonal,
                pairs,
            },
        );
    });
}

/// Calls `f` for every panel of columns.
pub(crate) fn for_panels(out: &mut Matrix, compute: &Compute, f: impl Fn(Panel<'_>) + Sync + Send) {
    for_panels_of(PANEL, out, compute, f);
}

/// Calls `f` for every panel of `width` columns.
pub(crate) fn for_panels_of(
    width: usize,
    out: &mut Matrix,
    compute: &Compute,
    f: impl Fn(Panel<'_>) + Sync + Send,
) {
    let (count, panels) = out.panels_mut(width);
    if compute.threads == Threads::One || count == 1 {
        panels.for_each(f);
    } else {
        panels.collect::<Vec<_>>().into_par_iter().for_each(f);
    }
}

struct Fill<'a, 'p, V> {
    panel: Panel<'p>,
    blocks: usize,
    from_diagonal: bool,
    pairs: &'a V,
}

impl<V: Values> Work for Fill<'_, '_, V> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(mut self, a: A) {
        for (j, column) in self.panel.columns() {
            let from = if self.from_diagonal { j / LANES } else { 0 };
            for block in from..self.blocks {
                column[block] = self.pairs.values(a, block, j);
            }
        }
    }
}

/// Adds up the pairs of the lower triangle of `slopes` (dLoss/dK): panel p goes to the totals
/// number p modulo [`CHUNKS`]. Each pair off the diagonal stands for two entries of the matrix.
pub(crate) fn sum_lower<S: Sums>(
    slopes: &Matrix,
    compute: &Compute,
    totals: &mut [S::Totals],
    pairs: &S,
) {
    let one = |(chunk, totals): (usize, &mut S::Totals)| {
        dispatch(
            compute.simd,
            Add {
                slopes,
                chunk,
                totals,
                pairs,
            },
        );
    };
    match compute.threads {
        Threads::One => totals.iter_mut().enumerate().for_each(one),
        Threads::All => totals.par_iter_mut().enumerate().for_each(one),
    }
}

struct Add<'a, S: Sums> {
    slopes: &'a Matrix,
    chunk: usize,
    totals: &'a mut S::Totals,
    pairs: &'a S,
}

impl<S: Sums> Work for Add<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        let n = self.slopes.rows();
        for panel in (self.chunk..n.div_ceil(PANEL)).step_by(CHUNKS) {
            for j in panel * PANEL..((panel + 1) * PANEL).min(n) {
                let column = self.slopes.lanes(j);
                for block in j / LANES..n.div_ceil(LANES) {
                    let weights = pair_weights(&column[block], block, j, n);
                    self.pairs.add(a, self.totals, block, j, weights);
                }
            }
        }
    }
}

/// Twice the slopes below the diagonal, once on it, nothing above it or behind the last row.
#[inline(always)]
pub(crate) fn pair_weights(slopes: &Lanes, block: usize, j: usize, n: usize) -> Lanes {
    let first = block * LANES;
    if first > j && first + LANES <= n {
        return slopes.map(|g| 2.0 * g);
    }
    let mut weights = [0.0; LANES];
    for l in 0..LANES {
        let i = first + l;
        if i >= j && i < n {
            weights[l] = if i == j { slopes[l] } else { 2.0 * slopes[l] };
        }
    }
    weights
}

/// Squared distances of rows `8 block ..` of `rows` from point `j` of `columns`.
#[inline(always)]
pub(crate) fn squared_distances<A: Arithmetic>(
    a: A,
    rows: &Points,
    columns: &Points,
    block: usize,
    j: usize,
) -> Lanes {
    let mut sum = [0.0; LANES];
    for d in 0..rows.dim() {
        let (x, y) = (&rows.lanes(d)[block], columns.column(d)[j]);
        for l in 0..LANES {
            let difference = x[l] - y;
            sum[l] = a.mul_add(difference, difference, sum[l]);
        }
    }
    sum
}
