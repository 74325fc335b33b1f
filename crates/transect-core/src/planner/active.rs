//! The most informative of many random places.

use super::{Context, Plan, Planner, candidates};
use crate::Error;
use crate::geometry::Workspace;
use crate::inputs;
use crate::objective::Objective;
use crate::planner::PlanError;
use crate::settings::MissionSettings;

/// Samples where the objective is highest, however far away.
#[derive(Debug)]
pub struct Active {
    candidates: usize,
    objective: Box<dyn Objective>,
}

impl Active {
    /// Chooses among this many candidates.
    pub fn new(candidates: usize, objective: Box<dyn Objective>) -> Self {
        Self {
            candidates,
            objective,
        }
    }

    pub(super) fn build(
        settings: &MissionSettings,
        workspace: &Workspace,
    ) -> Result<Box<dyn Planner>, Error> {
        let planner = &settings.planner;
        Ok(Box::new(Self::new(
            planner.candidates,
            planner.objective(workspace)?,
        )))
    }
}

impl Planner for Active {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        let places = candidates::uniform(context, self.candidates)?;
        let known = context.posterior()?;
        let scores = self.objective.each(known, &inputs::places(&places)?)?;
        let best = candidates::best(&scores).ok_or(PlanError::NoScore)?;
        Ok(Some(Plan::jump(places[best]).scored(scores[best])))
    }
}
