//! The shape of predicted distributions.
//!
//! Terrain has heavy tails: mostly as expected, now and then a cliff. Errors in units of their standard deviation are then
//! distributed like Student's t, scaled to variance 1, rather than like a Gaussian: more of them are small and some are
//! larger. With n degrees of freedom the density is
//!
//! `Γ((n+1)/2) / (Γ(n/2) √(π (n-2))) (1 + z²/(n-2))^(-(n+1)/2)`.
//!
//! 95 % intervals are nearly the same for all n (1.84 deviations to either side for n = 3, 1.96 to 2.00 from n = 4 on), 50 %
//! intervals are not: 0.44 for n = 3, 0.56 for n = 5, 0.67 for the Gaussian.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI, PI};

use serde::{Deserialize, Serialize};

/// Below this Student's t has no variance.
const FEWEST_DEGREES: u32 = 3;
/// Degrees of freedom to choose from.
const DEGREES: [u32; 9] = [3, 4, 5, 6, 8, 10, 15, 20, 30];

/// A family of distributions that are symmetric about a mean and have a standard deviation.
///
/// ```
/// use transect::metrics::Tails;
/// let heavy = Tails::Student { degrees: 5 };
/// assert!((heavy.half_width(0.5) - 0.5629).abs() < 1e-4);
/// assert!((Tails::Gaussian.half_width(0.5) - 0.6745).abs() < 1e-4);
/// assert!((heavy.half_width(0.95) - Tails::Gaussian.half_width(0.95)).abs() < 0.04);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Tails {
    /// As a Gaussian's.
    #[default]
    Gaussian,
    /// As those of Student's t.
    Student {
        /// Degrees of freedom; with fewer than 3 there is no standard deviation, and they count as 3.
        degrees: u32,
    },
}

impl Tails {
    /// The tails under which errors are most likely; `errors` are in units of their standard deviations.
    pub(crate) fn learn(errors: &[f64]) -> Self {
        let students = DEGREES.map(|degrees| Self::Student { degrees });
        let density = |tails: Self| errors.iter().map(|z| tails.log_density(*z)).sum::<f64>();
        let mut best = (density(Self::Gaussian), Self::Gaussian);
        for tails in students {
            let density = density(tails);
            if density > best.0 {
                best = (density, tails);
            }
        }
        best.1
    }

    /// Logarithm of the density at `z` standard deviations from the mean, nats, for a standard deviation of 1.
    pub fn log_density(self, z: f64) -> f64 {
        match self {
            Self::Gaussian => -0.5 * (2.0 * PI).ln() - 0.5 * z * z,
            Self::Student { degrees } => {
                let n = f64::from(degrees.max(FEWEST_DEGREES));
                let constant = libm::lgamma(0.5 * (n + 1.0)) - libm::lgamma(0.5 * n);
                let scale = 0.5 * (PI * (n - 2.0)).ln();
                constant - scale - 0.5 * (n + 1.0) * (z * z / (n - 2.0)).ln_1p()
            }
        }
    }

    /// The probability of a value within `z` standard deviations of the mean.
    ///
    /// For Student's t the finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4.
    pub fn central_probability(self, z: f64) -> f64 {
        let Self::Student { degrees } = self else {
            return libm::erf(z * FRAC_1_SQRT_2);
        };
        let degrees = degrees.max(FEWEST_DEGREES);
        let angle = (z / f64::from(degrees - 2).sqrt()).atan();
        let (sin, cos) = angle.sin_cos();
        // Terms cos^k with factors (k-1)/k, from k = 3 for an odd number of degrees, from k = 2 for an even one.
        let odd = degrees % 2;
        let (mut term, mut sum) = (1.0, 1.0);
        let mut k = 2 + odd;
        while k + 2 <= degrees {
            term *= cos * cos * f64::from(k - 1) / f64::from(k);
            sum += term;
            k += 2;
        }
        match odd {
            0 => sin * sum,
            _ => FRAC_2_PI * (angle + sin * cos * sum),
        }
    }

    /// The probability of a value below `z` standard deviations from the mean.
    pub fn probability_below(self, z: f64) -> f64 {
        match self {
            // Accurate in both tails.
            Self::Gaussian => 0.5 * libm::erfc(-z * FRAC_1_SQRT_2),
            Self::Student { .. } => 0.5 + 0.5 * self.central_probability(z),
        }
    }

    /// Half the width, in standard deviations, of the central interval that holds a value with this probability
    /// (between 0 and 1).
    pub fn half_width(self, probability: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        while self.central_probability(high) < probability && high < 1e9 {
            high *= 2.0;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            match self.central_probability(middle) < probability {
                true => low = middle,
                false => high = middle,
            }
        }
        0.5 * (low + high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `t(n, scale=sqrt((n-2)/n))` of SciPy: probability within z, logarithm of the density.
    #[test]
    fn agrees_with_scipy() {
        for (degrees, z, within, log_density) in [
            (3, 0.3, 0.360763609265828, -0.6239380977715595),
            (3, 9.0, 0.9994263268906678, -9.26502119981796),
            (4, 1.0, 0.769800358919501, -1.6479184330021646),
            (5, 2.5, 0.9767291625372132, -4.091240565740401),
            (8, 1.0, 0.71846307988926, -1.4999456351470026),
            (15, 0.3, 0.24829036487101647, -0.9192362770309621),
            (30, 2.5, 0.9852514816254621, -4.015745734897344),
        ] {
            let tails = Tails::Student { degrees };
            assert!((tails.central_probability(z) - within).abs() < 1e-14);
            assert!((tails.central_probability(-z) + within).abs() < 1e-14);
            assert!((tails.log_density(z) - log_density).abs() < 1e-13);
            assert!((tails.half_width(within) - z).abs() < 1e-9 * z / (1.0 - within));
        }
    }

    #[test]
    fn too_few_degrees_are_three() {
        let (none, three) = (Tails::Student { degrees: 0 }, Tails::Student { degrees: 3 });
        assert_eq!(none.log_density(1.5), three.log_density(1.5));
        assert_eq!(none.half_width(0.95), three.half_width(0.95));
    }

    /// Φ at 0, ±1, 1.96.., -8 from the tables (Abramowitz and Stegun 26.1; SciPy's `norm.cdf`).
    #[test]
    fn agrees_with_tables_of_the_gaussian() {
        for (z, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (-1.0, 0.158_655_253_931_457_05),
            (1.959963984540054, 0.975),
            (-8.0, 6.220_960_574_271_785e-16),
        ] {
            let below = Tails::Gaussian.probability_below(z);
            assert!((below / p - 1.0).abs() < 1e-14, "{z}");
        }
        assert!((Tails::Gaussian.half_width(0.95) - 1.959963984540054).abs() < 1e-12);
    }

    #[test]
    fn finds_the_tails_that_errors_were_made_with() {
        // Midpoints of equal slices of probability.
        let errors = |tails: Tails| -> Vec<f64> {
            let each = (0..1000).map(|i| (f64::from(i) + 0.5) / 1000.0);
            each.flat_map(|p| [tails.half_width(p), -tails.half_width(p)])
                .collect()
        };
        let heavy = Tails::Student { degrees: 5 };
        assert_eq!(Tails::learn(&errors(Tails::Gaussian)), Tails::Gaussian);
        assert_eq!(Tails::learn(&errors(heavy)), heavy);
        assert_eq!(Tails::learn(&[]), Tails::Gaussian);
        assert_eq!(Tails::learn(&[f64::NAN, 1.0]), Tails::Gaussian);
    }
}
