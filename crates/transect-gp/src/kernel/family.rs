//! Base families: correlation as a function of distance alone.

use crate::simd::{Arithmetic, LANES, Lanes, exp};
use serde::{Deserialize, Serialize};

use super::{matern12, matern32, matern52, rational_quadratic, rbf};

/// A stationary correlation `f(q)` of the squared scaled distance `q = d^2 / l^2`, `f(0) = 1`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Family {
    /// Squared exponential.
    Rbf,
    /// Exponential: continuous, nowhere smooth.
    Matern12,
    /// Once differentiable.
    Matern32,
    /// Twice differentiable.
    Matern52,
    /// A mixture of RBF length-scales.
    RationalQuadratic {
        /// Spread of the mixture: small is wide, infinite is RBF.
        alpha: f64,
    },
}

impl Family {
    /// `f(q)`.
    #[inline(always)]
    pub(crate) fn value<A: Arithmetic>(self, a: A, q: Lanes) -> Lanes {
        match self {
            Self::Rbf => rbf::value(a, q),
            Self::Matern12 => matern12::value(a, q),
            Self::Matern32 => matern32::value(a, q),
            Self::Matern52 => matern52::value(a, q),
            Self::RationalQuadratic { alpha } => rational_quadratic::value(a, q, alpha),
        }
    }

    /// `f(q)` and `q f'(q)`, from which `df/dl = -2 q f'(q) / l` (finite at q = 0 for every
    /// family).
    #[inline(always)]
    pub(crate) fn value_and_slope<A: Arithmetic>(self, a: A, q: Lanes) -> (Lanes, Lanes) {
        match self {
            Self::Rbf => rbf::value_and_slope(a, q),
            Self::Matern12 => matern12::value_and_slope(a, q),
            Self::Matern32 => matern32::value_and_slope(a, q),
            Self::Matern52 => matern52::value_and_slope(a, q),
            Self::RationalQuadratic { alpha } => rational_quadratic::value_and_slope(a, q, alpha),
        }
    }
}

/// `exp(-x)`.
#[inline(always)]
pub(super) fn exp_minus<A: Arithmetic>(a: A, x: Lanes) -> Lanes {
    exp(a, x.map(|v| -v))
}

/// `f` applied to two vectors.
#[inline(always)]
pub(super) fn zip(x: Lanes, y: Lanes, f: impl Fn(f64, f64) -> f64) -> Lanes {
    let mut out = [0.0; LANES];
    for l in 0..LANES {
        out[l] = f(x[l], y[l]);
    }
    out
}
