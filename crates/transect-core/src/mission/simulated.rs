//! A simulated sensor on a simulated boat.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use transect_gp::random::Randomness;

use super::{Advance, LegState, Reading, Whereabouts, World};
use crate::geometry::{Position, Workspace};
use crate::pilot::bezier_pilot;
use crate::sensor::{PointSensor, Sensor};
use crate::settings::MissionSettings;
use crate::terrain::Terrain;
use crate::vehicle::{Boat, Pose, Vehicle};
use crate::{Error, Sounding};

/// A sensor on a boat. A jump costs the straight way, at full speed.
#[derive(Debug, Clone)]
pub struct SimulatedWorld<S = PointSensor> {
    sensor: S,
    boat: Boat,
    jumped_m: f64,
    /// Places still to go to, the next one last.
    ahead: Vec<Position>,
}

impl<S: Sensor> SimulatedWorld<S> {
    /// This sensor on this boat.
    pub fn new(sensor: S, boat: Boat) -> Self {
        Self {
            sensor,
            boat,
            jumped_m: 0.0,
            ahead: Vec::new(),
        }
    }

    fn read(&mut self, randomness: &mut dyn Randomness) -> Reading {
        let position = self.boat.state().position;
        let value = self
            .sensor
            .measure(position, &mut || randomness.standard_normal());
        let time_s = self.whereabouts().time_s;
        value.map_or(Reading::Lost, |value| {
            Reading::Taken(Sounding {
                position,
                value,
                time_s,
            })
        })
    }
}

impl SimulatedWorld<PointSensor> {
    /// A boat over `terrain`, at the start of the pilot survey, heading for +y.
    pub fn over(
        terrain: Arc<Terrain>,
        workspace: &Workspace,
        settings: &MissionSettings,
    ) -> Result<Self, Error> {
        let sensor = &settings.sensor;
        let boat = boat(workspace, settings)?;
        Ok(Self::new(
            PointSensor::new(terrain, sensor.lookup, sensor.noise_std)?,
            boat,
        ))
    }
}

/// The boat of these settings, at the start of the pilot survey, heading for +y.
fn boat(workspace: &Workspace, settings: &MissionSettings) -> Result<Boat, Error> {
    let pilot = bezier_pilot(&workspace.bounds(), settings.pilot.soundings)?;
    let start = Pose {
        position: workspace.nearest(pilot[0]),
        heading_rad: FRAC_PI_2,
    };
    let boat = Boat::new(start, settings.boat)?;
    if settings.stay_inside {
        boat.fenced(workspace.clone())
    } else {
        Ok(boat)
    }
}

impl<S: Sensor> World for SimulatedWorld<S> {
    fn sample_at(
        &mut self,
        place: Position,
        randomness: &mut dyn Randomness,
    ) -> Result<Reading, Error> {
        let way_m = self.boat.state().position.distance_to(place);
        self.boat.place(place)?;
        self.jumped_m += way_m;
        Ok(self.read(randomness))
    }

    fn follow(&mut self, path: &[Position]) -> Result<(), Error> {
        self.ahead = path.iter().rev().copied().collect();
        self.ahead
            .pop()
            .map_or(Ok(()), |goal| self.boat.set_goal(goal))
    }

    fn advance(&mut self, randomness: &mut dyn Randomness) -> Result<Advance, Error> {
        let report = self.boat.step();
        let arrived = report.arrived || self.boat.goal().is_none();
        let next = if arrived { self.ahead.pop() } else { None };
        let leg = if let Some(next) = next {
            self.boat.set_goal(next)?;
            LegState::Underway
        } else if arrived {
            LegState::Arrived
        } else if report.stuck {
            LegState::Stuck
        } else {
            LegState::Underway
        };
        Ok(Advance {
            reading: report.sample_due.then(|| self.read(randomness)),
            leg,
        })
    }

    fn whereabouts(&self) -> Whereabouts {
        Whereabouts {
            pose: self.boat.state(),
            distance_m: self.boat.travelled_m() + self.jumped_m,
            time_s: self.boat.elapsed_s() + self.jumped_m / self.boat.settings().max_speed_mps,
        }
    }
}
