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
    /// The primitives of one column of a tile, where they are not cached.
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
    /// How many attention weights a point has, if that is known beforehand.
    const UNITS: Option<usize> = None;
}
macro_rules! form {
    ($name:ident, $select:literal, $mask:literal, $shared:literal $(, $units:literal)?) => {
        struct $name;
        impl Form for $name {
            const SELECT: bool = $select;
            const MASK: bool = $mask;
            const SHARED: bool = $shared;
            $(const UNITS: Option<usize> = Some($units);)?
        }
    };
}
form!(Full, true, true, true);
// The paper's kernel: loops of known length stay in registers.
form!(FullOfTen, true, true, true, 10);
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
    fn known_units<F: Form>(&self) -> usize {
        F::UNITS.unwrap_or_else(|| self.units())
    }

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
        primitives: &[Lanes],
    ) -> (A::Vector, A::Vector) {
        let units = self.known_units::<F>();
        let mut s = a.splat(if F::MASK { 0.0 } else { 1.0 });
        let mut t = a.splat(0.0);
        if F::SELECT {
            let w = entries(self.rows.w(), block, units);
            let w_column = entries(self.columns.w(), j / LANES, units);
            for ((w, other), k) in w.iter().zip(w_column).zip(primitives) {
                let product = a.mul(a.load(w), a.splat(other[j % LANES]));
                t = a.fma(product, a.load(k), t);
                if F::SHARED {
                    s = a.add(s, product);
                }
            }
        } else {
            t = a.load(&primitives[0]);
        }
        if F::MASK && !F::SHARED {
            s = self.mask(a, block, j);
        }
        (s, t)
    }

    /// s of rows `8 block ..` against column `j`.
    #[inline(always)]
    pub(super) fn mask<A: Arithmetic>(&self, a: A, block: usize, j: usize) -> A::Vector {
        if self.variant == Variant::Weight {
            return a.splat(1.0);
        }
        let units = self.units();
        let z = entries(self.rows.z(), block, units);
        let z_column = entries(self.columns.z(), j / LANES, units);
        let mut s = a.splat(0.0);
        for (z, other) in z.iter().zip(z_column) {
            s = a.fma(a.load(z), a.splat(other[j % LANES]), s);
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
        primitives: &[Lanes],
        out: &mut Lanes,
    ) {
        let (s, t) = self.factors::<F, A>(a, block, j, primitives);
        a.store(a.mul(a.mul(a.splat(self.amplitude), s), t), out);
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
                Variant::Full if self.units() == 10 => {
                    dispatch(compute.simd, Formed(fill, FullOfTen));
                }
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
        totals.resize_with(CHUNKS, Totals::default);
        for chunk in totals.iter_mut() {
            chunk.reset(self.rows.w().len(), self.primitives.len());
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
            Threads::One => totals.iter_mut().enumerate().for_each(one),
            Threads::All => totals.par_iter_mut().enumerate().for_each(one),
        }
        let (first, others) = totals.split_at_mut(1);
        others.iter().for_each(|other| first[0].merge(other));
        &mut first[0]
    }
}

/// Up to this many primitive values of a pair are kept on the stack.
const ON_STACK: usize = 32;

/// Runs `$body` with a buffer for `$count` vectors, on the stack if it is small enough.
macro_rules! with_buffer {
    ($count:expr, $buffer:ident => $body:expr) => {{
        let mut stack = [[0.0; LANES]; ON_STACK];
        let mut heap = Vec::new();
        let $buffer = if $count <= ON_STACK {
            &mut stack[..$count]
        } else {
            heap.resize($count, [0.0; LANES]);
            &mut heap[..]
        };
        $body
    }};
}

/// Entries of a rectangular matrix.
impl Values for Attended<'_> {
    #[inline(always)]
    fn column<A: Arithmetic>(&self, a: A, j: usize, first: usize, out: &mut [Lanes]) {
        match self.variant {
            Variant::Full => self.fresh_column::<Full, A>(a, j, first, out),
            Variant::Weight => self.fresh_column::<Weight, A>(a, j, first, out),
            Variant::Mask => self.fresh_column::<Mask, A>(a, j, first, out),
            Variant::Nnx2 => self.fresh_column::<Nnx2, A>(a, j, first, out),
        }
    }
}

impl Attended<'_> {
    /// Entries of column `j` from block `first` on, with primitives computed on the spot.
    #[inline(always)]
    fn fresh_column<F: Form, A: Arithmetic>(
        &self,
        a: A,
        j: usize,
        first: usize,
        out: &mut [Lanes],
    ) {
        with_buffer!(self.primitives.len(), fresh => {
            for (i, out) in out.iter_mut().enumerate() {
                self.primitives.values(a, first + i, j, fresh);
                self.entry::<F, A>(a, first + i, j, fresh, out);
            }
        });
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
                let to = ((tile + 1) * TILE_BLOCKS).min(blocks);
                let Some(cache) = attended.cache else {
                    attended.fresh_column::<F, A>(a, j, from, &mut column[from.min(to)..to]);
                    continue;
                };
                if from >= to {
                    continue;
                }
                let known = cache.values((p, j % PANEL), from, to).chunks_exact(count);
                for ((block, known), out) in (from..to).zip(known).zip(&mut column[from..to]) {
                    attended.entry::<F, A>(a, block, j, known, out);
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
                    let from = (tile * TILE_BLOCKS).max(j / LANES);
                    let to = ((tile + 1) * TILE_BLOCKS).min(blocks);
                    if from >= to {
                        continue;
                    }
                    let primitives = match attended.cache {
                        Some(cache) => cache.values((p, j % PANEL), from, to),
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
        }
        totals.primitives = fresh;
    }
}

/// `*sum += x y`.
#[inline(always)]
fn accumulate<A: Arithmetic>(a: A, sum: &mut Lanes, x: A::Vector, y: A::Vector) {
    let total = a.fma(x, y, a.load(sum));
    a.store(total, sum);
}

/// Attention weights whose sums are kept in registers together.
const GROUP: usize = 16;

/// The sum of a vector's lanes.
#[inline(always)]
fn total<A: Arithmetic>(a: A, v: A::Vector) -> f64 {
    let mut lanes = [0.0; LANES];
    a.store(v, &mut lanes);
    let pairs = [
        lanes[0] + lanes[4],
        lanes[1] + lanes[5],
        lanes[2] + lanes[6],
        lanes[3] + lanes[7],
    ];
    (pairs[0] + pairs[2]) + (pairs[1] + pairs[3])
}

impl Totals {
    fn reset(&mut self, entries: usize, primitives: usize) {
        (self.amplitude, self.lengthscale) = ([0.0; LANES], [0.0; LANES]);
        let zeroed = |list: &mut Vec<Lanes>, len| {
            list.clear();
            list.resize(len, [0.0; LANES]);
        };
        zeroed(&mut self.w, entries);
        zeroed(&mut self.z, entries);
        zeroed(&mut self.primitives, TILE_BLOCKS * primitives);
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
        let lane = j % LANES;
        let column = &slopes.lanes(j)[from..to];
        let mut at_t = [a.splat(0.0); TILE_BLOCKS];
        let mut at_s = [a.splat(0.0); TILE_BLOCKS];
        for (i, slopes) in column.iter().enumerate() {
            let known = entries(primitives, i, count);
            let (s, t) = attended.factors::<F, A>(a, from + i, j, known);
            let weights = a.load(&pair_weights(
                slopes,
                from + i,
                j,
                attended.primitives.rows.len(),
            ));
            let weighted = a.mul(a.splat(attended.amplitude), weights);
            at_t[i] = a.mul(weighted, s);
            at_s[i] = a.mul(weighted, t);
            accumulate(a, &mut self.amplitude, a.mul(weights, s), t);
            if !F::SELECT {
                let slope = attended.primitives.slope(a, from + i, j);
                accumulate(a, &mut self.lengthscale, at_t[i], a.load(&slope));
            }
        }
        if F::SELECT {
            let rows = &attended.rows.w()[from * units..to * units];
            let own = entries(attended.columns.w(), j / LANES, units);
            for group in (0..units).step_by(GROUP) {
                let width = (units - group).min(GROUP);
                let mut column_sums = [a.splat(0.0); GROUP];
                for i in 0..to - from {
                    let known = &entries(primitives, i, count)[group..];
                    let row = &entries(rows, i, units)[group..];
                    let sums = &mut self.w[(from + i) * units + group..][..width];
                    for m in 0..width {
                        let k = a.load(&known[m]);
                        let slope = match F::SHARED {
                            true => a.fma(at_t[i], k, at_s[i]),
                            false => a.mul(at_t[i], k),
                        };
                        accumulate(a, &mut sums[m], slope, a.splat(own[group + m][lane]));
                        column_sums[m] = a.fma(slope, a.load(&row[m]), column_sums[m]);
                    }
                }
                let sums = &mut self.w[j / LANES * units + group..][..width];
                for m in 0..width {
                    sums[m][lane] += total(a, column_sums[m]);
                }
            }
        }
        if F::MASK && !F::SHARED {
            let rows = &attended.rows.z()[from * units..to * units];
            let own = entries(attended.columns.z(), j / LANES, units);
            for m in 0..units {
                let other = a.splat(own[m][lane]);
                let mut sum = a.splat(0.0);
                for i in 0..to - from {
                    accumulate(a, &mut self.z[(from + i) * units + m], at_s[i], other);
                    sum = a.fma(at_s[i], a.load(&rows[i * units + m]), sum);
                }
                self.z[j / LANES * units + m][lane] += total(a, sum);
            }
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
