//! The matrix of a set of points, 64 x 64 tiles at a time.
//!
//! With `s = zbar . zbar'` and `t = sum_m wbar_m wbar'_m k_m`, an entry is `k = A s t`.

use super::Variant;
use super::primitives::{Known, Primitives, TILE_BLOCKS};
use super::representation::Units;
use crate::compute::Compute;
use crate::linalg::{Matrix, Panel};
use crate::pairwise::{PANEL, Values, for_panels};
use crate::simd::{Arithmetic, LANES, Lanes, Work, dispatch};

/// Everything an entry of the matrix depends on.
pub(super) struct Attended<'a> {
    pub(super) variant: Variant,
    pub(super) amplitude: f64,
    pub(super) rows: Units<'a>,
    pub(super) columns: Units<'a>,
    pub(super) primitives: Primitives<'a>,
    pub(super) cache: Option<Known<'a>>,
}

/// The parts of a [`Variant`] as types, so that each gets loops of its own.
pub(super) trait Form {
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
        pub(super) struct $name;
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
pub(super) fn entries(of: &[Lanes], block: usize, count: usize) -> &[Lanes] {
    &of[block * count..][..count]
}

impl Attended<'_> {
    /// How many attention weights a point has.
    #[inline(always)]
    pub(super) fn known_units<F: Form>(&self) -> usize {
        F::UNITS.unwrap_or_else(|| self.units())
    }

    /// How many attention weights a point has.
    #[inline(always)]
    pub(super) fn units(&self) -> usize {
        self.rows.w.len() / self.primitives.rows.len().div_ceil(LANES).max(1)
    }

    /// s and t of rows `8 block ..` against column `j`.
    #[inline(always)]
    pub(super) fn factors<F: Form, A: Arithmetic>(
        &self,
        a: A,
        block: usize,
        j: usize,
        primitives: &[Lanes],
    ) -> (A::Vector, A::Vector) {
        if !F::SELECT {
            return (self.mask(a, block, j), a.load(&primitives[0]));
        }
        let units = self.known_units::<F>();
        let w = entries(self.rows.w, block, units);
        let w_column = entries(self.columns.w, j / LANES, units);
        let product = |m: usize| a.mul(a.load(&w[m]), a.splat(w_column[m][j % LANES]));
        let (s, t) = sums(a, product, &primitives[..units]);
        match F::SHARED {
            true => (s, t),
            false => (self.mask(a, block, j), t),
        }
    }

    /// s of rows `8 block ..` against column `j`.
    #[inline(always)]
    pub(super) fn mask<A: Arithmetic>(&self, a: A, block: usize, j: usize) -> A::Vector {
        if self.variant == Variant::Weight {
            return a.splat(1.0);
        }
        let units = self.units();
        let z = entries(self.rows.z, block, units);
        let z_column = entries(self.columns.z, j / LANES, units);
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
}

/// The sums of `product(m)` and of `product(m) k_m`, each in two parts that do not wait for each other.
#[inline(always)]
pub(super) fn sums<A: Arithmetic>(
    a: A,
    product: impl Fn(usize) -> A::Vector,
    primitives: &[Lanes],
) -> (A::Vector, A::Vector) {
    let mut s = [a.splat(0.0); 2];
    let mut t = [a.splat(0.0); 2];
    let (pairs, last) = primitives.as_chunks::<2>();
    for (i, pair) in pairs.iter().enumerate() {
        for h in 0..2 {
            let product = product(2 * i + h);
            t[h] = a.fma(product, a.load(&pair[h]), t[h]);
            s[h] = a.add(s[h], product);
        }
    }
    for k in last {
        let product = product(primitives.len() - 1);
        t[0] = a.fma(product, a.load(k), t[0]);
        s[0] = a.add(s[0], product);
    }
    (a.add(s[0], s[1]), a.add(t[0], t[1]))
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
pub(super) struct Formed<W, F>(pub(super) W, pub(super) F);

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
                let known = cache.of((p, j % PANEL), from, to).chunks_exact(count);
                for ((block, known), out) in (from..to).zip(known).zip(&mut column[from..to]) {
                    cache.prefetch(a, (p, j % PANEL), block, attended.known_units::<F>());
                    attended.entry::<F, A>(a, block, j, known, out);
                }
            }
        }
    }
}
