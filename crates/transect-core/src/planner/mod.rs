//! Where to measure next.
//!
//! - [`Planner`]: decides on a path of one or more legs; [`Context`] is what it may look at
//! - [`Random`], [`Active`]: sample anywhere (the vehicle jumps)
//! - [`Myopic`]: drive to the best trade-off between information and distance
//! - [`Lawnmower`]: parallel lines, without a model
//! - [`Tour`]: the path that leaves least to be known of the whole map
//! - [`RigTree`], [`TreeSearch`], [`Evolution`]: search for the path of some length whose readings an objective holds most worth
//! - [`Opening`], [`Pilot`]: coarse lines or a Bézier curve, before there is a model
//! - [`PLANNERS`]: all of them by name

mod active;
mod ahead;
mod candidates;
mod error;
mod evolution;
mod lawnmower;
mod myopic;
mod opening;
mod pilot;
mod random;
mod rig_tree;
mod tempered;
mod tour;
mod tree_search;

pub use active::Active;
pub use candidates::{best, uniform};
pub use error::PlanError;
pub use evolution::Evolution;
pub use lawnmower::Lawnmower;
pub use myopic::Myopic;
pub use opening::Opening;
pub use pilot::Pilot;
pub use random::Random;
pub use rig_tree::RigTree;
pub use tour::Tour;
pub use tree_search::TreeSearch;

use std::fmt::Debug;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use transect_gp::random::Randomness;

use crate::budget::{Budget, Spent};
use crate::geometry::{Position, Workspace};
use crate::posterior::Posterior;
use crate::registry::Registry;
use crate::settings::MissionSettings;
use crate::vehicle::Pose;
use crate::{Error, Sounding};

/// Closer to home than this is at home, m.
const AT_HOME_M: f64 = 0.1;

/// How a vehicle gets from place to place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Travel {
    /// One reading at each place; the way does not matter.
    #[default]
    Jump,
    /// Readings on the way, at the vehicle's sampling rate.
    Drive,
}

/// What a planner decided: a path of one or more places to go to, one after the other.
///
/// ```
/// use transect::geometry::Position;
/// use transect::planner::Plan;
/// let places = [Position::new(3.0, 0.0), Position::new(3.0, 4.0)];
/// // Along both legs; after 5 m learn, and decide again while the rest is being driven.
/// let plan = Plan::along(places.to_vec()).for_now(5.0);
/// assert_eq!(plan.goal(), Some(places[1]));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// How to get there.
    pub travel: Travel,
    /// Where to go, in order.
    pub path: Vec<Position>,
    /// How long from now the vehicle should take to each place at least, s: it goes slower where it would be there earlier. Empty: full speed all the way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times_s: Vec<f64>,
    /// Length of the way, m, after which the mission learns and plans again, while the vehicle goes on along the path. When left
    /// out, it does so at the end of the path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decide_after_m: Option<f64>,
    /// The score that won, where the planner compares scores.
    pub score: Option<f64>,
}

impl Plan {
    /// One reading at `place`; the way does not matter.
    pub fn jump(place: Position) -> Self {
        Self {
            travel: Travel::Jump,
            ..Self::along(vec![place])
        }
    }

    /// Straight to `goal`, with readings on the way.
    pub fn drive(goal: Position) -> Self {
        Self::along(vec![goal])
    }

    /// From place to place, with readings on the way.
    pub fn along(path: Vec<Position>) -> Self {
        Self {
            travel: Travel::Drive,
            path,
            times_s: Vec::new(),
            decide_after_m: None,
            score: None,
        }
    }

    /// The same plan, with at least this time to each of its places, s.
    #[must_use]
    pub fn in_times(mut self, times_s: Vec<f64>) -> Self {
        self.times_s = times_s;
        self
    }

    /// The same plan, to be decided again after this length of the way, m.
    #[must_use]
    pub fn for_now(mut self, distance_m: f64) -> Self {
        self.decide_after_m = Some(distance_m);
        self
    }

    /// The same plan with the score that won.
    #[must_use]
    pub fn scored(mut self, score: f64) -> Self {
        self.score = Some(score);
        self
    }

    /// Where it ends.
    pub fn goal(&self) -> Option<Position> {
        self.path.last().copied()
    }
}

/// What a planner may look at.
pub struct Context<'a> {
    /// What is known; nothing during the pilot survey.
    pub known: Option<Arc<dyn Posterior>>,
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
    /// Where the vehicle must be when the budget is used up; anywhere if nowhere is given.
    pub home: Option<Position>,
    /// Soundings from before the mission.
    pub prior: &'a [Sounding],
    /// The mission's own soundings so far.
    pub soundings: &'a [Sounding],
}

impl Context<'_> {
    /// What is known.
    ///
    /// # Errors
    /// During the pilot survey.
    pub fn posterior(&self) -> Result<&dyn Posterior, Error> {
        self.known.as_deref().ok_or(Error::Plan(PlanError::NoModel))
    }

    /// All soundings there are, those from before the mission first.
    pub fn measured(&self) -> impl Iterator<Item = &Sounding> {
        self.prior.iter().chain(self.soundings)
    }

    /// Whether a vehicle here may head straight for `goal`.
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

    /// The way through `corners` with those that legs must take to stay inside; what cannot be reached is left out.
    pub fn way(&self, start: Position, corners: &[Position]) -> Vec<Position> {
        let mut path: Vec<Position> = Vec::with_capacity(corners.len());
        let mut from = start;
        for &corner in corners {
            if !self.stay_inside || self.workspace.contains_segment(from, corner) {
                path.push(corner);
                from = corner;
            } else if let Some(route) = self.workspace.route(from, corner) {
                path.extend(route);
                from = corner;
            }
        }
        path
    }

    /// The way home; none where the vehicle is there, or has no home to come to.
    pub fn homewards(&self) -> Option<Plan> {
        let start = self.workspace.nearest(self.pose.position);
        let home = self.home.filter(|h| start.distance_to(*h) > AT_HOME_M)?;
        let path = self.way(start, &[home]);
        (!path.is_empty()).then(|| Plan::along(path))
    }
}

/// Decides where to measure next.
///
/// `CONTRIBUTING.md` walks through a new one; `examples/custom_planner.rs` is one to copy.
///
/// ```
/// use transect::geometry::Position;
/// use transect::planner::{Context, Plan, Planner};
///
/// /// Measures at one place for ever, as a moored buoy does.
/// #[derive(Debug)]
/// struct Buoy(Position);
///
/// impl Planner for Buoy {
///     fn plan(&mut self, _: &mut Context<'_>) -> Result<Option<Plan>, transect::Error> {
///         Ok(Some(Plan::jump(self.0)))
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

/// Every planner by name. A new planner is one file and one line here, or `PLANNERS.register` from outside.
pub static PLANNERS: Registry<Build> = Registry::new(
    "planner.name",
    &[
        ("random", Random::build),
        ("active", Active::build),
        ("myopic", Myopic::build),
        ("tour", Tour::build),
        ("rig-tree", RigTree::build),
        ("mcts", TreeSearch::build),
        ("cma-es", Evolution::build),
        ("lawnmower", Lawnmower::build),
        ("pilot", Pilot::build),
    ],
);
