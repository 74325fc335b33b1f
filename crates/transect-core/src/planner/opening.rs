//! The survey before there is a model: a coarse pass over the whole area that later lines can refine between.

use super::{Context, Plan, Planner};
use crate::Error;
use crate::lawnmower::Lawnmower as Lines;
use crate::settings::MissionSettings;
use crate::travel::TravelModel;
use crate::vehicle::Pose;

/// Drives parallel lines over the whole area in a share of what is left of the budget, once.
#[derive(Debug)]
pub struct Opening {
    travel: TravelModel,
    period_s: f64,
    share: f64,
    driven: bool,
}

impl Opening {
    /// With this share of the budget, in (0, 1].
    pub fn new(travel: TravelModel, period_s: f64, share: f64) -> Self {
        Self {
            travel,
            period_s,
            share,
            driven: false,
        }
    }

    /// The opening of a mission.
    ///
    /// # Errors
    /// If no boat can have the settings.
    pub(crate) fn of(settings: &MissionSettings) -> Result<Self, Error> {
        let period_s = 1.0 / settings.boat.sampling_rate_hz;
        let travel = TravelModel::of(&settings.boat)?;
        // A lawnmower is all lines: it needs no other ones before.
        let share = if settings.planner.name == "lawnmower" {
            1.0
        } else {
            settings.pilot.share
        };
        Ok(Self::new(travel, period_s, share))
    }
}

impl Planner for Opening {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        if self.driven {
            return Ok(None);
        }
        self.driven = true;
        let left_s = context
            .budget
            .left_s(&context.spent, self.travel.speed_mps(), self.period_s);
        let start = Pose {
            position: context.workspace.nearest(context.pose.position),
            ..context.pose
        };
        let lines = Lines::in_time(context.workspace, &self.travel, start, self.share * left_s)?;
        Ok(Some(Plan::along(lines.path(context.workspace))))
    }
}
