//! Where to go next: the lines that teach the most in the time there is, from a survey that exists.
//!
//! A model is fitted to soundings spread over the survey. From the start, the paper's planner chooses one leg after another;
//! after each, what would be known is what the model says given readings along that leg (values do not matter for that),
//! until the time is up. The error expected is the root mean square of the model's standard deviations over the area,
//! without those lines and with them.

use crate::error::{Result, SurveyError};
use crate::soundings::LogRequest;
use std::path::PathBuf;
use std::sync::Arc;
use transect::budget::{Budget, Spent};
use transect::geometry::{Position, Workspace};
use transect::gp::random::Stream;
use transect::gp::{Compute, Of, Threads};
use transect::inputs;
use transect::planner::{Context, PLANNERS};
use transect::posterior::Posterior;
use transect::settings::MissionSettings;
use transect::surrogate::{FirstReadings, SURROGATES};
use transect::vehicle::Pose;
use transect_io::area::Regions;
use transect_io::waypoints::{Fence, Route};
use transect_io::{Crs, IoError, LonLat};

/// Soundings that the model is fitted to.
const MOST_SOUNDINGS: usize = 600;
/// Steps of its training.
const TRAINING_STEPS: usize = 60;
/// Readings that stand for a leg lie this far apart, as a share of the area's diagonal.
const SPACING: f64 = 0.01;
/// Cells along the longer side of the grid that errors are averaged over.
const GRID: usize = 40;
/// The planner, until there is one that plans tours.
const PLANNER: &str = "myopic";
/// More legs than this are no plan for a boat.
const MOST_LEGS: usize = 500;

/// What is asked for.
#[derive(Debug, Clone)]
pub struct NextRequest {
    /// The survey so far.
    pub log: LogRequest,
    /// Where the boat may go: a file of polygons.
    pub area: PathBuf,
    /// Time there is, s.
    pub time_s: f64,
    /// Speed of the boat, m/s.
    pub speed_mps: f64,
    /// Where it starts; without it, where the survey did.
    pub from: Option<LonLat>,
    /// Decides all random numbers.
    pub seed: u64,
}

/// The lines, and what they are good for.
#[derive(Debug, Clone)]
pub struct Next {
    /// The lines on the earth.
    pub route: Route,
    /// Length of the way, m.
    pub length_m: f64,
    /// Root mean square of the error expected over the area, without the lines and with them.
    pub expected_error: [f64; 2],
}

/// Plans the lines.
///
/// # Errors
/// If the logs or the area cannot be used, or there is no time for a single line.
pub fn next(request: &NextRequest) -> Result<Next> {
    for (name, value) in [("--time", request.time_s), ("--speed", request.speed_mps)] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(SurveyError::Request(format!(
                "{name} is {value}: a positive number is needed"
            )));
        }
    }
    let log = request.log.prepare()?;
    let crs = log.located.crs;
    if log.located.centre.is_none() {
        return Err(SurveyError::Request(format!(
            "the soundings are in {crs}, and where that is on the earth is not known: a boat needs longitudes and latitudes; \
             say what the coordinates are with --crs"
        )));
    }
    let refuse = |reason: String| SurveyError::from(IoError::content(&request.area)(reason));
    let regions = Regions::read(&request.area)?.place(crs).map_err(refuse)?;
    let workspace = Workspace::from(regions.polygon().map_err(refuse)?);
    let kept = log.kept();
    let step = kept.len().div_ceil(MOST_SOUNDINGS).max(1);
    let used: Vec<usize> = kept.iter().copied().step_by(step).collect();
    let places: Vec<Position> = used
        .iter()
        .map(|i| Position::from(log.located.metres[*i]))
        .collect();
    let values: Vec<f64> = used.iter().map(|i| log.soundings.values[*i]).collect();
    let inside = places
        .iter()
        .filter(|place| workspace.contains(**place))
        .count();
    if 2 * inside < places.len() {
        return Err(refuse(format!(
            "only {inside} of {} soundings lie inside the area: is it the outline of this survey?",
            places.len()
        )));
    }
    let before = fitted(request, &workspace, &places, &values)?;
    let start = match request.from {
        Some(place) => crs.position(place).ok_or_else(|| {
            SurveyError::Request(format!(
                "--from is {}, {}, out of reach of {crs}",
                place.lon, place.lat
            ))
        })?,
        None => places[0],
    };
    let (path, after) = plan(request, &workspace, Arc::clone(&before), start)?;
    let ends = [&[start][..], &path].concat();
    let length_m = ends.windows(2).map(|leg| leg[0].distance_to(leg[1])).sum();
    let on_earth = |at: &Position| {
        crs.lon_lat(*at)
            .ok_or_else(|| SurveyError::Request(format!("{at} is no place on the earth in {crs}")))
    };
    let route = Route {
        name: format!("Next lines, {:.0} min", request.time_s / 60.0),
        home: on_earth(&start)?,
        places: path.iter().map(on_earth).collect::<Result<_>>()?,
        speed_mps: request.speed_mps,
        fence: fence(&workspace, crs),
    };
    let grid = grid_inside(&workspace);
    Ok(Next {
        route,
        length_m,
        expected_error: [error(&*before, &grid)?, error(&*after, &grid)?],
    })
}

fn settings(request: &NextRequest) -> MissionSettings {
    let mut settings = MissionSettings {
        seed: request.seed,
        ..MissionSettings::default()
    };
    settings.planner.name = PLANNER.into();
    settings
}

fn fitted(
    request: &NextRequest,
    workspace: &Workspace,
    places: &[Position],
    values: &[f64],
) -> Result<Arc<dyn Posterior>> {
    let settings = settings(request);
    let entry = SURROGATES.get(&settings.surrogate.name)?;
    let first = FirstReadings {
        settings: &settings,
        workspace,
        places: &inputs::places(places)?,
        readings: values,
        compute: Compute::with_threads(Threads::All),
    };
    let mut surrogate = (entry.build)(&first)?;
    surrogate.train(TRAINING_STEPS);
    Ok(surrogate.posterior())
}

/// The corners of the way, and what would be known after it.
fn plan(
    request: &NextRequest,
    workspace: &Workspace,
    mut known: Arc<dyn Posterior>,
    start: Position,
) -> Result<(Vec<Position>, Arc<dyn Posterior>)> {
    let settings = settings(request);
    let mut planner = (PLANNERS.get(PLANNER)?)(&settings, workspace)?;
    let mut randomness = Stream::new(request.seed);
    let bounds = workspace.bounds();
    let spacing = SPACING * bounds.width().hypot(bounds.height());
    let budget = Budget {
        time_s: Some(request.time_s),
        ..Budget::default()
    };
    let (mut here, mut spent) = (workspace.nearest(start), Spent::default());
    spent.distance_m = start.distance_to(here);
    let mut path = Vec::new();
    'legs: for _ in 0..MOST_LEGS {
        let mut context = Context {
            known: Some(Arc::clone(&known)),
            workspace,
            stay_inside: true,
            pose: Pose {
                position: here,
                heading_rad: 0.0,
            },
            randomness: &mut randomness,
            budget: &budget,
            spent,
            home: None,
            prior: &[],
            soundings: &[],
        };
        let Some(decided) = planner.plan(&mut context)? else {
            break;
        };
        for goal in decided.path {
            let leg = here.distance_to(goal);
            spent.distance_m += leg;
            spent.time_s = spent.distance_m / request.speed_mps;
            if spent.time_s > request.time_s {
                break 'legs;
            }
            let count = (leg / spacing).ceil().max(1.0);
            let readings: Vec<Position> = (1..=count as usize)
                .map(|k| here.towards(goal, k as f64 / count))
                .collect();
            known = known.given(&inputs::places(&readings)?)?;
            path.push(goal);
            here = goal;
        }
    }
    if path.is_empty() {
        return Err(SurveyError::Request(format!(
            "there is no time for a single line: {} s at {} m/s are {:.0} m",
            request.time_s,
            request.speed_mps,
            request.time_s * request.speed_mps
        )));
    }
    Ok((path, known))
}

/// Places all over the area.
fn grid_inside(workspace: &Workspace) -> Vec<Position> {
    let bounds = workspace.bounds();
    let step = bounds.width().max(bounds.height()) / GRID as f64;
    let count = |length: f64| (length / step).ceil() as usize;
    let all =
        (0..count(bounds.width())).flat_map(|i| (0..count(bounds.height())).map(move |j| (i, j)));
    all.map(|(i, j)| {
        Position::new(
            bounds.xmin() + (i as f64 + 0.5) * step,
            bounds.ymin() + (j as f64 + 0.5) * step,
        )
    })
    .filter(|place| workspace.contains(*place))
    .collect()
}

fn error(known: &dyn Posterior, grid: &[Position]) -> Result<f64> {
    let stds = known.marginals(&inputs::places(grid)?, Of::Quantity)?.std;
    let sum: f64 = stds.iter().map(|std| std * std).sum();
    Ok((sum / stds.len().max(1) as f64).sqrt())
}

fn fence(workspace: &Workspace, crs: Crs) -> Vec<Fence> {
    let Workspace::Polygon(polygon) = workspace else {
        return Vec::new();
    };
    let ring = |ring: &[Position]| ring.iter().filter_map(|at| crs.lon_lat(*at)).collect();
    let outer = Fence {
        inclusion: true,
        ring: ring(polygon.outer()),
    };
    let holes = polygon.holes().iter().map(|hole| Fence {
        inclusion: false,
        ring: ring(hole),
    });
    std::iter::once(outer).chain(holes).collect()
}
