//! Base families: correlation as a function of distance alone.

use crate::error::{GpError, Result};
use crate::simd::Arithmetic;
use serde::{Deserialize, Serialize};

use super::matern12::Matern12;
use super::matern32::Matern32;
use super::matern52::Matern52;
use super::rational_quadratic::RationalQuadratic;
use super::rbf::Rbf;

/// A stationary correlation `f(q)` of the squared scaled distance `q = d^2 / l^2`, `f(0) = 1`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Family {
    /// Squared exponential, `exp(-q / 2)`: smooth without end.
    Rbf,
    /// Exponential, `exp(-s)` with `s = sqrt(q)`: continuous, nowhere smooth.
    Matern12,
    /// `(1 + s) exp(-s)` with `s = sqrt(3 q)`: once differentiable.
    Matern32,
    /// `(1 + s + s^2 / 3) exp(-s)` with `s = sqrt(5 q)`: twice differentiable.
    Matern52,
    /// `(1 + q / (2 alpha))^-alpha`: a mixture of RBF length-scales.
    RationalQuadratic {
        /// Spread of the mixture: small is wide, infinite is RBF.
        alpha: f64,
    },
}

impl Family {
    /// The families by the names that documents give them; the mixture of `rq` starts at 1.
    pub const NAMES: &[&str] = &["matern12", "rbf", "matern32", "matern52", "rq"];

    /// The family of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "rbf" => Ok(Self::Rbf),
            "matern12" => Ok(Self::Matern12),
            "matern32" => Ok(Self::Matern32),
            "matern52" => Ok(Self::Matern52),
            "rq" => Ok(Self::RationalQuadratic { alpha: 1.0 }),
            _ => Err(GpError::Setting(format!(
                "there is no family of kernels called `{name}`: known are {}",
                Self::NAMES.join(", ")
            ))),
        }
    }
}

/// The formulas of one family, each in a file of its own.
pub(super) trait Profile: Copy {
    /// `f(q)`.
    fn value<A: Arithmetic>(self, a: A, q: f64) -> f64;

    /// `f(q)` and `q f'(q)`, from which `df/dl = -2 q f'(q) / l` (finite at q = 0 for every
    /// family).
    fn value_and_slope<A: Arithmetic>(self, a: A, q: f64) -> (f64, f64);
}

/// Calls a generic function with the [`Profile`] of a family: the choice is made outside the
/// loops, so that they vectorise.
macro_rules! with_profile {
    ($family:expr, $profile:ident => $call:expr) => {
        match $family {
            Family::Rbf => {
                let $profile = Rbf;
                $call
            }
            Family::Matern12 => {
                let $profile = Matern12;
                $call
            }
            Family::Matern32 => {
                let $profile = Matern32;
                $call
            }
            Family::Matern52 => {
                let $profile = Matern52;
                $call
            }
            Family::RationalQuadratic { alpha } => {
                let $profile = RationalQuadratic { alpha };
                $call
            }
        }
    };
}

impl Family {
    /// Replaces every q by `factor f(q)`.
    #[inline(always)]
    pub(crate) fn apply<A: Arithmetic>(self, a: A, factor: f64, numbers: &mut [f64]) {
        with_profile!(self, profile => apply(profile, a, factor, numbers));
    }

    /// Replaces every q by `f(q)` and writes `q f'(q)` into `slopes`.
    #[inline(always)]
    pub(crate) fn apply_with_slopes<A: Arithmetic>(
        self,
        a: A,
        numbers: &mut [f64],
        slopes: &mut [f64],
    ) {
        with_profile!(self, profile => apply_with_slopes(profile, a, numbers, slopes));
    }
}

#[inline(always)]
fn apply<A: Arithmetic>(profile: impl Profile, a: A, factor: f64, numbers: &mut [f64]) {
    for number in numbers {
        *number = factor * profile.value(a, *number);
    }
}

#[inline(always)]
fn apply_with_slopes<A: Arithmetic>(
    profile: impl Profile,
    a: A,
    numbers: &mut [f64],
    slopes: &mut [f64],
) {
    for (number, slope) in numbers.iter_mut().zip(slopes) {
        (*number, *slope) = profile.value_and_slope(a, *number);
    }
}
