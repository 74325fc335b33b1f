//! A world that does again what it did before.

use std::iter::Peekable;

use transect_gp::random::Randomness;

use super::{Advance, Event, LegEnd, LegState, Reading, Whereabouts, World};
use crate::geometry::Position;
use crate::settings::{MissionSettings, Streams};
use crate::vehicle::VehicleError;
use crate::{Error, Sounding};

/// What a world did, as the events of a mission tell it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Recorded {
    /// A plan was made while the vehicle was here.
    Planned(Whereabouts),
    /// A reading came.
    Sounding(Sounding, Whereabouts),
    /// A reading was due, but none came.
    Lost(Whereabouts),
    /// A leg ended.
    LegEnded(LegEnd, Whereabouts),
    /// The mission ended after this distance (m) and time (s).
    Finished(f64, f64),
}

impl Recorded {
    /// What an event tells of the world, if anything.
    pub fn of(event: &Event<'_>) -> Option<Self> {
        Some(match *event {
            Event::Planned { vehicle, .. } => Self::Planned(vehicle),
            Event::Sounding {
                sounding, vehicle, ..
            } => Self::Sounding(*sounding, vehicle),
            Event::Lost { vehicle } => Self::Lost(vehicle),
            Event::LegEnded { end, vehicle } => Self::LegEnded(end, vehicle),
            Event::Finished { spent, .. } => Self::Finished(spent.distance_m, spent.time_s),
            _ => return None,
        })
    }
}

/// Gives the readings of a recorded mission, in their order, to whoever makes the same decisions.
///
/// It does not look at where it is sent: whether the decisions are the same is for an observer to check.
pub struct RecordedWorld {
    steps: Peekable<Box<dyn Iterator<Item = Recorded> + Send>>,
    now: Whereabouts,
    /// The simulated sensor took a deviate for every reading, from the stream that candidates come from.
    draws: bool,
    recalled: bool,
}

impl RecordedWorld {
    /// The world of a mission that began at `start` and had these settings. One step after the other is taken when it is needed.
    pub fn new(
        start: Whereabouts,
        steps: impl IntoIterator<Item = Recorded, IntoIter: Send + 'static>,
        settings: &MissionSettings,
    ) -> Self {
        let steps: Box<dyn Iterator<Item = Recorded> + Send> = Box::new(steps.into_iter());
        let mut world = Self {
            steps: steps.peekable(),
            now: start,
            recalled: false,
            draws: settings.streams == Streams::Paper && settings.sensor.noise_std > 0.0,
        };
        world.reach_decision();
        world
    }

    /// Whether everything recorded has been given. What comes after an end is nothing to give.
    pub fn is_over(&mut self) -> bool {
        matches!(self.steps.peek(), None | Some(Recorded::Finished(..)))
    }

    /// Moves on to where the vehicle was when the next decision was made: a real one drifts meanwhile.
    fn reach_decision(&mut self) {
        match self.steps.peek() {
            Some(Recorded::Planned(vehicle)) => {
                self.now = *vehicle;
                self.steps.next();
            }
            Some(Recorded::Finished(distance_m, time_s)) => {
                (self.now.distance_m, self.now.time_s) = (*distance_m, *time_s);
            }
            _ => {}
        }
    }

    fn reading(&mut self, randomness: &mut dyn Randomness) -> Option<Reading> {
        let (reading, vehicle) = match *self.steps.peek()? {
            Recorded::Sounding(sounding, vehicle) => (Reading::Taken(sounding), vehicle),
            Recorded::Lost(vehicle) => (Reading::Lost, vehicle),
            _ => return None,
        };
        self.steps.next();
        self.now = vehicle;
        if self.draws {
            randomness.standard_normal();
        }
        Some(reading)
    }

    fn leg_end(&mut self) -> Option<LegEnd> {
        let Recorded::LegEnded(end, vehicle) = *self.steps.peek()? else {
            return None;
        };
        self.steps.next();
        self.now = vehicle;
        self.reach_decision();
        Some(end)
    }

    fn over(&self) -> Error {
        Error::World("the recording has nothing more here".into())
    }
}

impl World for RecordedWorld {
    fn sample_at(&mut self, _: Position, noise: &mut dyn Randomness) -> Result<Reading, Error> {
        let reading = self.reading(noise).ok_or_else(|| self.over())?;
        self.reach_decision();
        Ok(reading)
    }

    fn follow(&mut self, path: &[Position], _: &[f64]) -> Result<(), Error> {
        match self.steps.peek() {
            Some(Recorded::LegEnded(LegEnd::Refused, _)) => {
                self.leg_end();
                let at = path.last().copied().unwrap_or(self.now.pose.position);
                Err(Error::Vehicle(VehicleError::BadGoal { at }))
            }
            _ => Ok(()),
        }
    }

    fn advance(&mut self, randomness: &mut dyn Randomness) -> Result<Advance, Error> {
        if let Some(reading) = self.reading(randomness) {
            return Ok(Advance {
                reading: Some(reading),
                leg: LegState::Underway,
            });
        }
        let leg = match self.leg_end().ok_or_else(|| self.over())? {
            LegEnd::Arrived | LegEnd::Refused => LegState::Arrived,
            LegEnd::Stuck | LegEnd::Silence => LegState::Stuck,
            // The mission ends these itself.
            LegEnd::Underway | LegEnd::BudgetSpent | LegEnd::NoReadings => LegState::Underway,
            LegEnd::CalledHome => {
                self.recalled = true;
                LegState::Underway
            }
        };
        Ok(Advance { reading: None, leg })
    }

    fn deciding(&mut self) {
        if let Some(Recorded::LegEnded(LegEnd::Underway, _)) = self.steps.peek() {
            self.leg_end();
        }
    }

    fn whereabouts(&self) -> Whereabouts {
        self.now
    }

    fn recalled(&self) -> bool {
        self.recalled
    }
}
