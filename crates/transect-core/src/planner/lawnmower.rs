//! Parallel lines, back and forth: the survey that adaptive ones are measured against.

use super::{Context, Plan, Planner};
use crate::Error;
use crate::geometry::{Position, Workspace};
use crate::lawnmower::Lawnmower as Lines;
use crate::settings::MissionSettings;
use crate::travel::TravelModel;
use crate::vehicle::Pose;

/// Drives a [`lawnmower`](crate::lawnmower) track once, around obstacles where the straight way is
/// blocked.
///
/// Without a spacing the lines are as close as what is left of the budget allows when the survey begins: they end, with the area covered
/// once, when it does.
#[derive(Debug)]
pub struct Lawnmower {
    spacing_m: Option<f64>,
    travel: TravelModel,
    period_s: f64,
    /// What is still to be driven; laid out when first asked.
    path: Option<Vec<Position>>,
}

impl Lawnmower {
    /// Lines this far apart, m, or as the budget allows, for a vehicle that travels so and takes a sounding every `period_s`.
    pub fn new(spacing_m: Option<f64>, travel: TravelModel, period_s: f64) -> Self {
        Self {
            spacing_m,
            travel,
            period_s,
            path: None,
        }
    }

    pub(super) fn build(
        settings: &MissionSettings,
        _: &Workspace,
    ) -> Result<Box<dyn Planner>, Error> {
        let period_s = 1.0 / settings.boat.sampling_rate_hz;
        Ok(Box::new(Self::new(
            settings.planner.line_spacing_m,
            TravelModel::of(&settings.boat)?,
            period_s,
        )))
    }

    fn laid_out(&self, context: &Context<'_>) -> Result<Vec<Position>, Error> {
        let lines = match self.spacing_m {
            Some(spacing_m) => Lines::with_spacing(context.workspace, spacing_m)?,
            None => {
                let left_s =
                    (context.budget).left_s(&context.spent, self.travel.speed_mps(), self.period_s);
                let start = Pose {
                    position: context.workspace.nearest(context.pose.position),
                    ..context.pose
                };
                Lines::in_time(context.workspace, &self.travel, start, left_s)?
            }
        };
        Ok(lines.path(context.workspace))
    }
}

impl Planner for Lawnmower {
    /// The whole path at once; when it was broken off, from the next line on.
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        if self.path.is_none() {
            self.path = Some(self.laid_out(context)?);
        }
        let mut path = std::mem::take(&mut self.path).unwrap_or_default();
        self.path = Some(Vec::new());
        if let Some(&first) = path.first()
            && !context.in_sight(first)
        {
            let from = context.workspace.nearest(context.pose.position);
            let mut way = context.workspace.route(from, first).unwrap_or_default();
            way.extend(path.drain(1..));
            path = way;
        }
        Ok(if path.is_empty() {
            None
        } else {
            Some(Plan::along(path))
        })
    }
}
