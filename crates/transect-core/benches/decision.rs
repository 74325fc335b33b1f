//! How long a boat waits for its next goal: one round of training on the new reading, prediction at the
//! candidates, choice of one.
//!
//! `cargo bench -p transect-core` prints, for surveys that have come to N soundings, the median, the 99th percentile and
//! the longest of the decisions that follow, with the default settings on all cores. The surveys begin with N readings
//! from before, scattered at random; every decision adds one.

use std::sync::Arc;
use std::time::Instant;
use transect::budget::Budget;
use transect::geometry::{Position, Rect, Workspace};
use transect::gp::random::{Randomness, Stream};
use transect::gp::{Compute, Threads};
use transect::mission::{Event, Mission, SimulatedWorld};
use transect::settings::MissionSettings;
use transect::terrain::{Lookup, Terrain};
use transect::{Error, Sounding};

/// Readings from before, decisions that are timed, and the milliseconds allowed.
const SURVEYS: [(usize, usize, f64); 2] = [(700, 200, 150.0), (2000, 100, 1000.0)];
/// Rows and columns of the terrain.
const CELLS: usize = 360;
/// Readings of the pilot survey, which the loop wants whatever is known before.
const PILOT: usize = 2;
/// A model of so many readings is not trained further before the clock starts: time does not depend on parameters.
const FIRST_STEPS: usize = 2;

fn main() -> Result<(), Error> {
    println!(
        "{:>6} {:>10} {:>10} {:>10} {:>10}",
        "N", "median ms", "p99 ms", "worst ms", "allowed"
    );
    for (readings, decisions, allowed) in SURVEYS {
        let mut times = decide(readings, decisions)?;
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((share * times.len() as f64) as usize).min(times.len() - 1)];
        println!(
            "{readings:6} {:10.1} {:10.1} {:10.1} {allowed:10.0}",
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
    Ok(())
}

/// Milliseconds from a new reading to the next goal.
fn decide(readings: usize, decisions: usize) -> Result<Vec<f64>, Error> {
    let extent = Rect::new(-10.0, 10.0, -10.0, 10.0)?;
    let terrain = Arc::new(Terrain::new(heights(), CELLS, CELLS, extent)?);
    let workspace = Workspace::from(extent);
    let mut settings = MissionSettings {
        budget: Budget::of_soundings((PILOT + decisions + 1) as u64),
        ..MissionSettings::default()
    };
    settings.planner.name = "active".into();
    settings.pilot.soundings = PILOT;
    settings.training.pilot_steps = FIRST_STEPS;
    let mut random = Stream::new(1);
    let prior = (0..readings).map(|_| {
        let position = Position::new(random.uniform(-10.0, 10.0), random.uniform(-10.0, 10.0));
        Sounding {
            position,
            value: terrain.value(position, Lookup::Nearest).unwrap_or_default(),
            time_s: 0.0,
        }
    });
    let prior: Vec<Sounding> = prior.collect();
    let world = SimulatedWorld::over(Arc::clone(&terrain), &workspace, &settings)?;
    let mut mission = Mission::new(world, workspace, settings)?
        .with_prior(prior)?
        .with_compute(Compute::with_threads(Threads::All));
    let mut since: Option<Instant> = None;
    let mut times = Vec::new();
    mission.run(&mut |event: &Event<'_>| match event {
        Event::Sounding { .. } => since = Some(Instant::now()),
        Event::Planned { .. } => {
            if let Some(since) = since.take() {
                times.push(since.elapsed().as_secs_f64() * 1e3);
            }
        }
        _ => {}
    })?;
    // The first goals are those of the pilot survey, and the training after it.
    times.drain(..PILOT);
    Ok(times)
}

/// Smooth on the left, rugged on the right.
fn heights() -> Vec<f64> {
    let height = |x: f64, y: f64| (3.0 * x).sin() + x * x * (40.0 * x).sin() * (37.0 * y).cos();
    let cell = |i: usize| i as f64 / CELLS as f64;
    let cells = (0..CELLS).flat_map(|row| (0..CELLS).map(move |column| (row, column)));
    cells
        .map(|(row, column)| 20.0 * height(cell(column), cell(row)))
        .collect()
}
