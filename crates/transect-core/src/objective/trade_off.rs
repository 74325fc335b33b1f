//! A score against the way to go (the paper's algorithm 2):
//! `(s - min s) / (max s - min s) - weight (d - min d) / (max d - min d)`; the paper's weight is 1.

/// Values scaled to [0, 1] by their smallest and largest; all 0 where they do not differ.
///
/// ```
/// use transect::objective::normalised;
/// assert_eq!(normalised(&[2.0, 4.0, 3.0]), [0.0, 1.0, 0.5]);
/// assert_eq!(normalised(&[7.0, 7.0]), [0.0, 0.0]);
/// ```
pub fn normalised(values: &[f64]) -> Vec<f64> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let range = high - low;
    let scaled = |v: &f64| {
        if range > 0.0 { (v - low) / range } else { 0.0 }
    };
    values.iter().map(scaled).collect()
}

/// Normalised score less weighted normalised distance, point by point.
///
/// ```
/// use transect::objective::less_distance;
/// // The second point is as informative as the third, and closer.
/// let (scores, distances_m) = ([1.0, 3.0, 3.0], [5.0, 10.0, 25.0]);
/// assert_eq!(less_distance(&scores, &distances_m, 1.0), [0.0, 0.75, 0.0]);
/// assert_eq!(less_distance(&scores, &distances_m, 0.5), [0.0, 0.875, 0.5]);
/// ```
pub fn less_distance(scores: &[f64], distances_m: &[f64], weight: f64) -> Vec<f64> {
    let scores = normalised(scores).into_iter();
    let pairs = scores.zip(normalised(distances_m));
    pairs
        .map(|(score, distance)| score - weight * distance)
        .collect()
}
