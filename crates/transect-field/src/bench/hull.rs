//! The core's boat, in the plane that touches the earth at home, with the weight of a hull and a current under it.
//!
//! With the velocity `u` that the core's boat would have, the hull's velocity through the water `v` and the current `c`:
//!
//! ```text
//! dv/dt = (u - v) / coast,    dx/dt = v + c
//! ```

use transect::geometry::Position;
use transect::vehicle::{Boat, Pose, Vehicle};

use super::BenchSettings;
use crate::{FieldError, GeoPosition};

/// A boat that keeps its station drives back from this far away, m: ArduPilot's LOIT_RADIUS.
const STATION_RADIUS_M: f64 = 2.0;

/// A boat somewhere on the earth.
#[derive(Debug)]
pub(super) struct Hull {
    home: GeoPosition,
    boat: Boat,
    /// Time up to which it has moved.
    moved_s: f64,
    period_s: f64,
    /// Through the water, m/s.
    velocity: Position,
    current: Position,
    coast_s: f64,
    /// Where it stays, against the current.
    station: Option<Position>,
    /// It is on its way back to its station.
    returning: bool,
    goal: Option<Position>,
    speed_mps: f64,
    over_ground: Position,
    travelled_m: f64,
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
            velocity: Position::default(),
            current: Position::new(settings.current_east_mps, settings.current_north_mps),
            coast_s: settings.coast_s,
            station: None,
            returning: false,
            goal: None,
            speed_mps: settings.speed_mps,
            over_ground: Position::default(),
            travelled_m: 0.0,
        })
    }

    /// Moves up to `now_s`; without `driving` it drifts. Tells whether it has come to its place by that.
    pub(super) fn advance(&mut self, now_s: f64, driving: bool) -> bool {
        let mut arrived = false;
        while self.moved_s + self.period_s <= now_s {
            self.moved_s += self.period_s;
            arrived |= self.step(driving);
        }
        arrived
    }

    fn step(&mut self, driving: bool) -> bool {
        let before = self.boat.state().position;
        let arrived = driving && self.drive(before);
        let driven = self.boat.state().position;
        let wanted = Position::new(
            (driven.x - before.x) / self.period_s,
            (driven.y - before.y) / self.period_s,
        );
        if self.coast_s > 0.0 {
            let share = 1.0 - (-self.period_s / self.coast_s).exp();
            self.velocity = self.velocity.towards(wanted, share);
        } else {
            self.velocity = wanted;
        }
        if self.coast_s > 0.0 || self.current != Position::default() {
            let moved = Position::new(
                before.x + (self.velocity.x + self.current.x) * self.period_s,
                before.y + (self.velocity.y + self.current.y) * self.period_s,
            );
            drop(self.boat.place(moved));
        }
        let after = self.boat.state().position;
        self.over_ground = Position::new(
            (after.x - before.x) / self.period_s,
            (after.y - before.y) / self.period_s,
        );
        self.travelled_m += before.distance_to(after);
        arrived
    }

    /// A step of the core's boat. Tells whether it has arrived at a place that it was sent to.
    fn drive(&mut self, here: Position) -> bool {
        if let Some(station) = self.station
            && here.distance_to(station) > STATION_RADIUS_M
            && self.goal.is_none()
        {
            self.returning = true;
            self.goal = Some(station);
        }
        let Some(goal) = self.goal else {
            return false;
        };
        drop(self.boat.set_goal(self.steered(here, goal)));
        let arrived = self.boat.step().arrived;
        if arrived {
            self.goal = None;
        }
        let returned = arrived && std::mem::take(&mut self.returning);
        arrived && !returned
    }

    /// Where to point the bow so that the current does not carry the boat off its course, as far away as the goal.
    fn steered(&self, here: Position, goal: Position) -> Position {
        let away_m = here.distance_to(goal);
        if self.current == Position::default() || away_m < 1e-6 {
            return goal;
        }
        let (x, y) = ((goal.x - here.x) / away_m, (goal.y - here.y) / away_m);
        let along_mps = self.current.x * x + self.current.y * y;
        let across = (
            self.current.x - along_mps * x,
            self.current.y - along_mps * y,
        );
        let left_mps2 = self.speed_mps.powi(2) - across.0.powi(2) - across.1.powi(2);
        if left_mps2 <= 0.0 {
            return goal;
        }
        let share = away_m / self.speed_mps;
        Position::new(
            here.x + share * (x * left_mps2.sqrt() - across.0),
            here.y + share * (y * left_mps2.sqrt() - across.1),
        )
    }

    /// Heads for a place.
    pub(super) fn go_to(&mut self, place: GeoPosition) {
        let (north_m, east_m) = self.home.offset_to(place);
        let goal = Position::new(east_m, north_m);
        if goal.is_finite() {
            (self.station, self.returning) = (None, false);
            self.goal = Some(goal);
        }
    }

    /// Heads nowhere.
    pub(super) fn stop(&mut self) {
        (self.station, self.returning, self.goal) = (None, false, None);
        drop(self.boat.place(self.boat.state().position));
    }

    /// Stays where it is, against the current.
    pub(super) fn keep_station(&mut self) {
        self.stop();
        self.station = Some(self.boat.state().position);
    }

    pub(super) fn position(&self) -> GeoPosition {
        let Position { x, y } = self.boat.state().position;
        self.home.moved(y, x)
    }

    /// Degrees clockwise from north, in [0, 360).
    pub(super) fn heading_deg(&self) -> f64 {
        (90.0 - self.boat.state().heading_rad.to_degrees()).rem_euclid(360.0)
    }

    /// Speed over ground to the north and to the east, m/s.
    pub(super) fn velocity_mps(&self) -> (f64, f64) {
        (self.over_ground.y, self.over_ground.x)
    }

    /// The way over ground, m.
    pub(super) fn travelled_m(&self) -> f64 {
        self.travelled_m
    }

    /// The way that its motors drove it, m.
    pub(super) fn driven_m(&self) -> f64 {
        self.boat.travelled_m()
    }
}
