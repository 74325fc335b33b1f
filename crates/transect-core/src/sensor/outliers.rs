//! A sensor that sometimes reads nonsense.

use super::{Sensor, checked_fraction};
use crate::Error;
use crate::geometry::Position;
use crate::settings::SettingError;

/// Replaces a share of another sensor's readings by numbers that have nothing to do with the surface:
/// uniform over a range `widening` times that of the surface, about the same middle.
///
/// The inner sensor is read every time, so that its noise does not depend on what is replaced.
///
/// ```
/// use transect::geometry::Position;
/// use transect::sensor::{Outliers, Sensor, seeded_uniform};
/// # struct Flat;
/// # impl Sensor for Flat {
/// #     fn measure(&mut self, _: Position, _: &mut dyn FnMut() -> f64) -> Option<f64> { Some(1.0) }
/// # }
/// let mut sonar = Outliers::new(Flat, 0.1, (0.0, 2.0), 3.0, seeded_uniform(7))?;
/// let readings: Vec<f64> =
///     (0..10_000).filter_map(|_| sonar.measure(Position::default(), &mut || 0.0)).collect();
/// let wrong: Vec<f64> = readings.into_iter().filter(|&z| z != 1.0).collect();
/// assert!((900..1_100).contains(&wrong.len()));
/// assert!(wrong.iter().all(|z| (-2.0..4.0).contains(z)));
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Outliers<S, U> {
    inner: S,
    fraction: f64,
    low: f64,
    width: f64,
    uniform: U,
}

impl<S: Sensor, U: FnMut() -> f64> Outliers<S, U> {
    /// Replaces `fraction` of the readings of `inner`. `range` is the surface's (low, high);
    /// `uniform()` gives numbers in [0, 1).
    pub fn new(
        inner: S,
        fraction: f64,
        range: (f64, f64),
        widening: f64,
        uniform: U,
    ) -> Result<Self, Error> {
        let fraction = checked_fraction("outlier fraction", fraction)?;
        let width = widening * (range.1 - range.0);
        if !(width > 0.0 && width.is_finite()) {
            return Err(SettingError::OutOfRange {
                name: "outlier range",
                value: width,
                accepted: "widening times (high - low) must be positive and finite",
            }
            .into());
        }
        Ok(Self {
            inner,
            fraction,
            low: 0.5 * (range.0 + range.1) - 0.5 * width,
            width,
            uniform,
        })
    }
}

impl<S: Sensor, U: FnMut() -> f64> Sensor for Outliers<S, U> {
    fn measure(&mut self, at: Position, noise: &mut dyn FnMut() -> f64) -> Option<f64> {
        let reading = self.inner.measure(at, noise)?;
        if (self.uniform)() < self.fraction {
            return Some(self.low + self.width * (self.uniform)());
        }
        Some(reading)
    }
}
