//! The matrix of a set of points, and its contraction with dLoss/dK, 64 x 64 tiles at a time.
//!
//! With `s = zbar . zbar'` and `t = sum_m wbar_m wbar'_m k_m`, an entry is `k = A s t`, and
//! `dk/dwbar_m = A s k_m wbar'_m`, `dk/dzbar_m = A t zbar'_m`.

use super::Variant;
use super::primitives::{PrimitiveCache, Primitives, TILE_BLOCKS};
use super::representation::Representation;
use crate::compute::{Compute, Threads};
use crate::linalg::{Matrix, Panel};
use crate::pairwise::{CHUNKS, PANEL, Values, for_panels, pair_weights};
use crate::simd::{Arithmetic, LANES, Lanes, Work, dispatch};
use rayon::prelude::*;

/// Everything an entry of the matrix depends on.
pub(super) struct Attended<'a> {
    pub(super) variant: Variant,
    pub(super) amplitude: f64,
    pub(super) rows: &'a Representation,
    pub(super) columns: &'a Representation,
    pub(super) primitives: &'a Primitives<'a>,
    pub(super) cache: Option<&'a PrimitiveCache>,
}

/// Running sums of a contraction.
#[derive(Debug, Clone, Default)]
pub(super) struct Totals {
    /// For dLoss/dA.
    pub(super) amplitude: Lanes,
    /// For dLoss/dl of [`Variant::Mask`], before the factor `-2 / l`.
    pub(super) lengthscale: Lanes,
    /// dLoss/dwbar (all slopes where one network serves both).
    pub(super) w: Vec<Lanes>,
    /// dLoss/dzbar where it is kept apart.
    pub(super) z: Vec<Lanes>,
    /// Sums over the rows of one column.
    column_w: Vec<Lanes>,
    column_z: Vec<Lanes>,
    primitives: Vec<Lanes>,
}

/// The parts of a [`Variant`] as types, so that each gets loops of its own.
trait Form {
    /// Is there a sum over length-scales?
    const SELECT: bool;
    /// Is there a z factor?
    const MASK: bool;
    /// Is z the same as w?
    const SHARED: bool;
}
macro_rules! form {
    ($name:ident, $select:literal, $mask:literal, $shared:literal) => {
        struct $name;
        impl Form for $name {
            const SELECT: bool = $select;
            const MASK: bool = $mask;
            const SHARED: bool = $shared;
        }
    };
}
form!(Full, true, true, true);
form!(Weight, true, false, false);
form!(Mask, false, true, false);
form!(Nnx2, true, true, false);

/// One point's or one block's entries m of a representation.
#[inline(always)]
fn entries(of: &[Lanes], block: usize, count: usize) -> &[Lanes] {
    &of[block * count..][..count]
}

impl Attended<'_> {
    /// How many attention weights a point has.
    #[inline(always)]
    pub(super) fn units(&self) -> usize {
        self.rows.w().len() / self.primitives.rows.len().div_ceil(LANES).max(1)
    }

    /// s and t of rows `8 block ..` against column `j`.
    #[inline(always)]
    fn factors<F: Form, A: Arithmetic>(
        &self,
        a: A,
        block: usize,
        j: usize,
        primitive: impl Fn(usize) -> Lanes,
    ) -> (Lanes, Lanes) {
        let units = self.units();
        let lane = j % LANES;
        let mut s = [if F::MASK { 0.0 } else { 1.0 }; LANES];
        let mut t = [0.0; LANES];
        if F::SELECT {
            let w = entries(self.rows.w(), block, units);
            let w_column = entries(self.columns.w(), j / LANES, units);
            for (m, (w, other)) in w.iter().zip(w_column).enumerate() {
                let (other, k) = (other[lane], primitive(m));
                for l in 0..LANES {
                    let product = w[l] * other;
                    t[l] = a.mul_add(product, k[l], t[l]);
                    if F::SHARED {
                        s[l] += product;
                    }
                }
            }
        } else {
            t = primitive(0);
        }
        if F::MASK && !F::SHARED {
            s = self.mask(a, block, j);
        }
        (s, t)
    }

    /// s of rows `8 block ..` against column `j`.
    #[inline(always)]
    pub(super) fn mask<A: Arithmetic>(&self, a: A, block: usize, j: usize) -> Lanes {
        if self.variant == Variant::Weight {
            return [1.0; LANES];
        }
        let units = self.units();
        let z = entries(self.rows.z(), block, units);
        let z_column = entries(self.columns.z(), j / LANES, units);
        let mut s = [0.0; LANES];
        for (z, other) in z.iter().zip(z_column) {
            for l in 0..LANES {
                s[l] = a.mul_add(z[l], other[j % LANES], s[l]);
            }
        }
        s
    }

    /// `A s t`.
    #[inline(always)]
    fn entry<F: Form, A: Arithmetic>(
        &self,
        a: A,
        block: usize,
        j: usize,
        primitive: impl Fn(usize) -> Lanes,
    ) -> Lanes {
        let (s, t) = self.factors::<F, A>(a, block, j, primitive);
        let mut k = [0.0; LANES];
        for l in 0..LANES {
            k[l] = self.amplitude * s[l] * t[l];
        }
        k
    }

    /// `A s t` with primitives computed on the spot.
    #[inline(always)]
    fn fresh_entry<F: Form, A: Arithmetic>(&self, a: A, block: usize, j: usize) -> Lanes {
        let squared = self.primitives.squared_distances(a, block, j);
        self.entry::<F, A>(a, block, j, |m| self.primitives.value(a, squared, m))
    }

    /// The lower triangle of the matrix.
    pub(super) fn fill_lower(&self, out: &mut Matrix, compute: &Compute) {
        let n = self.primitives.rows.len();
        out.resize(n, n);
        for_panels(out, compute, |panel| {
            let fill = FillLower {
                attended: self,
                panel,
            };
            match self.variant {
                Variant::Full => dispatch(compute.simd, Formed(fill, Full)),
                Variant::Weight => dispatch(compute.simd, Formed(fill, Weight)),
                Variant::Mask => dispatch(compute.simd, Formed(fill, Mask)),
                Variant::Nnx2 => dispatch(compute.simd, Formed(fill, Nnx2)),
            }
        });
    }

    /// The contraction with `slopes`; the result is in the first of `totals`.
    pub(super) fn sum_lower<'t>(
        &self,
        slopes: &Matrix,
        totals: &'t mut Vec<Totals>,
        compute: &Compute,
    ) -> &'t mut Totals {
        let units = self.units();
        totals.resize_with(CHUNKS, Totals::default);
        for chunk in totals.iter_mut() {
            chunk.reset(self.rows.w().len(), units, self.primitives.len());
        }
        let one = |(chunk, totals): (usize, &mut Totals)| {
            let sum = SumLower {
                attended: self,
                slopes,
                chunk,
                totals,
            };
            match self.variant {
                Variant::Full => dispatch(compute.simd, Formed(sum, Full)),
                Variant::Weight => dispatch(compute.simd, Formed(sum, Weight)),
                Variant::Mask => dispatch(compute.simd, Formed(sum, Mask)),
                Variant::Nnx2 => dispatch(compute.simd, Formed(sum, Nnx2)),
            }
        };
        match compute.threads {
            Threads::One => totals.iter_mut().enumerate().for_each(one),
            Threads::All => totals.par_iter_mut().enumerate().for_each(one),
        }
        let (first, others) = totals.split_at_mut(1);
        others.iter().for_each(|other| first[0].merge(other));
        &mut first[0]
    }
}

/// Entries of a rectangular matrix.
impl Values for Attended<'_> {
    #[inline(always)]
    fn values<A: Arithmetic>(&self, a: A, block: usize, j: usize) -> Lanes {
        match self.variant {
            Variant::Full => self.fresh_entry::<Full, A>(a, block, j),
            Variant::Weight => self.fresh_entry::<Weight, A>(a, block, j),
            Variant::Mask => self.fresh_entry::<Mask, A>(a, block, j),
            Variant::Nnx2 => self.fresh_entry::<Nnx2, A>(a, block, j),
        }
    }
}

/// Work to be compiled for one form.
struct Formed<W, F>(W, F);

struct FillLower<'a, 'p> {
    attended: &'a Attended<'a>,
    panel: Panel<'p>,
}

impl<F: Form> Work for Formed<FillLower<'_, '_>, F> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        let FillLower {
            attended,
            mut panel,
        } = self.0;
        let blocks = attended.primitives.rows.len().div_ceil(LANES);
        let count = attended.primitives.len();
        let p = panel.first / PANEL;
        for tile in p..blocks.div_ceil(TILE_BLOCKS) {
            for (j, column) in panel.columns() {
                let from = (tile * TILE_BLOCKS).max(j / LANES);
                for block in from..((tile + 1) * TILE_BLOCKS).min(blocks) {
                    column[block] = match attended.cache {
                        Some(cache) => {
                            let known = cache.values(p, j % PANEL, block, count);
                            attended.entry::<F, A>(a, block, j, |m| known[m])
                        }
                        None => attended.fresh_entry::<F, A>(a, block, j),
                    };
                }
            }
        }
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
        for p in (chunk..n.div_ceil(PANEL)).step_by(CHUNKS) {
            for tile in p..blocks.div_ceil(TILE_BLOCKS) {
                for j in p * PANEL..((p + 1) * PANEL).min(n) {
                    let column = slopes.lanes(j);
                    let from = (tile * TILE_BLOCKS).max(j / LANES);
                    for block in from..((tile + 1) * TILE_BLOCKS).min(blocks) {
                        let weights = pair_weights(&column[block], block, j, n);
                        let primitives = match attended.cache {
                            Some(cache) => cache.values(p, j % PANEL, block, count),
                            None => {
                                attended.primitives.values(a, block, j, &mut fresh);
                                &fresh[..]
                            }
                        };
                        totals.add::<F, A>(a, attended, block, j, weights, primitives);
                    }
                    totals.close_column::<F>(j);
                }
            }
        }
        totals.primitives = fresh;
    }
}

impl Totals {
    fn reset(&mut self, entries: usize, units: usize, primitives: usize) {
        (self.amplitude, self.lengthscale) = ([0.0; LANES], [0.0; LANES]);
        let zeroed = |list: &mut Vec<Lanes>, len| {
            list.clear();
            list.resize(len, [0.0; LANES]);
        };
        zeroed(&mut self.w, entries);
        zeroed(&mut self.z, entries);
        zeroed(&mut self.column_w, units);
        zeroed(&mut self.column_z, units);
        zeroed(&mut self.primitives, primitives);
    }

    /// Adds the pairs of rows `8 block ..` with column `j`.
    #[inline(always)]
    fn add<F: Form, A: Arithmetic>(
        &mut self,
        a: A,
        attended: &Attended<'_>,
        block: usize,
        j: usize,
        weights: Lanes,
        primitives: &[Lanes],
    ) {
        let units = self.column_w.len();
        let lane = j % LANES;
        let (s, t) = attended.factors::<F, A>(a, block, j, |m| primitives[m]);
        let mut at_t = [0.0; LANES];
        let mut at_s = [0.0; LANES];
        for l in 0..LANES {
            let weight = attended.amplitude * weights[l];
            at_t[l] = weight * s[l];
            at_s[l] = weight * t[l];
            self.amplitude[l] = a.mul_add(weights[l] * s[l], t[l], self.amplitude[l]);
        }
        if F::SELECT {
            let row = entries(attended.rows.w(), block, units);
            let column = entries(attended.columns.w(), j / LANES, units);
            let sums = &mut self.w[block * units..][..units];
            for m in 0..units {
                let (other, k) = (column[m][lane], &primitives[m]);
                for l in 0..LANES {
                    let slope = match F::SHARED {
                        true => a.mul_add(at_t[l], k[l], at_s[l]),
                        false => at_t[l] * k[l],
                    };
                    sums[m][l] = a.mul_add(slope, other, sums[m][l]);
                    self.column_w[m][l] = a.mul_add(slope, row[m][l], self.column_w[m][l]);
                }
            }
        } else {
            let slope = attended.primitives.slope(a, block, j);
            for l in 0..LANES {
                self.lengthscale[l] = a.mul_add(at_t[l], slope[l], self.lengthscale[l]);
            }
        }
        if F::MASK && !F::SHARED {
            let row = entries(attended.rows.z(), block, units);
            let column = entries(attended.columns.z(), j / LANES, units);
            let sums = &mut self.z[block * units..][..units];
            for m in 0..units {
                let other = column[m][lane];
                for l in 0..LANES {
                    sums[m][l] = a.mul_add(at_s[l], other, sums[m][l]);
                    self.column_z[m][l] = a.mul_add(at_s[l], row[m][l], self.column_z[m][l]);
                }
            }
        }
    }

    /// Adds the sums over a column's rows to the column's own point.
    #[inline(always)]
    fn close_column<F: Form>(&mut self, j: usize) {
        let close = |to: &mut [Lanes], column: &mut [Lanes]| {
            let to = &mut to[j / LANES * column.len()..][..column.len()];
            for (to, sum) in to.iter_mut().zip(column) {
                to[j % LANES] += sum.iter().sum::<f64>();
                *sum = [0.0; LANES];
            }
        };
        if F::SELECT {
            close(&mut self.w, &mut self.column_w);
        }
        if F::MASK && !F::SHARED {
            close(&mut self.z, &mut self.column_z);
        }
    }

    fn merge(&mut self, other: &Self) {
        let add = |to: &mut Lanes, from: &Lanes| {
            for l in 0..LANES {
                to[l] += from[l];
            }
        };
        add(&mut self.amplitude, &other.amplitude);
        add(&mut self.lengthscale, &other.lengthscale);
        self.w
            .iter_mut()
            .zip(&other.w)
            .for_each(|(to, from)| add(to, from));
        self.z
            .iter_mut()
            .zip(&other.z)
            .for_each(|(to, from)| add(to, from));
    }
}
