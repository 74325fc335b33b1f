//! The best next leg: information against distance (the paper's algorithm 2).

use super::tempered::Tempered;
use super::{Context, Plan, Planner, candidates};
use crate::Error;
use crate::geometry::{Position, Workspace};
use crate::inputs;
use crate::objective::{Objective, less_distance};
use crate::planner::PlanError;
use crate::settings::MissionSettings;

/// Most ways around corners that are looked for, best candidate first.
const MOST_ROUTES: usize = 20;

/// Drives to the candidate with the highest normalised score less weighted normalised distance.
///
/// Where legs must stay inside the workspace only candidates in sight count. When none is, the vehicle
/// takes the first leg of the way to the best of all.
#[derive(Debug)]
pub struct Myopic {
    candidates: usize,
    objective: Box<dyn Objective>,
    distance_weight: f64,
    tempering: f64,
}

impl Myopic {
    /// Chooses among this many candidates; the paper's weight of distance is 1.
    pub fn new(candidates: usize, objective: Box<dyn Objective>, distance_weight: f64) -> Self {
        Self {
            candidates,
            objective,
            distance_weight,
            tempering: 0.0,
        }
    }

    /// Adds `tempering` to variances, in units of the readings' variance, before their worth is judged. The larger it is, the more a
    /// place far from all readings stands out from one that is not so far. The paper adds nothing: its models start with a noise of 1.
    #[must_use]
    pub fn tempered(mut self, tempering: f64) -> Self {
        self.tempering = tempering;
        self
    }

    pub(super) fn build(
        settings: &MissionSettings,
        workspace: &Workspace,
    ) -> Result<Box<dyn Planner>, Error> {
        let planner = &settings.planner;
        let objective = planner.objective(workspace)?;
        let myopic = Self::new(planner.candidates, objective, planner.distance_weight);
        Ok(Box::new(myopic.tempered(planner.tempering)))
    }

    fn scores(&self, context: &mut Context<'_>, places: &[Position]) -> Result<Vec<f64>, Error> {
        let known = Tempered::new(context.posterior()?, self.tempering);
        let scores = self.objective.each(&known, &inputs::places(places)?)?;
        let here = context.pose.position;
        let distances_m: Vec<f64> = places.iter().map(|p| here.distance_to(*p)).collect();
        Ok(less_distance(&scores, &distances_m, self.distance_weight))
    }
}

impl Planner for Myopic {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        let all = candidates::uniform(context, self.candidates)?;
        let in_sight: Vec<Position> = all
            .iter()
            .copied()
            .filter(|&p| context.in_sight(p))
            .collect();
        let places = if in_sight.is_empty() { all } else { in_sight };
        let scores = self.scores(context, &places)?;
        let mut order: Vec<usize> = (0..places.len()).filter(|&i| !scores[i].is_nan()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(b.cmp(&a)));
        if order.is_empty() {
            return Err(PlanError::NoScore.into());
        }
        // In sight, this is the best itself.
        let plan = |&i: &usize| {
            let corner = context.first_corner(places[i])?;
            Some(Plan::drive(corner).scored(scores[i]))
        };
        let here = context.pose.position;
        let found = order.iter().take(MOST_ROUTES).find_map(plan);
        found
            .map(Some)
            .ok_or(Error::Plan(PlanError::NoWay { from: here }))
    }
}
