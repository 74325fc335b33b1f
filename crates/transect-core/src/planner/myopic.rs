//! The best next leg: information against distance (the paper's algorithm 2).

use super::{Context, Go, Plan, Planner, candidates};
use crate::Error;
use crate::geometry::{Position, Workspace};
use crate::objective::{Objective, less_distance};
use crate::settings::MissionSettings;

/// Ways around corners that are looked for at most, best candidate first.
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
}

impl Myopic {
    /// Chooses among so many candidates; the paper's weight of distance is 1.
    pub fn new(candidates: usize, objective: Box<dyn Objective>, distance_weight: f64) -> Self {
        Self {
            candidates,
            objective,
            distance_weight,
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
            planner.distance_weight,
        )))
    }

    fn scores(&self, context: &mut Context<'_>, places: &[Position]) -> Result<Vec<f64>, Error> {
        let prediction = candidates::predict_at(context, places)?;
        let here = context.pose.position;
        let distances_m: Vec<f64> = places.iter().map(|p| here.distance_to(*p)).collect();
        Ok(less_distance(
            &self.objective.score(&prediction),
            &distances_m,
            self.distance_weight,
        ))
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
            return Err(Error::NoScore);
        }
        // In sight, this is the best itself.
        let plan = |&i: &usize| {
            let corner = context.first_corner(places[i])?;
            Some(Plan {
                go: Go::Drive(corner),
                score: Some(scores[i]),
            })
        };
        let here = context.pose.position;
        let found = order.iter().take(MOST_ROUTES).find_map(plan);
        found.map(Some).ok_or(Error::NoWay { from: here })
    }
}
