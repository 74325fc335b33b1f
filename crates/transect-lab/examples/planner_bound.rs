//! What hindsight would gain over parallel lines: how good a survey could be if the roughness of the ground were known beforehand.
//!
//! ```text
//! cargo run --release -p transect-lab --example planner_bound -- <folder of terrain files> [starts]
//! ```
//!
//! Five bounds, for the terrains, boat and times of `transect reproduce planners`:
//!
//! - **by formula**: where soundings have the density ρ, the error of a map is `s² ρ^-H`, with the local roughness s² and the Hurst exponent H of the ground. Spread evenly,
//!   its mean is `mean(s²)`; spread as well as can be, `ρ ∝ s^(2/(1+H))`, it is `mean(s^(2/(1+H)))^(1+H)`. s² is the mean over a window of 4 m of the squared errors of
//!   interpolating from four points half a spacing away;
//! - **anywhere**: as many soundings as there are seconds, placed as that roughness asks without a way between them, and judged by the map that a new model of the default
//!   profile makes of them;
//! - **tour**: the tours that the planner finds when it is told that roughness and needs no opening, driven at full speed, judged alike;
//! - **paced**: one such tour for the whole time, driven so that soundings are taken where they are wanted;
//! - **opened**: the same after the opening of the default profile, which a planner that is not told needs to find out.
//!
//! A planner has to find out first where the ground is rough. Each figure is the mean over starts (corners and sides of the area), as is that of the lines.

use std::path::Path;
use transect::geometry::{Position, Rect, Workspace};
use transect::inputs;
use transect::lawnmower::Lawnmower;
use transect::settings::MissionSettings;
use transect::terrain::{Lookup, Terrain};
use transect::tour::{Demand, Lattice, Planned, Tour};
use transect::travel::{Track, TravelModel};
use transect::vehicle::Pose;
use transect_lab::{DataFolder, experiment};

const TERRAINS: [&str; 5] = ["N17E073", "N43W080", "N45W123", "N47W124", "jacksboro"];
/// Half the side of the surveyed area, m.
const HALF_M: f64 = 10.0;
/// Points along each side at which errors are looked at.
const POINTS: usize = 200;
/// Half the side of the window in which the roughness is known, m.
const WINDOW_M: f64 = 2.0;
/// Cells in which places are spread.
const CELLS: usize = 4096;
/// Where surveys start.
const STARTS: [[f64; 2]; 6] = [
    [-10.0, -10.0],
    [10.0, 10.0],
    [-10.0, 10.0],
    [10.0, -10.0],
    [-10.0, 0.0],
    [5.0, -10.0],
];

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let starts = std::env::args()
        .nth(2)
        .map_or(Ok(STARTS.len()), |n| n.parse())?;
    let data = DataFolder::new(Path::new(&folder));
    let extent = Rect::new(-11.0, 11.0, -11.0, 11.0)?;
    let area = Rect::new(-HALF_M, HALF_M, -HALF_M, HALF_M)?;
    let judge = Judge {
        workspace: Workspace::from(area),
        settings: MissionSettings::default(),
    };
    let travel = TravelModel::new(1.0, 1.0)?;
    println!(
        "terrain     soundings     H   by formula     anywhere         tour        paced       opened    (SMSE below that of lines)"
    );
    let mut sums = [0.0; 5];
    for name in TERRAINS {
        let terrain = data.terrain(name, extent)?;
        for soundings in [300, 600] {
            let spacing_m = (area.area() / f64::from(soundings)).sqrt();
            let near = squared_errors(&terrain, 0.5 * spacing_m);
            let far = squared_errors(&terrain, spacing_m);
            let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len() as f64;
            let hurst = 0.5 * (mean(&far) / mean(&near)).log2();
            let rough = smoothed(&near);
            let known = Lattice::over(area, CELLS);
            let variances: Vec<f64> = (0..known.len())
                .map(|i| rough[point(known.place(i))])
                .collect();
            let anywhere = judge.smse(&terrain, &spread(&known, &variances, soundings as usize))?;
            let (mut lines, mut tours, mut paced, mut opened) = (0.0, 0.0, 0.0, 0.0);
            for start in STARTS.iter().take(starts) {
                let start = Pose {
                    position: Position::from(*start),
                    heading_rad: 0.0,
                };
                let time_s = f64::from(soundings);
                let mower = Lawnmower::in_time(&judge.workspace, &travel, start, time_s)?;
                let track = Track::new(&travel, start, &mower.path(&judge.workspace));
                lines += judge.smse(&terrain, &track.soundings(1.0, 1.0))?;
                let told = Told {
                    workspace: &judge.workspace,
                    travel: &travel,
                    rough: &rough,
                };
                tours += judge.smse(&terrain, &told.tour(start, time_s))?;
                paced += judge.smse(&terrain, &told.plan(start, time_s, &[], true).knots)?;
                let opening_s = (judge.settings.pilot.share * time_s).floor();
                let mower = Lawnmower::in_time(&judge.workspace, &travel, start, opening_s)?;
                let track = Track::new(&travel, start, &mower.path(&judge.workspace));
                let mut places = track.soundings(1.0, 1.0);
                places.truncate(opening_s as usize);
                let here = track.at(places.len() as f64);
                let left_s = time_s - places.len() as f64;
                let knots = told.plan(here, left_s, &places, true).knots;
                places.extend(knots);
                opened += judge.smse(&terrain, &places)?;
            }
            let [lines, tours, paced, opened] =
                [lines, tours, paced, opened].map(|sum| sum / starts as f64);
            let below = |smse: f64| 100.0 * (1.0 - smse / lines);
            let gains = [
                gain(&rough, hurst),
                below(anywhere),
                below(tours),
                below(paced),
                below(opened),
            ];
            println!(
                "{name:12} {soundings:>8} {hurst:>6.2} {:>10.1} % {:>10.1} % {:>10.1} % {:>10.1} % {:>10.1} %",
                gains[0], gains[1], gains[2], gains[3], gains[4]
            );
            for (sum, gain) in sums.iter_mut().zip(gains) {
                *sum += gain / (2 * TERRAINS.len()) as f64;
            }
        }
    }
    println!(
        "mean {:>34.1} % {:>10.1} % {:>10.1} % {:>10.1} % {:>10.1} %",
        sums[0], sums[1], sums[2], sums[3], sums[4]
    );
    Ok(())
}

/// A planner that is told how rough the ground is.
struct Told<'a> {
    workspace: &'a Workspace,
    travel: &'a TravelModel,
    rough: &'a [f64],
}

impl Told<'_> {
    /// A tour from `start` where soundings were taken at `measured`.
    fn plan(&self, start: Pose, left_s: f64, measured: &[Position], pace: bool) -> Planned {
        let lattice = Lattice::over(self.workspace.bounds(), CELLS);
        // At a distance d from the nearest sounding the variance of the map is the roughness times d.
        let away_m = |place: Position| {
            let distances = measured.iter().map(|m| m.distance_to(place));
            distances.reduce(f64::min).unwrap_or(1.0)
        };
        let variance = |i| {
            let place = lattice.place(i);
            self.rough[point(place)] * away_m(place).sqrt()
        };
        let variances: Vec<f64> = (0..lattice.len()).map(variance).collect();
        let cells = if pace {
            Demand::FINE_CELLS
        } else {
            Demand::CELLS
        };
        let demand = Demand::new(self.workspace, cells, measured, (&lattice, &variances), 0.0);
        let tour = Tour {
            demand: &demand,
            workspace: self.workspace,
            travel: self.travel,
            start,
            home: None,
            left_s,
            period_s: 1.0,
            spacing_m: 0.0,
            refine: true,
            pace,
        };
        tour.plan(&[])
    }

    /// The soundings of a survey: half of each tour is driven, or what is left of the time, then the next is planned.
    fn tour(&self, mut start: Pose, time_s: f64) -> Vec<Position> {
        let mut measured: Vec<Position> = Vec::new();
        let mut left_s = time_s;
        while left_s >= 1.0 {
            let planned = self.plan(start, left_s, &measured, false);
            let track = Track::new(self.travel, start, &planned.corners);
            let whole_s = track.time_s().min(left_s).floor();
            if whole_s < 1.0 {
                break;
            }
            let driven_s = (0.5 * whole_s).floor().max(20.0).min(whole_s);
            measured.extend(track.soundings(1.0, 1.0).iter().take(driven_s as usize));
            start = track.at(driven_s);
            left_s -= driven_s;
        }
        measured
    }
}

/// Judges soundings by the map that a new model makes of them.
struct Judge {
    workspace: Workspace,
    settings: MissionSettings,
}

impl Judge {
    fn smse(&self, terrain: &Terrain, places: &[Position]) -> Result<f64, Failure> {
        let settings = &self.settings;
        let truth = |at: Position| terrain.value(at, settings.sensor.lookup);
        let readings: Vec<f64> = places.iter().filter_map(|p| truth(*p)).collect();
        let places = inputs::places(places)?;
        Ok(experiment::judge(settings, terrain, &self.workspace, &places, &readings)?.smse)
    }
}

/// The point whose error a place has.
fn point(place: Position) -> usize {
    let index = |v: f64| (((v + HALF_M) / (2.0 * HALF_M) * POINTS as f64) as usize).min(POINTS - 1);
    index(place.y) * POINTS + index(place.x)
}

/// Squared errors of interpolating from four points at this distance, on a grid over the area.
fn squared_errors(terrain: &Terrain, distance_m: f64) -> Vec<f64> {
    let at = |i: usize| -HALF_M + 2.0 * HALF_M * (i as f64 + 0.5) / POINTS as f64;
    let value = |x: f64, y: f64| {
        let inside = |v: f64| v.clamp(-11.0, 11.0);
        let place = Position::new(inside(x), inside(y));
        terrain.value(place, Lookup::Nearest).unwrap_or_default()
    };
    let error = |i: usize| {
        let (x, y) = (at(i % POINTS), at(i / POINTS));
        let around = value(x - distance_m, y)
            + value(x + distance_m, y)
            + value(x, y - distance_m)
            + value(x, y + distance_m);
        (value(x, y) - 0.25 * around).powi(2)
    };
    (0..POINTS * POINTS).map(error).collect()
}

/// Means over square windows.
fn smoothed(errors: &[f64]) -> Vec<f64> {
    let reach = (WINDOW_M / (2.0 * HALF_M) * POINTS as f64).round() as usize;
    let along = |values: &[f64], stride: usize, across: usize| {
        let mut out = vec![0.0; values.len()];
        for line in 0..POINTS {
            for i in 0..POINTS {
                let (from, to) = (i.saturating_sub(reach), (i + reach).min(POINTS - 1));
                let sum: f64 = (from..=to)
                    .map(|k| values[line * across + k * stride])
                    .sum();
                out[line * across + i * stride] = sum / (to - from + 1) as f64;
            }
        }
        out
    };
    along(&along(errors, 1, POINTS), POINTS, 1)
}

/// By how much the mean error is less with the best density than with an even one, %.
fn gain(roughness: &[f64], hurst: f64) -> f64 {
    let count = roughness.len() as f64;
    let even = roughness.iter().sum::<f64>() / count;
    let power = 1.0 / (1.0 + hurst);
    let best = roughness.iter().map(|s| s.powf(power)).sum::<f64>() / count;
    100.0 * (1.0 - best.powf(1.0 + hurst) / even)
}

/// Places as close together as `s^(4/3)` asks: each where most is missing, then all moved to the centroids of what they are nearest to (Lloyd's method).
fn spread(cells: &Lattice, roughness: &[f64], count: usize) -> Vec<Position> {
    let squared = |a: Position, b: Position| (a.x - b.x).powi(2) + (a.y - b.y).powi(2);
    let all: Vec<Position> = (0..cells.len()).map(|i| cells.place(i)).collect();
    let weights: Vec<f64> = roughness.iter().map(|s| s.powf(4.0 / 3.0)).collect();
    let mut away = vec![f64::MAX.sqrt(); all.len()];
    let mut places = Vec::with_capacity(count);
    for _ in 0..count {
        let asked = |i: &usize| weights[*i].sqrt() * away[*i];
        let most = (0..all.len()).max_by(|a, b| asked(a).total_cmp(&asked(b)));
        let place = all[most.unwrap_or(0)];
        places.push(place);
        for (away, cell) in away.iter_mut().zip(&all) {
            *away = away.min(squared(*cell, place));
        }
    }
    for _ in 0..60 {
        let mut sums = vec![[0.0; 3]; count];
        for (cell, weight) in all.iter().zip(&weights) {
            let nearest = (0..count)
                .min_by(|&a, &b| squared(places[a], *cell).total_cmp(&squared(places[b], *cell)));
            let [mass, x, y] = &mut sums[nearest.unwrap_or(0)];
            *mass += weight;
            *x += weight * cell.x;
            *y += weight * cell.y;
        }
        for (place, [mass, x, y]) in places.iter_mut().zip(sums) {
            if mass > 0.0 {
                *place = Position::new(x / mass, y / mass);
            }
        }
    }
    places
}
