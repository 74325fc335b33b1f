//! Speed, turning and current of a vehicle.

use std::f64::consts::PI;

use super::Track;
use crate::Error;
use crate::geometry::Position;
use crate::settings::SettingError;
use crate::vehicle::VehicleError;
use crate::vehicle::{BoatSettings, Pose};

/// How far from a corner its arc may pass unless told otherwise, m.
pub(crate) const CORNER_TOLERANCE_M: f64 = 0.5;
/// A vehicle that makes good less than this share of its speed against the current does not get anywhere.
const LEAST_SHARE: f64 = 0.02;
/// A vehicle whose turn rate has no limit turns this fast, rad/s: a half turn in a millisecond.
const UNLIMITED_RADPS: f64 = 1000.0 * PI;
/// Turns smaller than this are no corners, rad.
const STRAIGHT_RAD: f64 = 1e-9;

/// How a vehicle travels.
///
/// ```
/// use std::f64::consts::PI;
/// use transect::geometry::Position;
/// use transect::travel::TravelModel;
/// use transect::vehicle::Pose;
/// let travel = TravelModel::new(1.0, 1.0)?;
/// let start = Pose { position: Position::new(0.0, 0.0), heading_rad: 0.0 };
/// // Ten metres along x, then ten along y: the corner is cut on a quarter circle of 1 m.
/// let path = [Position::new(10.0, 0.0), Position::new(10.0, 10.0)];
/// assert!((travel.time_s(start, &path) - (9.0 + 0.5 * PI + 9.0)).abs() < 1e-9);
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TravelModel {
    speed_mps: f64,
    turn_rate_radps: f64,
    corner_tolerance_m: f64,
    current_mps: [f64; 2],
}

/// How a corner is rounded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Corner {
    /// Change of direction, rad, counter-clockwise positive.
    pub(super) turn_rad: f64,
    /// Radius of the arc, m; 0 for a turn on the spot.
    pub(super) radius_m: f64,
    /// Distance of the arc's ends from the corner, m.
    pub(super) cut_m: f64,
}

impl TravelModel {
    /// A vehicle of this speed and turn rate in water at rest, which passes corners within half a metre.
    ///
    /// # Errors
    /// If a number is not positive and finite.
    pub fn new(speed_mps: f64, turn_rate_radps: f64) -> Result<Self, Error> {
        for (name, value) in [
            ("boat.max_speed_mps", speed_mps),
            ("boat.max_turn_rate_radps", turn_rate_radps),
        ] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(Error::Setting(SettingError::OutOfRange {
                    name,
                    value,
                    accepted: "a positive, finite number is needed",
                }));
            }
        }
        Ok(Self {
            speed_mps,
            turn_rate_radps,
            corner_tolerance_m: CORNER_TOLERANCE_M,
            current_mps: [0.0; 2],
        })
    }

    /// A simulated boat of these settings.
    ///
    /// # Errors
    /// If the settings are none that a boat can have, or the current is too fast for it.
    pub fn of(boat: &BoatSettings) -> Result<Self, Error> {
        boat.validate()?;
        let turn_rate = boat.max_turn_rate_radps.unwrap_or(UNLIMITED_RADPS);
        Self::new(boat.max_speed_mps, turn_rate)?
            .within(boat.corner_tolerance_m)?
            .in_current(boat.current_mps)
    }

    /// Passes corners within `tolerance_m`; 0 turns on the spot at each of them.
    ///
    /// # Errors
    /// If it is negative or not finite.
    pub fn within(mut self, tolerance_m: f64) -> Result<Self, Error> {
        if !(tolerance_m >= 0.0 && tolerance_m.is_finite()) {
            return Err(Error::Setting(SettingError::OutOfRange {
                name: "boat.corner_tolerance_m",
                value: tolerance_m,
                accepted: "a finite number, 0 or more, is needed",
            }));
        }
        self.corner_tolerance_m = tolerance_m;
        Ok(self)
    }

    /// In water that moves, m/s towards +x and +y.
    ///
    /// # Errors
    /// If the current is as fast as the vehicle, which then cannot hold its line or come home.
    pub fn in_current(mut self, current_mps: [f64; 2]) -> Result<Self, Error> {
        let current = current_mps[0].hypot(current_mps[1]);
        let bearable = current <= (1.0 - LEAST_SHARE) * self.speed_mps;
        if !bearable {
            return Err(Error::Vehicle(VehicleError::CurrentTooFast {
                current_mps: current,
                speed_mps: self.speed_mps,
            }));
        }
        self.current_mps = current_mps;
        Ok(self)
    }

    /// Speed through the water, m/s.
    pub fn speed_mps(&self) -> f64 {
        self.speed_mps
    }

    /// Largest turn rate, rad/s.
    pub fn turn_rate_radps(&self) -> f64 {
        self.turn_rate_radps
    }

    /// The radius of the tightest turn at full speed, m.
    pub fn turning_radius_m(&self) -> f64 {
        self.speed_mps / self.turn_rate_radps
    }

    /// Speed over ground along the unit vector (x, y), m/s.
    pub(super) fn speed_along(&self, x: f64, y: f64) -> f64 {
        let [cx, cy] = self.current_mps;
        let along = cx * x + cy * y;
        let across = cx * y - cy * x;
        along + (self.speed_mps * self.speed_mps - across * across).sqrt()
    }

    /// The time of a straight leg, s.
    pub fn leg_s(&self, from: Position, to: Position) -> f64 {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let length = dx.hypot(dy);
        if length > 0.0 {
            length / self.speed_along(dx / length, dy / length)
        } else {
            0.0
        }
    }

    /// The time of a path through `corners`, s, the turn from the vehicle's heading into the first leg included.
    pub fn time_s(&self, start: Pose, corners: &[Position]) -> f64 {
        Track::new(self, start, corners).time_s()
    }

    /// Time that a turn by `turn_rad` adds to the legs before and after it, which have `before_m` and `after_m` to spare for it, s.
    ///
    /// Negative where the arc is so much shorter than the corner that turning costs less than it saves.
    pub fn corner_s(&self, turn_rad: f64, before_m: f64, after_m: f64) -> f64 {
        let corner = self.corner(turn_rad, before_m, after_m);
        let turn = turn_rad.abs();
        let arc_s = (corner.radius_m * turn / self.speed_mps).max(turn / self.turn_rate_radps);
        arc_s - 2.0 * corner.cut_m / self.speed_mps
    }

    /// How the corner between two directions is rounded where the legs have `before_m` and `after_m` to spare for it.
    pub(super) fn corner(&self, turn_rad: f64, before_m: f64, after_m: f64) -> Corner {
        let half = 0.5 * turn_rad.abs();
        let on_the_spot = Corner {
            turn_rad,
            radius_m: 0.0,
            cut_m: 0.0,
        };
        if !(STRAIGHT_RAD..0.5 * PI - STRAIGHT_RAD).contains(&half) {
            return on_the_spot;
        }
        let by_tolerance = self.corner_tolerance_m / (1.0 / half.cos() - 1.0);
        let by_legs = before_m.min(after_m) / half.tan();
        let radius_m = self.turning_radius_m().min(by_tolerance).min(by_legs);
        Corner {
            turn_rad,
            radius_m,
            cut_m: radius_m * half.tan(),
        }
    }
}

/// The angle in (-π, π].
pub(super) fn wrapped(angle_rad: f64) -> f64 {
    let turns = (angle_rad / (2.0 * PI)).round();
    angle_rad - 2.0 * PI * turns
}
