//! Readings that have nothing to do with the surface.
//!
//! A reading is an outlier when its leave-one-out error is more than [`LIMIT`] times as wide as those of
//! ordinary readings: `|z_i| > LIMIT median |z| / 0.6745`. Dividing by the median makes the rule blind to how
//! much the outliers themselves have widened the predictions. Because an outlier also spoils the predictions of its neighbours,
//! judging is repeated once those found are ignored; a reading that was ignored and then fits is taken back.

/// How many times wider than ordinary errors.
const LIMIT: f64 = 8.0;
/// `median |z|` of a standard normal deviate.
const NORMAL_MEDIAN: f64 = 0.674_489_750_196_081_7;
/// A survey with a greater share of outliers cannot be trusted without saying so.
pub(super) const NOTABLE_SHARE: f64 = 0.01;

/// Which readings are outliers, from all leave-one-out errors in units of their predicted standard deviations.
pub(super) fn outliers(errors: &[f64]) -> Vec<bool> {
    let mut sizes: Vec<f64> = errors.iter().map(|z| z.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
    let limit = LIMIT * median / NORMAL_MEDIAN;
    errors
        .iter()
        .map(|z| z.abs() > limit && limit > 0.0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_far_from_the_bulk_stands_out_whatever_the_scale() {
        for scale in [1e-3, 1.0, 50.0] {
            let mut errors: Vec<f64> = (0..40).map(|i| scale * f64::sin(f64::from(i))).collect();
            assert!(outliers(&errors).iter().all(|outlier| !outlier));
            errors[17] = -12.0 * scale;
            let found = outliers(&errors);
            assert_eq!(found.iter().position(|outlier| *outlier), Some(17));
            assert_eq!(found.iter().filter(|outlier| **outlier).count(), 1);
        }
        assert!(outliers(&[]).is_empty() && !outliers(&[0.0; 3])[1]);
    }
}
