//! Elementary functions on vectors.

use super::Arithmetic;

const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Adding this pushes the integer part into the low bits of the mantissa.
const SHIFTER: f64 = 6_755_399_441_055_744.0;

/// `exp(x) = 2^n (1 + p)` for x in [-708, 709]: returns 2^n and p.
///
/// `n = round(x / ln 2)`, `r = x - n ln 2`, and `p = exp(r) - 1` on `|r| <= 0.35` is its Taylor
/// polynomial of degree 13.
#[inline(always)]
fn exp_parts<A: Arithmetic>(arithmetic: A, x: f64) -> (f64, f64) {
    let shifted = arithmetic.mul_add(x, std::f64::consts::LOG2_E, SHIFTER);
    let n = shifted - SHIFTER;
    let r = arithmetic.mul_add(n, -LN2_HIGH, x);
    let r = arithmetic.mul_add(n, -LN2_LOW, r);
    let mut p = 1.0 / 6_227_020_800.0;
    p = arithmetic.mul_add(p, r, 1.0 / 479_001_600.0);
    p = arithmetic.mul_add(p, r, 1.0 / 39_916_800.0);
    p = arithmetic.mul_add(p, r, 1.0 / 3_628_800.0);
    p = arithmetic.mul_add(p, r, 1.0 / 362_880.0);
    p = arithmetic.mul_add(p, r, 1.0 / 40_320.0);
    p = arithmetic.mul_add(p, r, 1.0 / 5_040.0);
    p = arithmetic.mul_add(p, r, 1.0 / 720.0);
    p = arithmetic.mul_add(p, r, 1.0 / 120.0);
    p = arithmetic.mul_add(p, r, 1.0 / 24.0);
    p = arithmetic.mul_add(p, r, 1.0 / 6.0);
    p = arithmetic.mul_add(p, r, 0.5);
    p = arithmetic.mul_add(p, r, 1.0);
    let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0_f64.to_bits()));
    (power, p * r)
}

/// `exp(x)` to one unit in the last place, in a form that vectorises: call it in a plain loop
/// over a slice.
///
/// Below -708 the result is 0 (instead of a subnormal number), above 709 it stays at `exp(709)`;
/// NaN stays NaN.
#[inline(always)]
pub fn exp<A: Arithmetic>(arithmetic: A, x: f64) -> f64 {
    let bounded = if x < -708.0 { -708.0 } else { x };
    let bounded = if bounded > 709.0 { 709.0 } else { bounded };
    let (power, p) = exp_parts(arithmetic, bounded);
    let value = arithmetic.mul_add(power, p, power);
    if x < -708.0 { 0.0 } else { value }
}

/// `tanh(x)` with a relative error below 1e-15; call it in a plain loop over a slice.
///
/// `tanh |x| = e / (e + 2)` with `e = exp(2 |x|) - 1 = 2^n p + (2^n - 1)`, which keeps its
/// precision near zero.
#[inline(always)]
pub fn tanh<A: Arithmetic>(arithmetic: A, x: f64) -> f64 {
    let doubled = 2.0 * x.abs();
    let bounded = if doubled > 40.0 { 40.0 } else { doubled };
    let (power, p) = exp_parts(arithmetic, bounded);
    let e = arithmetic.mul_add(power, p, power - 1.0);
    (e / (e + 2.0)).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Simd, Work, dispatch};

    struct Run<'a>(&'a mut [f64], bool);
    impl Work for Run<'_> {
        type Output = ();
        #[inline(always)]
        fn run<A: Arithmetic>(self, arithmetic: A) {
            for x in self.0 {
                *x = match self.1 {
                    true => exp(arithmetic, *x),
                    false => tanh(arithmetic, *x),
                };
            }
        }
    }

    fn grid() -> Vec<f64> {
        (0..80_000)
            .map(|i| -707.0 + 0.0177 * f64::from(i))
            .collect()
    }

    #[test]
    fn exp_agrees_with_the_standard_library_at_every_level() {
        for level in Simd::available() {
            let mut values = grid();
            dispatch(level, Run(&mut values, true));
            for (x, got) in grid().iter().zip(&values) {
                let error = (got - x.exp()).abs() / x.exp();
                assert!(error < 4e-16, "{level:?}: exp({x}) is off by {error:e}");
            }
        }
    }

    #[test]
    fn exp_at_its_limits() {
        for level in Simd::available() {
            let mut v = [
                0.0,
                -0.0,
                -708.5,
                -1e9,
                f64::NEG_INFINITY,
                709.0,
                1e9,
                f64::NAN,
            ];
            dispatch(level, Run(&mut v, true));
            assert_eq!(v[..2], [1.0, 1.0]);
            assert_eq!(v[2..5], [0.0, 0.0, 0.0]);
            assert!(v[5].is_finite() && v[5] == v[6] && v[7].is_nan());
        }
    }

    #[test]
    fn tanh_agrees_with_the_standard_library_at_every_level() {
        for level in Simd::available() {
            let inputs: Vec<f64> = (0..8000)
                .map(|i| (-20.0 + 0.005 * f64::from(i)).powi(3) / 400.0)
                .chain([0.0, 1e-300, -1e-12, 400.0])
                .collect();
            let mut values = inputs.clone();
            dispatch(level, Run(&mut values, false));
            for (x, got) in inputs.iter().zip(&values) {
                assert!(
                    (got - x.tanh()).abs() < 5e-16,
                    "{level:?}: tanh({x}) = {got}"
                );
            }
        }
    }
}
