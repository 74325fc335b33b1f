//! How much wider the errors are than the model says, judged by the readings themselves.
//!
//! With `e_i` the error of reading i as predicted from all others and `s_i` that prediction's standard
//! deviation, `T^2 = mean (e_i / s_i)^2` maximises the leave-one-out density of Gaussians with standard
//! deviations `T s_i`. Predictions are widened by T.

use super::pool::pooled;
use transect_gp::LeftOut;

/// A model that is further off than this is wrong in a way that no factor mends.
const RANGE: std::ops::RangeInclusive<f64> = 0.5..=2.0;

/// T from leave-one-out errors in units of their predicted standard deviations; 1 if they are not numbers.
pub(super) fn temperature(errors: &[f64]) -> f64 {
    let square = errors.iter().map(|z| z * z).sum::<f64>() / errors.len() as f64;
    match square.is_finite() {
        true => square.sqrt().clamp(*RANGE.start(), *RANGE.end()),
        false => 1.0,
    }
}

/// Errors of the readings as predicted without themselves by the pool of models, in units of the predicted
/// standard deviations.
pub(super) fn left_out_errors(members: &[Vec<LeftOut>], readings: &[f64]) -> Vec<f64> {
    let error = |(i, reading): (usize, &f64)| {
        let models = members.iter().filter_map(|left_out| left_out.get(i));
        let (mean, std) = pooled(models.map(|point| (point.mean, point.std)));
        (reading - mean) / std
    };
    readings.iter().enumerate().map(error).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_half_again_as_wide_as_predicted_give_three_halves() {
        let point = LeftOut {
            mean: 10.0,
            std: 2.0,
            log_density: 0.0,
        };
        let off_by = |error: f64| {
            let readings = [10.0 + error, 10.0 - error];
            temperature(&left_out_errors(
                &[vec![point; 2], vec![point; 2]],
                &readings,
            ))
        };
        assert!((off_by(3.0) - 1.5).abs() < 1e-12);
        assert_eq!(off_by(0.0), 0.5);
        assert_eq!(off_by(1e300), 1.0);
    }
}
