//! Kernels of distance alone: `k(x, x') = A f(|x - x'|^2 / l^2)`.

use super::{Family, Kernel, Memory, Recipe, Setting, Start, rational_quadratic, to_value};
use crate::compute::Compute;
use crate::linalg::Matrix;
use crate::pairwise::{
    Chunk, Sums, Values, add_products, fill_cross, fill_lower, squared_distances, sum_lower,
};
use crate::params::ParamSpec;
use crate::points::Points;
use crate::simd::{Arithmetic, LANES, Lanes};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Start of the amplitude, which every kernel here has.
pub(super) const AMPLITUDE: Setting = Setting {
    key: "kernel.amplitude",
    meaning: "Start of the amplitude (variance of the standardised surface).",
    start: Start::Positive(1.0),
};
/// Start of a trained length-scale.
pub(super) const LENGTHSCALE: Setting = Setting {
    key: "kernel.lengthscale",
    meaning: "Start of the trained length-scale, in scaled units.",
    start: Start::Positive(0.5),
};

/// How documents ask for a stationary kernel: by its family.
pub(super) const RECIPE: Recipe = Recipe {
    names: &["rbf", "matern12", "matern32", "matern52", "rq"],
    settings: &[AMPLITUDE, LENGTHSCALE],
    build: |choice, _| {
        Ok(Box::new(Stationary::new(
            Family::named(choice.name)?,
            choice.number("amplitude")?,
            choice.number("lengthscale")?,
        )))
    },
};

/// A kernel of distance alone,
///
/// ```text
/// k(x, x') = A f(q),   q = |x - x'|^2 / l^2
/// ```
///
/// with the correlation f of a [`Family`], and an amplitude A and a length-scale l that are trained. A is the variance of
/// the surface; l is in the units of the inputs.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stationary {
    family: Family,
    #[serde(skip, default = "one")]
    amplitude: f64,
    #[serde(skip, default = "one")]
    lengthscale: f64,
}

fn one() -> f64 {
    1.0
}

impl Stationary {
    /// A kernel of the given family and start values.
    #[must_use]
    pub fn new(family: Family, amplitude: f64, lengthscale: f64) -> Self {
        Self {
            family,
            amplitude,
            lengthscale,
        }
    }

    /// The family with the trained shape parameter in place.
    fn family(&self, theta: &[f64]) -> Family {
        match self.family {
            Family::RationalQuadratic { .. } => Family::RationalQuadratic { alpha: theta[2] },
            other => other,
        }
    }

    fn pairs<'a>(&self, theta: &[f64], rows: &'a Points, columns: &'a Points) -> Pairs<'a> {
        Pairs {
            family: self.family(theta),
            amplitude: theta[0],
            inverse_square: 1.0 / (theta[1] * theta[1]),
            rows,
            columns,
        }
    }
}

impl Kernel for Stationary {
    fn name(&self) -> &'static str {
        "stationary"
    }

    fn structure(&self) -> Value {
        to_value(self)
    }

    fn params(&self) -> Vec<ParamSpec> {
        let mut specs = vec![
            ParamSpec::positive("amplitude", self.amplitude),
            ParamSpec::positive("lengthscale", self.lengthscale),
        ];
        if let Family::RationalQuadratic { alpha } = self.family {
            specs.push(ParamSpec::positive("alpha", alpha));
        }
        specs
    }

    fn matrix(
        &self,
        theta: &[f64],
        x: &Points,
        out: &mut Matrix,
        _: &mut Memory,
        compute: &Compute,
    ) {
        fill_lower(out, x.len(), compute, &self.pairs(theta, x, x));
    }

    fn cross(
        &self,
        theta: &[f64],
        a: &Points,
        b: &Points,
        out: &mut Matrix,
        _: &mut Memory,
        compute: &Compute,
    ) {
        fill_cross(out, (a.len(), b.len()), compute, &self.pairs(theta, a, b));
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
        let pairs = self.pairs(theta, x, x);
        let reset = |totals: &mut [Lanes; 3]| *totals = [[0.0; LANES]; 3];
        let chunks = memory.of::<Vec<Chunk<[Lanes; 3]>>>();
        sum_lower(slopes, compute, chunks, reset, &pairs);
        let total = |k: usize| -> f64 { chunks.iter().flat_map(|chunk| chunk.totals[k]).sum() };
        gradient[0] += total(0);
        gradient[1] += total(1) * theta[0] * -2.0 / theta[1];
        if let Some(alpha) = gradient.get_mut(2) {
            *alpha += total(2) * theta[0];
        }
    }
}

struct Pairs<'a> {
    family: Family,
    amplitude: f64,
    inverse_square: f64,
    rows: &'a Points,
    columns: &'a Points,
}

impl Pairs<'_> {
    /// Writes `q = d^2 / l^2`.
    #[inline(always)]
    fn scaled<A: Arithmetic>(&self, a: A, at: (usize, usize), out: &mut [Lanes]) {
        squared_distances(a, (self.rows, self.columns), at, self.inverse_square, out);
    }
}

impl Values for Pairs<'_> {
    #[inline(always)]
    fn column<A: Arithmetic>(&self, a: A, j: usize, first: usize, out: &mut [Lanes]) {
        self.scaled(a, (j, first), out);
        self.family.apply(a, self.amplitude, out.as_flattened_mut());
    }
}

impl Sums for Pairs<'_> {
    /// Sums of `w f`, `w q f'` and `w df/dalpha`.
    type Totals = [Lanes; 3];

    #[inline(always)]
    fn add<A: Arithmetic>(
        &self,
        a: A,
        to: &mut [Lanes; 3],
        at: (usize, usize),
        weights: &[Lanes],
        scratch: &mut [Lanes],
    ) {
        let (f, rest) = scratch.split_at_mut(weights.len());
        let slope = &mut rest[..weights.len()];
        self.scaled(a, at, f);
        if let Family::RationalQuadratic { alpha } = self.family {
            slope.copy_from_slice(f);
            self.family.apply(a, 1.0, f.as_flattened_mut());
            for (q, f) in slope.as_flattened_mut().iter_mut().zip(f.as_flattened()) {
                *q = f * rational_quadratic::relative_alpha_slope(*q, alpha);
            }
            add_products(a, &mut to[2], weights, slope);
            self.scaled(a, at, f);
        }
        self.family
            .apply_with_slopes(a, f.as_flattened_mut(), slope.as_flattened_mut());
        add_products(a, &mut to[0], weights, f);
        add_products(a, &mut to[1], weights, slope);
    }
}
