//! The contraction of the matrix of a set of points with dLoss/dK.
//!
//! With s, t and A as in `tiles`, `dk/dwbar_m = A s k_m wbar'_m` and `dk/dzbar_m = A t zbar'_m`. The network needs
//! `wbar_m dLoss/dwbar_m` only, to which a pair adds the same at both of its points: its products `wbar_m wbar'_m`
//! serve s, t and the sums of both.

use super::Variant;
use super::primitives::TILE_BLOCKS;
use super::tiles::{Attended, Form, Formed, Full, FullOfTen, Mask, Nnx2, Weight, entries, sums};
use crate::compute::{Compute, Threads};
use crate::linalg::Matrix;
use crate::memory::Vectors;
use crate::pairwise::{CHUNKS, PANEL, pair_weights};
use crate::simd::{Arithmetic, LANES, Lanes, Work, dispatch};
use rayon::prelude::*;

/// Running sums of a contraction.
#[derive(Debug, Clone, Default)]
pub(super) struct Totals {
    /// For dLoss/dA.
    pub(super) amplitude: Lanes,
    /// For dLoss/dl of [`Variant::Mask`], before the factor `-2 / l`.
    pub(super) lengthscale: Lanes,
    /// `wbar_m dLoss/dwbar_m` (all slopes where one network serves both).
    pub(super) w: Shares,
    /// `zbar_m dLoss/dzbar_m` where it is kept apart.
    pub(super) z: Shares,
    /// The primitives of one column of a tile, where they are not cached.
    primitives: Vectors,
}

/// Sums over pairs for every attention weight of every point.
#[derive(Debug, Clone, Default)]
pub(super) struct Shares {
    /// In the order of [`Units`].
    pub(super) points: Vectors,
    /// Those of the points that are columns of the current panel, still to be added over the lanes.
    columns: Vectors,
}

impl Attended<'_> {
    /// The contraction with `slopes`; the result is in the first of `totals`.
    pub(super) fn sum_lower<'t>(
        &self,
        slopes: &Matrix,
        totals: &'t mut Vec<Totals>,
        compute: &Compute,
    ) -> &'t mut Totals {
        totals.resize_with(CHUNKS, Totals::default);
        for chunk in totals.iter_mut() {
            chunk.reset(self);
        }
        let one = |(chunk, totals): (usize, &mut Totals)| {
            let sum = SumLower {
                attended: self,
                slopes,
                chunk,
                totals,
            };
            match self.variant {
                Variant::Full if self.units() == 10 => {
                    dispatch(compute.simd, Formed(sum, FullOfTen));
                }
                Variant::Full => dispatch(compute.simd, Formed(sum, Full)),
                Variant::Weight => dispatch(compute.simd, Formed(sum, Weight)),
                Variant::Mask => dispatch(compute.simd, Formed(sum, Mask)),
                Variant::Nnx2 => dispatch(compute.simd, Formed(sum, Nnx2)),
            }
        };
        match compute.threads {
            Threads::One => totals.iter_mut().enumerate().rev().for_each(one),
            Threads::All => totals.par_iter_mut().enumerate().for_each(one),
        }
        let (first, others) = totals.split_at_mut(1);
        others.iter().for_each(|other| first[0].merge(other));
        &mut first[0]
    }
}

struct SumLower<'a> {
    attended: &'a Attended<'a>,
    slopes: &'a Matrix,
    chunk: usize,
    totals: &'a mut Totals,
}

impl<F: Form> Work for Formed<SumLower<'_>, F> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        let SumLower {
            attended,
            slopes,
            chunk,
            totals,
        } = self.0;
        let n = slopes.rows();
        let blocks = n.div_ceil(LANES);
        let count = attended.primitives.len();
        let mut fresh = std::mem::take(&mut totals.primitives);
        // Backwards: the matrix is filled forwards, so what was read last is read again first, in both passes.
        for p in (chunk..n.div_ceil(PANEL)).step_by(CHUNKS).rev() {
            for tile in (p..blocks.div_ceil(TILE_BLOCKS)).rev() {
                for j in p * PANEL..((p + 1) * PANEL).min(n) {
                    let from = (tile * TILE_BLOCKS).max(j / LANES);
                    let to = ((tile + 1) * TILE_BLOCKS).min(blocks);
                    if from >= to {
                        continue;
                    }
                    let primitives = match attended.cache {
                        Some(cache) => cache.of((p, j % PANEL), from, to),
                        None => {
                            for (block, fresh) in (from..to).zip(fresh.chunks_exact_mut(count)) {
                                attended.primitives.values(a, block, j, fresh);
                            }
                            &fresh[..(to - from) * count]
                        }
                    };
                    totals.add::<F, A>(a, attended, (j, from, to), slopes, primitives);
                }
            }
            totals.w.close_panel(p);
            totals.z.close_panel(p);
        }
        totals.primitives = fresh;
    }
}

/// Attention weights whose sums are kept in registers together.
const GROUP: usize = 16;

/// The sum of a vector's lanes.
#[inline(always)]
fn total(lanes: &Lanes) -> f64 {
    let pairs = [
        lanes[0] + lanes[4],
        lanes[1] + lanes[5],
        lanes[2] + lanes[6],
        lanes[3] + lanes[7],
    ];
    (pairs[0] + pairs[2]) + (pairs[1] + pairs[3])
}

impl Shares {
    fn reset(&mut self, entries: usize, units: usize) {
        self.points.zero(entries);
        self.columns
            .zero(if entries > 0 { PANEL * units } else { 0 });
    }

    /// Gives the columns of panel `p` what was added up for them.
    fn close_panel(&mut self, p: usize) {
        let units = self.columns.len() / PANEL;
        let points = &mut self.points[p * TILE_BLOCKS * units..];
        for (c, sums) in self.columns.chunks_exact(units.max(1)).enumerate() {
            for (m, sum) in sums.iter().enumerate() {
                if let Some(lanes) = points.get_mut(c / LANES * units + m) {
                    lanes[c % LANES] += total(sum);
                }
            }
        }
        self.columns.fill([0.0; LANES]);
    }

    fn merge(&mut self, other: &Self) {
        let pairs = self.points.iter_mut().zip(other.points.iter());
        pairs.for_each(|(to, from)| add_lanes(to, from));
    }
}

fn add_lanes(to: &mut Lanes, from: &Lanes) {
    for l in 0..LANES {
        to[l] += from[l];
    }
}

impl Totals {
    fn reset(&mut self, attended: &Attended<'_>) {
        (self.amplitude, self.lengthscale) = ([0.0; LANES], [0.0; LANES]);
        let (entries, units) = (attended.rows.w.len(), attended.units());
        let (w, z) = match attended.variant {
            Variant::Full | Variant::Weight => (entries, 0),
            Variant::Mask => (0, entries),
            Variant::Nnx2 => (entries, entries),
        };
        self.w.reset(w, units);
        self.z.reset(z, units);
        self.primitives
            .resize(TILE_BLOCKS * attended.primitives.len());
    }

    /// Adds the pairs of blocks `from..to` (at most a tile) with column `j`.
    #[inline(always)]
    fn add<F: Form, A: Arithmetic>(
        &mut self,
        a: A,
        attended: &Attended<'_>,
        (j, from, to): (usize, usize, usize),
        slopes: &Matrix,
        primitives: &[Lanes],
    ) {
        let units = attended.known_units::<F>();
        let count = if F::SELECT { units } else { 1 };
        let n = attended.primitives.rows.len();
        let column = &slopes.lanes(j)[from..to];
        let mut amplitude = a.load(&self.amplitude);
        let mut w = Sides::new(
            (attended.rows.w, attended.columns.w),
            &mut self.w,
            (j, from, to),
            units,
        );
        let mut z = Sides::new(
            (attended.rows.z, attended.columns.z),
            &mut self.z,
            (j, from, to),
            units,
        );
        // With more weights than the registers have room for, s and t are computed for each group.
        for group in (0..units).step_by(GROUP) {
            let width = (units - group).min(GROUP);
            let mut w_sums = [a.splat(0.0); GROUP];
            let mut z_sums = [a.splat(0.0); GROUP];
            for (i, slopes) in column.iter().enumerate() {
                let block = from + i;
                let known = &primitives[i * count..][..count];
                if let Some(cache) = attended.cache {
                    cache.prefetch(a, (j / PANEL, j % PANEL), block, count);
                }
                let mut products = [a.splat(0.0); GROUP];
                if F::SELECT {
                    w.products(a, (i * units + group, group), &mut products[..width]);
                }
                let (s, t) = match F::SELECT && F::SHARED && units <= GROUP {
                    true => sums(a, |m| products[m], known),
                    false => attended.factors::<F, A>(a, block, j, known),
                };
                let weights = match block * LANES > j && (block + 1) * LANES <= n {
                    true => a.mul(a.splat(2.0), a.load(slopes)),
                    false => a.load(&pair_weights(slopes, block, j, n)),
                };
                let weighted = a.mul(a.splat(attended.amplitude), weights);
                let (at_t, at_s) = (a.mul(weighted, s), a.mul(weighted, t));
                if group == 0 {
                    amplitude = a.fma(a.mul(weights, s), t, amplitude);
                    if !F::SELECT {
                        let slope = a.load(&attended.primitives.slope(a, block, j));
                        let sum = a.fma(at_t, slope, a.load(&self.lengthscale));
                        a.store(sum, &mut self.lengthscale);
                    }
                }
                if F::SELECT {
                    let share = |m: usize| {
                        let k = a.load(&known[group + m]);
                        let slope = match F::SHARED {
                            true => a.fma(at_t, k, at_s),
                            false => a.mul(at_t, k),
                        };
                        a.mul(slope, products[m])
                    };
                    w.add(a, i * units + group, &mut w_sums[..width], share);
                }
                if F::MASK && !F::SHARED {
                    z.products(a, (i * units + group, group), &mut products[..width]);
                    let share = |m: usize| a.mul(at_s, products[m]);
                    z.add(a, i * units + group, &mut z_sums[..width], share);
                }
            }
            if F::SELECT {
                w.close(a, group, &w_sums[..width]);
            }
            if F::MASK && !F::SHARED {
                z.close(a, group, &z_sums[..width]);
            }
        }
        a.store(amplitude, &mut self.amplitude);
    }

    fn merge(&mut self, other: &Self) {
        add_lanes(&mut self.amplitude, &other.amplitude);
        add_lanes(&mut self.lengthscale, &other.lengthscale);
        self.w.merge(&other.w);
        self.z.merge(&other.z);
    }
}

/// Both sides of the pairs of some blocks of rows with a column: unit vectors and sums of their shares.
struct Sides<'a> {
    rows: &'a [Lanes],
    column: &'a [Lanes],
    lane: usize,
    row_sums: &'a mut [Lanes],
    column_sums: &'a mut [Lanes],
}

impl<'a> Sides<'a> {
    #[inline(always)]
    fn new(
        (rows, columns): (&'a [Lanes], &'a [Lanes]),
        shares: &'a mut Shares,
        (j, from, to): (usize, usize, usize),
        units: usize,
    ) -> Self {
        // What the variant has no sums of is empty.
        let rows_of = from * units..to * units;
        let column_of = j % PANEL * units..(j % PANEL + 1) * units;
        Self {
            rows: &rows[from * units..to * units],
            column: entries(columns, j / LANES, units),
            lane: j % LANES,
            row_sums: shares.points.get_mut(rows_of).unwrap_or_default(),
            column_sums: shares.columns.get_mut(column_of).unwrap_or_default(),
        }
    }

    /// `u_m u'_m` of a block of rows, whose entries start at `row`, and the column, from its entry `first` on.
    #[inline(always)]
    fn products<A: Arithmetic>(&self, a: A, (row, first): (usize, usize), to: &mut [A::Vector]) {
        let rows = &self.rows[row..][..to.len()];
        let column = &self.column[first..][..to.len()];
        for m in 0..to.len() {
            to[m] = a.mul(a.load(&rows[m]), a.splat(column[m][self.lane]));
        }
    }

    /// Adds `share(m)` to the sums of a block of rows, which start at `row`, and to `column_sums`.
    #[inline(always)]
    fn add<A: Arithmetic>(
        &mut self,
        a: A,
        row: usize,
        column_sums: &mut [A::Vector],
        share: impl Fn(usize) -> A::Vector,
    ) {
        let row_sums = &mut self.row_sums[row..][..column_sums.len()];
        for m in 0..column_sums.len() {
            let share = share(m);
            a.store(a.add(a.load(&row_sums[m]), share), &mut row_sums[m]);
            column_sums[m] = a.add(column_sums[m], share);
        }
    }

    /// Hands in sums of the column's entries from `first` on.
    #[inline(always)]
    fn close<A: Arithmetic>(&mut self, a: A, first: usize, sums: &[A::Vector]) {
        for (to, sum) in self.column_sums[first..].iter_mut().zip(sums) {
            a.store(a.add(a.load(to), *sum), to);
        }
    }
}
