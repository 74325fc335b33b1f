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
                let half_square = x.map(|x| -0.5 * (x - value) * (x - value));
                let Some(to) = places.next() else { return };
                for (m, to) in to.iter_mut().enumerate() {
                    let scale = primitives.inverse_squares[m];
                    *to = exp(a, half_square.map(|h| h * scale));
                    if weighted {
                        let w = &self.attended.rows.w()[block * count + m];
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
        for tile in 0..blocks.div_ceil(TILE_BLOCKS) {
            for (j, column) in self.panel.columns() {
                for block in tile * TILE_BLOCKS..((tile + 1) * TILE_BLOCKS).min(blocks) {
                    let t = sum_over_primitives(a, attended, self.axes, self.tables, block, j);
                    let s = attended.mask(a, block, j);
                    for l in 0..LANES {
                        column[block][l] = attended.amplitude * s[l] * t[l];
                    }
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
) -> Lanes {
    let count = attended.primitives.len();
    let blocks = attended.primitives.rows.len().div_ceil(LANES);
    let entries = |d: usize, value: usize| &tables[d][(value * blocks + block) * count..][..count];
    let weights = &attended.columns.w()[j / LANES * attended.units()..][..attended.units()];
    let weight = |m: usize| match attended.variant {
        Variant::Mask => 1.0,
        _ => weights[m][j % LANES],
    };
    let mut sum = [0.0; LANES];
    let nx = axes[0].len();
    let first = entries(0, j % nx);
    if axes.len() == 2 {
        let second = entries(1, j / nx);
        for m in 0..count {
            let weight = weight(m);
            for l in 0..LANES {
                sum[l] = a.mul_add(first[m][l] * weight, second[m][l], sum[l]);
            }
        }
        return sum;
    }
    for m in 0..count {
        let mut product = first[m];
        let mut rest = j / nx;
        for d in 1..axes.len() {
            let factor = &entries(d, rest % axes[d].len())[m];
            for l in 0..LANES {
                product[l] *= factor[l];
            }
            rest /= axes[d].len();
        }
        for l in 0..LANES {
            sum[l] = a.mul_add(product[l], weight(m), sum[l]);
        }
    }
    sum
}
