//! How wide error bars are, from the errors of points that are left out with those around them.
//!
//! As in an exact committee, points are predicted without more and more of what is around them. Means along a track are much closer to each other
//! than the map is to them, so that none is left out alone: first without all that is half as far away as places of the map are
//! from readings, then as far, then without its whole stretch of track, as what lies between two lines is not seen along
//! any, and at last as far as a tenth of the map is. A bounded number of points, drawn anew each time, is looked at.

use transect_gp::nearest::{Conditional, Vecchia};
use transect_gp::random::{Randomness, Stream};
use transect_gp::{GpError, Points, Prediction};

use super::cells::Means;
use super::snapshot::{Noise, add_variance};
use crate::calibration::{ErrorScale, REACHES, Residuals, Spread};
use crate::settings::ErrorBars;

/// Points that are looked at.
pub(super) const JUDGED: usize = 192;
/// The share of the map's distance within which everything is left out at first.
const NEAR: f64 = 0.5;
/// A stretch of track that is left out reaches this many times as far as the map is from readings, to either side.
const STRETCH: f64 = 4.0;
/// It is at most this share of all points.
const LONGEST: usize = 20;

/// The number of the level that is as what lies between two lines.
const BETWEEN_LINES: usize = 2;

/// What is far away is at least this many times as far as the map's places are.
const FARTHER: f64 = 1.2;

/// What there is to judge.
pub(super) struct Trial<'a> {
    /// The processes on the map's scale.
    pub(super) processes: &'a [std::sync::Arc<Vecchia>],
    pub(super) noise: &'a Noise,
    pub(super) means: &'a Means,
    /// Their values on the map's scale.
    pub(super) values: &'a [f64],
    /// Their places, scaled.
    pub(super) scaled: &'a Points,
    pub(super) spread: &'a Spread,
    pub(super) error_bars: ErrorBars,
    pub(super) seed: u64,
}

impl Trial<'_> {
    /// Learns how wide error bars should be.
    ///
    /// # Errors
    /// If the numbers do not allow it.
    pub(super) fn error_scale(&self) -> Result<ErrorScale, GpError> {
        let which = drawn(self.values.len(), self.seed);
        let reach = std::f64::consts::SQRT_2 * self.spread.typical;
        let near = self.residuals(&which, NEAR * reach, 0)?;
        let mut levels = Vec::new();
        if matches!(self.error_bars, ErrorBars::Grown | ErrorBars::Local) {
            let steps = reach / self.spread.spacing().max(f64::MIN_POSITIVE);
            let stretch = ((STRETCH * steps) as usize).min(self.values.len() / LONGEST);
            levels.push(self.residuals(&which, reach, 0)?);
            levels.push(self.residuals(&which, reach, stretch)?);
            // No farther than that, it would tell nothing new about how errors grow.
            let far = self.spread.farthest();
            if far > FARTHER * reach {
                levels.push(self.residuals(&which, far, stretch)?);
            }
        }
        let reaches = match self.error_bars {
            ErrorBars::Local => REACHES,
            _ => &[],
        };
        let rows: Vec<f64> = which.iter().flat_map(|i| self.scaled.row(*i)).collect();
        let places = Points::from_flat(self.scaled.dim(), &rows)?;
        let typical = levels.len().min(BETWEEN_LINES);
        Ok(ErrorScale::learn(
            places,
            &near,
            (&levels, typical),
            reaches,
        ))
    }

    /// Errors of points that are predicted without all within a scaled distance, and without so many before and after them.
    fn residuals(
        &self,
        which: &[usize],
        radius: f64,
        stretch: usize,
    ) -> Result<Residuals, GpError> {
        let apart = |i: &usize| Conditional::apart(*i, radius, stretch);
        let conditionals: Vec<Conditional> = which.iter().map(apart).collect();
        let told = left_out(self.processes, self.noise, &conditionals)?;
        let (mut errors, mut stds) = (Vec::new(), Vec::new());
        for (i, (mean, std)) in which.iter().zip(told.mean.iter().zip(&told.std)) {
            let noise = self.noise.least / self.means.counts[*i];
            let std = (std * std + noise).sqrt();
            errors.push((self.values[*i] - mean) / std);
            stds.push(std);
        }
        Ok(Residuals { errors, stds })
    }
}

/// The surface at points that are left out, pooled.
pub(super) fn left_out(
    processes: &[std::sync::Arc<Vecchia>],
    noise: &Noise,
    conditionals: &[Conditional],
) -> Result<Prediction, GpError> {
    let mut told = Vec::new();
    for (process, beyond) in processes.iter().zip(&noise.beyond) {
        let mut one = process.left_out(conditionals)?;
        add_variance(&mut one, *beyond);
        told.push(one);
    }
    Ok(super::super::pool::pool(told))
}

/// Distinct numbers below `count`, ascending: all of them, or [`JUDGED`] that are drawn, one from each of as many equal parts.
fn drawn(count: usize, seed: u64) -> Vec<usize> {
    if count <= JUDGED {
        return (0..count).collect();
    }
    let mut stream = Stream::new(seed);
    let part = count as f64 / JUDGED as f64;
    let one = |i: usize| {
        let from = i as f64 * part;
        (stream.uniform(from, from + part) as usize).min(count - 1)
    };
    let mut all: Vec<usize> = (0..JUDGED).map(one).collect();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_drawn_from_everywhere_and_each_once() {
        assert_eq!(drawn(5, 0), [0, 1, 2, 3, 4]);
        let all = drawn(8192, 3);
        assert_eq!((all.len(), all.clone()), (JUDGED, drawn(8192, 3)));
        assert_ne!(all, drawn(8192, 4));
        assert!(
            all.windows(2)
                .all(|pair| pair[0] < pair[1] && pair[1] - pair[0] < 128)
        );
    }
}
