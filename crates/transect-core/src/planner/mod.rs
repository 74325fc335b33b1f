//! Where to measure next.
//!
//! - [`Planner`]: decides, one leg or sample at a time; [`Context`] is what it may look at
//! - [`Random`], [`Active`]: sample anywhere (the vehicle jumps)
//! - [`Myopic`]: drive to the best trade-off between information and distance
//! - [`Lawnmower`]: parallel lines, without a model
//! - [`Pilot`]: the Bézier curve that every mission starts with
//! - [`PLANNERS`]: all of them by name

mod active;
mod candidates;
mod lawnmower;
mod myopic;
mod pilot;
mod random;

pub use active::Active;
pub use candidates::{best, predict_at, uniform};
pub use lawnmower::Lawnmower;
pub use myopic::Myopic;
pub use pilot::Pilot;
pub use random::Random;

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transect_gp::random::Randomness;

use crate::Error;
use crate::budget::{Budget, Spent};
use crate::geometry::{Position, Workspace};
use crate::model::Model;
use crate::settings::MissionSettings;
use crate::vehicle::Pose;

/// How to get to the next measurement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Go {
    /// Take one reading there; the way does not matter.
    Jump(Position),
    /// Drive there and take readings on the way.
    Drive(Position),
}

impl Go {
    /// Where to.
    pub fn goal(&self) -> Position {
        match *self {
            Self::Jump(goal) | Self::Drive(goal) => goal,
        }
    }
}

/// What a planner decided.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// Where to go, and how.
    pub go: Go,
    /// The score that won, where the planner compares scores.
    pub score: Option<f64>,
}

/// What a planner may look at.
pub struct Context<'a> {
    /// The model so far; none during the pilot survey.
    pub model: Option<&'a mut Model>,
    /// The area of the survey.
    pub workspace: &'a Workspace,
    /// Straight legs must stay inside the workspace.
    pub stay_inside: bool,
    /// Where the vehicle is.
    pub pose: Pose,
    /// The mission's random stream.
    pub randomness: &'a mut dyn Randomness,
    /// What may be spent.
    pub budget: &'a Budget,
    /// What has been spent.
    pub spent: Spent,
}

impl Context<'_> {
    /// A vehicle here may head straight for `goal`.
    ///
    /// A vehicle that has drifted out of the workspace is judged from the nearest point inside.
    pub fn in_sight(&self, goal: Position) -> bool {
        !self.stay_inside || {
            let from = self.workspace.nearest(self.pose.position);
            self.workspace.contains_segment(from, goal)
        }
    }

    /// The first corner of the way to `goal` inside the workspace; `goal` itself where it is in sight,
    /// none where no way is known.
    pub fn first_corner(&self, goal: Position) -> Option<Position> {
        if self.in_sight(goal) {
            return Some(goal);
        }
        let from = self.workspace.nearest(self.pose.position);
        self.workspace.route(from, goal)?.first().copied()
    }
}

/// Decides where to measure next.
///
/// `CONTRIBUTING.md` walks through a new one; `examples/custom_planner.rs` is one to copy.
///
/// ```
/// use transect::geometry::Position;
/// use transect::planner::{Context, Go, Plan, Planner};
///
/// /// Measures at one place for ever, as a moored buoy does.
/// #[derive(Debug)]
/// struct Buoy(Position);
///
/// impl Planner for Buoy {
///     fn plan(&mut self, _: &mut Context<'_>) -> Result<Option<Plan>, transect::Error> {
///         Ok(Some(Plan { go: Go::Jump(self.0), score: None }))
///     }
/// }
/// ```
pub trait Planner: Debug + Send {
    /// Where to go next, or `None` when the survey is complete.
    ///
    /// # Errors
    /// When it cannot decide. A mission survives this: it says so and goes to a random place instead.
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error>;
}

/// Makes a planner for checked settings.
pub type Build = fn(&MissionSettings, &Workspace) -> Result<Box<dyn Planner>, Error>;

/// Every planner by name. A new planner is one file and one line here.
pub const PLANNERS: &[(&str, Build)] = &[
    ("random", Random::build),
    ("active", Active::build),
    ("myopic", Myopic::build),
    ("lawnmower", Lawnmower::build),
    ("pilot", Pilot::build),
];
