//! Soundings in, maps out: a file of soundings becomes a GeoTIFF with uncertainty, contours and a picture.
//!
//! ```text
//!  CSV ──> soundings ──> one per place ──> metres ──> transect::map ──> MAP.tif, MAP.contours.geojson, MAP.png
//! ```

mod coordinates;
mod mission;
mod picture;

pub use mission::MissionMap;

use crate::error::{Result, SurveyError};
use std::path::{Path, PathBuf};
use transect::map::{Map, MapSettings, make_map};
use transect_io::atomic::{self, Existing};
use transect_io::contours::{contours, geojson, suitable_interval};
use transect_io::soundings::{self, Columns};
use transect_io::{Crs, Raster, geotiff};

/// What is to be mapped, and how.
#[derive(Debug, Clone)]
pub struct MapRequest {
    /// The file of soundings.
    pub soundings: PathBuf,
    /// Its columns, where they are not to be recognised.
    pub columns: Columns,
    /// What the coordinates are; of longitudes and latitudes, the UTM zone to map them in.
    pub crs: Option<Crs>,
    /// Value between contours; without one, it suits the map.
    pub interval: Option<f64>,
    /// The GeoTIFF to write; contours and picture get its name with other endings.
    pub out: PathBuf,
    /// Whether files that are there may be replaced.
    pub existing: Existing,
    /// The map itself.
    pub settings: MapSettings,
}

/// What became of a request.
#[derive(Debug, Clone)]
pub struct MapOutcome {
    /// Rows of data in the file.
    pub rows: usize,
    /// Rows without a number.
    pub gaps: usize,
    /// Rows that repeated another.
    pub repeated: usize,
    /// Rows averaged with another of the same place.
    pub averaged: usize,
    /// Places the map is made from.
    pub places: usize,
    /// Names of the columns of x, y and value.
    pub columns: [String; 3],
    /// Coordinates of the map.
    pub crs: Crs,
    /// Names of the kernels whose predictions were pooled.
    pub kernels: Vec<String>,
    /// The map.
    pub map: Map,
    /// Value between contours; none where the map is flat.
    pub interval: Option<f64>,
    /// How many contour lines there are.
    pub contours: usize,
    /// Soundings that have nothing to do with those around them, the worst first: x, y (as in the file) and value.
    pub suspicious: Vec<[f64; 3]>,
    /// Whether the map was made without these.
    pub ignored: bool,
    /// The files written: GeoTIFF, contours, picture.
    pub files: [PathBuf; 3],
}

/// Makes the map and writes its files; `watch` hears how much is done, in [0, 1], from any thread.
///
/// # Errors
/// If the soundings cannot be read or mapped, or a file is there already or cannot be written.
pub fn map(request: &MapRequest, watch: &(dyn Fn(f64) + Sync)) -> Result<MapOutcome> {
    let files = file_names(&request.out)?;
    if request.existing == Existing::Keep
        && let Some(path) = files.iter().find(|path| path.exists())
    {
        let path = path.clone();
        return Err(transect_io::IoError::Exists { path }.into());
    }
    let soundings = soundings::read(&request.soundings, &request.columns)?;
    let refuse = |reason: String| {
        SurveyError::from(transect_io::IoError::Content {
            path: request.soundings.clone(),
            reason,
        })
    };
    let merged = soundings.merged();
    let (places, crs) = coordinates::in_metres(&merged.places, soundings.geographic, request.crs)
        .map_err(refuse)?;
    let made = make_map(&places, &merged.values, &request.settings, watch);
    let map = made.map_err(|error| match is_of_the_request(&error) {
        true => refuse(error.to_string()),
        false => error.into(),
    })?;
    let raster = |values: &[f64]| {
        let grid = &map.grid;
        Raster::from_south_up(values, grid.rows, grid.columns, grid.extent, crs)
    };
    let (mean, std) = (raster(&map.mean)?, raster(&map.std)?);
    let interval = request.interval.or_else(|| suitable_interval(&mean));
    let lines = match interval {
        Some(interval) => contours(&mean, interval).map_err(SurveyError::Request)?,
        None => Vec::new(),
    };
    let value = &soundings.names[2];
    let picture = picture::draw(&map, &places, value, crs)?;
    let bands = [("mean", &mean), ("standard deviation", &std)];
    let bands = bands.map(|(name, raster)| geotiff::Band { name, raster });
    geotiff::write(&files[0], &bands, request.existing)?;
    let text = geojson(&lines, crs);
    atomic::write(&files[1], text.as_bytes(), request.existing)?;
    atomic::write(&files[2], &picture, request.existing)?;
    let kernels = request.settings.kernels.iter();
    let suspicious = map.quality.suspicious.iter().map(|i| {
        let [x, y] = merged.places[*i];
        [x, y, merged.values[*i]]
    });
    Ok(MapOutcome {
        rows: soundings.rows,
        gaps: soundings.gaps,
        repeated: merged.repeated,
        averaged: merged.averaged,
        places: places.len(),
        columns: soundings.names,
        crs,
        kernels: kernels.map(|kernel| kernel.name.clone()).collect(),
        suspicious: suspicious.collect(),
        ignored: request.settings.ignore_outliers,
        map,
        interval,
        contours: lines.len(),
        files,
    })
}

/// `lake.tif` goes with `lake.contours.geojson` and `lake.png`.
fn file_names(out: &Path) -> Result<[PathBuf; 3]> {
    let ending = out.extension().map(|e| e.to_ascii_lowercase());
    if !ending.is_some_and(|ending| ending == "tif" || ending == "tiff") {
        return Err(SurveyError::Request(format!(
            "--out is `{}`: a map is a GeoTIFF, so its name must end in .tif",
            out.display()
        )));
    }
    let ended = |ending: &str| out.with_extension(ending);
    Ok([out.to_owned(), ended("contours.geojson"), ended("png")])
}

/// Whether other soundings or settings would help, rather than other numerics.
fn is_of_the_request(error: &transect::Error) -> bool {
    use transect::Error;
    matches!(
        error,
        Error::TooFewSoundings { .. }
            | Error::OnePlace
            | Error::TooManyCells { .. }
            | Error::Setting { .. }
            | Error::UnknownName { .. }
    )
}
