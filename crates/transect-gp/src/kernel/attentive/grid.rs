//! A set of points against a rectangular grid.
//!
//! RBF primitives separate over the axes, `k_m = prod_d exp(-(x_d - g_d)^2 / 2 l_m^2)`, so a grid
//! of G points needs exponentials for its axes only, not for its G points.

use super::Variant;
use super::tiles::Attended;
use crate::compute::Compute;
use crate::linalg::{Matrix, Panel};
use crate::points::Points;
use crate::simd::{Arithmetic, LANES, Lanes, Work, dispatch, exp};

/// Grid points handed out together: enough to use a tile of the tables many times.
const PANEL: usize = 512;
/// Blocks of rows whose tables stay in the second-level cache.
const TILE_BLOCKS: usize = 8;

/// One table per axis: the factor of value v, block b, primitive m at `(v * blocks + b) * M + m`.
/// Those of the first axis carry the rows' wbar.
#[derive(Debug, Default)]
pub(super) struct Tables(Vec<Vec<Lanes>>);

/// Whether the points are a grid with fewer values on its axes than points.
pub(super) fn worthwhile(points: &Points) -> bool {
    let axes = points.axes();
    axes.is_some_and(|axes| axes.iter().map(Vec::len).sum::<usize>() < points.len())
}

/// Fills `out` with the kernel between the rows and the grid.
pub(super) fn fill(attended: &Attended<'_>, tables: &mut Tables, out: &mut Matrix, c: &Compute) {
    let (rows, grid) = (attended.primitives.rows, attended.primitives.columns);
    let Some(axes) = grid.axes() else { return };
    tables.0.resize_with(axes.len(), Vec::new);
    for (d, (axis, table)) in axes.iter().zip(&mut tables.0).enumerate() {
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
    let tables = &tables.0;
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
        let mut places = self.table.chunks_exact_mut(count);
        for value in self.axis {
            for (block, x) in x.iter().enumerate() {
                let Some(to) = places.next() else { return };
                for (to, scale) in to.iter_mut().zip(primitives.inverse_squares) {
                    for l in 0..LANES {
                        to[l] = -0.5 * scale * (x[l] - value) * (x[l] - value);
                    }
                }
                for to in to.as_flattened_mut() {
                    *to = exp(a, *to);
                }
                if weighted {
                    let w = &self.attended.rows.w()[block * count..][..count];
                    for (to, w) in to.as_flattened_mut().iter_mut().zip(w.as_flattened()) {
                        *to *= w;
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
        for tile in 0..blocks.div_ceil(TILE_BLOCKS) {
            for (j, column) in self.panel.columns() {
                for block in tile * TILE_BLOCKS..((tile + 1) * TILE_BLOCKS).min(blocks) {
                    let t = sum_over_primitives(a, attended, self.axes, self.tables, block, j);
                    let s = attended.mask(a, block, j);
                    let k = a.mul(a.mul(a.splat(attended.amplitude), s), t);
                    a.store(k, &mut column[block]);
                }
            }
        }
    }
}

/// t of rows `8 block ..` against grid point `j`.
#[inline(always)]
fn sum_over_primitives<A: Arithmetic>(
    a: A,
    attended: &Attended<'_>,
    axes: &[Vec<f64>],
    tables: &[Vec<Lanes>],
    block: usize,
    j: usize,
) -> A::Vector {
    let count = attended.primitives.len();
    let blocks = attended.primitives.rows.len().div_ceil(LANES);
    let entries = |d: usize, value: usize| &tables[d][(value * blocks + block) * count..][..count];
    let weights = &attended.columns.w()[j / LANES * attended.units()..][..attended.units()];
    let masked = attended.variant == Variant::Mask;
    let mut sum = a.splat(0.0);
    let nx = axes[0].len();
    let first = entries(0, j % nx);
    if axes.len() == 2 {
        let second = entries(1, j / nx);
        for m in 0..count {
            let weight = if masked { 1.0 } else { weights[m][j % LANES] };
            let product = a.mul(a.load(&first[m]), a.splat(weight));
            sum = a.fma(product, a.load(&second[m]), sum);
        }
        return sum;
    }
    for m in 0..count {
        let mut product = a.load(&first[m]);
        let mut rest = j / nx;
        for d in 1..axes.len() {
            let factor = &entries(d, rest % axes[d].len())[m];
            product = a.mul(product, a.load(factor));
            rest /= axes[d].len();
        }
        let weight = if masked { 1.0 } else { weights[m][j % LANES] };
        sum = a.fma(product, a.splat(weight), sum);
    }
    sum
}
