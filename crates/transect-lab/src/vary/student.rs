//! Student's t distribution with whole degrees of freedom.

use std::f64::consts::FRAC_2_PI;

/// The share of the distribution between `-t` and `t`: Abramowitz and Stegun, 26.7.3 and 26.7.4.
fn inside(t: f64, degrees: usize) -> f64 {
    let angle = (t / (degrees as f64).sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    // 1 + 1/2 cos^2 + 1·3/(2·4) cos^4 + ... for even degrees, cos + 2/3 cos^3 + ... for odd ones.
    let odd = degrees % 2 == 1;
    let mut term = if odd { cos } else { 1.0 };
    let mut sum = if degrees == 1 { 0.0 } else { term };
    for k in (if odd { 3 } else { 2 }..degrees).step_by(2) {
        term *= cos * cos * (k - 1) as f64 / k as f64;
        sum += term;
    }
    match odd {
        true => FRAC_2_PI * (angle + sin * sum),
        false => sin * sum,
    }
}

/// How many standard errors a 95 % interval reaches to either side.
pub(super) fn reach_95(degrees: usize) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while inside(high, degrees) < 0.95 {
        high *= 2.0;
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        match inside(middle, degrees) < 0.95 {
            true => low = middle,
            false => high = middle,
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_tables_come_out() {
        for (degrees, printed) in [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (5, 2.571),
            (9, 2.262),
            (10, 2.228),
            (30, 2.042),
            (39, 2.023),
            (120, 1.980),
        ] {
            let ours = reach_95(degrees);
            assert!((ours - printed).abs() < 6e-4, "{degrees}: {ours}");
        }
    }
}
