//! Matern 5/2: `f(q) = (1 + s + s^2 / 3) exp(-s)` with `s = sqrt(5 q)`.

use super::family::Profile;
use super::{Family, Stationary};
use crate::simd::{Arithmetic, exp};

#[derive(Clone, Copy)]
pub(super) struct Matern52;

impl Profile for Matern52 {
    #[inline(always)]
    fn value<A: Arithmetic>(self, a: A, q: f64) -> f64 {
        let s = (5.0 * q).sqrt();
        (1.0 + s + s * s / 3.0) * exp(a, -s)
    }

    /// `q f'(q) = -s^2 (1 + s) exp(-s) / 6`.
    #[inline(always)]
    fn value_and_slope<A: Arithmetic>(self, a: A, q: f64) -> (f64, f64) {
        let s = (5.0 * q).sqrt();
        let e = exp(a, -s);
        let f = (1.0 + s + s * s / 3.0) * e;
        (f, -s * s * (1.0 + s) * e / 6.0)
    }
}

/// Matérn 5/2, `k = A (1 + s + s^2 / 3) exp(-s)` with `s = sqrt(5) d / l` at distance d.
#[must_use]
pub fn matern52(amplitude: f64, lengthscale: f64) -> Stationary {
    Stationary::new(Family::Matern52, amplitude, lengthscale)
}
