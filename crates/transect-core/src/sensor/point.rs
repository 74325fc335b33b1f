//! A sensor that reads one point of a terrain.

use std::sync::Arc;

use super::Sensor;
use crate::Error;
use crate::geometry::Position;
use crate::settings::SettingError;
use crate::terrain::{Lookup, Terrain};

/// Reads a terrain at one point and adds Gaussian noise: `z = terrain(at) + noise_std · N(0, 1)`.
///
/// Takes one deviate per call when `noise_std > 0`, also where the terrain is void, so that a void does
/// not shift the noise of later readings; takes none when `noise_std` is 0.
#[derive(Debug, Clone)]
pub struct PointSensor {
    terrain: Arc<Terrain>,
    lookup: Lookup,
    noise_std: f64,
}

impl PointSensor {
    /// A sensor over `terrain`; `noise_std` is in the terrain's units.
    pub fn new(terrain: Arc<Terrain>, lookup: Lookup, noise_std: f64) -> Result<Self, Error> {
        if !(noise_std >= 0.0 && noise_std.is_finite()) {
            return Err(SettingError::OutOfRange {
                name: "noise_std",
                value: noise_std,
                accepted: "a finite number, 0 or more, is needed",
            }
            .into());
        }
        Ok(Self {
            terrain,
            lookup,
            noise_std,
        })
    }

    /// The value without noise, for evaluation.
    pub fn truth(&self, at: Position) -> Option<f64> {
        self.terrain.value(at, self.lookup)
    }
}

impl Sensor for PointSensor {
    fn measure(&mut self, at: Position, noise: &mut dyn FnMut() -> f64) -> Option<f64> {
        let error = if self.noise_std > 0.0 {
            self.noise_std * noise()
        } else {
            0.0
        };
        Some(self.truth(at)? + error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rect;

    fn half_void() -> Arc<Terrain> {
        let extent = Rect::new(0.0, 2.0, 0.0, 1.0).unwrap();
        Arc::new(Terrain::new(vec![5.0, f64::NAN], 1, 2, extent).unwrap())
    }

    #[test]
    fn takes_one_deviate_per_reading_only_when_noisy() {
        let (land, void) = (Position::new(0.5, 0.5), Position::new(1.5, 0.5));
        for (noise_std, taken, reading) in [(2.0, 2, 11.0), (0.0, 0, 5.0)] {
            let mut sensor = PointSensor::new(half_void(), Lookup::Nearest, noise_std).unwrap();
            let mut deviates = 0;
            let mut noise = || {
                deviates += 1;
                3.0
            };
            assert_eq!(sensor.measure(land, &mut noise), Some(reading));
            assert_eq!(sensor.measure(void, &mut noise), None);
            assert_eq!(deviates, taken);
        }
    }

    #[test]
    fn refuses_noise_that_is_not_a_spread() {
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(PointSensor::new(half_void(), Lookup::Nearest, bad).is_err());
        }
    }
}
