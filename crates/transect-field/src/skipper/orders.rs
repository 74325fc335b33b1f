//! What a mission and a skipper say to each other.

use std::fmt;

use serde::{Deserialize, Serialize};
use transect::fence::Limit;
use transect::geometry::Position;
use transect::mission::{LegState, Reading, Whereabouts};

/// What a mission asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Drive there, straight, and stop there.
    Go(Position),
    /// Drive through these places one after the other, without stopping at any but the last, in place of any other path. A
    /// path that begins with the place that the vehicle is heading for goes on with it.
    Follow(Vec<Position>),
    /// Drive through these places after those of the path that is being followed.
    Append(Vec<Position>),
    /// Come home, and be left there as set.
    ComeHome(HomeReason),
    /// Stop where the vehicle is and disarm.
    StopNow,
}

/// Why a vehicle goes home.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HomeReason {
    /// The mission has nothing more to do.
    MissionOver,
    /// The time that is left is needed for the way home.
    Time,
    /// The way that is left is needed for the way home.
    Distance,
    /// The battery that is left is needed for the way home.
    Battery,
    /// All soundings are taken.
    Soundings,
    /// The map is as good as was asked.
    GoodEnough,
    /// The operator wants it back.
    Operator,
}

impl fmt::Display for HomeReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MissionOver => "the mission is over",
            Self::Time => "the time that is left is needed for the way home",
            Self::Distance => "the way that is left of the budget is needed for the way home",
            Self::Battery => "the battery that is left is needed for the way home",
            Self::Soundings => "all soundings of the budget are taken",
            Self::GoodEnough => "the map is as good as asked",
            Self::Operator => "the operator calls it home",
        })
    }
}

impl From<Limit> for HomeReason {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Time => Self::Time,
            Limit::Distance => Self::Distance,
            Limit::Battery => Self::Battery,
        }
    }
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conclusion {
    /// At home, and left there as set.
    Home,
    /// The link was lost and did not come back.
    LinkGone,
    /// The operator stopped it where it was, and it has confirmed that.
    Stopped,
    /// The operator stopped it, and nobody knows whether it heard that.
    Unconfirmed,
    /// The vehicle never became ready.
    NotReady,
    /// Somebody else took over and did not give it back.
    TakenOver,
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Home => "the vehicle is home",
            Self::LinkGone => {
                "the link to the vehicle is gone; its own failsafe decides where it goes"
            }
            Self::Stopped => "stopped by the operator: the vehicle has confirmed that it is stopped",
            Self::Unconfirmed => {
                "the operator stopped it, but the vehicle has not confirmed that: it may still be under way"
            }
            Self::NotReady => "the vehicle did not become ready",
            Self::TakenOver => "somebody else has the vehicle and did not give it back",
        })
    }
}

/// What a skipper tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Report {
    /// The vehicle can be sent places, for the first time.
    Ready,
    /// A reading was taken, or was due and did not come.
    Reading(Reading),
    /// A place of a path was passed; the vehicle is heading for the next one.
    Passed {
        /// The place.
        goal: Position,
        /// How many are still to come.
        left: usize,
    },
    /// The leg or path is over.
    LegOver(LegState),
    /// The vehicle is on its way home; no more legs.
    Recalled(HomeReason),
    /// All is over.
    Concluded(Conclusion),
    /// Nothing happened for a while.
    Nothing,
}

/// A report, and where the vehicle was.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Told {
    /// What.
    pub report: Report,
    /// Where.
    pub vehicle: Whereabouts,
}
