//! Where to go next: the lines that teach the most in the time there is, from a survey that exists.
//!
//! A model is fitted to soundings spread over the survey. From the start, the planner of missions looks for the tour ([`transect::tour`]) that leaves
//! least to be known of the area, the survey's soundings counted in, and leads home in time. The error expected is the root mean square of the map's error
//! bars over the area: as they are, and given readings along the tour (values do not matter for that).

use crate::error::{Result, SurveyError};
use crate::soundings::LogRequest;
use std::path::PathBuf;
use std::sync::Arc;
use transect::Sounding;
use transect::budget::{Budget, Spent};
use transect::geometry::{Position, Rect, Workspace};
use transect::gp::random::Stream;
use transect::gp::{Compute, Threads};
use transect::inputs;
use transect::planner::{Context, PLANNERS};
use transect::posterior::Posterior;
use transect::settings::MissionSettings;
use transect::surrogate::{FirstReadings, SURROGATES};
use transect::travel::{Track, TravelModel};
use transect::vehicle::Pose;
use transect_io::area::Regions;
use transect_io::waypoints::{Fence, Route};
use transect_io::{Crs, GeoPosition, IoError};
use transect_plot::{Axis, ColorMap, ColorScale, Extent, Figure, Grid, Heatmap};

/// Soundings that the model is fitted to.
const MOST_SOUNDINGS: usize = 600;
/// Steps of its training.
const TRAINING_STEPS: usize = 60;
/// Readings that stand for the tour, at most.
const MOST_READINGS: f64 = 400.0;
/// Cells along the longer side of the grid that errors are averaged over.
const GRID: usize = 80;
/// Width of a map in the picture, pixels for each unit of that, and soundings shown in it.
const WIDTH: f64 = 420.0;
const PIXELS_PER_UNIT: f64 = 1.5;
const MOST_DOTS: usize = 1500;
/// Soundings that the planner keeps away from, at most.
const MOST_MEASURED: usize = 20_000;
/// The planner of missions.
const PLANNER: &str = "tour";
/// A plan may take this share longer than there is time for, by the rounding of its corners.
const ROUNDING: f64 = 1e-6;

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
    pub from: Option<GeoPosition>,
    /// Where it must be at the end.
    pub home: Home,
    /// Decides all random numbers.
    pub seed: u64,
}

/// Where a tour ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Home {
    /// Where it starts.
    Start,
    /// At this place.
    At(GeoPosition),
    /// Anywhere.
    Anywhere,
}

/// The lines, and what they are good for.
#[derive(Debug, Clone)]
pub struct Next {
    /// The lines on the earth.
    pub route: Route,
    /// Length of the way, m.
    pub length_m: f64,
    /// Time that they take, s.
    pub time_s: f64,
    /// Root mean square of the error expected over the area, without the lines and with them.
    pub expected_error: [f64; 2],
    /// A PNG: error bars without the lines and with them, the soundings, and the lines.
    pub picture: Vec<u8>,
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
    let place = |flag: &str, place: GeoPosition| {
        crs.position(place).ok_or_else(|| {
            let [lon, lat] = place.lon_lat();
            SurveyError::Request(format!("{flag} is {lon}, {lat}, out of reach of {crs}"))
        })
    };
    let start = match request.from {
        Some(at) => place("--from", at)?,
        None => places[0],
    };
    let home = match request.home {
        Home::Start => Some(start),
        Home::At(at) => Some(place("--home", at)?),
        Home::Anywhere => None,
    };
    let every = kept.len().div_ceil(MOST_MEASURED).max(1);
    let measured: Vec<Sounding> = kept
        .iter()
        .step_by(every)
        .map(|i| Sounding {
            position: Position::from(log.located.metres[*i]),
            value: log.soundings.values[*i],
            time_s: 0.0,
        })
        .collect();
    let question = Question {
        request,
        workspace: &workspace,
        known: Arc::clone(&before),
        measured: &measured,
    };
    let tour = question.answer(start, home)?;
    let after = before.given(&inputs::places(&tour.readings)?)?;
    let on_earth = |at: &Position| {
        crs.lon_lat(*at)
            .ok_or_else(|| SurveyError::Request(format!("{at} is no place on the earth in {crs}")))
    };
    let route = Route {
        name: format!("Next lines, {:.0} min", request.time_s / 60.0),
        home: on_earth(&start)?,
        places: tour.path.iter().map(on_earth).collect::<Result<_>>()?,
        speed_mps: request.speed_mps,
        fence: fence(&workspace, crs),
    };
    let grid = Bars::over(&workspace);
    let bars = [grid.of(&*before)?, grid.of(&*after)?];
    let measured: Vec<Position> = measured.iter().map(|sounding| sounding.position).collect();
    let picture = grid.draw(&bars, &measured, &tour.path, &workspace)?;
    Ok(Next {
        route,
        picture,
        length_m: tour.length_m,
        time_s: tour.time_s,
        expected_error: bars.map(|stds| rms(&stds)),
    })
}

fn settings(request: &NextRequest) -> MissionSettings {
    let mut settings = MissionSettings {
        seed: request.seed,
        ..MissionSettings::default()
    };
    settings.planner.name = PLANNER.into();
    settings.planner.pace = false;
    settings.boat.max_speed_mps = request.speed_mps;
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

/// What the planner is asked.
struct Question<'a> {
    request: &'a NextRequest,
    workspace: &'a Workspace,
    known: Arc<dyn Posterior>,
    measured: &'a [Sounding],
}

/// What it answers.
struct Answer {
    path: Vec<Position>,
    /// Places along it.
    readings: Vec<Position>,
    length_m: f64,
    time_s: f64,
}

impl Question<'_> {
    /// The tour from `start`, which may lie outside of the area: the ways in and out cost time too.
    fn answer(&self, start: Position, home: Option<Position>) -> Result<Answer> {
        let request = self.request;
        let settings = settings(request);
        let travel = TravelModel::of(&settings.boat)?;
        let (begin, end) = (
            self.workspace.nearest(start),
            home.map(|home| self.workspace.nearest(home)),
        );
        let outside_m = start.distance_to(begin)
            + home
                .zip(end)
                .map_or(0.0, |(home, end)| home.distance_to(end));
        let left_s = request.time_s - outside_m / request.speed_mps;
        let no_time = || {
            let all_m = request.time_s * request.speed_mps;
            SurveyError::Request(format!(
                "there is no time for a single line: {} s at {} m/s are {all_m:.0} m, and {outside_m:.0} m of them lie outside of the area",
                request.time_s, request.speed_mps
            ))
        };
        let pose = Pose {
            position: begin,
            heading_rad: 0.0,
        };
        let budget = Budget {
            time_s: Some(left_s.max(0.0)),
            ..Budget::default()
        };
        let mut context = Context {
            known: Some(Arc::clone(&self.known)),
            workspace: self.workspace,
            stay_inside: true,
            pose,
            randomness: &mut Stream::new(request.seed),
            budget: &budget,
            spent: Spent::default(),
            home: end,
            prior: self.measured,
            soundings: &[],
        };
        let mut planner = (PLANNERS.get(PLANNER)?)(&settings, self.workspace)?;
        let planned = planner.plan(&mut context)?.ok_or_else(no_time)?;
        let mut path = planned.path;
        if end.is_none() {
            cut(&travel, pose, &mut path, left_s);
        }
        let track = Track::new(&travel, pose, &path);
        if path.is_empty() || track.time_s() > left_s * (1.0 + ROUNDING) {
            return Err(no_time());
        }
        let period_s = (track.time_s() / MOST_READINGS).max(1.0 / settings.boat.sampling_rate_hz);
        let readings = track.soundings(period_s, period_s);
        if readings.is_empty() {
            return Err(no_time());
        }
        let (length_m, time_s) = (track.length_m(), track.time_s());
        if let Some(home) = home.filter(|home| end != Some(*home)) {
            path.push(home);
        }
        Ok(Answer {
            path,
            readings,
            length_m: length_m + outside_m,
            time_s: time_s + outside_m / request.speed_mps,
        })
    }
}

/// Ends a path when the time is up.
fn cut(travel: &TravelModel, start: Pose, path: &mut Vec<Position>, time_s: f64) {
    while !path.is_empty() && travel.time_s(start, path) > time_s {
        let last = path.pop();
        let from = path.last().copied().unwrap_or(start.position);
        let Some(last) = last.filter(|_| travel.time_s(start, path) < time_s) else {
            continue;
        };
        // As much of the last leg as there is time for.
        let (mut reached, mut beyond) = (0.0, 1.0);
        for _ in 0..20 {
            let share = 0.5 * (reached + beyond);
            path.push(from.towards(last, share));
            if travel.time_s(start, path) <= time_s {
                reached = share;
            } else {
                beyond = share;
            }
            path.pop();
        }
        if reached > 0.0 {
            path.push(from.towards(last, reached));
        }
        return;
    }
}

/// Square cells over the area, for error bars.
struct Bars {
    extent: Rect,
    columns: usize,
    /// The middles of all cells, row by row from the south, and whether they are inside.
    cells: Vec<(Position, bool)>,
}

impl Bars {
    fn over(workspace: &Workspace) -> Self {
        let bounds = workspace.bounds();
        let step = bounds.width().max(bounds.height()) / GRID as f64;
        let count = |length: f64| ((length / step).ceil() as usize).max(1);
        let (columns, rows) = (count(bounds.width()), count(bounds.height()));
        let middle = |low: f64, k: usize| low + (k as f64 + 0.5) * step;
        let cell = |i: usize| {
            let place = Position::new(
                middle(bounds.xmin(), i % columns),
                middle(bounds.ymin(), i / columns),
            );
            (place, workspace.contains(place))
        };
        Self {
            extent: bounds,
            columns,
            cells: (0..rows * columns).map(cell).collect(),
        }
    }

    /// Standard deviations of what is known; NaN outside.
    fn of(&self, known: &dyn Posterior) -> Result<Vec<f64>> {
        let inside: Vec<Position> = (self.cells.iter())
            .filter(|(_, inside)| *inside)
            .map(|(place, _)| *place)
            .collect();
        let surface = known.forecast(&inputs::places(&inside)?)?.surface;
        let mut stds = surface.moments().std.into_iter();
        let std = |(_, inside): &(Position, bool)| {
            let next = if *inside { stds.next() } else { None };
            next.unwrap_or(f64::NAN)
        };
        Ok(self.cells.iter().map(std).collect())
    }

    fn draw(
        &self,
        bars: &[Vec<f64>; 2],
        measured: &[Position],
        path: &[Position],
        workspace: &Workspace,
    ) -> Result<Vec<u8>> {
        // In metres from the south-western corner.
        let at = |place: &Position| [place.x - self.extent.xmin(), place.y - self.extent.ymin()];
        let all = |places: &[Position]| places.iter().map(at).collect::<Vec<_>>();
        let step = self.extent.width().max(self.extent.height()) / GRID as f64;
        let rows = self.cells.len() / self.columns;
        let (width, height) = (self.columns as f64 * step, rows as f64 * step);
        let sides = Extent::new(0.0, width, 0.0, height)?;
        let scale = ColorScale::robust(ColorMap::Cividis, &[&bars[0]]);
        let panel = |values: &[f64], title: &str| -> Result<Heatmap> {
            let grid = Grid::new(values, self.columns, sides)?;
            let [x, y] = ["East", "North"].map(|name| Axis::new(name).unit("m"));
            let scale = scale.clone().label("Standard deviation", "");
            let mut panel = Heatmap::new(&grid, scale).title(title).axes(x, y);
            if let Workspace::Polygon(polygon) = workspace {
                for ring in std::iter::once(polygon.outer())
                    .chain(polygon.holes().iter().map(|hole| &hole[..]))
                {
                    panel = panel.fence(&all(ring));
                }
            }
            Ok(panel.width(WIDTH).scale_bar("m"))
        };
        let every = measured.len().div_ceil(MOST_DOTS).max(1);
        let dots: Vec<Position> = measured.iter().copied().step_by(every).collect();
        let figure = Figure::new("")
            .columns(2)
            .panel(panel(&bars[0], "Now, with soundings")?.samples(&all(&dots)))
            .panel(panel(&bars[1], "After the next lines")?.path(&all(path)));
        Ok(figure.to_png(PIXELS_PER_UNIT)?)
    }
}

/// Of those that are numbers.
fn rms(stds: &[f64]) -> f64 {
    let known = stds.iter().filter(|std| std.is_finite());
    let (sum, count) = known.fold((0.0, 0.0), |(sum, count), std| {
        (sum + std * std, count + 1.0)
    });
    (sum / f64::max(count, 1.0)).sqrt()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_cut_where_its_time_is_up() {
        let travel = TravelModel::new(2.0, 10.0).unwrap();
        let start = Pose {
            position: Position::new(0.0, 0.0),
            heading_rad: 0.0,
        };
        let whole = vec![Position::new(100.0, 0.0), Position::new(200.0, 0.0)];
        let mut path = whole.clone();
        cut(&travel, start, &mut path, 75.0);
        let [first, last] = path[..] else {
            panic!("{path:?}")
        };
        assert_eq!(first, whole[0]);
        assert!((last.x - 150.0).abs() < 0.01, "{last}");
        let mut path = whole.clone();
        cut(&travel, start, &mut path, 1000.0);
        assert_eq!(path, whole);
        let mut path = whole;
        cut(&travel, start, &mut path, 0.0);
        assert!(path.is_empty());
    }
}
