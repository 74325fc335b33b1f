//! The squared exponential, `f(q) = exp(-q / 2)`.

use super::family::zip;
use super::{Family, Stationary};
use crate::simd::{Arithmetic, Lanes, exp};

/// `f(q)`.
#[inline(always)]
pub(super) fn value<A: Arithmetic>(a: A, q: Lanes) -> Lanes {
    exp(a, q.map(|v| -0.5 * v))
}

/// `f(q)` and `q f'(q) = -q f(q) / 2`.
#[inline(always)]
pub(super) fn value_and_slope<A: Arithmetic>(a: A, q: Lanes) -> (Lanes, Lanes) {
    let f = value(a, q);
    (f, zip(q, f, |q, f| -0.5 * q * f))
}

/// `A exp(-d^2 / 2 l^2)`.
#[must_use]
pub fn rbf(amplitude: f64, lengthscale: f64) -> Stationary {
    Stationary::new(Family::Rbf, amplitude, lengthscale)
}
