//! What planners that search for a path of some length share: how long it may be, what it is worth, and what is driven of it.

use super::{Context, Plan};
use crate::Error;
use crate::geometry::{Position, Workspace};
use crate::inputs;
use crate::objective::Objective;
use crate::settings::MissionSettings;
use crate::travel::{Track, TravelModel};
use crate::vehicle::Pose;

/// Most readings that a path is judged by: those between them tell little more, and cost as much.
const MOST_READINGS: usize = 24;

/// How far to look ahead when nothing else is asked for, s.
const HORIZON_S: f64 = 40.0;

/// Judges paths of a limited time.
#[derive(Debug)]
pub(super) struct Ahead {
    pub(super) travel: TravelModel,
    pub(super) trials: usize,
    period_s: f64,
    horizon_s: f64,
    objective: Box<dyn Objective>,
}

impl Ahead {
    pub(super) fn of(settings: &MissionSettings, workspace: &Workspace) -> Result<Self, Error> {
        Ok(Self {
            travel: TravelModel::of(&settings.boat)?,
            trials: settings.planner.trials,
            period_s: 1.0 / settings.boat.sampling_rate_hz,
            horizon_s: settings.planner.horizon_s.unwrap_or(HORIZON_S),
            objective: settings.planner.objective(workspace)?,
        })
    }

    /// Where paths begin: a vehicle that has drifted out of the workspace is brought back first.
    pub(super) fn start(context: &Context<'_>) -> Pose {
        Pose {
            position: context.workspace.nearest(context.pose.position),
            ..context.pose
        }
    }

    /// The time that paths may take, s: the horizon, or what is left of the budget.
    pub(super) fn limit_s(&self, context: &Context<'_>) -> f64 {
        self.left_s(context).min(self.horizon_s)
    }

    fn left_s(&self, context: &Context<'_>) -> f64 {
        let speed_mps = self.travel.speed_mps();
        context
            .budget
            .left_s(&context.spent, speed_mps, self.period_s)
    }

    /// The time of a path, s, if it is within `limit_s` and there is enough left to come home from its end.
    pub(super) fn affordable_s(
        &self,
        context: &Context<'_>,
        corners: &[Position],
        limit_s: f64,
    ) -> Option<f64> {
        let start = Self::start(context);
        let time_s = self.travel.time_s(start, corners);
        let home_s = match (context.home, corners.last()) {
            (Some(home), Some(&end)) => {
                let mut whole = corners.to_vec();
                whole.extend(context.way(end, &[home]));
                self.travel.time_s(start, &whole)
            }
            _ => time_s,
        };
        (time_s <= limit_s && home_s <= self.left_s(context)).then_some(time_s)
    }

    /// What the readings along a path are worth together; `None` where it ends before the first.
    pub(super) fn worth(
        &self,
        context: &Context<'_>,
        corners: &[Position],
    ) -> Result<Option<f64>, Error> {
        let track = Track::new(&self.travel, Self::start(context), corners);
        let mut places = track.soundings(self.period_s, self.period_s);
        let step = places.len().div_ceil(MOST_READINGS).max(1);
        places = places.into_iter().skip(step - 1).step_by(step).collect();
        if places.is_empty() {
            return Ok(None);
        }
        let worth = self
            .objective
            .path(context.posterior()?, &inputs::places(&places)?)?;
        Ok((!worth.is_nan()).then_some(worth))
    }

    /// The best path, whose first leg is driven before the next is searched for; the way home where no path is affordable.
    pub(super) fn decide(
        &self,
        context: &Context<'_>,
        best: Option<(Vec<Position>, f64)>,
    ) -> Option<Plan> {
        let Some((corners, worth)) = best else {
            return context.homewards();
        };
        let first_leg = Track::new(&self.travel, Self::start(context), &corners[..1]);
        let driven_m = first_leg
            .length_m()
            .max(self.travel.speed_mps() * self.period_s);
        Some(Plan::along(corners).for_now(driven_m).scored(worth))
    }
}
