//! Rational quadratic: `f(q) = (1 + u)^-alpha` with `u = q / (2 alpha)`.

use super::family::zip;
use super::{Family, Stationary};
use crate::simd::{Arithmetic, Lanes};

/// `f(q)`.
#[inline(always)]
pub(super) fn value<A: Arithmetic>(_: A, q: Lanes, alpha: f64) -> Lanes {
    q.map(|q| (-alpha * (q / (2.0 * alpha)).ln_1p()).exp())
}

/// `f(q)` and `q f'(q) = -q f(q) / (2 (1 + u))`.
#[inline(always)]
pub(super) fn value_and_slope<A: Arithmetic>(a: A, q: Lanes, alpha: f64) -> (Lanes, Lanes) {
    let f = value(a, q, alpha);
    (
        f,
        zip(q, f, |q, f| -0.5 * q * f / (1.0 + q / (2.0 * alpha))),
    )
}

/// `df/dalpha / f = u / (1 + u) - ln(1 + u)`.
#[inline(always)]
pub(super) fn relative_alpha_slope(q: Lanes, alpha: f64) -> Lanes {
    q.map(|q| {
        let u = q / (2.0 * alpha);
        u / (1.0 + u) - u.ln_1p()
    })
}

/// `A (1 + d^2 / (2 alpha l^2))^-alpha`, alpha trained too.
#[must_use]
pub fn rational_quadratic(amplitude: f64, lengthscale: f64, alpha: f64) -> Stationary {
    Stationary::new(Family::RationalQuadratic { alpha }, amplitude, lengthscale)
}
