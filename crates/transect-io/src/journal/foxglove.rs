//! Messages that other viewers know: the schemas of Foxglove, written beside our own so that its panels show boat, map,
//! fence and troubles without a plugin.
//!
//! | topic | schema | told |
//! |---|---|---|
//! | `fix` | `foxglove.LocationFix` | where the boat is, where the coordinates are known on the earth |
//! | `pose` | `foxglove.PoseInFrame` | where the boat is, in metres |
//! | `map` | `foxglove.Grid` | mean and standard deviation of the surface, now and then |
//! | `fence` | `foxglove.GeoJSON` | once: the boundary, where the coordinates are known on the earth |
//! | `log` | `foxglove.Log` | troubles |

use super::message::Message;
use super::told::Told;
use crate::{Crs, geojson};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use transect::geometry::{Position, Rect, Workspace};
use transect::mission::{Event, Whereabouts};

/// The frame of coordinates in metres.
const FRAME: &str = "map";
/// Level of warnings in a log.
const WARNING: u8 = 3;
/// A 32-bit float, as fields of a grid name it.
const FLOAT32: u8 = 7;

/// A moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Time {
    /// Whole seconds.
    pub sec: u32,
    /// Nanoseconds of the next.
    pub nsec: u32,
}

impl Time {
    /// A moment on the mission's clock, s.
    pub fn at(time_s: f64) -> Self {
        let nanoseconds = (time_s.max(0.0) * 1e9) as u64;
        Self {
            sec: u32::try_from(nanoseconds / 1_000_000_000).unwrap_or(u32::MAX),
            nsec: (nanoseconds % 1_000_000_000) as u32,
        }
    }
}

/// A point or arrow in space, m.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs)]
pub struct Vector3 {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

/// A rotation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs)]
pub struct Quaternion {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub w: f64,
}

/// Where something is and where it points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pose {
    /// Where it is, m.
    pub position: Vector3,
    /// Where it points.
    pub orientation: Quaternion,
}

impl Pose {
    fn at(position: Position, heading_rad: f64) -> Self {
        Self {
            position: Vector3 {
                x: position.x,
                y: position.y,
                z: 0.0,
            },
            orientation: Quaternion {
                x: 0.0,
                y: 0.0,
                z: (0.5 * heading_rad).sin(),
                w: (0.5 * heading_rad).cos(),
            },
        }
    }
}

/// `foxglove.PoseInFrame`: where the boat is, m.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PoseInFrame {
    /// When.
    pub timestamp: Time,
    /// The frame of coordinates.
    pub frame_id: String,
    /// Where.
    pub pose: Pose,
}

/// `foxglove.LocationFix`: where the boat is on the earth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LocationFix {
    /// When.
    pub timestamp: Time,
    /// Who.
    pub frame_id: String,
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// Metres; not known, and 0.
    pub altitude: f64,
    /// How uncertain that is; not known.
    pub position_covariance: [f64; 9],
    /// 0: the covariance is not known.
    pub position_covariance_type: u8,
}

/// `foxglove.GeoJSON`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GeoJson {
    /// The text.
    pub geojson: String,
}

/// `foxglove.Log`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Log {
    /// When.
    pub timestamp: Time,
    /// 3 is a warning.
    pub level: u8,
    /// What happened.
    pub message: String,
    /// Who says it.
    pub name: String,
    /// Not used.
    pub file: String,
    /// Not used.
    pub line: u32,
}

/// Sides of a cell, m.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs)]
pub struct Vector2 {
    pub x: f64,
    pub y: f64,
}

/// One number of every cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackedElementField {
    /// What it is.
    pub name: String,
    /// Where it stands in a cell, bytes.
    pub offset: u32,
    /// 7 is a 32-bit float, least byte first.
    pub r#type: u8,
}

/// `foxglove.Grid`: mean and standard deviation of the surface, row by row from the south-west corner; NaN outside the area.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Grid {
    /// When.
    pub timestamp: Time,
    /// The frame of coordinates.
    pub frame_id: String,
    /// The south-west corner.
    pub pose: Pose,
    /// Cells of a row.
    pub column_count: u32,
    /// Sides of a cell, m.
    pub cell_size: Vector2,
    /// Bytes of a row.
    pub row_stride: u32,
    /// Bytes of a cell.
    pub cell_stride: u32,
    /// What a cell holds.
    pub fields: Vec<PackedElementField>,
    /// The cells, in base64.
    #[schemars(extend("contentEncoding" = "base64"))]
    pub data: String,
}

/// Mean and standard deviation in cells, and what they cover.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    /// Number of columns, along x.
    pub columns: usize,
    /// Number of rows, along y.
    pub rows: usize,
    /// What the cells cover, m.
    pub extent: Rect,
    /// The surface.
    pub mean: Vec<f64>,
    /// One standard deviation of it.
    pub std: Vec<f64>,
}

const CELL_BYTES: usize = 8;

impl Grid {
    /// The message of a map at a moment, s.
    pub fn of(time_s: f64, cells: &Cells) -> Self {
        let data: Vec<u8> = (cells.mean.iter().zip(&cells.std))
            .flat_map(|(mean, std)| [*mean as f32, *std as f32])
            .flat_map(f32::to_le_bytes)
            .collect();
        let field = |name: &str, offset| PackedElementField {
            name: name.into(),
            offset,
            r#type: FLOAT32,
        };
        let extent = &cells.extent;
        Self {
            timestamp: Time::at(time_s),
            frame_id: FRAME.into(),
            pose: Pose::at(Position::new(extent.xmin(), extent.ymin()), 0.0),
            column_count: cells.columns as u32,
            cell_size: Vector2 {
                x: extent.width() / cells.columns as f64,
                y: extent.height() / cells.rows as f64,
            },
            row_stride: (cells.columns * CELL_BYTES) as u32,
            cell_stride: CELL_BYTES as u32,
            fields: vec![field("mean", 0), field("std", 4)],
            data: BASE64_STANDARD.encode(data),
        }
    }

    /// The map of a message; none if its parts do not fit together.
    pub fn cells(&self) -> Option<Cells> {
        let bytes = BASE64_STANDARD.decode(&self.data).ok()?;
        let columns = self.column_count as usize;
        let row_bytes = columns.checked_mul(CELL_BYTES)?;
        let names = self
            .fields
            .iter()
            .map(|field| (&field.name[..], field.offset));
        let rows = bytes.len().checked_div(row_bytes)?;
        if rows == 0
            || rows * row_bytes != bytes.len()
            || self.cell_stride as usize != CELL_BYTES
            || !names.eq([("mean", 0), ("std", 4)])
        {
            return None;
        }
        let number = |at: usize| -> f64 {
            let four: [u8; 4] = bytes[at..at + 4].try_into().unwrap_or_default();
            f32::from_le_bytes(four).into()
        };
        let layer = |offset: usize| -> Vec<f64> {
            let cells = (0..bytes.len()).step_by(CELL_BYTES);
            cells.map(|cell| number(cell + offset)).collect()
        };
        let (west, south) = (self.pose.position.x, self.pose.position.y);
        let east = west + self.cell_size.x * columns as f64;
        let north = south + self.cell_size.y * rows as f64;
        Some(Cells {
            columns,
            rows,
            extent: Rect::new(west, east, south, north).ok()?,
            mean: layer(0),
            std: layer(4),
        })
    }
}

macro_rules! foxglove {
    ($($kind:ty: $topic:literal, $schema:literal;)*) => {$(
        impl Message for $kind {
            const TOPIC: &'static str = $topic;
            const SCHEMA: Option<&'static str> = Some($schema);
        }
    )*};
}

foxglove! {
    LocationFix: "fix", "foxglove.LocationFix";
    PoseInFrame: "pose", "foxglove.PoseInFrame";
    Grid: "map", "foxglove.Grid";
    GeoJson: "fence", "foxglove.GeoJSON";
    Log: "log", "foxglove.Log";
}

/// What other viewers are told of an event, beside our own message of it.
pub(super) fn beside(
    event: &Event<'_>,
    crs: Crs,
    time_s: f64,
) -> Result<Vec<Told>, serde_json::Error> {
    let mut told = Vec::new();
    match event {
        Event::Started {
            workspace, vehicle, ..
        } => {
            told.extend(fence(workspace, crs, vehicle.time_s)?);
            told.extend(whereabouts(vehicle, crs)?);
        }
        Event::Planned { vehicle, .. }
        | Event::Sounding { vehicle, .. }
        | Event::LegEnded { vehicle, .. } => told.extend(whereabouts(vehicle, crs)?),
        Event::Trouble { trouble } => {
            let log = Log {
                timestamp: Time::at(time_s),
                level: WARNING,
                message: trouble.to_string(),
                name: "transect".into(),
                file: String::new(),
                line: 0,
            };
            told.push(Told::message(Some(time_s), &log)?);
        }
        _ => {}
    }
    Ok(told)
}

fn whereabouts(vehicle: &Whereabouts, crs: Crs) -> Result<Vec<Told>, serde_json::Error> {
    let (position, time_s) = (vehicle.pose.position, vehicle.time_s);
    let pose = PoseInFrame {
        timestamp: Time::at(time_s),
        frame_id: FRAME.into(),
        pose: Pose::at(position, vehicle.pose.heading_rad),
    };
    let mut told = vec![Told::message(Some(time_s), &pose)?];
    if let Some(place) = crs.lon_lat(position) {
        let fix = LocationFix {
            timestamp: Time::at(time_s),
            frame_id: "boat".into(),
            latitude: place.lat_deg,
            longitude: place.lon_deg,
            altitude: 0.0,
            position_covariance: [0.0; 9],
            position_covariance_type: 0,
        };
        told.push(Told::message(Some(time_s), &fix)?);
    }
    Ok(told)
}

fn fence(workspace: &Workspace, crs: Crs, time_s: f64) -> Result<Option<Told>, serde_json::Error> {
    let rings: Vec<Vec<Position>> = match workspace {
        Workspace::Rect(rect) => {
            let (x, y) = ([rect.xmin(), rect.xmax()], [rect.ymin(), rect.ymax()]);
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)];
            vec![corners.map(|(i, j)| Position::new(x[i], y[j])).to_vec()]
        }
        Workspace::Polygon(polygon) => std::iter::once(polygon.outer().to_vec())
            .chain(polygon.holes().iter().map(|hole| hole.to_vec()))
            .collect(),
    };
    let mut features = Vec::new();
    for ring in rings {
        let closed = ring.iter().chain(ring.first());
        let Some(places) = closed
            .map(|at| crs.lon_lat(*at))
            .collect::<Option<Vec<_>>>()
        else {
            return Ok(None);
        };
        features.push(json!({
            "type": "Feature",
            "properties": {"name": "fence"},
            "geometry": geojson::line(&places),
        }));
    }
    let text = json!({"type": "FeatureCollection", "features": features}).to_string();
    Told::message(Some(time_s), &GeoJson { geojson: text }).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_comes_back_as_it_went_in_to_the_precision_of_floats() {
        let cells = Cells {
            columns: 3,
            rows: 2,
            extent: Rect::new(10.0, 16.0, 20.0, 24.0).unwrap(),
            mean: vec![1.5, 2.5, f64::NAN, -4.0, 0.0, 6.25],
            std: vec![0.5, 0.25, f64::NAN, 1.0, 2.0, 3.0],
        };
        let grid = Grid::of(12.5, &cells);
        assert_eq!((grid.timestamp.sec, grid.timestamp.nsec), (12, 500_000_000));
        let back = grid.cells().unwrap();
        assert_eq!((back.columns, back.rows, back.extent), (3, 2, cells.extent));
        assert!(back.mean[2].is_nan() && back.std[2].is_nan());
        assert_eq!((back.mean[5], back.std[3]), (6.25, 1.0));
        for change in [
            |grid: &mut Grid| grid.column_count = 0,
            |grid: &mut Grid| grid.column_count = u32::MAX,
            |grid: &mut Grid| grid.data.truncate(5),
            |grid: &mut Grid| grid.data = String::new(),
            |grid: &mut Grid| grid.cell_size.x = f64::NAN,
        ] {
            let mut broken = grid.clone();
            change(&mut broken);
            assert_eq!(broken.cells(), None);
        }
    }

    #[test]
    fn a_heading_is_half_its_angle_about_the_vertical() {
        // East is x: a boat that points north is turned by 90 degrees.
        let north = Pose::at(Position::new(1.0, 2.0), std::f64::consts::FRAC_PI_2).orientation;
        assert!((north.z - 0.5f64.sqrt()).abs() < 1e-15 && (north.w - 0.5f64.sqrt()).abs() < 1e-15);
    }
}
