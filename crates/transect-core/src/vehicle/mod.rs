//! What carries the sensor.
//!
//! - [`Vehicle`]: simulated motion towards a goal, step by step
//! - [`Boat`]: a unicycle with the paper's waypoint controller
//! - [`Cruiser`]: a boat that follows paths without stopping
//! - [`BoatSettings`]: its rates and limits

mod boat;
mod cruiser;
mod error;
mod sampling_clock;
mod settings;

pub use boat::Boat;
pub use cruiser::Cruiser;
pub use error::VehicleError;
pub use sampling_clock::SamplingClock;
pub use settings::BoatSettings;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::geometry::Position;

/// Where a vehicle is and where it points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pose {
    /// Position, m.
    pub position: Position,
    /// Heading, rad counter-clockwise from the x axis, in [-π, π].
    pub heading_rad: f64,
}

/// What happened in one control step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StepReport {
    /// A reading is due at the position after the step.
    pub sample_due: bool,
    /// The goal was reached and has been dropped.
    pub arrived: bool,
    /// The vehicle faces its goal and the workspace ends in between: it will not move until it gets
    /// another goal.
    pub stuck: bool,
}

/// Simulated motion towards one goal at a time.
///
/// ```
/// use transect::geometry::Position;
/// use transect::vehicle::{Boat, BoatSettings, Pose, Vehicle};
///
/// /// Drives to a waypoint and gives the positions at which readings are due.
/// fn drive(vehicle: &mut dyn Vehicle, waypoint: Position) -> Result<Vec<Position>, transect::Error> {
///     vehicle.set_goal(waypoint)?;
///     let mut soundings = Vec::new();
///     loop {
///         let report = vehicle.step();
///         if report.sample_due {
///             soundings.push(vehicle.state().position);
///         }
///         if report.arrived || report.stuck {
///             return Ok(soundings);
///         }
///     }
/// }
///
/// let start = Pose { position: Position::new(0.0, 0.0), heading_rad: 0.0 };
/// let mut boat = Boat::new(start, BoatSettings::default())?;
/// let soundings = drive(&mut boat, Position::new(20.0, 0.0))?;
/// assert_eq!(soundings.len() as f64, boat.elapsed_s().floor()); // one a second
/// # Ok::<(), transect::Error>(())
/// ```
pub trait Vehicle {
    /// Heads for `goal` from now on, in place of any other. An error leaves the old goal.
    fn set_goal(&mut self, goal: Position) -> Result<(), Error>;

    /// The goal, until it is reached.
    fn goal(&self) -> Option<Position>;

    /// Moves for one control period. Without a goal the vehicle holds its pose while time passes.
    fn step(&mut self) -> StepReport;

    /// Where the vehicle is.
    fn state(&self) -> Pose;

    /// Length of the track so far, m.
    fn travelled_m(&self) -> f64;

    /// Time under way, s.
    fn elapsed_s(&self) -> f64;
}
