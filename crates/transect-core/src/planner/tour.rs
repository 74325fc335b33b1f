//! A tour of what is not known: see [`crate::tour`].

use super::{Context, Plan, Planner};
use crate::Error;
use crate::geometry::{Position, Workspace};
use crate::inputs;
use crate::settings::{MissionSettings, PlannerSettings};
use crate::tour::{Demand, Lattice, Tour as Search};
use crate::travel::{Track, TravelModel};
use crate::vehicle::Pose;

/// The least that is driven before the next is planned, in soundings.
const LEAST_SOUNDINGS: f64 = 20.0;
/// A map whose standard deviation is this share of the readings' everywhere is done.
const DONE: f64 = 1e-4;

/// Looks at all that is left of the budget: the path that leaves least to be known of the whole map, the first part of which is
/// driven before the next is planned.
///
/// Variances are those of the map's error bars, as wide as errors have been. After an opening that went everywhere these tell where the ground is
/// rough; a planner that begins with a corner of the area must not look at them.
#[derive(Debug)]
pub struct Tour {
    travel: TravelModel,
    period_s: f64,
    settings: PlannerSettings,
    last: Option<Last>,
}

/// The tour before.
#[derive(Debug)]
struct Last {
    start: Pose,
    path: Vec<Position>,
    /// Way of the mission when it began, m.
    begun_m: f64,
}

impl Tour {
    /// For a vehicle that travels so and takes a sounding every `period_s`.
    pub fn new(travel: TravelModel, period_s: f64, settings: PlannerSettings) -> Self {
        Self {
            travel,
            period_s,
            settings,
            last: None,
        }
    }

    pub(super) fn build(
        settings: &MissionSettings,
        _: &Workspace,
    ) -> Result<Box<dyn Planner>, Error> {
        let travel = TravelModel::of(&settings.boat)?;
        let period_s = 1.0 / settings.boat.sampling_rate_hz;
        Ok(Box::new(Self::new(
            travel,
            period_s,
            settings.planner.clone(),
        )))
    }

    /// What is left of the tour before: the corners that have not been passed.
    fn remainder(&self, context: &Context<'_>) -> Vec<Position> {
        let Some(last) = &self.last else {
            return Vec::new();
        };
        let driven_m = context.spent.distance_m - last.begun_m;
        let passed = |corners: &[Position]| {
            Track::new(&self.travel, last.start, corners).length_m() <= driven_m
        };
        let ahead = (1..=last.path.len()).find(|&k| !passed(&last.path[..k]));
        ahead.map_or(Vec::new(), |k| last.path[k - 1..].to_vec())
    }

    /// What the area asks for.
    fn demand(&self, context: &Context<'_>) -> Result<Demand, Error> {
        let known = context.posterior()?;
        let lattice = Lattice::over(context.workspace.bounds(), Lattice::ASKED);
        let inside = lattice.inside(context.workspace);
        let mut variances = vec![f64::NAN; lattice.len()];
        if !inside.is_empty() {
            let places: Vec<Position> = inside.iter().map(|&cell| lattice.place(cell)).collect();
            let bars = known.forecast(&inputs::places(&places)?)?.surface.moments();
            for (&cell, std) in inside.iter().zip(&bars.std) {
                variances[cell] = std * std;
            }
        }
        let measured: Vec<Position> = context.measured().map(|s| s.position).collect();
        let enough = self
            .settings
            .enough_std
            .unwrap_or(0.0)
            .max(DONE * known.unit());
        Ok(Demand::new(
            context.workspace,
            &measured,
            (&lattice, &variances),
            enough * enough,
        ))
    }
}

impl Planner for Tour {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        let left_s = context
            .budget
            .left_s(&context.spent, self.travel.speed_mps(), self.period_s);
        let start = Pose {
            position: context.workspace.nearest(context.pose.position),
            ..context.pose
        };
        // Too little for another sounding.
        if left_s < self.period_s {
            return Ok(None);
        }
        let demand = self.demand(context)?;
        // Without a limit there is no end to plan for: as much as would lead through every place once.
        let area_m2 = context.workspace.bounds().area();
        let whole_s = (area_m2 * Lattice::ASKED as f64).sqrt() / self.travel.speed_mps();
        let left_s = if left_s.is_finite() { left_s } else { whole_s };
        // Whoever must be home in time looks at all of it.
        let horizon_s = self.settings.horizon_s.filter(|_| context.home.is_none());
        let ahead_s = left_s.min(horizon_s.unwrap_or(f64::INFINITY));
        let search = Search {
            demand: &demand,
            workspace: context.workspace,
            travel: &self.travel,
            start,
            home: context.home,
            left_s: ahead_s,
            refine: self.settings.refine,
            period_s: self.period_s,
        };
        let planned = search.plan(&self.remainder(context));
        let mut corners = planned.corners;
        let mut path = context.way(start.position, &corners);
        // Ways around islands are longer than the straight ones that were planned; whoever must be home in time leaves something out.
        if context.home.is_some() {
            // What legs must take to stay inside comes back each time: only corners of the tour itself can be left out.
            while corners.len() > 1 && self.travel.time_s(start, &path) > left_s {
                corners.remove(corners.len() - 2);
                path = context.way(start.position, &corners);
            }
        }
        let track = Track::new(&self.travel, start, &path);
        if path.is_empty() || track.time_s() < self.period_s {
            return Ok(context.homewards());
        }
        let length_m = track.length_m();
        let least_m = LEAST_SOUNDINGS * self.period_s * self.travel.speed_mps();
        self.last = Some(Last {
            start,
            path: path.clone(),
            begun_m: context.spent.distance_m,
        });
        let driven_m = (self.settings.replan_share * length_m).max(least_m);
        Ok(Some(
            Plan::along(path).for_now(driven_m).scored(planned.worth),
        ))
    }
}
