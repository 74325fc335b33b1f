//! A boat that does not stop: it follows a path at full speed, or as slowly as it is told, and passes what is on the way.
//!
//! Its motion is that of the travel model ([`Track`]): what planners expect of a path is what the boat does.

use super::sampling_clock::SamplingTimer;
use super::{BoatSettings, Pose, StepReport};
use crate::Error;
use crate::geometry::{Position, Workspace};
use crate::travel::{Track, TravelModel};
use crate::vehicle::VehicleError;

/// A simulated boat that follows paths.
///
/// ```
/// use transect::geometry::Position;
/// use transect::vehicle::{BoatSettings, Cruiser, Pose};
/// let start = Pose { position: Position::new(0.0, 0.0), heading_rad: 0.0 };
/// let mut boat = Cruiser::new(start, BoatSettings::default())?;
/// boat.follow(&[Position::new(20.0, 0.0)])?;
/// let mut soundings = 0;
/// while !boat.step().arrived {
///     soundings += 1;
/// }
/// assert_eq!(boat.elapsed_s(), 20.0); // 1 m/s all the way
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Cruiser {
    settings: BoatSettings,
    travel: TravelModel,
    fence: Option<Workspace>,
    pose: Pose,
    /// The track it is on, and the time since it began.
    track: Option<(Track, f64)>,
    timer: SamplingTimer,
    /// Way of the tracks before this one, m.
    travelled_m: f64,
}

impl Cruiser {
    /// A boat at `start` that may go anywhere.
    ///
    /// # Errors
    /// If the settings are none that a boat can have, or the start is nowhere.
    pub fn new(start: Pose, settings: BoatSettings) -> Result<Self, Error> {
        let travel = TravelModel::of(&settings)?;
        if !start.position.is_finite() || !start.heading_rad.is_finite() {
            return Err(Error::Vehicle(VehicleError::BadStart {
                at: start.position,
            }));
        }
        Ok(Self {
            settings,
            travel,
            fence: None,
            pose: start,
            track: None,
            timer: SamplingTimer::new(
                settings.sampling_clock,
                settings.control_rate_hz,
                settings.sampling_rate_hz,
            ),
            travelled_m: 0.0,
        })
    }

    /// Refuses paths that leave `workspace`, and turns inside it.
    ///
    /// # Errors
    /// If the boat is outside.
    pub fn fenced(mut self, workspace: Workspace) -> Result<Self, Error> {
        if !workspace.contains(self.pose.position) {
            return Err(Error::Vehicle(VehicleError::BadStart {
                at: self.pose.position,
            }));
        }
        self.fence = Some(workspace);
        Ok(self)
    }

    /// Its rates and limits.
    pub fn settings(&self) -> &BoatSettings {
        &self.settings
    }

    /// Follows `path` from now on, instead of any other.
    ///
    /// # Errors
    /// If a place is nowhere, or a leg leaves the fence; the boat then goes on as before.
    pub fn follow(&mut self, path: &[Position]) -> Result<(), Error> {
        self.follow_in(path, &[])
    }

    /// Follows `path` from now on and takes at least `times_s` to each of its places, going slower where that is more than it needs.
    ///
    /// # Errors
    /// As [`Self::follow`].
    pub fn follow_in(&mut self, path: &[Position], times_s: &[f64]) -> Result<(), Error> {
        let mut from = self.pose.position;
        for &at in path {
            let allowed = (self.fence.as_ref()).is_none_or(|w| w.contains_segment(from, at));
            if !at.is_finite() || !allowed {
                return Err(Error::Vehicle(VehicleError::BadGoal { at }));
            }
            from = at;
        }
        let track = Track::timed(&self.travel, self.pose, path, times_s, self.fence.as_ref());
        self.travelled_m = self.travelled_m();
        self.track = Some((track, 0.0));
        Ok(())
    }

    /// Puts the boat somewhere else; its heading stays, its path is dropped, no time or way is counted.
    ///
    /// # Errors
    /// If that is nowhere, or outside the fence.
    pub fn place(&mut self, at: Position) -> Result<(), Error> {
        let allowed = self.fence.as_ref().is_none_or(|w| w.contains(at));
        if !at.is_finite() || !allowed {
            return Err(Error::Vehicle(VehicleError::BadStart { at }));
        }
        self.travelled_m = self.travelled_m();
        self.track = None;
        self.pose.position = at;
        Ok(())
    }

    /// Moves for one control period. Without a path the boat holds its pose while time passes.
    pub fn step(&mut self) -> StepReport {
        let mut report = StepReport::default();
        if let Some((track, time_s)) = &mut self.track {
            *time_s += 1.0 / self.settings.control_rate_hz;
            self.pose = track.at(*time_s);
            // Control periods do not add up exactly.
            if *time_s >= track.time_s() - 1e-9 {
                report.arrived = true;
                self.travelled_m += track.length_m();
                self.track = None;
            }
        }
        report.sample_due = self.timer.tick();
        report
    }

    /// Whether it has a path to follow.
    pub fn is_underway(&self) -> bool {
        self.track.is_some()
    }

    /// Where the boat is.
    pub fn state(&self) -> Pose {
        self.pose
    }

    /// Length of the track so far, m.
    pub fn travelled_m(&self) -> f64 {
        let on_this =
            (self.track.as_ref()).map_or(0.0, |(track, time_s)| track.distance_at(*time_s));
        self.travelled_m + on_this
    }

    /// Time under way, s.
    pub fn elapsed_s(&self) -> f64 {
        self.timer.elapsed_s()
    }
}
