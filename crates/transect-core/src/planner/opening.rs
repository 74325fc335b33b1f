//! The survey before there is a model: a coarse pass over the whole area that later lines can refine between.
//!
//! Where the way is too short for a coarse pass and anything worth having after it, the lines are the survey.

use super::{Context, Plan, Planner};
use crate::Error;
use crate::lawnmower::Lawnmower as Lines;
use crate::settings::MissionSettings;
use crate::travel::TravelModel;
use crate::vehicle::Pose;

/// With less way than this many times the width of the area (the root of its size) all of it goes into the lines. On built-in terrains of 400 m, tours left
/// more to be known than lines at 4.5 and 6 widths, and less at 9 and more.
const FEWEST_WIDTHS: f64 = 7.0;
/// Attempts to leave time for the way home.
const ATTEMPTS: usize = 8;

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
        let widths = left_s * self.travel.speed_mps() / context.workspace.area().sqrt();
        let mut time_s = if widths < FEWEST_WIDTHS {
            left_s
        } else {
            self.share * left_s
        };
        let mut path = Vec::new();
        for _ in 0..ATTEMPTS {
            path = Lines::in_time(context.workspace, &self.travel, start, time_s)?
                .path(context.workspace);
            let Some(home) = context.home else {
                break;
            };
            let last = path.last().copied().unwrap_or(start.position);
            let mut whole = path.clone();
            whole.extend(context.way(last, &[home]));
            let late_s = self.travel.time_s(start, &whole) - left_s;
            if late_s <= 0.0 || late_s >= time_s {
                break;
            }
            time_s -= late_s;
        }
        Ok(Some(Plan::along(path)))
    }
}
