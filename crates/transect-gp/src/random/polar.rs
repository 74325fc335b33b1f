//! Marsaglia's polar method: two normal deviates from a point in the unit disc.
//!
//! For `(x, y)` uniform in the disc and `s = x² + y²`, both
//! `x √(-2 ln s / s)` and `y √(-2 ln s / s)` are standard normal and independent.

/// Turns uniform deviates into normal ones, two at a time.
#[derive(Clone, Debug, Default)]
pub struct Polar {
    /// The second deviate of a pair, kept for the next call.
    kept: Option<f64>,
}

impl Polar {
    /// The next standard normal deviate; `unit` draws uniformly on `[0, 1)`.
    ///
    /// NumPy returns the deviate of `y` first and keeps that of `x`; so do we.
    pub fn standard_normal(&mut self, mut unit: impl FnMut() -> f64) -> f64 {
        if let Some(kept) = self.kept.take() {
            return kept;
        }
        loop {
            let x = 2.0 * unit() - 1.0;
            let y = 2.0 * unit() - 1.0;
            let s = x * x + y * y;
            if s < 1.0 && s != 0.0 {
                let scale = (-2.0 * s.ln() / s).sqrt();
                self.kept = Some(scale * x);
                return scale * y;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_points_off_the_disc_and_its_centre() {
        // The corner (-1, -1), the centre, then the point (0.5, 0).
        let mut draws = [0.0, 0.0, 0.5, 0.5, 0.75, 0.5].into_iter();
        let mut unit = || draws.next().expect("no more than three points are drawn");
        let mut polar = Polar::default();

        assert_eq!(polar.standard_normal(&mut unit), 0.0);
        let second = polar.standard_normal(&mut unit);
        // 0.5 √(-2 ln ¼ / ¼) = √(4 ln 2)
        assert!((second - (4.0 * std::f64::consts::LN_2).sqrt()).abs() < 1e-15);
    }
}
