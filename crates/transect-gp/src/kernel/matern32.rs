//! Matern 3/2: `f(q) = (1 + s) exp(-s)` with `s = sqrt(3 q)`.

use super::family::{exp_minus, zip};
use super::{Family, Stationary};
use crate::simd::{Arithmetic, Lanes};

/// `f(q)`.
#[inline(always)]
pub(super) fn value<A: Arithmetic>(a: A, q: Lanes) -> Lanes {
    let s = q.map(|v| (3.0 * v).sqrt());
    zip(s, exp_minus(a, s), |s, e| (1.0 + s) * e)
}

/// `f(q)` and `q f'(q) = -3/2 q exp(-s)`.
#[inline(always)]
pub(super) fn value_and_slope<A: Arithmetic>(a: A, q: Lanes) -> (Lanes, Lanes) {
    let s = q.map(|v| (3.0 * v).sqrt());
    let e = exp_minus(a, s);
    (
        zip(s, e, |s, e| (1.0 + s) * e),
        zip(q, e, |q, e| -1.5 * q * e),
    )
}

/// `A (1 + s) exp(-s)` with `s = sqrt(3) d / l`.
#[must_use]
pub fn matern32(amplitude: f64, lengthscale: f64) -> Stationary {
    Stationary::new(Family::Matern32, amplitude, lengthscale)
}
