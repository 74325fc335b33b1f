//! The inverse of a symmetric positive definite matrix of moderate size from its Cholesky factor L.
//!
//! `T = L^-1` and `A^-1 = T'T` are both made of tiles of 8 by 24 sums that stay in the registers of AVX-512:
//!
//! ```text
//! T[rows r, columns q] = D_r^-1 (I - L[r, left of r] T[.., q]),    A^-1[rows q, columns s] = T[.., q]' T[.., s]
//! ```
//!
//! L is kept in strips of 8 rows and T in strips of 24 columns, both in the order in which the tiles read them, so that
//! nothing is packed twice and no work is spent on the triangles of zeros. Products by halves (`inverse`) end in pieces too
//! small to be fast; that counts less, and strips too long for the cache more, the larger the matrix is.

use super::{Matrix, Panel};
use crate::compute::{Compute, Threads};
use crate::memory::Vectors;
use crate::simd::{Arithmetic, LANES, Lanes, Work, dispatch};
use rayon::prelude::*;

/// Vectors in a row of a strip of T.
const WIDE: usize = 3;
/// Columns of the result that are computed together, so that the strips of T they need stay in the cache.
const COLUMNS: usize = 48;

/// The first blocks of rows of a strip of I, and zeros for the others.
static IDENTITY: [[[Lanes; WIDE]; LANES]; WIDE + 1] = {
    let mut rows = [[[[0.0; LANES]; WIDE]; LANES]; WIDE + 1];
    let mut i = 0;
    while i < WIDE * LANES {
        rows[i / LANES][i % LANES][i / LANES][i % LANES] = 1.0;
        i += 1;
    }
    rows
};

/// Memory for [`Strips::invert`], kept between calls.
#[derive(Debug, Default)]
pub(super) struct Strips {
    /// `-L` in strips of 8 rows, column by column up to the diagonal, on which `1 / L` is.
    lower: Vectors,
    /// T in strips of 24 columns, row by row from the first that is not zero on.
    inverse: Vectors,
}

/// Where strip `r` of L starts.
fn start_of_rows(r: usize) -> usize {
    LANES * r * (r + 1) / 2
}

/// How many vectors a strip of T has that starts in block `first` of `blocks`.
fn len_of_columns(blocks: usize, first: usize) -> usize {
    (blocks - first) * LANES * WIDE
}

/// Where strip `q` of T starts.
fn start_of_columns(blocks: usize, q: usize) -> usize {
    LANES * WIDE * (q * blocks - WIDE * q * q.saturating_sub(1) / 2)
}

impl Strips {
    /// Writes the lower triangle of `(L L')^-1` into `out`, which is as large as `lower`.
    pub(super) fn invert(&mut self, lower: &Matrix, out: &mut Matrix, compute: &Compute) {
        let n = lower.rows();
        if n == 0 {
            return;
        }
        let blocks = n.div_ceil(LANES);
        let count = blocks.div_ceil(WIDE);
        self.lower.resize(start_of_rows(blocks));
        dispatch(
            compute.simd,
            Pack {
                from: lower,
                to: &mut self.lower,
            },
        );
        self.inverse.resize(
            start_of_columns(blocks, count - 1) + len_of_columns(blocks, WIDE * (count - 1)),
        );
        let lower = &self.lower[..];
        let invert = |(q, strip): (usize, &mut [Lanes])| {
            let first = WIDE * q;
            dispatch(
                compute.simd,
                InvertColumns {
                    lower,
                    first,
                    strip,
                },
            );
        };
        let mut rest = &mut self.inverse[..];
        let strips = (0..count).map(|q| {
            let len = len_of_columns(blocks, WIDE * q);
            let (strip, following) = std::mem::take(&mut rest).split_at_mut(len);
            rest = following;
            (q, strip)
        });
        // Waking other threads costs more than a small matrix.
        let shared = compute.threads == Threads::All && n > 128;
        match shared {
            false => strips.for_each(invert),
            true => strips.collect::<Vec<_>>().into_par_iter().for_each(invert),
        }
        let inverse = &self.inverse[..];
        let multiply = |panel: Panel<'_>| dispatch(compute.simd, Multiply { inverse, n, panel });
        let (_, panels) = out.panels_mut(COLUMNS);
        match shared {
            false => panels.for_each(multiply),
            true => panels
                .collect::<Vec<_>>()
                .into_par_iter()
                .for_each(multiply),
        }
    }
}

/// Cuts L into strips.
struct Pack<'a> {
    from: &'a Matrix,
    to: &'a mut [Lanes],
}

impl Work for Pack<'_> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        let blocks = self.from.rows().div_ceil(LANES);
        for j in 0..self.from.columns() {
            let column = &self.from.lanes(j)[..blocks];
            for r in j / LANES..blocks {
                let to = &mut self.to[start_of_rows(r) + j];
                a.store(a.mul(a.splat(-1.0), a.load(&column[r])), to);
            }
            let diagonal = &mut self.to[start_of_rows(j / LANES) + j][j % LANES];
            *diagonal = -1.0 / *diagonal;
        }
    }
}

/// Computes the strip of T that starts in block `first`. Rows behind the last are unspecified.
struct InvertColumns<'a> {
    lower: &'a [Lanes],
    first: usize,
    strip: &'a mut [Lanes],
}

impl Work for InvertColumns<'_> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        let strip = self.strip.as_chunks_mut::<WIDE>().0;
        for (b, r) in (self.first..).take(strip.len() / LANES).enumerate() {
            let (solved, open) = strip.split_at_mut(b * LANES);
            let lower = &self.lower[start_of_rows(r)..][..(r + 1) * LANES];
            let (left, diagonal) = lower.split_at(r * LANES);
            let start = &IDENTITY[b.min(WIDE)];
            let mut sums = [[a.splat(0.0); WIDE]; LANES];
            for c in 0..LANES {
                for v in 0..WIDE {
                    sums[c][v] = a.load(&start[c][v]);
                }
            }
            add_products(a, solved.iter().zip(&left[self.first * LANES..]), &mut sums);
            for c in 0..LANES {
                let scale = a.splat(diagonal[c][c]);
                for v in 0..WIDE {
                    sums[c][v] = a.mul(scale, sums[c][v]);
                    a.store(sums[c][v], &mut open[c][v]);
                }
                for below in c + 1..LANES {
                    let l = a.splat(diagonal[c][below]);
                    for v in 0..WIDE {
                        sums[below][v] = a.fma(l, sums[c][v], sums[below][v]);
                    }
                }
            }
        }
    }
}

/// `sums[c][v] += x[v] y[c]` over all pairs of a row x of a strip and a vector y.
#[inline(always)]
fn add_products<'a, A: Arithmetic>(
    a: A,
    pairs: impl Iterator<Item = (&'a [Lanes; WIDE], &'a Lanes)>,
    sums: &mut [[A::Vector; WIDE]; LANES],
) {
    for (x, y) in pairs {
        let x: [A::Vector; WIDE] = std::array::from_fn(|v| a.load(&x[v]));
        for c in 0..LANES {
            let y = a.splat(y[c]);
            for v in 0..WIDE {
                sums[c][v] = a.fma(x[v], y, sums[c][v]);
            }
        }
    }
}

/// Computes some columns of T'T from the diagonal on.
struct Multiply<'a, 'p> {
    inverse: &'a [Lanes],
    n: usize,
    panel: Panel<'p>,
}

impl Work for Multiply<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        let Self { inverse, n, panel } = self;
        let blocks = n.div_ceil(LANES);
        let first = panel.first / LANES;
        let (stride, numbers) = panel.into_numbers();
        let columns = numbers.len() / stride;
        let out = numbers.as_chunks_mut::<LANES>().0;
        // Rows of strip `q` of T from row `row` on, without those behind the last.
        let rows = |q: usize, row: usize| {
            let strip = &inverse[start_of_columns(blocks, q)..];
            let rows = strip.as_chunks::<WIDE>().0;
            &rows[row - q * WIDE * LANES..n - q * WIDE * LANES]
        };
        for q in first / WIDE..blocks.div_ceil(WIDE) {
            let row = q * WIDE * LANES;
            for s in 0..columns.div_ceil(LANES) {
                let block = first + s;
                if block >= (q + 1) * WIDE {
                    break;
                }
                let mut sums = [[a.splat(0.0); WIDE]; LANES];
                let others = rows(block / WIDE, row).iter().map(|x| &x[block % WIDE]);
                add_products(a, rows(q, row).iter().zip(others), &mut sums);
                for c in 0..LANES.min(columns - s * LANES) {
                    let column = &mut out[(s * LANES + c) * stride / LANES..][..blocks];
                    for v in 0..WIDE {
                        if let Some(to) = column.get_mut(q * WIDE + v) {
                            a.store(sums[c][v], to);
                        }
                    }
                }
            }
        }
    }
}
