//! A sensor that loses readings.

use super::{Sensor, checked_fraction};
use crate::Error;
use crate::geometry::Position;

/// Loses a share of another sensor's readings, as a sonar does over weed or in a wake.
///
/// The inner sensor is read every time, so that its noise does not depend on what is lost.
///
/// ```
/// use transect::geometry::Position;
/// use transect::sensor::{Dropouts, Sensor, seeded_uniform};
/// # struct Flat;
/// # impl Sensor for Flat {
/// #     fn measure(&mut self, _: Position, _: &mut dyn FnMut() -> f64) -> Option<f64> { Some(1.0) }
/// # }
/// let mut sonar = Dropouts::new(Flat, 0.25, seeded_uniform(7))?;
/// let lost = (0..10_000).filter(|_| sonar.measure(Position::default(), &mut || 0.0).is_none()).count();
/// assert!((2_300..2_700).contains(&lost));
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Dropouts<S, U> {
    inner: S,
    fraction: f64,
    uniform: U,
}

impl<S: Sensor, U: FnMut() -> f64> Dropouts<S, U> {
    /// Loses `fraction` of the readings of `inner`; `uniform()` gives numbers in [0, 1).
    pub fn new(inner: S, fraction: f64, uniform: U) -> Result<Self, Error> {
        Ok(Self {
            inner,
            fraction: checked_fraction("dropout fraction", fraction)?,
            uniform,
        })
    }
}

impl<S: Sensor, U: FnMut() -> f64> Sensor for Dropouts<S, U> {
    fn measure(&mut self, at: Position, noise: &mut dyn FnMut() -> f64) -> Option<f64> {
        let reading = self.inner.measure(at, noise);
        let lost = (self.uniform)() < self.fraction;
        reading.filter(|_| !lost)
    }
}
