//! The kernel on points that carry their attention weights with them.
//!
//! The embedding of a point is (x, wbar) or, with two networks, (x, wbar, zbar). Sets are small: there is no tiling and
//! nothing is kept between calls. What goes back from a set to the points it was made of is `wbar_m dLoss/dwbar_m`, as
//! in `sums`.

use super::representation::Representation;
use super::{Attentive, Variant, in_use};
use crate::compute::Compute;
use crate::kernel::{Family, Memory};
use crate::linalg::Matrix;
use crate::pairwise::pair_weights;
use crate::points::Points;
use crate::simd::{Arithmetic, LANES, Lanes, Work, dispatch};

/// Most length-scales of one kernel that sets are computed with.
const MOST: usize = 64;

impl Attentive {
    /// Numbers of the embedding before zbar.
    fn before_z(&self) -> usize {
        match self.variant {
            Variant::Nnx2 => self.net.inputs + self.net.outputs,
            _ => self.net.inputs,
        }
    }

    fn pairs<'a>(&'a self, theta: &'a [f64], rows: &'a Points, columns: &'a Points) -> Pairs<'a> {
        let lengthscales = in_use(self.variant, &self.lengthscales, theta);
        let mut inverse_squares = [0.0; MOST];
        for (to, l) in inverse_squares.iter_mut().zip(lengthscales) {
            *to = 1.0 / (l * l);
        }
        Pairs {
            family: self.family,
            variant: self.variant,
            amplitude: theta[0],
            dim: self.net.inputs,
            units: self.net.outputs.min(MOST),
            z: self.before_z(),
            count: lengthscales.len().min(MOST),
            inverse_squares,
            rows,
            columns,
        }
    }

    pub(super) fn embedding(
        &self,
        theta: &[f64],
        x: &Points,
        memory: &mut Memory,
        c: &Compute,
    ) -> Points {
        let representation = memory.of::<Representation>();
        let weights = &theta[self.hyper()..];
        representation.compute(self.net, self.variant, weights, x, c);
        let units = representation.units();
        let mut columns: Vec<Vec<f64>> = (0..x.dim()).map(|d| x.column(d).to_vec()).collect();
        let of = |lanes: &[Lanes], m: usize| -> Vec<f64> {
            let blocks = lanes.chunks_exact(self.net.outputs);
            blocks.flat_map(|block| block[m]).take(x.len()).collect()
        };
        columns.extend((0..self.net.outputs).map(|m| of(units.w, m)));
        if self.variant == Variant::Nnx2 {
            columns.extend((0..self.net.outputs).map(|m| of(units.z, m)));
        }
        Points::from_columns(columns)
    }

    pub(super) fn fill_embedded(&self, theta: &[f64], x: &Points, out: &mut Matrix, c: &Compute) {
        crate::pairwise::fill_lower(out, x.len(), &c.on_one_thread(), &self.pairs(theta, x, x));
    }

    pub(super) fn cross_embedded(
        &self,
        theta: &[f64],
        (a, b): (&Points, &Points),
        out: &mut Matrix,
        c: &Compute,
    ) {
        let pairs = self.pairs(theta, a, b);
        crate::pairwise::fill_cross(out, (a.len(), b.len()), &c.on_one_thread(), &pairs);
    }

    pub(super) fn sum_embedded(
        &self,
        theta: &[f64],
        (x, slopes): (&Points, &Matrix),
        gradient: &mut [f64],
        slopes_of: &mut Matrix,
        c: &Compute,
    ) {
        let pairs = self.pairs(theta, x, x);
        let (amplitude, lengthscale) = dispatch(
            c.simd,
            Contract {
                pairs,
                slopes,
                slopes_of,
            },
        );
        gradient[0] += amplitude.iter().sum::<f64>();
        if self.variant == Variant::Mask {
            gradient[1] += lengthscale.iter().sum::<f64>() * -2.0 / theta[1];
        }
    }

    pub(super) fn back_from_embedding(
        &self,
        theta: &[f64],
        (x, slopes): (&Points, &Matrix),
        gradient: &mut [f64],
        memory: &mut Memory,
        c: &Compute,
    ) {
        let representation = memory.of::<Representation>();
        let weights = &theta[self.hyper()..];
        representation.compute(self.net, self.variant, weights, x, c);
        let lanes = |from: usize| -> Vec<Lanes> {
            let blocks = 0..x.len().div_ceil(LANES);
            let columns = from..from + self.net.outputs;
            let of = |b: usize| columns.clone().map(move |m| slopes.lanes(m)[b]);
            blocks.flat_map(of).collect()
        };
        let (mut w, mut z) = (lanes(self.net.inputs), Vec::new());
        match self.variant {
            Variant::Mask => std::mem::swap(&mut w, &mut z),
            Variant::Nnx2 => z = lanes(self.before_z()),
            Variant::Full | Variant::Weight => (),
        }
        let gradient = &mut gradient[self.hyper()..];
        representation.backward(
            (self.net, self.variant),
            (weights, x),
            (&mut w, &mut z),
            gradient,
            c,
        );
    }
}

/// Everything an entry depends on.
struct Pairs<'a> {
    family: Family,
    variant: Variant,
    amplitude: f64,
    dim: usize,
    units: usize,
    /// Where zbar begins.
    z: usize,
    /// How many length-scales there are.
    count: usize,
    inverse_squares: [f64; MOST],
    rows: &'a Points,
    columns: &'a Points,
}

impl Pairs<'_> {
    /// Writes the primitives of a block of rows and column `j`.
    #[inline(always)]
    fn primitives<A: Arithmetic>(&self, a: A, block: usize, j: usize, to: &mut [Lanes]) {
        let mut squared = a.splat(0.0);
        for d in 0..self.dim {
            let minus = a.splat(-self.columns.column(d)[j]);
            let difference = a.add(a.load(&self.rows.lanes(d)[block]), minus);
            squared = a.fma(difference, difference, squared);
        }
        for (to, scale) in to.iter_mut().zip(&self.inverse_squares) {
            a.store(a.mul(squared, a.splat(*scale)), to);
        }
        self.family.apply(a, 1.0, to.as_flattened_mut());
    }

    /// `u_m u'_m` of the weights that begin at column `from` of the embedding.
    #[inline(always)]
    fn product<A: Arithmetic>(
        &self,
        a: A,
        (block, j): (usize, usize),
        from: usize,
        m: usize,
    ) -> A::Vector {
        let column = a.splat(self.columns.column(from + m)[j]);
        a.mul(a.load(&self.rows.lanes(from + m)[block]), column)
    }

    /// `s = zbar . zbar'` and `t = sum_m wbar_m wbar'_m k_m`.
    #[inline(always)]
    fn factors<A: Arithmetic>(
        &self,
        a: A,
        at: (usize, usize),
        primitives: &[Lanes],
    ) -> (A::Vector, A::Vector) {
        let mut s = a.splat(0.0);
        for m in 0..self.units {
            s = a.add(s, self.product(a, at, self.z, m));
        }
        let t = match self.variant {
            Variant::Mask => a.load(&primitives[0]),
            _ => {
                let mut t = a.splat(0.0);
                for (m, k) in primitives.iter().enumerate() {
                    t = a.fma(self.product(a, at, self.dim, m), a.load(k), t);
                }
                t
            }
        };
        match self.variant {
            Variant::Weight => (a.splat(1.0), t),
            _ => (s, t),
        }
    }
}

impl crate::pairwise::Values for Pairs<'_> {
    #[inline(always)]
    fn column<A: Arithmetic>(&self, a: A, j: usize, first: usize, out: &mut [Lanes]) {
        let mut primitives = [[0.0; LANES]; MOST];
        let primitives = &mut primitives[..self.count];
        for (i, out) in out.iter_mut().enumerate() {
            self.primitives(a, first + i, j, primitives);
            let (s, t) = self.factors(a, (first + i, j), primitives);
            a.store(a.mul(a.mul(a.splat(self.amplitude), s), t), out);
        }
    }
}

struct Contract<'a> {
    pairs: Pairs<'a>,
    slopes: &'a Matrix,
    slopes_of: &'a mut Matrix,
}

impl Work for Contract<'_> {
    /// Sums for the amplitude and the mask's length-scale.
    type Output = (Lanes, Lanes);

    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) -> (Lanes, Lanes) {
        let Self {
            pairs,
            slopes,
            slopes_of,
        } = self;
        let n = slopes.rows();
        let (mut amplitude, mut lengthscale) = ([0.0; LANES], [0.0; LANES]);
        let mut buffer = [[0.0; LANES]; MOST];
        let mut columns = [[0.0; LANES]; 2 * MOST];
        let is_shared = pairs.variant == Variant::Full;
        for j in 0..n {
            columns.fill([0.0; LANES]);
            for block in j / LANES..n.div_ceil(LANES) {
                let primitives = &mut buffer[..pairs.count];
                pairs.primitives(a, block, j, primitives);
                let (s, t) = pairs.factors(a, (block, j), primitives);
                let weights = a.load(&pair_weights(&slopes.lanes(j)[block], block, j, n));
                let sum = a.fma(a.mul(weights, s), t, a.load(&amplitude));
                a.store(sum, &mut amplitude);
                let weighted = a.mul(a.splat(pairs.amplitude), weights);
                let (at_t, at_s) = (a.mul(weighted, s), a.mul(weighted, t));
                if pairs.variant == Variant::Mask {
                    let slope = a.load(&pairs.slope(a, block, j));
                    let sum = a.fma(at_t, slope, a.load(&lengthscale));
                    a.store(sum, &mut lengthscale);
                } else {
                    for m in 0..pairs.units {
                        let k = a.load(&primitives[m]);
                        let slope = if is_shared {
                            a.fma(at_t, k, at_s)
                        } else {
                            a.mul(at_t, k)
                        };
                        let share = a.mul(slope, pairs.product(a, (block, j), pairs.dim, m));
                        add(a, share, &mut slopes_of.lanes_mut(pairs.dim + m)[block]);
                        add(a, share, &mut columns[m]);
                    }
                }
                if matches!(pairs.variant, Variant::Mask | Variant::Nnx2) {
                    for m in 0..pairs.units {
                        let share = a.mul(at_s, pairs.product(a, (block, j), pairs.z, m));
                        add(a, share, &mut slopes_of.lanes_mut(pairs.z + m)[block]);
                        add(a, share, &mut columns[MOST + m]);
                    }
                }
            }
            for m in 0..pairs.units {
                let to = |part: usize| columns[part * MOST + m].iter().sum::<f64>();
                let (w, z) = (to(0), to(1));
                slopes_of.column_mut(pairs.dim + m)[j] += w;
                slopes_of.column_mut(pairs.z + m)[j] += z;
            }
        }
        (amplitude, lengthscale)
    }
}

impl Pairs<'_> {
    /// `q f'(q)` of the first primitive.
    #[inline(always)]
    fn slope<A: Arithmetic>(&self, a: A, block: usize, j: usize) -> Lanes {
        let (mut q, mut slope) = ([0.0; LANES], [0.0; LANES]);
        for d in 0..self.dim {
            let y = self.columns.column(d)[j];
            for l in 0..LANES {
                q[l] += (self.rows.lanes(d)[block][l] - y).powi(2) * self.inverse_squares[0];
            }
        }
        self.family.apply_with_slopes(a, &mut q, &mut slope);
        slope
    }
}

#[inline(always)]
fn add<A: Arithmetic>(a: A, share: A::Vector, to: &mut Lanes) {
    a.store(a.add(a.load(to), share), to);
}
