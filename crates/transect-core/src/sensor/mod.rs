//! What measures the surface.
//!
//! - [`Sensor`]: one reading at a position
//! - [`PointSensor`]: reads a [`Terrain`](crate::terrain::Terrain), with Gaussian noise
//! - [`Dropouts`], [`Outliers`]: spoil the readings of another sensor, to try a mission's resilience
//! - [`seeded_uniform`]: a small random source for the two

mod dropouts;
mod outliers;
mod point;
mod uniform;

pub use dropouts::Dropouts;
pub use outliers::Outliers;
pub use point::PointSensor;
pub use uniform::seeded_uniform;

use crate::Error;
use crate::geometry::Position;
use crate::settings::SettingError;

/// Takes one reading at a position.
///
/// ```
/// use transect::geometry::Position;
/// use transect::sensor::Sensor;
///
/// /// Depth over a bottom that falls off to the east.
/// struct SlopingBottom;
///
/// impl Sensor for SlopingBottom {
///     fn measure(&mut self, at: Position, noise: &mut dyn FnMut() -> f64) -> Option<f64> {
///         (at.x >= 0.0).then(|| 2.0 + 0.1 * at.x + 0.05 * noise())
///     }
/// }
///
/// let mut sonar = SlopingBottom;
/// let mut silence = || 0.0;
/// assert_eq!(sonar.measure(Position::new(10.0, 4.0), &mut silence), Some(3.0));
/// assert_eq!(sonar.measure(Position::new(-1.0, 4.0), &mut silence), None);
/// ```
pub trait Sensor {
    /// The reading at `at`, in the units of the surface, or `None` when there is none.
    ///
    /// `noise()` gives a standard normal deviate. The mission owns the random stream; a sensor says how
    /// many deviates it takes from it, and a real sensor takes none.
    fn measure(&mut self, at: Position, noise: &mut dyn FnMut() -> f64) -> Option<f64>;
}

/// Refuses a share of readings that is not in [0, 1].
fn checked_fraction(name: &'static str, value: f64) -> Result<f64, Error> {
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(Error::Setting(SettingError::OutOfRange {
        name,
        value,
        accepted: "a share between 0 and 1 is needed",
    }))
}
