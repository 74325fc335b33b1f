//! A set of points against a rectangular grid.
//!
//! RBF primitives separate over the axes, `k_m = prod_d exp(-(x_d - g_d)^2 / 2 l_m^2)`, so a grid
//! of G points needs exponentials for its axes only, not for its G points.

use super::Variant;
use super::tiles::Attended;
use crate::compute::Compute;
use crate::linalg::{Matrix, Panel};
use crate::points::Points;
use crate::simd::{Arithmetic, LANES, Lanes, Simd, Work, dispatch, exp};

/// Grid points handed out together: enough to use the tables of a block of rows many times.
const PANEL: usize = 512;
/// Grid points that are computed together, as many sums as fit in the registers.
const TOGETHER: usize = 5;

/// One table per axis: the factor of block b, primitive m, value v at `(b * M + m) * values + v`.
/// Those of the first axis carry the rows' wbar.
#[derive(Debug, Default)]
pub(super) struct Tables {
    axes: Vec<Vec<Lanes>>,
    /// What the table of the first axis was made of: slices of one grid share it.
    first: Option<(Simd, Vec<f64>)>,
}

/// Whether the points are a grid with fewer values on its axes than points.
pub(super) fn worthwhile(points: &Points) -> bool {
    let axes = points.axes();
    axes.is_some_and(|axes| axes.iter().map(Vec::len).sum::<usize>() < points.len())
}

/// Fills `out` with the kernel between the rows and the grid.
pub(super) fn fill(attended: &Attended<'_>, tables: &mut Tables, out: &mut Matrix, c: &Compute) {
    let (rows, grid) = (attended.primitives.rows, attended.primitives.columns);
    let Some(axes) = grid.axes() else { return };
    tables.axes.resize_with(axes.len(), Vec::new);
    let first = Some((c.simd, ingredients(attended, &axes[0])));
    let kept = usize::from(tables.first == first);
    tables.first = first;
    let unlike = axes.iter().zip(&mut tables.axes).enumerate().skip(kept);
    for (d, (axis, table)) in unlike {
        dispatch(
            c.simd,
            FillTable {
                attended,
                d,
                axis,
                table,
            },
        );
    }
    out.resize(rows.len(), grid.len());
    let tables = &tables.axes;
    crate::pairwise::for_panels_of(PANEL, out, c, |panel| {
        dispatch(
            c.simd,
            FillPanel {
                attended,
                axes,
                tables,
                panel,
            },
        );
    });
}

/// Everything that the table of the first axis depends on.
fn ingredients(attended: &Attended<'_>, axis: &[f64]) -> Vec<f64> {
    let primitives = attended.primitives;
    let weights = attended.rows.w().as_flattened();
    [
        axis,
        primitives.rows.column(0),
        primitives.inverse_squares,
        weights,
    ]
    .concat()
}

struct FillTable<'a> {
    attended: &'a Attended<'a>,
    d: usize,
    axis: &'a [f64],
    table: &'a mut Vec<Lanes>,
}

impl Work for FillTable<'_> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        let primitives = self.attended.primitives;
        let count = primitives.len();
        let x = primitives.rows.lanes(self.d);
        // The mask's single primitive has no weights to carry.
        let weighted = self.d == 0 && self.attended.variant != Variant::Mask;
        self.table.clear();
        self.table
            .resize(self.axis.len() * x.len() * count, [0.0; LANES]);
        let mut places = self.table.chunks_exact_mut(self.axis.len());
        for (block, x) in x.iter().enumerate() {
            for (m, scale) in primitives.inverse_squares.iter().enumerate() {
                let Some(to) = places.next() else { return };
                for (to, value) in to.iter_mut().zip(self.axis) {
                    for l in 0..LANES {
                        to[l] = -0.5 * scale * (x[l] - value) * (x[l] - value);
                    }
                }
                for to in to.as_flattened_mut() {
                    *to = exp(a, *to);
                }
                if weighted {
                    let w = &self.attended.rows.w()[block * count + m];
                    for to in to {
                        for l in 0..LANES {
                            to[l] *= w[l];
                        }
                    }
                }
            }
        }
    }
}

struct FillPanel<'a, 'p> {
    attended: &'a Attended<'a>,
    axes: &'a [Vec<f64>],
    tables: &'a [Vec<Lanes>],
    panel: Panel<'p>,
}

impl Work for FillPanel<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(mut self, a: A) {
        let attended = self.attended;
        let blocks = attended.primitives.rows.len().div_ceil(LANES);
        let first = self.panel.first;
        let mut columns: Vec<&mut [Lanes]> = self.panel.columns().map(|(_, to)| to).collect();
        let weights = Weights::of(attended, first, columns.len(), self.axes[0].len());
        let pairs = Pairs {
            attended,
            axes: self.axes,
            tables: self.tables,
            weights: &weights,
            offset: first,
        };
        let nx = self.axes[0].len();
        for block in 0..blocks {
            // Columns nx apart have the first axis in common.
            for start in 0..nx.min(columns.len()) {
                let mut k = start;
                while k + (TOGETHER - 1) * nx < columns.len() {
                    pairs.fill::<TOGETHER, A>(a, &mut columns, block, k);
                    k += TOGETHER * nx;
                }
                while k < columns.len() {
                    pairs.fill::<1, A>(a, &mut columns, block, k);
                    k += nx;
                }
            }
        }
    }
}

/// wbar and zbar of the columns, unit by unit; columns that are computed together are neighbours.
struct Weights {
    w: Vec<f64>,
    z: Vec<f64>,
    /// Columns with the same first axis, and their groups.
    group: usize,
    groups: usize,
}

impl Weights {
    fn of(attended: &Attended<'_>, first: usize, count: usize, nx: usize) -> Self {
        let units = attended.units();
        let (group, groups) = (count.div_ceil(nx), nx.min(count));
        let mut gathered = Self {
            w: vec![1.0; attended.primitives.len() * group * groups],
            z: vec![1.0; units * group * groups],
            group,
            groups,
        };
        for k in 0..count {
            let j = first + k;
            for unit in 0..units {
                let (from, to) = (j / LANES * units + unit, gathered.place(unit, k, nx));
                if attended.variant != Variant::Mask {
                    gathered.w[to] = attended.columns.w()[from][j % LANES];
                }
                if attended.variant != Variant::Weight {
                    gathered.z[to] = attended.columns.z()[from][j % LANES];
                }
            }
        }
        gathered
    }

    /// Where the unit of column `k` is.
    #[inline(always)]
    fn place(&self, unit: usize, k: usize, nx: usize) -> usize {
        (unit * self.groups + k % nx) * self.group + k / nx
    }
}

struct Pairs<'a> {
    attended: &'a Attended<'a>,
    axes: &'a [Vec<f64>],
    tables: &'a [Vec<Lanes>],
    weights: &'a Weights,
    /// The number of the panel's first column.
    offset: usize,
}

impl Pairs<'_> {
    /// `A s t` of rows `8 block ..` against the panel's columns number `k`, `k + nx`, ..., N of
    /// them, which differ on the second axis only.
    #[inline(always)]
    fn fill<const N: usize, A: Arithmetic>(
        &self,
        a: A,
        columns: &mut [&mut [Lanes]],
        block: usize,
        k: usize,
    ) {
        let nx = self.axes[0].len();
        let t = match self.axes.len() {
            2 => self.selected::<N, A>(a, block, k),
            _ => self.selected_on_any_axes::<N, A>(a, block, k),
        };
        let s = self.masked::<N, A>(a, block, k);
        let amplitude = a.splat(self.attended.amplitude);
        for n in 0..N {
            let value = a.mul(a.mul(amplitude, s[n]), t[n]);
            a.store(value, &mut columns[k + n * nx][block]);
        }
    }

    /// `t = sum_m wbar_m wbar'_m k_m` on a grid of two axes.
    #[inline(always)]
    fn selected<const N: usize, A: Arithmetic>(
        &self,
        a: A,
        block: usize,
        k: usize,
    ) -> [A::Vector; N] {
        let count = self.attended.primitives.len();
        let (nx, ny) = (self.axes[0].len(), self.axes[1].len());
        let (x, y) = ((self.offset + k) % nx, (self.offset + k) / nx);
        let mut t = [a.splat(0.0); N];
        for m in 0..count {
            let first = a.load(&self.tables[0][(block * count + m) * nx + x]);
            let second = &self.tables[1][(block * count + m) * ny + y..][..N];
            let w = &self.weights.w[self.weights.place(m, k, nx)..][..N];
            for n in 0..N {
                let product = a.mul(first, a.splat(w[n]));
                t[n] = a.fma(product, a.load(&second[n]), t[n]);
            }
        }
        t
    }

    /// The same on any number of axes.
    #[inline(always)]
    fn selected_on_any_axes<const N: usize, A: Arithmetic>(
        &self,
        a: A,
        block: usize,
        k: usize,
    ) -> [A::Vector; N] {
        let count = self.attended.primitives.len();
        let nx = self.axes[0].len();
        let mut t = [a.splat(0.0); N];
        for n in 0..N {
            for m in 0..count {
                let mut product = a.splat(1.0);
                let mut rest = self.offset + k + n * nx;
                for (axis, table) in self.axes.iter().zip(self.tables) {
                    let value = rest % axis.len();
                    let factor = &table[(block * count + m) * axis.len() + value];
                    product = a.mul(product, a.load(factor));
                    rest /= axis.len();
                }
                let weight = self.weights.w[self.weights.place(m, k, nx) + n];
                t[n] = a.fma(product, a.splat(weight), t[n]);
            }
        }
        t
    }

    /// `s = zbar . zbar'`.
    #[inline(always)]
    fn masked<const N: usize, A: Arithmetic>(
        &self,
        a: A,
        block: usize,
        k: usize,
    ) -> [A::Vector; N] {
        if self.attended.variant == Variant::Weight {
            return [a.splat(1.0); N];
        }
        let units = self.attended.units();
        let nx = self.axes[0].len();
        let z = &self.attended.rows.z()[block * units..][..units];
        let mut s = [a.splat(0.0); N];
        for (unit, z) in z.iter().enumerate() {
            let z = a.load(z);
            let others = &self.weights.z[self.weights.place(unit, k, nx)..][..N];
            for n in 0..N {
                s[n] = a.fma(z, a.splat(others[n]), s[n]);
            }
        }
        s
    }
}
