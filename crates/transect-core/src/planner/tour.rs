//! A tour of what is not known: see [`crate::tour`].

use super::{Context, Plan, Planner};
use crate::Error;
use crate::budget::{Budget, Spent};
use crate::geometry::{Position, Workspace};
use crate::inputs;
use crate::settings::{MissionSettings, PlannerSettings};
use crate::tour::{Demand, Lattice, Planned, Tour as Search};
use crate::travel::{Track, TravelModel};
use crate::vehicle::Pose;

/// The least that is driven before the next is planned, in soundings.
const LEAST_SOUNDINGS: f64 = 20.0;
/// A decision is due with a sounding, not with the control step after it, m.
const SLACK_M: f64 = 1e-6;
/// Where lines would be this many times as far apart as soundings along them, or farther, there is no use in more soundings along a line.
const DENSE: f64 = 3.0;
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
    knots: Vec<Position>,
    knot_s: f64,
    /// What the mission had spent when it began.
    begun: Spent,
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

    /// How far apart parallel lines would be that are as long as the way of the whole mission, m; 0 without limits.
    fn spacing_m(&self, context: &Context<'_>) -> f64 {
        let speed_mps = self.travel.speed_mps();
        let whole_s = context
            .budget
            .left_s(&Spent::default(), speed_mps, self.period_s);
        context.workspace.area() / (speed_mps * whole_s)
    }

    /// Whether the boat takes its time: not where the way is what is limited, nor where the sooner the map is good enough the better.
    fn is_paced(&self, context: &Context<'_>) -> bool {
        let left_s =
            |budget: &Budget| budget.left_s(&context.spent, self.travel.speed_mps(), self.period_s);
        let way_alone = Budget {
            distance_m: context.budget.distance_m,
            ..Budget::default()
        };
        self.settings.pace
            && self.settings.enough_std.is_none()
            && self.spacing_m(context) < DENSE * self.travel.speed_mps() * self.period_s
            && left_s(&way_alone) > left_s(context.budget)
    }

    /// What is left of the tour before: the corners, or knots, that have not been passed.
    fn remainder(&self, context: &Context<'_>) -> Vec<Position> {
        let Some(last) = &self.last else {
            return Vec::new();
        };
        if self.is_paced(context) {
            let driven_s = context.spent.time_s - last.begun.time_s;
            let passed = (driven_s / last.knot_s).round() as usize;
            return last.knots[passed.min(last.knots.len())..].to_vec();
        }
        let driven_m = context.spent.distance_m - last.begun.distance_m;
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
        let cells = if self.is_paced(context) {
            Demand::FINE_CELLS
        } else {
            Demand::CELLS
        };
        Ok(Demand::new(
            context.workspace,
            cells,
            &measured,
            (&lattice, &variances),
            enough * enough,
        ))
    }
}

/// The way through the corners of a tour inside the workspace, and how long it should take to each of them.
fn way(context: &Context<'_>, start: Pose, planned: &Planned) -> (Vec<Position>, Vec<f64>) {
    let (mut path, mut times_s) = (Vec::new(), Vec::new());
    for (k, &corner) in planned.corners.iter().enumerate() {
        let from = path.last().copied().unwrap_or(start.position);
        let passed = path.len();
        path.extend(context.way(from, &[corner]));
        // Corners around an island have no time of their own.
        if let Some(&time_s) = planned.times_s.get(k).filter(|_| path.len() > passed) {
            times_s.resize(path.len() - 1, 0.0);
            times_s.push(time_s);
        }
    }
    (path, times_s)
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
        let is_paced = self.is_paced(context);
        let search = Search {
            demand: &demand,
            workspace: context.workspace,
            travel: &self.travel,
            start,
            home: context.home,
            left_s: ahead_s,
            refine: self.settings.refine,
            pace: is_paced,
            period_s: self.period_s,
            spacing_m: self.spacing_m(context),
        };
        let mut planned = search.plan(&self.remainder(context));
        // Knots are a period apart; the first sounding is due earlier if the last one was taken before now.
        let periods = context.spent.time_s / self.period_s;
        let early_s = (periods - (periods + 1e-6).floor()).max(0.0) * self.period_s;
        for time_s in &mut planned.times_s {
            *time_s -= early_s;
        }
        let (mut path, mut times_s) = way(context, start, &planned);
        let track = |path: &[Position], times_s: &[f64]| {
            Track::timed(&self.travel, start, path, times_s, None)
        };
        // Ways around islands are longer than the straight ones that were planned; whoever must be home in time leaves something out.
        if context.home.is_some() {
            // What legs must take to stay inside comes back each time: only corners of the tour itself can be left out.
            while planned.corners.len() > 1 && track(&path, &times_s).time_s() > left_s {
                planned.leave_out(planned.corners.len() - 2);
                (path, times_s) = way(context, start, &planned);
            }
        }
        let track = track(&path, &times_s);
        if path.is_empty() || track.time_s() < self.period_s {
            return Ok(context.homewards());
        }
        let driven_m = if is_paced {
            let soundings = self.settings.replan_share * ahead_s / self.period_s;
            let driven_s = soundings.floor().max(LEAST_SOUNDINGS) * self.period_s;
            track.distance_at(driven_s - early_s) - SLACK_M
        } else {
            let least_m = LEAST_SOUNDINGS * self.period_s * self.travel.speed_mps();
            (self.settings.replan_share * track.length_m()).max(least_m)
        };
        self.last = Some(Last {
            start,
            path: path.clone(),
            knots: planned.knots,
            knot_s: planned.knot_s,
            begun: context.spent,
        });
        let plan = Plan::along(path).in_times(times_s);
        Ok(Some(plan.for_now(driven_m).scored(planned.worth)))
    }
}
