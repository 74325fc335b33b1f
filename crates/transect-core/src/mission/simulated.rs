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
use crate::vehicle::{Boat, BoatSettings, Cruiser, Pose, StepReport, Vehicle};
use crate::{Error, Sounding};

/// A sensor on a boat. A jump costs the straight way, at full speed.
#[derive(Debug, Clone)]
pub struct SimulatedWorld<S = PointSensor> {
    sensor: S,
    hull: Hull,
    jumped_m: f64,
}

/// What carries the sensor.
#[derive(Debug, Clone)]
enum Hull {
    /// A boat that is given one goal at a time.
    Stopping {
        boat: Boat,
        /// Places still to go to, the next one last.
        ahead: Vec<Position>,
    },
    /// A boat that follows paths without stopping.
    Cruising(Cruiser),
}

impl Hull {
    fn pose(&self) -> Pose {
        match self {
            Self::Stopping { boat, .. } => boat.state(),
            Self::Cruising(boat) => boat.state(),
        }
    }

    fn settings(&self) -> &BoatSettings {
        match self {
            Self::Stopping { boat, .. } => boat.settings(),
            Self::Cruising(boat) => boat.settings(),
        }
    }

    fn place(&mut self, at: Position) -> Result<(), Error> {
        match self {
            Self::Stopping { boat, .. } => boat.place(at),
            Self::Cruising(boat) => boat.place(at),
        }
    }

    fn follow(&mut self, path: &[Position], times_s: &[f64]) -> Result<(), Error> {
        match self {
            Self::Stopping { boat, ahead } => {
                *ahead = path.iter().rev().copied().collect();
                ahead.pop().map_or(Ok(()), |goal| boat.set_goal(goal))
            }
            Self::Cruising(boat) => boat.follow_in(path, times_s),
        }
    }

    /// One control step; where the leg stands after it.
    fn step(&mut self) -> Result<(StepReport, LegState), Error> {
        match self {
            Self::Stopping { boat, ahead } => {
                let report = boat.step();
                let arrived = report.arrived || boat.goal().is_none();
                let next = if arrived { ahead.pop() } else { None };
                let leg = if let Some(next) = next {
                    boat.set_goal(next)?;
                    LegState::Underway
                } else if arrived {
                    LegState::Arrived
                } else if report.stuck {
                    LegState::Stuck
                } else {
                    LegState::Underway
                };
                Ok((report, leg))
            }
            Self::Cruising(boat) => {
                let report = boat.step();
                let leg = if boat.is_underway() {
                    LegState::Underway
                } else {
                    LegState::Arrived
                };
                Ok((report, leg))
            }
        }
    }

    fn travelled_m(&self) -> f64 {
        match self {
            Self::Stopping { boat, .. } => boat.travelled_m(),
            Self::Cruising(boat) => boat.travelled_m(),
        }
    }

    fn elapsed_s(&self) -> f64 {
        match self {
            Self::Stopping { boat, .. } => boat.elapsed_s(),
            Self::Cruising(boat) => boat.elapsed_s(),
        }
    }
}

impl<S: Sensor> SimulatedWorld<S> {
    /// This sensor on a boat that is given one goal at a time.
    pub fn new(sensor: S, boat: Boat) -> Self {
        let ahead = Vec::new();
        Self::on(sensor, Hull::Stopping { boat, ahead })
    }

    fn on(sensor: S, hull: Hull) -> Self {
        Self {
            sensor,
            hull,
            jumped_m: 0.0,
        }
    }

    fn read(&mut self, randomness: &mut dyn Randomness) -> Reading {
        let position = self.hull.pose().position;
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
        let sensor = PointSensor::new(terrain, sensor.lookup, sensor.noise_std)?;
        Ok(Self::on(sensor, hull(workspace, settings)?))
    }
}

/// The boat of these settings, at the start of the pilot survey, heading for +y.
fn hull(workspace: &Workspace, settings: &MissionSettings) -> Result<Hull, Error> {
    let pilot = bezier_pilot(&workspace.bounds(), settings.pilot.soundings)?;
    let start = Pose {
        position: workspace.nearest(pilot[0]),
        heading_rad: FRAC_PI_2,
    };
    let fence = settings.stay_inside.then(|| workspace.clone());
    if settings.boat.stops_at_goals {
        let mut boat = Boat::new(start, settings.boat)?;
        if let Some(fence) = fence {
            boat = boat.fenced(fence)?;
        }
        let ahead = Vec::new();
        Ok(Hull::Stopping { boat, ahead })
    } else {
        let mut boat = Cruiser::new(start, settings.boat)?;
        if let Some(fence) = fence {
            boat = boat.fenced(fence)?;
        }
        Ok(Hull::Cruising(boat))
    }
}

impl<S: Sensor> World for SimulatedWorld<S> {
    fn sample_at(
        &mut self,
        place: Position,
        randomness: &mut dyn Randomness,
    ) -> Result<Reading, Error> {
        let way_m = self.hull.pose().position.distance_to(place);
        self.hull.place(place)?;
        self.jumped_m += way_m;
        Ok(self.read(randomness))
    }

    fn follow(&mut self, path: &[Position], times_s: &[f64]) -> Result<(), Error> {
        self.hull.follow(path, times_s)
    }

    fn advance(&mut self, randomness: &mut dyn Randomness) -> Result<Advance, Error> {
        let (report, leg) = self.hull.step()?;
        Ok(Advance {
            reading: report.sample_due.then(|| self.read(randomness)),
            leg,
        })
    }

    fn whereabouts(&self) -> Whereabouts {
        Whereabouts {
            pose: self.hull.pose(),
            distance_m: self.hull.travelled_m() + self.jumped_m,
            time_s: self.hull.elapsed_s() + self.jumped_m / self.hull.settings().max_speed_mps,
        }
    }
}
