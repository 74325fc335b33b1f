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
    /// Writes the values of column `j` for the rows from `8 first` on. Rows behind the last point
    /// are unspecified.
    fn column<A: Arithmetic>(&self, a: A, j: usize, first: usize, out: &mut [Lanes]);
}

/// What pairs add to running sums.
pub(crate) trait Sums: Sync {
    /// The running sums.
    type Totals: Send + Default;
    /// Adds column `at.0` for the rows from `8 at.1` on, whose values have the weights `weights` in
    /// the loss. `scratch` has room for two vectors per weight.
    fn add<A: Arithmetic>(
        &self,
        a: A,
        to: &mut Self::Totals,
        at: (usize, usize),
        weights: &[Lanes],
        scratch: &mut [Lanes],
    );
}

/// Running sums and the memory to compute them in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chunk<T> {
    pub(crate) totals: T,
    weights: Vec<Lanes>,
    scratch: Vec<Lanes>,
}

/// Fills the lower triangle of the n x n matrix `out`.
pub(crate) fn fill_lower(out: &mut Matrix, n: usize, compute: &Compute, pairs: &impl Values) {
    fill(out, (n, n), true, compute, pairs);
}

/// Fills the matrix `out` of `size.0` rows and `size.1` columns.
pub(crate) fn fill_cross(
    out: &mut Matrix,
    size: (usize, usize),
    compute: &Compute,
    pairs: &impl Values,
) {
    fill(out, size, false, compute, pairs);
}

fn fill(
    out: &mut Matrix,
    (rows, columns): (usize, usize),
    from_diagonal: bool,
    compute: &Compute,
    pairs: &impl Values,
) {
    out.resize(rows, columns);
    let blocks = rows.div_ceil(LANES);
    for_panels(out, compute, |panel| {
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
            let first = if self.from_diagonal { j / LANES } else { 0 };
            self.pairs
                .column(a, j, first, &mut column[first..self.blocks]);
        }
    }
}

/// Adds up the pairs of the lower triangle of `slopes` (dLoss/dK): panel p goes to chunk number p
/// modulo [`CHUNKS`]. Each pair off the diagonal stands for two entries of the matrix. `reset`
/// clears the totals of a chunk first.
pub(crate) fn sum_lower<S: Sums>(
    slopes: &Matrix,
    compute: &Compute,
    chunks: &mut Vec<Chunk<S::Totals>>,
    reset: impl Fn(&mut S::Totals) + Sync + Send,
    pairs: &S,
) {
    chunks.resize_with(CHUNKS, Chunk::default);
    let blocks = slopes.rows().div_ceil(LANES);
    let one = |(number, chunk): (usize, &mut Chunk<S::Totals>)| {
        reset(&mut chunk.totals);
        chunk.weights.resize(blocks, [0.0; LANES]);
        chunk.scratch.resize(2 * blocks, [0.0; LANES]);
        dispatch(
            compute.simd,
            Add {
                slopes,
                number,
                chunk,
                pairs,
            },
        );
    };
    match compute.threads {
        Threads::One => chunks.iter_mut().enumerate().for_each(one),
        Threads::All => chunks.par_iter_mut().enumerate().for_each(one),
    }
}

struct Add<'a, S: Sums> {
    slopes: &'a Matrix,
    number: usize,
    chunk: &'a mut Chunk<S::Totals>,
    pairs: &'a S,
}

impl<S: Sums> Work for Add<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        let n = self.slopes.rows();
        let blocks = n.div_ceil(LANES);
        let Chunk {
            totals,
            weights,
            scratch,
        } = self.chunk;
        for panel in (self.number..n.div_ceil(PANEL)).step_by(CHUNKS) {
            for j in panel * PANEL..((panel + 1) * PANEL).min(n) {
                let first = j / LANES;
                let column = &self.slopes.lanes(j)[first..blocks];
                let weights = &mut weights[first..];
                for (i, (weight, slope)) in weights.iter_mut().zip(column).enumerate() {
                    *weight = pair_weights(slope, first + i, j, n);
                }
                self.pairs
                    .add(a, totals, (j, first), weights, &mut scratch[2 * first..]);
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

/// Writes the squared distances, times `scale`, of the rows from `8 first` on from point `j` of
/// `columns`.
#[inline(always)]
pub(crate) fn squared_distances<A: Arithmetic>(
    a: A,
    (rows, columns): (&Points, &Points),
    (j, first): (usize, usize),
    scale: f64,
    out: &mut [Lanes],
) {
    let out = out.as_flattened_mut();
    out.fill(0.0);
    for d in 0..rows.dim() {
        let x = &rows.lanes(d)[first..].as_flattened()[..out.len()];
        let y = columns.column(d)[j];
        for (sum, x) in out.iter_mut().zip(x) {
            let difference = x - y;
            *sum = a.mul_add(difference * scale, difference, *sum);
        }
    }
}

/// `sum += weight * value` in eight parts.
#[inline(always)]
pub(crate) fn add_products<A: Arithmetic>(a: A, sum: &mut Lanes, x: &[Lanes], y: &[Lanes]) {
    let mut total = a.load(sum);
    for (x, y) in x.iter().zip(y) {
        total = a.fma(a.load(x), a.load(y), total);
    }
    a.store(total, sum);
}
