//! One prediction from several models.
//!
//! With means `m_i` and standard deviations `s_i` of k models, the pooled prediction has
//! - mean `m = sum m_i / k`,
//! - variance `(prod s_i^2)^(1/k) + sum (m_i - m)^2 / k`:
//!
//! the geometric mean of the models' variances, and how far the models disagree. Where a flexible model is sure of
//! itself and a rigid one is not, the pool is half sure, on the logarithmic scale that the log loss lives on.

use transect_gp::Prediction;

/// Pools the predictions of several models at the same places. A single one is returned as it is.
pub(super) fn pool(mut predictions: Vec<Prediction>) -> Prediction {
    if predictions.len() == 1 {
        return predictions.swap_remove(0);
    }
    let floored = predictions.iter().map(|p| p.floored).sum();
    let places = predictions.iter().map(|p| p.mean.len()).min().unwrap_or(0);
    let at = |i: usize| predictions.iter().map(move |p| (p.mean[i], p.std[i]));
    let (mean, std) = (0..places).map(|i| pooled(at(i))).unzip();
    Prediction { mean, std, floored }
}

/// Mean and standard deviation of the pool of some `(mean, standard deviation)`.
pub(crate) fn pooled(models: impl Iterator<Item = (f64, f64)> + Clone) -> (f64, f64) {
    let count = models.clone().count() as f64;
    let mean = models.clone().map(|(m, _)| m).sum::<f64>() / count;
    let log_std = models.clone().map(|(_, s)| s.ln()).sum::<f64>() / count;
    let disagreement = models.map(|(m, _)| (m - mean) * (m - mean)).sum::<f64>() / count;
    (mean, ((2.0 * log_std).exp() + disagreement).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_model_is_not_touched() {
        let alone = Prediction {
            mean: vec![0.1],
            std: vec![0.3],
            floored: 1,
        };
        assert_eq!(pool(vec![alone.clone()]), alone);
    }

    #[test]
    fn disagreement_widens() {
        // sqrt(1 * 4) from the deviations 1 and 2; the means lie 3 to either side.
        let (mean, std) = pooled([(-3.0, 1.0), (3.0, 2.0)].into_iter());
        assert_eq!(mean, 0.0);
        assert!((std * std - 11.0).abs() < 1e-12);
        let (_, agreed) = pooled([(5.0, 0.5), (5.0, 0.5)].into_iter());
        assert!((agreed - 0.5).abs() < 1e-15);
    }
}
