//! Surfaces that a map takes for possible: `mean + std * z`, where `z` has variance 1 everywhere and is correlated over
//! the distance that the map's errors are.
//!
//! Errors of a volume are errors of many cells together, so that deviations cell by cell say nothing about it. Between
//! the lines of a survey the error at one place is that of its neighbours up to about the next line: `z` is white noise
//! blurred (three box filters, nearly a Gaussian) to a correlation length of twice the usual distance to the nearest
//! sounding, weighted by variance because that is where the errors are.

use transect::gp::random::{Randomness, Stream};
use transect::map::Map;

/// Correlation length over the weighted mean of distances to soundings.
const LENGTH_PER_DISTANCE: f64 = 2.0;
/// Box filters that make a Gaussian.
const BOXES: usize = 3;

/// Draws surfaces.
#[derive(Debug, Clone)]
pub struct Fields {
    /// How far errors are correlated, m.
    pub correlation_m: f64,
    half_width: usize,
}

impl Fields {
    /// For a map made from soundings at these places, m.
    #[must_use]
    pub fn of(map: &Map, places: &[[f64; 2]]) -> Self {
        let distances = super::super::map::distances(&map.grid, places);
        let (mut sum, mut weights) = (0.0, 0.0);
        for (distance, std) in distances.iter().zip(&map.std) {
            if std.is_finite() && distance.is_finite() {
                sum += distance * std * std;
                weights += std * std;
            }
        }
        let correlation_m = LENGTH_PER_DISTANCE * sum / f64::max(weights, f64::MIN_POSITIVE);
        // A box of 2 h + 1 cells has the variance h (h + 1) / 3; noise blurred by a Gaussian of deviation s is
        // correlated as exp(-r^2 / 4 s^2), which falls to 1 / e at 2 s.
        let deviation = correlation_m / 2.0 / map.grid.cell_m;
        let half = (0.25 + deviation * deviation * 3.0 / BOXES as f64).sqrt() - 0.5;
        Self {
            correlation_m,
            half_width: half.round().max(0.0) as usize,
        }
    }

    /// One surface; the same for the same number.
    #[must_use]
    pub fn draw(&self, map: &Map, number: u64) -> Vec<f64> {
        let mut rng = Stream::new(number);
        let (rows, columns) = (map.grid.rows, map.grid.columns);
        let margin = BOXES * self.half_width;
        let (wide, high) = (columns + 2 * margin, rows + 2 * margin);
        let mut noise: Vec<f64> = (0..wide * high).map(|_| rng.standard_normal()).collect();
        for _ in 0..BOXES {
            noise = blurred(&noise, wide, self.half_width);
        }
        let mut turned = transposed(&noise, wide);
        for _ in 0..BOXES {
            turned = blurred(&turned, high, self.half_width);
        }
        let noise = transposed(&turned, high);
        let inner = |cell: usize| noise[(cell / columns + margin) * wide + cell % columns + margin];
        // Filters shrink the variance; how much, their weights say.
        let scale = 1.0 / weights_norm(self.half_width);
        (0..rows * columns)
            .map(|cell| map.mean[cell] + map.std[cell] * inner(cell) * scale)
            .collect()
    }
}

/// Every row's means over `2 half + 1` neighbours; what is beyond the ends counts as zero.
fn blurred(values: &[f64], columns: usize, half: usize) -> Vec<f64> {
    let width = (2 * half + 1) as f64;
    let mut out = Vec::with_capacity(values.len());
    for row in values.chunks_exact(columns) {
        let mut sum: f64 = row.iter().take(half).sum();
        for i in 0..columns {
            sum += row.get(i + half).copied().unwrap_or(0.0);
            if i > half {
                sum -= row[i - half - 1];
            }
            out.push(sum / width);
        }
    }
    out
}

fn transposed(values: &[f64], columns: usize) -> Vec<f64> {
    let rows = values.len() / columns;
    (0..values.len())
        .map(|i| values[(i % rows) * columns + i / rows])
        .collect()
}

/// Standard deviation of unit noise after all filters of both directions.
fn weights_norm(half: usize) -> f64 {
    let mut weights = vec![0.0; 2 * BOXES * half + 1];
    let middle = weights.len() / 2;
    weights[middle] = 1.0;
    let columns = weights.len();
    for _ in 0..BOXES {
        weights = blurred(&weights, columns, half);
    }
    weights.iter().map(|w| w * w).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_leave_unit_variance_and_the_right_correlation() {
        // Variance is the product of both directions' sums of squares, so its root is one direction's.
        let half = 4;
        let norm = weights_norm(half);
        let columns = 20_000;
        let mut rng = Stream::new(3);
        let mut noise: Vec<f64> = (0..columns).map(|_| rng.standard_normal()).collect();
        for _ in 0..BOXES {
            noise = blurred(&noise, columns, half);
        }
        let inner = &noise[100..columns - 100];
        let variance = inner.iter().map(|v| v * v).sum::<f64>() / inner.len() as f64;
        assert!((variance / norm - 1.0).abs() < 0.1, "{variance} {norm}");
        // At twice the deviation of the filters, 1 / e.
        let lag = (2.0 * (BOXES as f64 * 4.0 * 5.0 / 3.0).sqrt()).round() as usize;
        let covariance =
            inner.windows(lag + 1).map(|w| w[0] * w[lag]).sum::<f64>() / (inner.len() - lag) as f64;
        assert!(
            (covariance / variance - (-1.0_f64).exp()).abs() < 0.1,
            "{}",
            covariance / variance
        );
    }
}
