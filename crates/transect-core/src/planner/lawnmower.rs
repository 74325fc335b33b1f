//! Parallel lines, back and forth: the survey that adaptive ones are measured against.

use super::{Context, Plan, Planner};
use crate::Error;
use crate::budget::{Budget, Spent};
use crate::geometry::Workspace;
use crate::lawnmower::Lawnmower as Track;
use crate::settings::MissionSettings;
use crate::vehicle::BoatSettings;

/// Drives a [`lawnmower`](crate::lawnmower) track once, around obstacles where the straight way is
/// blocked.
///
/// Without a spacing the track is as long as what is left of the budget allows when the survey begins.
#[derive(Debug)]
pub struct Lawnmower {
    spacing_m: Option<f64>,
    boat: BoatSettings,
    track: Option<Track>,
    next: usize,
}

impl Lawnmower {
    /// Lines this far apart, m, or as the budget allows; `boat` decides how far it gets in a given time.
    pub fn new(spacing_m: Option<f64>, boat: BoatSettings) -> Self {
        Self {
            spacing_m,
            boat,
            track: None,
            next: 0,
        }
    }

    pub(super) fn build(
        settings: &MissionSettings,
        _: &Workspace,
    ) -> Result<Box<dyn Planner>, Error> {
        let spacing_m = settings.planner.line_spacing_m;
        Ok(Box::new(Self::new(spacing_m, settings.boat)))
    }

    fn laid_out(&self, context: &Context<'_>) -> Result<Track, Error> {
        match self.spacing_m {
            Some(spacing_m) => Track::with_spacing(context.workspace, spacing_m),
            None => {
                let length_m = reach_m(context.budget, &context.spent, &self.boat);
                Track::with_length(context.workspace, length_m)
            }
        }
    }
}

impl Planner for Lawnmower {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        if self.track.is_none() {
            self.track = Some(self.laid_out(context)?);
        }
        let waypoints = self.track.as_ref().map_or(&[][..], Track::waypoints);
        while let Some(&goal) = waypoints.get(self.next) {
            let corner = context.first_corner(goal);
            if corner.is_none_or(|corner| corner == goal) {
                self.next += 1;
            }
            if let Some(corner) = corner {
                return Ok(Some(Plan::drive(corner)));
            }
        }
        Ok(None)
    }
}

/// How far the boat gets on what is left, m.
fn reach_m(budget: &Budget, spent: &Spent, boat: &BoatSettings) -> f64 {
    let per_sounding_m = boat.max_speed_mps / boat.sampling_rate_hz;
    let limits = [
        budget
            .soundings
            .map(|n| n.saturating_sub(spent.soundings) as f64 * per_sounding_m),
        budget.distance_m.map(|limit| limit - spent.distance_m),
        budget
            .time_s
            .map(|limit| (limit - spent.time_s) * boat.max_speed_mps),
    ];
    limits.into_iter().flatten().fold(f64::INFINITY, f64::min)
}
