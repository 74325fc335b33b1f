//! What a mission acts in.

use serde::{Deserialize, Serialize};
use transect_gp::random::Randomness;

use crate::geometry::Position;
use crate::vehicle::Pose;
use crate::{Error, Sounding};

/// What the sensor gave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reading {
    /// A reading.
    Taken(Sounding),
    /// A reading was due, but none came.
    Lost,
}

/// Where a leg stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LegState {
    /// On the way.
    Underway,
    /// At the goal.
    Arrived,
    /// The goal cannot be reached.
    Stuck,
}

/// What happened on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advance {
    /// The reading, if one was due.
    pub reading: Option<Reading>,
    /// Where the leg stands now.
    pub leg: LegState,
}

/// Where a vehicle is, and what the way there took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Whereabouts {
    /// Where it is and where it points.
    pub pose: Pose,
    /// Length of the way so far, m.
    pub distance_m: f64,
    /// Time since the mission began, s.
    pub time_s: f64,
}

/// A vehicle with a sensor, somewhere: in a simulation, in the field, in a recorded log.
///
/// The loop does not know which. Random deviates are handed in for worlds that need them; a real one
/// takes none.
///
/// ```
/// use transect::geometry::Position;
/// use transect::gp::random::{Randomness, Stream};
/// use transect::mission::{Advance, LegState, Reading, Whereabouts, World};
/// use transect::vehicle::Pose;
/// use transect::{Error, Sounding};
///
/// /// Replays soundings in the order they were taken, wherever it is sent.
/// struct Log {
///     soundings: std::vec::IntoIter<Sounding>,
///     pose: Pose,
/// }
///
/// impl Log {
///     fn next(&mut self) -> Result<Sounding, Error> {
///         let next = self.soundings.next().ok_or_else(|| Error::World("the log is over".into()))?;
///         self.pose.position = next.position;
///         Ok(next)
///     }
/// }
///
/// impl World for Log {
///     fn sample_at(&mut self, _: Position, _: &mut dyn Randomness) -> Result<Reading, Error> {
///         self.next().map(Reading::Taken)
///     }
///     fn follow(&mut self, _: &[Position], _: &[f64]) -> Result<(), Error> {
///         Ok(())
///     }
///     fn advance(&mut self, _: &mut dyn Randomness) -> Result<Advance, Error> {
///         Ok(Advance { reading: Some(Reading::Taken(self.next()?)), leg: LegState::Underway })
///     }
///     fn whereabouts(&self) -> Whereabouts {
///         Whereabouts { pose: self.pose, distance_m: 0.0, time_s: 0.0 }
///     }
/// }
///
/// let sounding = Sounding { position: Position::new(1.0, 2.0), value: 3.0, time_s: 4.0 };
/// let pose = Pose { position: Position::default(), heading_rad: 0.0 };
/// let mut log = Log { soundings: vec![sounding].into_iter(), pose };
/// let reading = log.sample_at(sounding.position, &mut Stream::new(0))?;
/// assert_eq!(reading, Reading::Taken(sounding));
/// # Ok::<(), Error>(())
/// ```
pub trait World {
    /// Goes to `place`, however, and takes one reading there.
    ///
    /// # Errors
    /// When the world can no longer do so; this ends the mission.
    fn sample_at(
        &mut self,
        place: Position,
        randomness: &mut dyn Randomness,
    ) -> Result<Reading, Error>;

    /// Goes along `path` from now on, from place to place, instead of any other. The leg is over at its end; until another
    /// path is given, the vehicle goes on along this one.
    ///
    /// `times_s` says for each place how long from now the vehicle should take to it at least; empty: it goes as fast as it can. A vehicle that cannot choose its
    /// speed may ignore it.
    ///
    /// # Errors
    /// When the path is refused. The mission then plans again.
    fn follow(&mut self, path: &[Position], times_s: &[f64]) -> Result<(), Error>;

    /// Goes on until something happens, or for a while. Short advances keep budgets of distance and time
    /// more exactly.
    ///
    /// # Errors
    /// When the world can no longer do so; this ends the mission.
    fn advance(&mut self, randomness: &mut dyn Randomness) -> Result<Advance, Error>;

    /// The mission decides again before the path is over; the vehicle goes on along it meanwhile.
    fn deciding(&mut self) {}

    /// Where the vehicle is, and what the way there took.
    fn whereabouts(&self) -> Whereabouts;

    /// The vehicle has been called home, by its operator or for its own sake: the mission ends.
    fn recalled(&self) -> bool {
        false
    }
}

impl<W: World + ?Sized> World for Box<W> {
    fn sample_at(
        &mut self,
        place: Position,
        randomness: &mut dyn Randomness,
    ) -> Result<Reading, Error> {
        (**self).sample_at(place, randomness)
    }

    fn follow(&mut self, path: &[Position], times_s: &[f64]) -> Result<(), Error> {
        (**self).follow(path, times_s)
    }

    fn advance(&mut self, randomness: &mut dyn Randomness) -> Result<Advance, Error> {
        (**self).advance(randomness)
    }

    fn deciding(&mut self) {
        (**self).deciding();
    }

    fn whereabouts(&self) -> Whereabouts {
        (**self).whereabouts()
    }

    fn recalled(&self) -> bool {
        (**self).recalled()
    }
}
