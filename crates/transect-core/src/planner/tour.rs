//! A tour of what is not known: see [`crate::tour`].

use transect_gp::Of;

use super::{Context, Plan, Planner};
use crate::Error;
use crate::geometry::{Position, Workspace};
use crate::inputs;
use crate::posterior::Posterior;
use crate::settings::MissionSettings;
use crate::tour::{Field, Lattice, Tour as Search};
use crate::travel::{Track, TravelModel};
use crate::vehicle::Pose;

/// Cells of the lattice that plans are made on.
const CELLS: usize = 1024;
/// The share of a tour that is driven before the next is planned.
const DRIVEN: f64 = 0.5;
/// The least that is driven before the next is planned, in soundings.
const LEAST_SOUNDINGS: f64 = 20.0;
/// Rounds of refinement.
const ROUNDS: usize = 1;
/// What lies between soundings is not learnt from them: each is taken to tell of its surroundings only up to this share of the mean
/// variance. Kernels expect more than they get on ground that is rough at all scales; with less, tours crowd where it is roughest.
const BETWEEN: f64 = 0.1;
/// A map whose standard deviation is this share of the readings' everywhere is done.
const DONE: f64 = 1e-4;

/// Looks at all that is left of the budget: the path that takes most from the variance of the whole map, the first part of which is
/// driven before the next is planned.
///
/// Variances are those of the map's error bars, as wide as errors have been. After an opening that went everywhere these tell where the ground is
/// rough; a planner that begins with a corner of the area must not look at them.
#[derive(Debug)]
pub struct Tour {
    travel: TravelModel,
    period_s: f64,
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
    pub fn new(travel: TravelModel, period_s: f64) -> Self {
        Self {
            travel,
            period_s,
            last: None,
        }
    }

    pub(super) fn build(
        settings: &MissionSettings,
        _: &Workspace,
    ) -> Result<Box<dyn Planner>, Error> {
        let travel = TravelModel::of(&settings.boat)?;
        Ok(Box::new(Self::new(
            travel,
            1.0 / settings.boat.sampling_rate_hz,
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
}

impl Planner for Tour {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        let left_s = context
            .budget
            .left_s(&context.spent, self.travel.speed_mps(), self.period_s);
        // Too little for another sounding.
        if left_s < self.period_s {
            return Ok(None);
        }
        let known = context.posterior()?;
        let Some(field) = field(known, context.workspace)? else {
            return Ok(None);
        };
        let start = Pose {
            position: context.workspace.nearest(context.pose.position),
            ..context.pose
        };
        // Without a limit there is no end to plan for: as much as would sound every cell once.
        let whole_s = self.period_s * field.lattice().len() as f64;
        let search = Search {
            field: &field,
            workspace: context.workspace,
            travel: &self.travel,
            start,
            home: None,
            left_s: left_s.min(whole_s),
            period_s: self.period_s,
            rounds: ROUNDS,
        };
        let planned = search.plan(&self.remainder(context));
        let path = inside(context, start.position, &planned.corners);
        if path.is_empty() {
            return Ok(None);
        }
        let track = Track::new(&self.travel, start, &path);
        if track.time_s() < self.period_s {
            return Ok(None);
        }
        let length_m = track.length_m();
        let least_m = LEAST_SOUNDINGS * self.period_s * self.travel.speed_mps();
        self.last = Some(Last {
            start,
            path: path.clone(),
            begun_m: context.spent.distance_m,
        });
        let driven_m = (DRIVEN * length_m).max(least_m);
        Ok(Some(
            Plan::along(path).for_now(driven_m).scored(planned.worth),
        ))
    }
}

/// What is known, as wide as the map's error bars; none when there is nothing more to learn.
fn field(known: &dyn Posterior, workspace: &Workspace) -> Result<Option<Field>, Error> {
    let lattice = Lattice::over(workspace.bounds(), CELLS);
    let inside: Vec<usize> = (0..lattice.len())
        .filter(|&cell| workspace.contains(lattice.place(cell)))
        .collect();
    if inside.is_empty() {
        return Ok(None);
    }
    let places: Vec<Position> = inside.iter().map(|&cell| lattice.place(cell)).collect();
    let places = inputs::places(&places)?;
    let joint = known.joint(&places, Of::Quantity)?;
    let bars = known.forecast(&places)?.surface.moments();
    if bars.std.iter().all(|std| *std < DONE * known.unit()) {
        return Ok(None);
    }
    let count = inside.len();
    let factor = |i: usize| {
        let variance = joint.covariance.column(i)[i];
        if variance > 0.0 {
            bars.std[i] / variance.sqrt()
        } else {
            0.0
        }
    };
    let factors: Vec<f64> = (0..count).map(factor).collect();
    let mut covariance = vec![0.0; count * count];
    for j in 0..count {
        for (i, value) in joint.covariance.column(j).iter().enumerate().take(count) {
            covariance[j * count + i] = value * factors[i] * factors[j];
        }
    }
    let mean = (0..count).map(|i| covariance[i * count + i]).sum::<f64>() / count as f64;
    let noise = known.noise_variance() + BETWEEN * mean;
    Ok(Some(Field::new(lattice, &inside, &covariance, noise)))
}

/// The path with the corners that legs must take to stay inside; what cannot be reached is left out.
fn inside(context: &Context<'_>, start: Position, corners: &[Position]) -> Vec<Position> {
    let mut path: Vec<Position> = Vec::with_capacity(corners.len());
    let mut from = start;
    for &corner in corners {
        if !context.stay_inside || context.workspace.contains_segment(from, corner) {
            path.push(corner);
            from = corner;
        } else if let Some(route) = context.workspace.route(from, corner) {
            path.extend(route);
            from = corner;
        }
    }
    path
}
