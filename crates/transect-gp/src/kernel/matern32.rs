//! Matern 3/2: `f(q) = (1 + s) exp(-s)` with `s = sqrt(3 q)`.

use super::family::Profile;
use super::{Family, Stationary};
use crate::simd::{Arithmetic, exp};

#[derive(Clone, Copy)]
pub(super) struct Matern32;

impl Profile for Matern32 {
    #[inline(always)]
    fn value<A: Arithmetic>(self, a: A, q: f64) -> f64 {
        let s = (3.0 * q).sqrt();
        (1.0 + s) * exp(a, -s)
    }

    /// `q f'(q) = -s^2 exp(-s) / 2`.
    #[inline(always)]
    fn value_and_slope<A: Arithmetic>(self, a: A, q: f64) -> (f64, f64) {
        let s = (3.0 * q).sqrt();
        let e = exp(a, -s);
        ((1.0 + s) * e, -1.5 * q * e)
    }
}

/// Matérn 3/2, `k = A (1 + s) exp(-s)` with `s = sqrt(3) d / l` at distance d.
#[must_use]
pub fn matern32(amplitude: f64, lengthscale: f64) -> Stationary {
    Stationary::new(Family::Matern32, amplitude, lengthscale)
}
