//! The most informative of many random places.

use super::{Context, Go, Plan, Planner, candidates};
use crate::Error;
use crate::geometry::Workspace;
use crate::objective::Objective;
use crate::settings::MissionSettings;

/// Samples where the objective is highest, however far away.
#[derive(Debug)]
pub struct Active {
    candidates: usize,
    objective: Box<dyn Objective>,
}

impl Active {
    /// Chooses among so many candidates.
    pub fn new(candidates: usize, objective: Box<dyn Objective>) -> Self {
        Self {
            candidates,
            objective,
        }
    }

    pub(super) fn build(
        settings: &MissionSettings,
        _: &Workspace,
    ) -> Result<Box<dyn Planner>, Error> {
        let planner = &settings.planner;
        Ok(Box::new(Self::new(
            planner.candidates,
            planner.objective()?,
        )))
    }
}

impl Planner for Active {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        let places = candidates::uniform(context, self.candidates)?;
        let prediction = candidates::predict_at(context, &places)?;
        let scores = self.objective.score(&prediction);
        let best = candidates::best(&scores).ok_or(Error::NoScore)?;
        Ok(Some(Plan {
            go: Go::Jump(places[best]),
            score: Some(scores[best]),
        }))
    }
}
