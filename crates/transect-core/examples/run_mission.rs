//! A survey of a lake that has a rugged corner: a pilot survey, then wherever the map is worst for the way.
//!
//! `cargo run --release -p transect-core --example run_mission`

use std::sync::Arc;
use transect::Error;
use transect::budget::Budget;
use transect::geometry::{Rect, Workspace};
use transect::mission::{Event, Mission};
use transect::settings::MissionSettings;
use transect::terrain::Terrain;

fn main() -> Result<(), Error> {
    let extent = Rect::new(0.0, 80.0, 0.0, 60.0)?;
    let lake = Arc::new(Terrain::new(depths(60, 80), 60, 80, extent)?);
    let mut settings = MissionSettings {
        seed: 1,
        budget: Budget {
            distance_m: Some(600.0),
            ..Budget::default()
        },
        ..MissionSettings::default()
    };
    settings.sensor.noise_std = 0.05;

    let mut mission = Mission::simulated(lake, Workspace::from(extent), settings)?;
    let mut next_report = 0;
    let ending = mission.run(&mut |event: &Event<'_>| {
        if let Event::Evaluated { evaluation, .. } = event
            && evaluation.samples >= next_report
        {
            next_report = evaluation.samples + 50;
            println!(
                "{:4} soundings: off by {:.2} m (RMSE), {:.0} % inside the 95 % intervals",
                evaluation.samples,
                evaluation.rmse,
                100.0 * evaluation.calibration.coverage_95,
            );
        }
    })?;
    let spent = mission.spent();
    println!(
        "{ending}: {} soundings on {:.0} m",
        spent.soundings, spent.distance_m
    );
    Ok(())
}

/// A smooth bowl 8 m deep, with boulders in its north-eastern quarter.
fn depths(rows: usize, columns: usize) -> Vec<f64> {
    let depth = |row: usize, column: usize| {
        let (x, y) = (column as f64 / columns as f64, row as f64 / rows as f64);
        let bowl = 8.0 * (1.0 - (2.0 * x - 1.0).powi(2)) * (1.0 - (2.0 * y - 1.0).powi(2));
        let rugged = ((x - 0.5) * (y - 0.5)).max(0.0) * f64::from(u8::from(x > 0.5));
        bowl + 12.0 * rugged * (60.0 * x).sin() * (50.0 * y).cos()
    };
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    cells.map(|(row, column)| depth(row, column)).collect()
}
