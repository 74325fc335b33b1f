//! Judges surveys of other programs as `transect reproduce planners` judges its own: by the map that a new model of the default profile makes of their soundings.
//!
//! ```text
//! cargo run --release -p transect-lab --example judge -- <folder of terrain files> <terrain> <soundings.csv>...
//! ```
//!
//! The tables have the columns `x,y,value`, as `soundings.csv` in a results folder: metres from the middle of the area, 20 x 20 m of a terrain that is 22 m wide. One line
//! of CSV is printed for each.

use std::path::Path;
use transect::geometry::{Position, Rect, Workspace};
use transect::inputs;
use transect_lab::DataFolder;
use transect_lab::experiment::{Profile, judge};
use transect_lab::results::{SOUNDINGS, Table};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, name, files @ ..] = &arguments[..] else {
        return Err(
            "a folder of terrain files, a terrain and tables of soundings are needed".into(),
        );
    };
    let extent = Rect::new(-11.0, 11.0, -11.0, 11.0)?;
    let terrain = DataFolder::new(Path::new(folder)).terrain(name, extent)?;
    let workspace = Workspace::from(Rect::new(-10.0, 10.0, -10.0, 10.0)?);
    let settings = Profile::Default.settings();
    println!("file,soundings,smse,msll,rmse,coverage_95");
    for file in files {
        let table = Table::read(Path::new(file), &SOUNDINGS)?;
        let coordinates = table.column("x").iter().zip(table.column("y"));
        let places: Vec<Position> = coordinates.map(|(x, y)| Position::new(*x, *y)).collect();
        let readings = table.column("value");
        let places = inputs::places(&places)?;
        let judged = judge(&settings, &terrain, &workspace, &places, readings)?;
        println!(
            "{file},{},{},{},{},{}",
            readings.len(),
            judged.smse,
            judged.msll,
            judged.rmse,
            judged.calibration.coverage_95
        );
    }
    Ok(())
}
