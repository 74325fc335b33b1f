//! Rational quadratic: `f(q) = (1 + u)^-alpha` with `u = q / (2 alpha)`.

use super::family::Profile;
use super::{Family, Stationary};
use crate::simd::Arithmetic;

#[derive(Clone, Copy)]
pub(super) struct RationalQuadratic {
    pub(super) alpha: f64,
}

impl Profile for RationalQuadratic {
    #[inline(always)]
    fn value<A: Arithmetic>(self, _: A, q: f64) -> f64 {
        (-self.alpha * (q / (2.0 * self.alpha)).ln_1p()).exp()
    }

    /// `q f'(q) = -q f(q) / (2 (1 + u))`.
    #[inline(always)]
    fn value_and_slope<A: Arithmetic>(self, a: A, q: f64) -> (f64, f64) {
        let f = self.value(a, q);
        (f, -0.5 * q * f / (1.0 + q / (2.0 * self.alpha)))
    }
}

/// `df/dalpha / f = u / (1 + u) - ln(1 + u)`.
pub(super) fn relative_alpha_slope(q: f64, alpha: f64) -> f64 {
    let u = q / (2.0 * alpha);
    u / (1.0 + u) - u.ln_1p()
}

/// Rational quadratic, `k = A (1 + d^2 / (2 alpha l^2))^-alpha` at distance d; alpha is trained too.
#[must_use]
pub fn rational_quadratic(amplitude: f64, lengthscale: f64, alpha: f64) -> Stationary {
    Stationary::new(Family::RationalQuadratic { alpha }, amplitude, lengthscale)
}
