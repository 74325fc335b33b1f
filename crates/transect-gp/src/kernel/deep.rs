//! Deep kernel learning: an RBF on features of a network.
//!
//! `k(x, x') = A exp(-|f - f'|^2 / 2 l^2)`, where f(x) are the network's outputs rescaled so that
//! the smallest and largest of all outputs on the training set come to -0.95 and 0.95. The two
//! extremes are those of the last training step, and features are clamped to them.

use super::attentive::HIDDEN;
use super::stationary::{AMPLITUDE as AMPLITUDE_SETTING, LENGTHSCALE as LENGTHSCALE_SETTING};
use super::{Kernel, Memory, Recipe, Setting, Start, to_value};
use crate::compute::Compute;
use crate::linalg::Matrix;
use crate::net::{Activations, Network};
use crate::pairwise::{Chunk, Sums, Values, add_products, fill_cross, fill_lower, sum_lower};
use crate::params::{LIMIT, ParamSpec, Role};
use crate::points::Points;
use crate::random::NetworkStart;
use crate::simd::{Arithmetic, LANES, Lanes, exp};
use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::{Accum, MatRef};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Features span this much of [-1, 1].
const SPAN: f64 = 0.95;

/// How documents ask for it.
pub(super) const RECIPE: Recipe = Recipe {
    names: &["dkl"],
    settings: &[
        AMPLITUDE_SETTING,
        LENGTHSCALE_SETTING,
        HIDDEN,
        Setting {
            key: "kernel.components",
            meaning: "Features of the network.",
            start: Start::Count(8),
        },
    ],
    build: |choice, networks| {
        Ok(Box::new(Deep::new(
            choice.dimensions,
            choice.count("hidden")?,
            choice.count("components")?,
            choice.number("amplitude")?,
            choice.number("lengthscale")?,
            networks,
        )))
    },
};

/// Deep kernel learning: an RBF on features that a network makes of the inputs,
///
/// ```text
/// k(x, x') = A exp(-|f(x) - f(x')|^2 / 2 l^2),   f(x) = 0.95 (2 (net(x) - low) / (high - low) - 1)
/// ```
///
/// where low and high are the smallest and the largest of all outputs on the training set, as of the last training step;
/// outputs beyond them are clamped. Amplitude A, length-scale l and the network are trained.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deep {
    net: Network,
    #[serde(skip)]
    start: Vec<f64>,
    #[serde(skip, default = "one")]
    amplitude: f64,
    #[serde(skip, default = "one")]
    lengthscale: f64,
}

fn one() -> f64 {
    1.0
}

#[derive(Debug, Clone, Default)]
struct Scratch {
    rows: Activations,
    columns: Activations,
    row_features: Vec<Lanes>,
    column_features: Vec<Lanes>,
    chunks: Vec<Chunk<[Lanes; 2]>>,
    products: Matrix,
    features: Matrix,
    pulled: Matrix,
    slopes: Vec<Lanes>,
    backward: Vec<Lanes>,
}

/// Where each kind of parameter is in `theta`.
const AMPLITUDE: usize = 0;
const LENGTHSCALE: usize = 1;
const LOWEST: usize = 2;
const HIGHEST: usize = 3;
const NET: usize = 4;

impl Deep {
    /// A kernel for `dim`-dimensional inputs, `hidden` units in each hidden layer and `features`
    /// features.
    #[must_use]
    pub fn new(
        dim: usize,
        hidden: usize,
        features: usize,
        amplitude: f64,
        lengthscale: f64,
        source: &mut dyn NetworkStart,
    ) -> Self {
        let net = Network {
            inputs: dim,
            hidden,
            outputs: features,
        };
        Self {
            net,
            start: net.start(source),
            amplitude,
            lengthscale,
        }
    }
}

/// The network's outputs for every point, rescaled and clamped: feature m of block b at
/// `b * features + m`.
fn features(
    net: Network,
    theta: &[f64],
    x: &Points,
    at: &mut Activations,
    to: &mut Vec<Lanes>,
    compute: &Compute,
) {
    net.forward(&theta[NET..], x, at, compute);
    let (low, high) = (theta[LOWEST], theta[HIGHEST]);
    let scale = rescale(theta);
    to.clear();
    // Not `f64::clamp`: it panics where the extremes are NaN.
    let rescaled = |raw: f64| (raw.max(low).min(high) - low) * scale - SPAN;
    to.extend(at.out.iter().map(|raw| raw.map(rescaled)));
}

/// Features closer together than this are alike.
const ALIKE: f64 = 1e-100;

/// Scaled units per raw unit; 0 where all features are alike.
fn rescale(theta: &[f64]) -> f64 {
    let spread = theta[HIGHEST] - theta[LOWEST];
    if spread > ALIKE {
        2.0 * SPAN / spread
    } else {
        0.0
    }
}

/// The extremes of the raw outputs over `n` points.
fn extremes(at: &Activations, n: usize, outputs: usize) -> (f64, f64) {
    let raw = (0..n * outputs).map(|k| {
        let (i, m) = (k / outputs, k % outputs);
        at.out[i / LANES * outputs + m][i % LANES]
    });
    raw.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
        (low.min(v), high.max(v))
    })
}

impl Kernel for Deep {
    fn name(&self) -> &'static str {
        "deep"
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
        let derived = |name: &str, start| ParamSpec {
            name: name.into(),
            start: vec![start],
            role: Role::Derived,
            positive: false,
        };
        let mut specs = vec![
            ParamSpec::positive("amplitude", self.amplitude),
            ParamSpec::positive("lengthscale", self.lengthscale),
            derived("lowest_feature", -1.0),
            derived("highest_feature", 1.0),
        ];
        specs.extend(self.net.specs("net", &start));
        specs
    }

    fn refresh(
        &self,
        theta: &mut [f64],
        x: &Points,
        memory: &mut Memory,
        compute: &Compute,
    ) -> bool {
        let at = &mut memory.of::<Scratch>().rows;
        self.net.forward(&theta[NET..], x, at, compute);
        let (low, high) = extremes(at, x.len(), self.net.outputs);
        // As large as any parameter may be, so that a saved model can be read again.
        let (low, high) = (low.clamp(-LIMIT, LIMIT), high.clamp(-LIMIT, LIMIT));
        let changed = (theta[LOWEST], theta[HIGHEST]) != (low, high);
        (theta[LOWEST], theta[HIGHEST]) = (low, high);
        changed
    }

    fn matrix(
        &self,
        theta: &[f64],
        x: &Points,
        out: &mut Matrix,
        memory: &mut Memory,
        compute: &Compute,
    ) {
        let Scratch {
            rows,
            row_features: f,
            ..
        } = memory.of::<Scratch>();
        features(self.net, theta, x, rows, f, compute);
        fill_lower(
            out,
            x.len(),
            compute,
            &Pairs::new(theta, f, f, self.net.outputs),
        );
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
        let Scratch {
            rows,
            row_features,
            columns,
            column_features,
            ..
        } = memory.of::<Scratch>();
        features(self.net, theta, a, rows, row_features, compute);
        features(self.net, theta, b, columns, column_features, compute);
        let pairs = Pairs::new(theta, row_features, column_features, self.net.outputs);
        fill_cross(out, (a.len(), b.len()), compute, &pairs);
    }

    fn diagonal(&self, theta: &[f64], _: &Points, out: &mut [f64]) {
        out.fill(theta[AMPLITUDE]);
    }

    /// With `P = slopes * K` (elementwise, symmetric), the slopes at the features are
    /// `-2/l^2 (diag(P 1) F - P F)`; the rescaling then passes them on to the raw outputs and to
    /// the two extremes, that is, to the outputs that attain them.
    fn contract(
        &self,
        theta: &[f64],
        x: &Points,
        slopes: &Matrix,
        gradient: &mut [f64],
        memory: &mut Memory,
        compute: &Compute,
    ) {
        let (n, outputs) = (x.len(), self.net.outputs);
        let scratch = memory.of::<Scratch>();
        let f = &mut scratch.row_features;
        features(self.net, theta, x, &mut scratch.rows, f, compute);
        let feature = |i: usize, m: usize| f[i / LANES * outputs + m][i % LANES];
        let pairs = Pairs::new(theta, f, f, outputs);
        let lengthscale = theta[LENGTHSCALE];

        let chunks = &mut scratch.chunks;
        let reset = |totals: &mut [Lanes; 2]| *totals = [[0.0; LANES]; 2];
        sum_lower(slopes, compute, chunks, reset, &pairs);
        let total = |k: usize| -> f64 { chunks.iter().flat_map(|chunk| chunk.totals[k]).sum() };
        gradient[AMPLITUDE] += total(0) / theta[AMPLITUDE];
        gradient[LENGTHSCALE] += total(1) / lengthscale;

        fill_lower(
            &mut scratch.products,
            n,
            compute,
            &Weighted {
                pairs: &pairs,
                slopes,
            },
        );
        scratch.features.resize(n, outputs + 1);
        for m in 0..outputs {
            let column = scratch.features.column_mut(m);
            column
                .iter_mut()
                .enumerate()
                .for_each(|(i, v)| *v = feature(i, m));
        }
        scratch.features.column_mut(outputs).fill(1.0);
        scratch.pulled.resize(n, outputs + 1);
        let mut add_product = |accum, half: MatRef<'_, f64>, triangle| {
            matmul(
                scratch.pulled.view_mut(),
                BlockStructure::Rectangular,
                accum,
                half,
                triangle,
                scratch.features.view(),
                BlockStructure::Rectangular,
                1.0,
                compute.par(n * n * outputs),
            );
        };
        let half = scratch.products.view();
        add_product(Accum::Replace, half, BlockStructure::TriangularLower);
        add_product(
            Accum::Add,
            half.transpose(),
            BlockStructure::StrictTriangularUpper,
        );

        let scale = rescale(theta);
        let strength = -2.0 / (lengthscale * lengthscale);
        let (low, high) = (theta[LOWEST], theta[HIGHEST]);
        let raw = |i: usize, m: usize| scratch.rows.out[i / LANES * outputs + m][i % LANES];
        scratch.slopes.clear();
        scratch
            .slopes
            .resize(n.div_ceil(LANES) * outputs, [0.0; LANES]);
        let (mut low_slope, mut high_slope) = (0.0, 0.0);
        let (mut lowest, mut highest) = (0.0, 0.0);
        for m in 0..outputs {
            // The kernel depends on differences of features, so these slopes sum to zero. Adam
            // would turn the rounding left over into steps of the last layer's biases.
            let pull = |i: usize| {
                let own = scratch.pulled.column(outputs)[i] * feature(i, m);
                strength * (own - scratch.pulled.column(m)[i])
            };
            let rounding = (0..n).map(pull).sum::<f64>() / n as f64;
            for i in 0..n {
                let slope = pull(i) - rounding;
                scratch.slopes[i / LANES * outputs + m][i % LANES] = slope * scale;
                let position = (raw(i, m) - low) * scale / (high - low).max(ALIKE);
                low_slope += slope * (position - scale);
                high_slope -= slope * position;
                lowest += f64::from(u8::from(raw(i, m) == low));
                highest += f64::from(u8::from(raw(i, m) == high));
            }
        }
        for m in 0..outputs {
            for i in 0..n {
                let slope = &mut scratch.slopes[i / LANES * outputs + m][i % LANES];
                if raw(i, m) == low {
                    *slope += low_slope / lowest;
                }
                if raw(i, m) == high {
                    *slope += high_slope / highest;
                }
            }
        }
        self.net.backward(
            (&theta[NET..], x),
            &scratch.rows,
            &scratch.slopes,
            &mut scratch.backward,
            &mut gradient[NET..],
            compute,
        );
    }
}

/// An RBF between feature vectors.
struct Pairs<'a> {
    amplitude: f64,
    inverse_square: f64,
    rows: &'a [Lanes],
    columns: &'a [Lanes],
    features: usize,
}

impl<'a> Pairs<'a> {
    fn new(theta: &[f64], rows: &'a [Lanes], columns: &'a [Lanes], features: usize) -> Self {
        Self {
            amplitude: theta[AMPLITUDE],
            inverse_square: 1.0 / (theta[LENGTHSCALE] * theta[LENGTHSCALE]),
            rows,
            columns,
            features,
        }
    }

    /// Writes `d^2 / l^2` of column `j`.
    #[inline(always)]
    fn scaled<A: Arithmetic>(&self, a: A, (j, first): (usize, usize), out: &mut [Lanes]) {
        let columns = &self.columns[j / LANES * self.features..][..self.features];
        let rows = self.rows.chunks_exact(self.features).skip(first);
        for (out, rows) in out.iter_mut().zip(rows) {
            let mut q = a.splat(0.0);
            for (row, column) in rows.iter().zip(columns) {
                let difference = a.add(a.load(row), a.splat(-column[j % LANES]));
                q = a.fma(difference, difference, q);
            }
            a.store(a.mul(q, a.splat(self.inverse_square)), out);
        }
    }

    /// Replaces `q = d^2 / l^2` by `A exp(-q / 2)`.
    #[inline(always)]
    fn values<A: Arithmetic>(&self, a: A, numbers: &mut [Lanes]) {
        for number in numbers.as_flattened_mut() {
            *number = self.amplitude * exp(a, -0.5 * *number);
        }
    }
}

impl Values for Pairs<'_> {
    #[inline(always)]
    fn column<A: Arithmetic>(&self, a: A, j: usize, first: usize, out: &mut [Lanes]) {
        self.scaled(a, (j, first), out);
        self.values(a, out);
    }
}

impl Sums for Pairs<'_> {
    /// Sums of `w k` and `w k q`.
    type Totals = [Lanes; 2];

    #[inline(always)]
    fn add<A: Arithmetic>(
        &self,
        a: A,
        to: &mut [Lanes; 2],
        at: (usize, usize),
        weights: &[Lanes],
        scratch: &mut [Lanes],
    ) {
        let (q, rest) = scratch.split_at_mut(weights.len());
        let k = &mut rest[..weights.len()];
        self.scaled(a, at, q);
        k.copy_from_slice(q);
        self.values(a, k);
        add_products(a, &mut to[0], weights, k);
        for (q, k) in q.as_flattened_mut().iter_mut().zip(k.as_flattened()) {
            *q *= k;
        }
        add_products(a, &mut to[1], weights, q);
    }
}

/// The kernel times dLoss/dK.
struct Weighted<'a> {
    pairs: &'a Pairs<'a>,
    slopes: &'a Matrix,
}

impl Values for Weighted<'_> {
    #[inline(always)]
    fn column<A: Arithmetic>(&self, a: A, j: usize, first: usize, out: &mut [Lanes]) {
        self.pairs.column(a, j, first, out);
        let slopes = self.slopes.lanes(j)[first..].as_flattened();
        for (value, slope) in out.as_flattened_mut().iter_mut().zip(slopes) {
            *value *= slope;
        }
    }
}
