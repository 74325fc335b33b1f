//! `L^-1 B` for many right-hand sides: what predictions spend their time on.
//!
//! Rows are taken in panels of [`Shape::rows`]. With the rows above a panel solved, its own are
//!
//! ```text
//! X_p = D_p^-1 (B_p - L_p X),   L_p: the panel of L left of its diagonal block D_p
//! ```
//!
//! so that nearly all the work is one loop: a panel of L times a few columns of X, with the sums in
//! registers. The panels are packed one after the other, negated, in the order the loop reads them, and
//! a panel stays in the cache while a block of columns is taken through it.

use super::inverse::invert_leaf;
use super::{Matrix, Panel};
use crate::compute::{Compute, Threads};
use crate::memory::Buffer;
use crate::simd::{Arithmetic, LANES, Lanes, Simd, Work, dispatch, padded};
use faer::MatMut;
use rayon::prelude::*;

/// Numbers in a block of columns, which go through a panel one after the other: 384 KiB, so that block and
/// panel stay in a cache of 1 MiB.
const BLOCK: usize = 48 << 10;
/// Columns in a block are a multiple of this, for whole groups in both shapes.
const GROUPS: usize = 24;

/// How many columns of a panel ahead it is asked for: the first group of columns meets a panel that is in no cache but
/// the shared one, if there.
const AHEAD: usize = 128;

/// How many sums the registers hold: vectors of rows times columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// 3 x 8 vectors of the 32 registers of AVX-512.
    Wide,
    /// 1 x 6, for 16 registers of half the width or 32 of a quarter.
    Narrow,
}

impl Shape {
    fn of(level: Simd) -> Self {
        match level {
            Simd::Avx512 => Self::Wide,
            Simd::Avx2 | Simd::Portable => Self::Narrow,
        }
    }

    fn vectors(self) -> usize {
        match self {
            Self::Wide => 3,
            Self::Narrow => 1,
        }
    }

    fn rows(self) -> usize {
        self.vectors() * LANES
    }
}

/// A lower triangular factor in the order that [`PackedLower::solve`] reads it.
#[derive(Debug, Default)]
pub struct PackedLower {
    n: usize,
    /// For each panel, its part of `-L` column by column, then its `D^-1` column by column.
    panels: Buffer,
}

impl PackedLower {
    /// Packs `lower` for `compute`'s instruction set. Allocates only beyond the largest size so far.
    pub fn pack(&mut self, lower: &Matrix, compute: &Compute) {
        let (n, tall) = (lower.rows(), Shape::of(compute.simd).rows());
        self.n = n;
        // Every panel is a rectangle as long as the rows above it and its own.
        let need: usize = (0..n)
            .step_by(tall)
            .map(|top| padded(tall.min(n - top)) * n.min(top + tall))
            .sum();
        if need > self.panels.len() {
            self.panels = Buffer::zeroed(need + need / 4);
        }
        let mut rest = self.panels.as_chunks_mut().0;
        for top in (0..n).step_by(tall) {
            let rows = tall.min(n - top);
            let vectors = padded(rows) / LANES;
            let (left, following) = rest.split_at_mut(vectors * top);
            for (k, packed) in left.chunks_exact_mut(vectors).enumerate() {
                for (to, from) in packed.iter_mut().zip(&lower.lanes(k)[top / LANES..]) {
                    *to = from.map(|x| -x);
                }
            }
            let (inverse, following) = following.split_at_mut(vectors * rows);
            rest = following;
            let (numbers, stride) = (inverse.as_flattened_mut(), vectors * LANES);
            invert_leaf(
                lower.view().submatrix(top, top, rows, rows),
                MatMut::from_column_major_slice_with_stride_mut(numbers, rows, rows, stride),
            );
        }
    }

    /// Overwrites `right` with `L^-1 right`, where L was packed for the same `compute`.
    pub fn solve(&self, right: &mut Matrix, compute: &Compute) {
        let shape = Shape::of(compute.simd);
        let columns = (BLOCK / self.n.max(1) / GROUPS).clamp(1, 3) * GROUPS;
        let (count, blocks) = right.panels_mut(columns);
        let solve_block = |block: Panel<'_>| {
            let (stride, numbers) = block.into_numbers();
            let columns = Columns {
                n: self.n,
                panels: self.panels.as_chunks().0,
                stride,
                numbers,
                shape,
            };
            dispatch(compute.simd, columns);
        };
        match compute.threads {
            Threads::All if count > 1 => {
                let blocks: Vec<_> = blocks.collect();
                blocks.into_par_iter().for_each(solve_block);
            }
            _ => blocks.for_each(solve_block),
        }
    }
}

/// Some columns of the right-hand side and the packed factor.
struct Columns<'a> {
    n: usize,
    panels: &'a [Lanes],
    stride: usize,
    numbers: &'a mut [f64],
    shape: Shape,
}

impl Work for Columns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self, arithmetic: A) {
        let mut panels = self.panels;
        for top in (0..self.n).step_by(self.shape.rows()) {
            let rows = self.shape.rows().min(self.n - top);
            let vectors = padded(rows) / LANES;
            let place = Place { top, rows };
            let (stride, numbers) = (self.stride, &mut *self.numbers);
            match (self.shape, vectors) {
                (Shape::Wide, 3) => groups::<A, 3, 8>(arithmetic, place, panels, stride, numbers),
                (Shape::Wide, 2) => groups::<A, 2, 8>(arithmetic, place, panels, stride, numbers),
                (Shape::Wide, _) => groups::<A, 1, 8>(arithmetic, place, panels, stride, numbers),
                (Shape::Narrow, _) => groups::<A, 1, 6>(arithmetic, place, panels, stride, numbers),
            }
            panels = &panels[vectors * (top + rows)..];
        }
    }
}

/// Which rows a panel has.
#[derive(Clone, Copy)]
struct Place {
    top: usize,
    rows: usize,
}

/// Takes all columns through the first of `panels`, C at a time.
#[inline(always)]
fn groups<A: Arithmetic, const V: usize, const C: usize>(
    arithmetic: A,
    place: Place,
    panels: &[Lanes],
    stride: usize,
    numbers: &mut [f64],
) {
    let mut groups = numbers.chunks_exact_mut(C * stride);
    for group in &mut groups {
        solve_group::<A, V, C>(arithmetic, place, panels, stride, group);
    }
    for column in groups.into_remainder().chunks_exact_mut(stride) {
        solve_group::<A, V, 1>(arithmetic, place, panels, stride, column);
    }
}

/// `X_p = D_p^-1 (B_p - L_p X)` for C columns. Every column's sums are formed in the same order,
/// whatever C is.
#[inline(always)]
fn solve_group<A: Arithmetic, const V: usize, const C: usize>(
    arithmetic: A,
    Place { top, rows }: Place,
    panels: &[Lanes],
    stride: usize,
    group: &mut [f64],
) {
    let panels = panels.as_chunks::<V>().0;
    let (left, inverse) = panels.split_at(top);
    let mut columns = group.chunks_exact_mut(stride);
    let columns: [(&mut [f64], &mut [f64]); C] = std::array::from_fn(|_| {
        let column = columns.next().unwrap_or_default();
        column.split_at_mut(top.min(column.len()))
    });
    let mut sums = [[arithmetic.splat(0.0); V]; C];
    for c in 0..C {
        let own = columns[c].1.as_chunks::<LANES>().0;
        for v in 0..V {
            sums[c][v] = arithmetic.load(&own[v]);
        }
    }
    let solved: [&[f64]; C] = std::array::from_fn(|c| &columns[c].0[..left.len()]);
    for (k, l) in left.iter().enumerate() {
        if let Some(soon) = panels.get(k + AHEAD) {
            soon.iter().for_each(|vector| arithmetic.prefetch(vector));
        }
        let l: [A::Vector; V] = std::array::from_fn(|v| arithmetic.load(&l[v]));
        for c in 0..C {
            let x = arithmetic.splat(solved[c][k]);
            for v in 0..V {
                sums[c][v] = arithmetic.fma(l[v], x, sums[c][v]);
            }
        }
    }
    let mut open = [[[0.0; LANES]; V]; C];
    for c in 0..C {
        for v in 0..V {
            arithmetic.store(sums[c][v], &mut open[c][v]);
        }
    }
    let mut sums = [[arithmetic.splat(0.0); V]; C];
    for (k, d) in inverse[..rows].iter().enumerate() {
        let d: [A::Vector; V] = std::array::from_fn(|v| arithmetic.load(&d[v]));
        for c in 0..C {
            let x = arithmetic.splat(open[c].as_flattened()[k]);
            for v in 0..V {
                sums[c][v] = arithmetic.fma(d[v], x, sums[c][v]);
            }
        }
    }
    for c in 0..C {
        let own = columns[c].1.as_chunks_mut::<LANES>().0;
        for v in 0..V {
            arithmetic.store(sums[c][v], &mut own[v]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `L = 1` on and below the diagonal: its inverse takes differences of neighbouring rows.
    #[test]
    fn the_inverse_of_summation_takes_differences() {
        for simd in Simd::available() {
            for threads in [Threads::One, Threads::All] {
                let compute = Compute {
                    simd,
                    ..Compute::with_threads(threads)
                };
                for (n, count) in [(1, 1), (7, 3), (8, 64), (23, 65), (64, 9), (130, 150)] {
                    let mut lower = Matrix::zeros(n, n);
                    for j in 0..n {
                        lower.column_mut(j).fill(f64::NAN);
                        lower.column_mut(j)[j..].fill(1.0);
                    }
                    let value = |i: usize, j: usize| ((i * 31 + j * 17) % 101) as f64;
                    let mut right = Matrix::zeros(n, count);
                    for j in 0..count {
                        for i in 0..n {
                            right.column_mut(j)[i] = value(i, j);
                        }
                    }
                    let mut packed = PackedLower::default();
                    packed.pack(&lower, &compute);
                    packed.solve(&mut right, &compute);
                    for j in 0..count {
                        for i in 0..n {
                            let above = if i == 0 { 0.0 } else { value(i - 1, j) };
                            let got = right.column(j)[i];
                            assert_eq!(got, value(i, j) - above, "{simd:?} {n}: ({i},{j})");
                        }
                    }
                }
            }
        }
    }
}
