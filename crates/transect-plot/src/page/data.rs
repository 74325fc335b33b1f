//! What a page shows, as plain numbers and words.

use serde::Serialize;

use super::pack;
use crate::color::ColorMap;

/// A page.
///
/// ```
/// use transect_plot::page::{GridData, MapData, PageData, SurveyData};
/// let grid = GridData {
///     columns: 2,
///     rows: 1,
///     extent: [0.0, 0.0, 20.0, 10.0],
///     mean: vec![3.0, f64::NAN],
///     std: vec![0.5, f64::NAN],
/// };
/// let survey = SurveyData { name: "adaptive".into(), grid: Some(grid), ..SurveyData::default() };
/// let map = MapData {
///     bounds: [0.0, 0.0, 20.0, 10.0],
///     quantity: "Depth".into(),
///     unit: "m".into(),
///     downward: true,
///     surveys: vec![survey],
///     ..MapData::default()
/// };
/// let html = PageData { title: "A pond".into(), map, ..PageData::default() }.to_html()?;
/// assert!(html.starts_with("<!DOCTYPE html>") && html.contains("A pond"));
/// # Ok::<(), transect_plot::PlotError>(())
/// ```
#[derive(Debug, Clone, Default, Serialize)]
pub struct PageData {
    /// The title.
    pub title: String,
    /// What this is, in a few sentences; an empty line begins a new paragraph.
    pub intro: String,
    /// What a reader must know before anything else.
    pub warnings: Vec<String>,
    /// The map.
    pub map: MapData,
    /// What the survey gained, in sentences.
    pub gained: Vec<String>,
    /// Numbers of the surveys, side by side.
    pub numbers: NumberTable,
    /// How the error fell.
    pub curves: Vec<Curve>,
    /// How honest the error bars are.
    pub calibration: Vec<CalibrationData>,
    /// What went wrong and was dealt with.
    pub troubles: Vec<String>,
    /// The settings used, as text.
    pub settings: String,
    /// Files beside the page.
    pub files: Vec<FileLink>,
    /// The program and its version.
    pub program: String,
    /// The day the page was made, as the caller wants it shown; nothing here reads a clock.
    pub date: Option<String>,
}

/// What the map draws.
#[derive(Debug, Clone, Serialize)]
pub struct MapData {
    /// West, south, east and north ends of what is shown, m.
    pub bounds: [f64; 4],
    /// What the metres are measured in: an EPSG code, or words.
    pub crs: String,
    /// Longitudes and latitudes, where they are known.
    pub degrees: Option<Degrees>,
    /// What the values are.
    pub quantity: String,
    /// Their unit.
    pub unit: String,
    /// Greater values lie deeper: colours and profiles are turned around.
    pub downward: bool,
    /// The boundary and the islands in it, as corners, m.
    pub fence: Vec<Vec<[f64; 2]>>,
    /// Value between contours; without one, it suits the map.
    pub contour_step: Option<f64>,
    /// The surveys that may be looked at.
    pub surveys: Vec<SurveyData>,
    /// More will come over the connection that the page came from.
    pub live: bool,
    /// Commands to the vehicle can be given from this page. Only on a live page.
    pub control: bool,
    /// Colours, as 256 times `rrggbb`.
    pub colors: Colors,
}

impl Default for MapData {
    fn default() -> Self {
        Self {
            bounds: [0.0, 0.0, 1.0, 1.0],
            crs: "metres from an origin of the survey's own".into(),
            degrees: None,
            quantity: "Value".into(),
            unit: String::new(),
            downward: false,
            fence: Vec::new(),
            contour_step: None,
            surveys: Vec::new(),
            live: false,
            control: false,
            colors: Colors::default(),
        }
    }
}

/// Longitudes and latitudes at evenly spaced places of the map. Between them a page interpolates: with five along each side of an
/// area of 100 km that is exact to a centimetre.
#[derive(Debug, Clone, Serialize)]
pub struct Degrees {
    /// Places along each side.
    pub count: usize,
    /// West, south, east and north ends, m.
    pub extent: [f64; 4],
    /// Longitudes, degrees east, row by row from the south-west corner.
    pub lon: Vec<f64>,
    /// Latitudes, degrees north.
    pub lat: Vec<f64>,
}

impl Degrees {
    /// Asks `lon_lat` for the longitude and latitude of `count` by `count` places in metres; `None` if it does not know one.
    pub fn sample(
        extent: [f64; 4],
        count: usize,
        lon_lat: impl Fn(f64, f64) -> Option<[f64; 2]>,
    ) -> Option<Self> {
        let [west, south, east, north] = extent;
        let share = |i: usize| i as f64 / (count.max(2) - 1) as f64;
        let mut degrees = Self {
            count,
            extent,
            lon: Vec::new(),
            lat: Vec::new(),
        };
        for cell in 0..count * count {
            let x = west + share(cell % count) * (east - west);
            let y = south + share(cell / count) * (north - south);
            let [lon, lat] = lon_lat(x, y)?;
            degrees.lon.push(lon);
            degrees.lat.push(lat);
        }
        Some(degrees)
    }
}

/// The colours of the three kinds of layer.
#[derive(Debug, Clone, Serialize)]
pub struct Colors {
    height: String,
    std: String,
    error: String,
}

impl Default for Colors {
    fn default() -> Self {
        Self {
            height: pack::colors(ColorMap::Terrain),
            std: pack::colors(ColorMap::Viridis),
            error: pack::colors(ColorMap::Cividis),
        }
    }
}

/// One survey on a map.
#[derive(Debug, Clone, Serialize)]
pub struct SurveyData {
    /// Its name, in lower case.
    pub name: String,
    /// What is known at the end; none when there was never a model.
    pub grid: Option<GridData>,
    /// The truth at the same cells, where it is known.
    #[serde(serialize_with = "pack::optional_floats")]
    pub truth: Option<Vec<f64>>,
    /// Half the width of a 95 % interval, in standard deviations.
    pub half_width_95: f64,
    /// Soundings in order: x, y in m, value, seconds since the start.
    pub soundings: Vec<[f64; 4]>,
    /// How many soundings there were; more than are drawn when there are very many.
    pub soundings_total: usize,
    /// Soundings that the map does not follow: x, y in m and value.
    pub flagged: Vec<[f64; 3]>,
    /// The way: x, y in m and seconds since the start.
    pub track: Vec<[f64; 3]>,
    /// The map as it was known on the way.
    pub frames: Vec<FrameData>,
}

impl Default for SurveyData {
    fn default() -> Self {
        Self {
            name: String::new(),
            grid: None,
            truth: None,
            // Of a Gaussian.
            half_width_95: 1.959_963_984_540_054,
            soundings: Vec::new(),
            soundings_total: 0,
            flagged: Vec::new(),
            track: Vec::new(),
            frames: Vec::new(),
        }
    }
}

/// Mean and standard deviation of the surface in cells; row 0 is in the south, NaN is missing.
#[derive(Debug, Clone, Default, Serialize)]
pub struct GridData {
    /// Number of columns, along x.
    pub columns: usize,
    /// Number of rows, along y.
    pub rows: usize,
    /// West, south, east and north edges of the cells, m.
    pub extent: [f64; 4],
    /// The surface.
    #[serde(serialize_with = "pack::floats")]
    pub mean: Vec<f64>,
    /// One standard deviation of it.
    #[serde(serialize_with = "pack::floats")]
    pub std: Vec<f64>,
}

/// The map at one moment, coarser than the last one.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FrameData {
    /// Seconds since the start.
    pub time_s: f64,
    /// Soundings that it was made from.
    pub soundings: usize,
    /// Number of columns, along x.
    pub columns: usize,
    /// Number of rows, along y.
    pub rows: usize,
    /// West, south, east and north edges of the cells, m.
    pub extent: [f64; 4],
    /// The surface.
    #[serde(serialize_with = "pack::levels")]
    pub mean: Vec<f64>,
    /// One standard deviation of it.
    #[serde(serialize_with = "pack::levels")]
    pub std: Vec<f64>,
}

/// Numbers of several surveys, side by side.
#[derive(Debug, Clone, Default, Serialize)]
pub struct NumberTable {
    /// The surveys.
    pub columns: Vec<String>,
    /// The numbers.
    pub rows: Vec<NumberRow>,
    /// What they mean.
    pub explanation: String,
}

/// One line of a table.
#[derive(Debug, Clone, Default, Serialize)]
pub struct NumberRow {
    /// What it is.
    pub name: String,
    /// A number with its unit for each survey; empty where a survey has none.
    pub cells: Vec<String>,
    /// Which of them is the best, where one is.
    pub best: Option<usize>,
}

/// How the error of a map fell.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Curve {
    /// The survey.
    pub name: String,
    /// Seconds since the start, or soundings.
    pub x: Vec<f64>,
    /// Root mean square error, in the unit of the values.
    pub y: Vec<f64>,
}

/// How honest error bars are.
#[derive(Debug, Clone, Default, Serialize)]
pub struct CalibrationData {
    /// The survey.
    pub name: String,
    /// The verdict, in words.
    pub words: String,
    /// What the picture shows.
    pub caption: String,
    /// How many values lie in each tenth of the distributions predicted for them.
    pub histogram: Vec<u64>,
}

/// A file beside the page.
#[derive(Debug, Clone, Default, Serialize)]
pub struct FileLink {
    /// Its name, relative to the page.
    pub name: String,
    /// What is in it.
    pub what: String,
}
