//! Matern 5/2: `f(q) = (1 + s + s^2 / 3) exp(-s)` with `s = sqrt(5 q)`.

use super::family::{exp_minus, zip};
use super::{Family, Stationary};
use crate::simd::{Arithmetic, Lanes};

/// `f(q)`.
#[inline(always)]
pub(super) fn value<A: Arithmetic>(a: A, q: Lanes) -> Lanes {
    value_and_slope(a, q).0
}

/// `f(q)` and `q f'(q) = -s^2 (1 + s) exp(-s) / 6`.
#[inline(always)]
pub(super) fn value_and_slope<A: Arithmetic>(a: A, q: Lanes) -> (Lanes, Lanes) {
    let s = q.map(|v| (5.0 * v).sqrt());
    let e = exp_minus(a, s);
    (
        zip(s, e, |s, e| (1.0 + s + s * s / 3.0) * e),
        zip(s, e, |s, e| -s * s * (1.0 + s) * e / 6.0),
    )
}

/// `A (1 + s + s^2 / 3) exp(-s)` with `s = sqrt(5) d / l`.
#[must_use]
pub fn matern52(amplitude: f64, lengthscale: f64) -> Stationary {
    Stationary::new(Family::Matern52, amplitude, lengthscale)
}
