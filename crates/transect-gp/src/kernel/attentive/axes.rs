//! Factors of the primitives along the axes of a grid.
//!
//! They depend on coordinates and length-scales only. A mission predicts on the same grid again and again while its
//! points become more, so tables are kept, and a table grows with the points.

use super::primitives::Primitives;
use crate::memory::Vectors;
use crate::simd::{Arithmetic, LANES, Lanes, Simd, Work, dispatch, exp};

/// Vectors in tables that are kept without being in use: 32 MiB.
const KEPT: usize = 512 << 10;

/// `exp(-(x_d - g)^2 / 2 l_m^2)` of the rows x against the values g of one axis.
///
/// Block b of rows, primitive m, value v is at `(b * M + m) * values + v`.
#[derive(Debug)]
pub(super) struct AxisTable {
    simd: Simd,
    d: usize,
    values: Vec<f64>,
    inverse_squares: Vec<f64>,
    rows: Vec<f64>,
    factors: Vectors,
    /// The factors times the rows' wbar, and these.
    weighted: Vectors,
    weights: Vec<f64>,
}

/// Tables of axes, most recently used first.
#[derive(Debug, Default)]
pub(super) struct AxisTables(Vec<AxisTable>);

impl AxisTables {
    /// The tables of the axes of a grid, in their order. The first is weighted with the rows' `wbar`, if there is one.
    pub(super) fn of<'a>(
        &'a mut self,
        primitives: &Primitives<'_>,
        axes: &[Vec<f64>],
        wbar: Option<&[Lanes]>,
        simd: Simd,
    ) -> Vec<&'a [Lanes]> {
        for (d, values) in axes.iter().enumerate() {
            let like = |table: &AxisTable| table.suits(primitives, (d, values), simd);
            let found = self.0[d..].iter().position(like).map(|after| d + after);
            let place = found.unwrap_or_else(|| {
                self.0.push(AxisTable::new(primitives, (d, values), simd));
                self.0.len() - 1
            });
            self.0[d..=place].rotate_right(1);
            self.0[d].extend(primitives);
        }
        if let (Some(first), Some(wbar)) = (self.0.first_mut(), wbar) {
            first.weigh(wbar);
        }
        let mut kept = 0;
        let mut in_use = axes.len();
        self.0.retain(|table| {
            kept += table.factors.len() + table.weighted.len();
            let needed = in_use > 0;
            in_use = in_use.saturating_sub(1);
            needed || kept <= KEPT
        });
        let of = |table: &'a AxisTable| match table.weighted.is_empty() {
            true => &table.factors[..],
            false => &table.weighted,
        };
        self.0.iter().take(axes.len()).map(of).collect()
    }
}

impl AxisTable {
    fn new(primitives: &Primitives<'_>, (d, values): (usize, &[f64]), simd: Simd) -> Self {
        Self {
            simd,
            d,
            values: values.to_vec(),
            inverse_squares: primitives.inverse_squares.to_vec(),
            rows: Vec::new(),
            factors: Vectors::default(),
            weighted: Vectors::default(),
            weights: Vec::new(),
        }
    }

    /// Whether this table belongs to the axis and covers the first of the rows.
    fn suits(&self, primitives: &Primitives<'_>, (d, values): (usize, &[f64]), simd: Simd) -> bool {
        self.simd == simd
            && self.d == d
            && self.values == values
            && self.inverse_squares == primitives.inverse_squares
            && primitives.rows.column(d).starts_with(&self.rows)
    }

    /// Vectors per block of rows.
    fn each_block(&self) -> usize {
        self.inverse_squares.len() * self.values.len()
    }

    /// Adds the rows that it lacks.
    fn extend(&mut self, primitives: &Primitives<'_>) {
        let rows = primitives.rows.column(self.d);
        if self.rows.len() == rows.len() {
            return;
        }
        let from = self.rows.len() / LANES;
        self.rows.extend_from_slice(&rows[self.rows.len()..]);
        let blocks = primitives.rows.lanes(self.d);
        self.factors.resize(blocks.len() * self.each_block());
        self.weights.clear();
        let (simd, start) = (self.simd, from * self.each_block());
        dispatch(
            simd,
            Extend {
                blocks: &blocks[from..],
                values: &self.values,
                inverse_squares: &self.inverse_squares,
                to: &mut self.factors[start..],
            },
        );
    }

    fn weigh(&mut self, wbar: &[Lanes]) {
        let weights = wbar.as_flattened();
        if self.weights == weights {
            return;
        }
        self.weights.clear();
        self.weights.extend_from_slice(weights);
        self.weighted.resize(self.factors.len());
        let from = self.factors.chunks_exact(self.values.len());
        let to = self.weighted.chunks_exact_mut(self.values.len());
        for ((from, to), w) in from.zip(to).zip(wbar) {
            for (from, to) in from.iter().zip(to) {
                for l in 0..LANES {
                    to[l] = from[l] * w[l];
                }
            }
        }
    }
}

struct Extend<'a> {
    blocks: &'a [Lanes],
    values: &'a [f64],
    inverse_squares: &'a [f64],
    to: &'a mut [Lanes],
}

impl Work for Extend<'_> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        let mut places = self.to.chunks_exact_mut(self.values.len());
        for x in self.blocks {
            for scale in self.inverse_squares {
                let Some(to) = places.next() else { return };
                for (to, value) in to.iter_mut().zip(self.values) {
                    for l in 0..LANES {
                        to[l] = -0.5 * scale * (x[l] - value) * (x[l] - value);
                    }
                }
                for to in to.as_flattened_mut() {
                    *to = exp(a, *to);
                }
            }
        }
    }
}
