//! Matern 1/2, the exponential: `f(q) = exp(-s)` with `s = sqrt(q)`.

use super::family::Profile;
use super::{Family, Stationary};
use crate::simd::{Arithmetic, exp};

#[derive(Clone, Copy)]
pub(super) struct Matern12;

impl Profile for Matern12 {
    #[inline(always)]
    fn value<A: Arithmetic>(self, a: A, q: f64) -> f64 {
        exp(a, -q.sqrt())
    }

    /// `q f'(q) = -s f(q) / 2`.
    #[inline(always)]
    fn value_and_slope<A: Arithmetic>(self, a: A, q: f64) -> (f64, f64) {
        let s = q.sqrt();
        let f = exp(a, -s);
        (f, -0.5 * s * f)
    }
}

/// Matérn 1/2, the exponential, `k = A exp(-d / l)` at distance d.
#[must_use]
pub fn matern12(amplitude: f64, lengthscale: f64) -> Stationary {
    Stationary::new(Family::Matern12, amplitude, lengthscale)
}
