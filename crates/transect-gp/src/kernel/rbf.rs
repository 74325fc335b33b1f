//! The squared exponential, `f(q) = exp(-q / 2)`.

use super::family::Profile;
use super::{Family, Stationary};
use crate::simd::{Arithmetic, exp};

#[derive(Clone, Copy)]
pub(super) struct Rbf;

impl Profile for Rbf {
    #[inline(always)]
    fn value<A: Arithmetic>(self, a: A, q: f64) -> f64 {
        exp(a, -0.5 * q)
    }

    /// `q f'(q) = -q f(q) / 2`.
    #[inline(always)]
    fn value_and_slope<A: Arithmetic>(self, a: A, q: f64) -> (f64, f64) {
        let f = self.value(a, q);
        (f, -0.5 * q * f)
    }
}

/// The squared exponential, `k = A exp(-d^2 / (2 l^2))` at distance d.
#[must_use]
pub fn rbf(amplitude: f64, lengthscale: f64) -> Stationary {
    Stationary::new(Family::Rbf, amplitude, lengthscale)
}
