//! What a mission leaves behind.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;
use transect::Sounding;
use transect::geometry::{Position, Workspace};
use transect::gp::{Of, Points};
use transect::model::Model;
use transect_io::atomic::{self, Existing};
use transect_io::{Crs, IoError, Placement, Raster, geotiff};

use crate::skipper::Plane;

/// Cells along the longer side of the map.
const MAP_CELLS: f64 = 200.0;

/// Writes `soundings.csv`: x, y, value, time_s.
///
/// # Errors
/// If the file cannot be written.
pub fn write_soundings(folder: &Path, soundings: &[Sounding]) -> Result<(), IoError> {
    let mut text = String::from("x,y,value,time_s\n");
    for Sounding {
        position,
        value,
        time_s,
    } in soundings
    {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{},{},{value},{time_s}", position.x, position.y);
    }
    atomic::write(
        &folder.join("soundings.csv"),
        text.as_bytes(),
        Existing::Replace,
    )
}

/// Writes `track.geojson`: the way from sounding to sounding, in degrees.
///
/// # Errors
/// If the file cannot be written.
pub fn write_track(folder: &Path, soundings: &[Sounding], plane: &Plane) -> Result<(), IoError> {
    let places = soundings.iter().filter_map(|s| plane.degrees(s.position));
    let way: Vec<[f64; 2]> = places.map(|place| [place.lon_deg, place.lat_deg]).collect();
    let track = json!({
        "type": "FeatureCollection",
        "features": [{
            "type": "Feature",
            "properties": {"name": "track"},
            "geometry": {"type": "LineString", "coordinates": way},
        }],
    });
    let text = track.to_string();
    atomic::write(
        &folder.join("track.geojson"),
        text.as_bytes(),
        Existing::Replace,
    )
}

/// Writes `map.tif`, mean and standard deviation inside the workspace, and `model.json`.
///
/// # Errors
/// If a file cannot be written, or the model cannot predict or be saved.
pub fn write_map(
    folder: &Path,
    model: &mut Model,
    workspace: &Workspace,
    crs: Crs,
) -> Result<(), IoError> {
    let path = folder.join("map.tif");
    let refuse = |error: &dyn std::fmt::Display| IoError::Content {
        path: path.clone(),
        reason: error.to_string(),
    };
    let bounds = workspace.bounds();
    let cell_m = bounds.width().max(bounds.height()) / MAP_CELLS;
    let count = |length_m: f64| ((length_m / cell_m).ceil() as usize).max(1);
    let (rows, columns) = (count(bounds.height()), count(bounds.width()));
    let placement = Placement::over(bounds, rows, columns);
    let cells = (0..rows * columns).map(|cell| placement.centre(cell / columns, cell % columns));
    let (inside, places): (Vec<usize>, Vec<[f64; 2]>) = cells
        .enumerate()
        .filter(|(_, (x, y))| workspace.contains(Position::new(*x, *y)))
        .map(|(cell, (x, y))| (cell, [x, y]))
        .unzip();
    let mut bands = [
        vec![f64::NAN; rows * columns],
        vec![f64::NAN; rows * columns],
    ];
    // In pieces: one prediction of the whole map would take much memory.
    for (cells, places) in inside.chunks(2000).zip(places.chunks(2000)) {
        let points = Points::from_rows(places).map_err(|e| refuse(&e))?;
        let prediction = model
            .predict(&points, Of::Quantity)
            .map_err(|e| refuse(&e))?;
        for (i, &cell) in cells.iter().enumerate() {
            (bands[0][cell], bands[1][cell]) = (prediction.mean[i], prediction.std[i]);
        }
    }
    let [mean, std] = bands.map(|values| Raster::new(values, rows, columns, placement, crs));
    let (mean, std) = (mean.map_err(|e| refuse(&e))?, std.map_err(|e| refuse(&e))?);
    let bands = [
        geotiff::Band {
            name: "mean",
            raster: &mean,
        },
        geotiff::Band {
            name: "standard deviation",
            raster: &std,
        },
    ];
    geotiff::write(&path, &bands, Existing::Replace)?;
    let text = model.save().map_err(|e| refuse(&e))?;
    atomic::write(
        &folder.join("model.json"),
        text.as_bytes(),
        Existing::Replace,
    )
}
