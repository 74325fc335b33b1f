//! Fits a map to a CSV of soundings and prints what it says about one place.
//!
//! ```sh
//! cargo run --release -p transect-lab --example map_from_csv -- soundings.csv 120.5 64.0
//! ```
//! Coordinates are metres here; `transect_survey::map` also projects degrees and writes files.

use std::error::Error;
use std::path::Path;
use transect::map::{MapSettings, make_map};
use transect_io::soundings::{Columns, read};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, x, y] = &arguments[..] else {
        return Err("three arguments are needed: a CSV of soundings, x and y".into());
    };
    let at = [x.parse()?, y.parse()?];

    let soundings = read(Path::new(file), &Columns::default())?.merged();
    let settings = MapSettings::default();
    let map = make_map(
        &soundings.places,
        &soundings.values,
        &settings,
        &|_share| {},
    )?;

    let (row, column) = map
        .grid
        .cell_at(at)
        .ok_or("that place is outside of the map")?;
    let cell = row * map.grid.columns + column;
    println!(
        "{:.2} +- {:.2} at ({x}, {y})",
        map.mean[cell], map.std[cell]
    );
    println!(
        "each sounding is predicted by the others to {:.2}; {:.0} % lie inside their 95 % intervals",
        map.quality.rmse,
        100.0 * map.quality.coverage_95
    );
    Ok(())
}
