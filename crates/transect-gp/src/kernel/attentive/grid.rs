//! A set of points against a rectangular grid.
//!
//! RBF primitives separate over the axes, `k_m = prod_d exp(-(x_d - g_d)^2 / 2 l_m^2)`, so a grid
//! of G points needs exponentials for its axes only, not for its G points.

use super::Variant;
use super::axes::AxisTables;
use super::tiles::Attended;
use crate::compute::Compute;
use crate::linalg::{Matrix, Panel};
use crate::points::Points;
use crate::simd::{Arithmetic, LANES, Lanes, Work, dispatch};

/// Grid points handed out together: enough to use the tables of a block of rows many times.
const PANEL: usize = 512;
/// Grid points that are computed together: sums that do not wait for each other, as many as fit in the registers; fewer at
/// the end of a panel.
const MANY: usize = 10;
const FEW: usize = 4;

/// Whether the points are a grid with fewer values on its axes than points.
pub(super) fn worthwhile(points: &Points) -> bool {
    let axes = points.axes();
    axes.is_some_and(|axes| axes.iter().map(Vec::len).sum::<usize>() < points.len())
}

/// Fills `out` with the kernel between the rows and the grid.
pub(super) fn fill(
    attended: &Attended<'_>,
    tables: &mut AxisTables,
    out: &mut Matrix,
    c: &Compute,
) {
    let (rows, grid) = (attended.primitives.rows, attended.primitives.columns);
    let Some(axes) = grid.axes() else { return };
    // The mask's single primitive has no weights.
    let wbar = (attended.variant != Variant::Mask).then_some(attended.rows.w);
    let tables = &tables.of(&attended.primitives, axes, wbar, c.simd);
    out.resize(rows.len(), grid.len());
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

struct FillPanel<'a, 'p> {
    attended: &'a Attended<'a>,
    axes: &'a [Vec<f64>],
    tables: &'a [&'a [Lanes]],
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
                while k + (MANY - 1) * nx < columns.len() {
                    pairs.fill::<MANY, A>(a, &mut columns, block, k);
                    k += MANY * nx;
                }
                while k + (FEW - 1) * nx < columns.len() {
                    pairs.fill::<FEW, A>(a, &mut columns, block, k);
                    k += FEW * nx;
                }
                while k < columns.len() {
                    pairs.fill::<1, A>(a, &mut columns, block, k);
                    k += nx;
                }
            }
        }
    }
}

/// wbar and zbar of the columns. All units of columns k, k + nx, ... lie together, unit by unit.
struct Weights {
    w: Vec<f64>,
    z: Vec<f64>,
    /// Columns with the same first axis.
    group: usize,
}

impl Weights {
    fn of(attended: &Attended<'_>, first: usize, count: usize, nx: usize) -> Self {
        let units = attended.units();
        let (group, groups) = (count.div_ceil(nx), nx.min(count));
        let mut gathered = Self {
            w: vec![1.0; attended.primitives.len() * group * groups],
            z: vec![1.0; units * group * groups],
            group,
        };
        for k in 0..count {
            let j = first + k;
            for unit in 0..units {
                let to = (k % nx * units + unit) * group + k / nx;
                let from = j / LANES * units + unit;
                if attended.variant != Variant::Mask {
                    gathered.w[to] = attended.columns.w[from][j % LANES];
                }
                if attended.variant != Variant::Weight {
                    gathered.z[to] = attended.columns.z[from][j % LANES];
                }
            }
        }
        gathered
    }

    /// Of `weights`, those of columns `k`, `k + nx`, ..., N of them, unit by unit.
    #[inline(always)]
    fn of_columns<'a, const N: usize>(
        &self,
        weights: &'a [f64],
        units: usize,
        (k, nx): (usize, usize),
    ) -> impl Iterator<Item = &'a [f64; N]> {
        let from = k % nx * units * self.group + k / nx;
        let units = weights[from..].chunks(self.group).take(units);
        units.filter_map(|columns| columns.first_chunk())
    }
}

struct Pairs<'a> {
    attended: &'a Attended<'a>,
    axes: &'a [Vec<f64>],
    tables: &'a [&'a [Lanes]],
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
        let (s, t) = match (self.axes.len(), self.attended.variant) {
            (2, Variant::Full) => self.both::<N, A>(a, block, k),
            (2, _) => (
                self.masked::<N, A>(a, block, k),
                self.selected::<N, A>(a, block, k),
            ),
            _ => (
                self.masked::<N, A>(a, block, k),
                self.selected_on_any_axes::<N, A>(a, block, k),
            ),
        };
        let amplitude = a.splat(self.attended.amplitude);
        for n in 0..N {
            let value = a.mul(a.mul(amplitude, s[n]), t[n]);
            a.store(value, &mut columns[k + n * nx][block]);
        }
    }

    /// s and t on a grid of two axes where zbar is wbar: half the weights to read.
    #[inline(always)]
    fn both<const N: usize, A: Arithmetic>(
        &self,
        a: A,
        block: usize,
        k: usize,
    ) -> ([A::Vector; N], [A::Vector; N]) {
        let count = self.attended.primitives.len();
        let (nx, ny) = (self.axes[0].len(), self.axes[1].len());
        let (x, y) = ((self.offset + k) % nx, (self.offset + k) / nx);
        let weights = self
            .weights
            .of_columns::<N>(&self.weights.w, count, (k, nx));
        let rows = &self.attended.rows.w[block * count..][..count];
        let first = &self.tables[0][block * count * nx..][..count * nx];
        let second = &self.tables[1][block * count * ny..][..count * ny];
        let factors = first.chunks_exact(nx).zip(second.chunks_exact(ny));
        let mut s = [a.splat(0.0); N];
        let mut t = [a.splat(0.0); N];
        for (((first, second), row), w) in factors.zip(rows).zip(weights) {
            let (first, row) = (a.load(&first[x]), a.load(row));
            let second = &second[y..][..N];
            for n in 0..N {
                let w = a.splat(w[n]);
                t[n] = a.fma(a.mul(first, w), a.load(&second[n]), t[n]);
                s[n] = a.fma(row, w, s[n]);
            }
        }
        (s, t)
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
        let weights = self
            .weights
            .of_columns::<N>(&self.weights.w, count, (k, nx));
        let mut t = [a.splat(0.0); N];
        for (m, w) in weights.enumerate() {
            let first = a.load(&self.tables[0][(block * count + m) * nx + x]);
            let second = &self.tables[1][(block * count + m) * ny + y..][..N];
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
        let weights = self
            .weights
            .of_columns::<N>(&self.weights.w, count, (k, nx));
        let mut t = [a.splat(0.0); N];
        for (m, w) in weights.enumerate() {
            for n in 0..N {
                let mut product = a.splat(1.0);
                let mut rest = self.offset + k + n * nx;
                for (axis, table) in self.axes.iter().zip(self.tables) {
                    let value = rest % axis.len();
                    let factor = &table[(block * count + m) * axis.len() + value];
                    product = a.mul(product, a.load(factor));
                    rest /= axis.len();
                }
                t[n] = a.fma(product, a.splat(w[n]), t[n]);
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
        let z = &self.attended.rows.z[block * units..][..units];
        let others = self
            .weights
            .of_columns::<N>(&self.weights.z, units, (k, nx));
        let mut s = [a.splat(0.0); N];
        for (z, others) in z.iter().zip(others) {
            let z = a.load(z);
            for n in 0..N {
                s[n] = a.fma(z, a.splat(others[n]), s[n]);
            }
        }
        s
    }
}
