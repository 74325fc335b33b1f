//! Matern 1/2, the exponential: `f(q) = exp(-s)` with `s = sqrt(q)`.

use super::family::{exp_minus, zip};
use super::{Family, Stationary};
use crate::simd::{Arithmetic, Lanes};

/// `f(q)`.
#[inline(always)]
pub(super) fn value<A: Arithmetic>(a: A, q: Lanes) -> Lanes {
    exp_minus(a, q.map(f64::sqrt))
}

/// `f(q)` and `q f'(q) = -s f(q) / 2`.
#[inline(always)]
pub(super) fn value_and_slope<A: Arithmetic>(a: A, q: Lanes) -> (Lanes, Lanes) {
    let f = value(a, q);
    (f, zip(q, f, |q, f| -0.5 * q.sqrt() * f))
}

/// `A exp(-d / l)`.
#[must_use]
pub fn matern12(amplitude: f64, lengthscale: f64) -> Stationary {
    Stationary::new(Family::Matern12, amplitude, lengthscale)
}
