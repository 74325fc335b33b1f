//! Gibbs' kernel: an RBF whose length-scale l(x) varies over space.
//!
//! `k(x, x') = A (2 l l' / (l^2 + l'^2))^(D/2) exp(-c |x - x'|^2 / (l^2 + l'^2))` with
//! `l(x) = softplus(net(x)) + 1e-6`.

use super::attentive::HIDDEN;
use super::stationary::AMPLITUDE;
use super::{Kernel, Memory, Recipe, Setting, Start, to_value};
use crate::compute::Compute;
use crate::linalg::Matrix;
use crate::net::{Activations, Network};
use crate::pairwise::{Chunk, Sums, Values, fill_cross, fill_lower, squared_distances, sum_lower};
use crate::params::{ParamSpec, constrain, constrain_slope};
use crate::points::Points;
use crate::random::NetworkStart;
use crate::simd::{Arithmetic, LANES, Lanes, exp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The factor c in the exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exponent {
    /// c = 1, as Gibbs has it.
    Textbook,
    /// c = D, as the authors' program has it.
    Authors,
}

/// How documents ask for it.
pub(super) const RECIPE: Recipe = Recipe {
    names: &["gibbs"],
    settings: &[
        AMPLITUDE,
        HIDDEN,
        Setting {
            key: "kernel.gibbs_exponent",
            meaning: "The exponent: as Gibbs has it, or with the dimension as a factor as the authors of the paper have it.",
            start: Start::Word(&["textbook", "authors"]),
        },
    ],
    build: |choice, networks| {
        let exponent = match choice.word("gibbs_exponent")?.as_str() {
            "authors" => Exponent::Authors,
            _ => Exponent::Textbook,
        };
        Ok(Box::new(Gibbs::new(
            choice.dimensions,
            choice.count("hidden")?,
            exponent,
            choice.number("amplitude")?,
            networks,
        )))
    },
};

/// Gibbs' kernel: an RBF whose length-scale l(x) varies over space, as a network says,
///
/// ```text
/// k(x, x') = A (2 l l' / S)^(D/2) exp(-c |x - x'|^2 / S),   S = l^2 + l'^2,   l(x) = softplus(net(x)) + 1e-6
/// ```
///
/// for D-dimensional inputs, with `l = l(x)`, `l' = l(x')` and c as [`Exponent`] has it. Amplitude A and the network are trained.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gibbs {
    net: Network,
    exponent: Exponent,
    #[serde(skip)]
    start: Vec<f64>,
    #[serde(skip, default = "one")]
    amplitude: f64,
}

fn one() -> f64 {
    1.0
}

#[derive(Debug, Clone, Default)]
struct Scratch {
    rows: Activations,
    columns: Activations,
    row_scales: Vec<Lanes>,
    column_scales: Vec<Lanes>,
    chunks: Vec<Chunk<Totals>>,
    backward: Vec<Lanes>,
}

impl Gibbs {
    /// A kernel for `dim`-dimensional inputs with `hidden` units in each hidden layer.
    #[must_use]
    pub fn new(
        dim: usize,
        hidden: usize,
        exponent: Exponent,
        amplitude: f64,
        source: &mut dyn NetworkStart,
    ) -> Self {
        let net = Network {
            inputs: dim,
            hidden,
            outputs: 1,
        };
        Self {
            net,
            exponent,
            start: net.start(source),
            amplitude,
        }
    }

    fn factor(&self) -> f64 {
        match self.exponent {
            Exponent::Textbook => 1.0,
            Exponent::Authors => self.net.inputs as f64,
        }
    }
}

/// `l(x)` of every point.
fn scales(
    net: Network,
    theta: &[f64],
    x: &Points,
    at: &mut Activations,
    to: &mut Vec<Lanes>,
    c: &Compute,
) {
    net.forward(theta, x, at, c);
    to.clear();
    to.extend(at.out.iter().map(|out| out.map(constrain)));
}

impl Kernel for Gibbs {
    fn name(&self) -> &'static str {
        "gibbs"
    }

    fn structure(&self) -> Value {
        to_value(self)
    }

    fn dim(&self) -> Option<usize> {
        Some(self.net.inputs)
    }

    fn params(&self) -> Vec<ParamSpec> {
        let mut start = self.start.clone();
        start.resize(self.net.len(), 0.0);
        let mut specs = vec![ParamSpec::positive("amplitude", self.amplitude)];
        specs.extend(self.net.specs("net", &start));
        specs
    }

    fn matrix(
        &self,
        theta: &[f64],
        x: &Points,
        out: &mut Matrix,
        memory: &mut Memory,
        compute: &Compute,
    ) {
        let factor = self.factor();
        let Scratch {
            rows, row_scales, ..
        } = memory.of::<Scratch>();
        scales(self.net, &theta[1..], x, rows, row_scales, compute);
        let pairs = Pairs {
            amplitude: theta[0],
            factor,
            rows: (x, row_scales),
            columns: (x, row_scales),
        };
        fill_lower(out, x.len(), compute, &pairs);
    }

    fn cross(
        &self,
        theta: &[f64],
        a: &Points,
        b: &Points,
        out: &mut Matrix,
        memory: &mut Memory,
        compute: &Compute,
    ) {
        let factor = self.factor();
        let scratch = memory.of::<Scratch>();
        let (rows, columns) = (&mut scratch.row_scales, &mut scratch.column_scales);
        scales(self.net, &theta[1..], a, &mut scratch.rows, rows, compute);
        scales(
            self.net,
            &theta[1..],
            b,
            &mut scratch.columns,
            columns,
            compute,
        );
        let pairs = Pairs {
            amplitude: theta[0],
            factor,
            rows: (a, rows),
            columns: (b, columns),
        };
        fill_cross(out, (a.len(), b.len()), compute, &pairs);
    }

    fn diagonal(&self, theta: &[f64], _: &Points, out: &mut [f64]) {
        out.fill(theta[0]);
    }

    fn contract(
        &self,
        theta: &[f64],
        x: &Points,
        slopes: &Matrix,
        gradient: &mut [f64],
        memory: &mut Memory,
        compute: &Compute,
    ) {
        let factor = self.factor();
        let Scratch {
            rows,
            row_scales,
            chunks,
            backward,
            ..
        } = memory.of::<Scratch>();
        scales(self.net, &theta[1..], x, rows, row_scales, compute);
        let pairs = Pairs {
            amplitude: theta[0],
            factor,
            rows: (x, row_scales),
            columns: (x, row_scales),
        };
        let reset = |totals: &mut Totals| {
            totals.amplitude = [0.0; LANES];
            totals.scales.clear();
            totals.scales.resize(row_scales.len(), [0.0; LANES]);
        };
        sum_lower(slopes, compute, chunks, reset, &pairs);
        let (first, others) = chunks.split_at_mut(1);
        let total = &mut first[0].totals;
        for Chunk { totals: other, .. } in others {
            for l in 0..LANES {
                total.amplitude[l] += other.amplitude[l];
            }
            for (sum, more) in total.scales.iter_mut().zip(&other.scales) {
                for l in 0..LANES {
                    sum[l] += more[l];
                }
            }
        }
        gradient[0] += total.amplitude.iter().sum::<f64>() / theta[0];
        for (slope, out) in total.scales.iter_mut().zip(&rows.out) {
            for l in 0..LANES {
                slope[l] *= constrain_slope(out[l]);
            }
        }
        let net = self.net;
        net.backward(
            (&theta[1..], x),
            rows,
            &total.scales,
            backward,
            &mut gradient[1..],
            compute,
        );
    }
}

/// Sums of `w k` and, for every point, of `w dk/dl`.
#[derive(Debug, Clone, Default)]
struct Totals {
    amplitude: Lanes,
    scales: Vec<Lanes>,
}

struct Pairs<'a> {
    amplitude: f64,
    factor: f64,
    rows: (&'a Points, &'a [Lanes]),
    columns: (&'a Points, &'a [Lanes]),
}

impl Pairs<'_> {
    /// Replaces squared distances of column `j` by kernel values.
    #[inline(always)]
    fn values<A: Arithmetic>(&self, a: A, (j, first): (usize, usize), squared: &mut [Lanes]) {
        let column = self.columns.1[j / LANES][j % LANES];
        let dim = self.rows.0.dim();
        let rows = &self.rows.1[first..].as_flattened()[..squared.len() * LANES];
        let numbers = squared.as_flattened_mut();
        for (value, row) in numbers.iter_mut().zip(rows) {
            let inverse = 1.0 / a.mul_add(*row, *row, column * column);
            *value = self.amplitude * exp(a, -self.factor * *value * inverse);
        }
        let ratio = |row: f64| 2.0 * row * column / a.mul_add(row, row, column * column);
        for _ in 0..dim / 2 {
            for (value, row) in numbers.iter_mut().zip(rows) {
                *value *= ratio(*row);
            }
        }
        if dim % 2 == 1 {
            for (value, row) in numbers.iter_mut().zip(rows) {
                *value *= ratio(*row).sqrt();
            }
        }
    }
}

impl Values for Pairs<'_> {
    #[inline(always)]
    fn column<A: Arithmetic>(&self, a: A, j: usize, first: usize, out: &mut [Lanes]) {
        squared_distances(a, (self.rows.0, self.columns.0), (j, first), 1.0, out);
        self.values(a, (j, first), out);
    }
}

impl Sums for Pairs<'_> {
    type Totals = Totals;

    /// `dk/dl = k [D/2 (1/l - 2 l / S) + 2 l c d^2 / S^2]` with `S = l^2 + l'^2`.
    #[inline(always)]
    fn add<A: Arithmetic>(
        &self,
        a: A,
        to: &mut Totals,
        (j, first): (usize, usize),
        weights: &[Lanes],
        scratch: &mut [Lanes],
    ) {
        let (squared, rest) = scratch.split_at_mut(weights.len());
        let k = &mut rest[..weights.len()];
        squared_distances(a, (self.rows.0, self.columns.0), (j, first), 1.0, squared);
        k.copy_from_slice(squared);
        self.values(a, (j, first), k);
        let column = self.columns.1[j / LANES][j % LANES];
        let half_dim = 0.5 * self.rows.0.dim() as f64;
        let mut column_sum = [0.0; LANES];
        let mut amplitude = to.amplitude;
        for (i, weights) in weights.iter().enumerate() {
            let row = self.rows.1[first + i];
            let mut sums = to.scales[first + i];
            for l in 0..LANES {
                let inverse = 1.0 / a.mul_add(row[l], row[l], column * column);
                let wk = weights[l] * k[i][l];
                let common = 2.0 * inverse * (self.factor * squared[i][l] * inverse - half_dim);
                amplitude[l] += wk;
                sums[l] += wk * a.mul_add(common, row[l], half_dim / row[l]);
                column_sum[l] += wk * a.mul_add(common, column, half_dim / column);
            }
            to.scales[first + i] = sums;
        }
        to.amplitude = amplitude;
        to.scales[j / LANES][j % LANES] += column_sum.iter().sum::<f64>();
    }
}
