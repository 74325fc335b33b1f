//! The core's boat, in the plane that touches the earth at home.

use transect::geometry::Position;
use transect::vehicle::{Boat, Pose, Vehicle};

use super::BenchSettings;
use crate::{FieldError, GeoPosition};

/// A boat somewhere on the earth.
#[derive(Debug)]
pub(super) struct Hull {
    home: GeoPosition,
    boat: Boat,
    /// Time up to which it has moved.
    moved_s: f64,
    period_s: f64,
    speed_mps: f64,
}

impl Hull {
    pub(super) fn new(settings: &BenchSettings) -> Result<Self, FieldError> {
        let limits = settings.hull();
        let start = Pose {
            position: Position::default(),
            heading_rad: std::f64::consts::FRAC_PI_2,
        };
        let boat =
            Boat::new(start, limits).map_err(|error| FieldError::Bench(error.to_string()))?;
        Ok(Self {
            home: settings.home,
            boat,
            moved_s: 0.0,
            period_s: 1.0 / limits.control_rate_hz,
            speed_mps: 0.0,
        })
    }

    /// Moves up to `now_s`; without `driving` time passes and nothing moves. Tells whether it has come to its place by that.
    pub(super) fn advance(&mut self, now_s: f64, driving: bool) -> bool {
        let mut arrived = false;
        while self.moved_s + self.period_s <= now_s {
            self.moved_s += self.period_s;
            self.speed_mps = 0.0;
            if driving {
                let before_m = self.boat.travelled_m();
                arrived |= self.boat.step().arrived;
                self.speed_mps = (self.boat.travelled_m() - before_m) / self.period_s;
            }
        }
        arrived
    }

    /// Heads for a place.
    pub(super) fn go_to(&mut self, place: GeoPosition) {
        let (north_m, east_m) = self.home.offset_to(place);
        // A place that is no number is no goal; the boat keeps the one before.
        drop(self.boat.set_goal(Position::new(east_m, north_m)));
    }

    /// Heads nowhere.
    pub(super) fn stop(&mut self) {
        drop(self.boat.place(self.boat.state().position));
    }

    pub(super) fn position(&self) -> GeoPosition {
        let Position { x, y } = self.boat.state().position;
        self.home.moved(y, x)
    }

    /// Degrees clockwise from north, in [0, 360).
    pub(super) fn heading_deg(&self) -> f64 {
        (90.0 - self.boat.state().heading_rad.to_degrees()).rem_euclid(360.0)
    }

    pub(super) fn speed_mps(&self) -> f64 {
        self.speed_mps
    }

    pub(super) fn travelled_m(&self) -> f64 {
        self.boat.travelled_m()
    }
}
