//! Where a survey may go, drawn on a map: GeoJSON, KML and QGroundControl plans.
//!
//! All three give rings of longitude and latitude that a vehicle must stay in or out of. What may be
//! surveyed is the intersection of the former less the latter, computed in metres of a projection:
//!
//! ```
//! use transect_io::GeoPosition;
//! use transect_io::area::{Area, Format};
//! let lake = br#"{"type": "Polygon", "coordinates": [[[11.0, 48.0], [11.001, 48.0], [11.0, 48.001]]]}"#;
//! let area = Area::parse(Format::GeoJson, lake)?;
//! let plane = |at: GeoPosition| Ok([(at.lon_deg - 11.0) * 7.4e4, (at.lat_deg - 48.0) * 1.11e5]);
//! let polygon = area.in_metres(plane)?;
//! assert!((polygon.area() - 0.5 * 74.0 * 111.0).abs() < 1e-3);
//! # Ok::<(), String>(())
//! ```

mod geojson;
mod gpkg;
mod kml;
mod metres;
mod plan;
mod regions;
mod shapefile;

pub use regions::Regions;

use crate::bounded;
use crate::error::IoError;
use crate::geo::GeoPosition;
use std::path::Path;

/// Larger files are refused: no fence needs them.
const MOST_BYTES: u64 = 16 << 20;
/// More vertices are refused: checking every leg against them would be slow.
const MOST_VERTICES: usize = 1024;

/// What a file may be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// GeoJSON (RFC 7946): a Polygon, alone or in features and collections.
    GeoJson,
    /// KML (OGC 07-147r2): a Polygon, anywhere in the document.
    Kml,
    /// A QGroundControl plan: its geofence, and the polygons of its surveys.
    Plan,
}

impl Format {
    /// The format of a file of this name.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "geojson" | "json" => Some(Self::GeoJson),
            "kml" => Some(Self::Kml),
            "plan" => Some(Self::Plan),
            _ => None,
        }
    }
}

/// A boundary on the map.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Corners in order; the first need not be repeated.
    Ring(Vec<GeoPosition>),
    /// A circle.
    Circle {
        /// Its middle.
        center: GeoPosition,
        /// Its radius, m.
        radius_m: f64,
    },
}

impl Shape {
    /// A ring of longitudes and latitudes.
    fn of_lon_lat(ring: Vec<[f64; 2]>) -> Self {
        let position = |[lon, lat]: [f64; 2]| GeoPosition::new(lat, lon);
        Self::Ring(ring.into_iter().map(position).collect())
    }
}

/// A boundary, and the name of its place in the file for messages.
#[derive(Debug, Clone, PartialEq)]
pub struct Boundary {
    /// Where the boundary is written, such as `features[2], hole 1`.
    pub place: String,
    /// The boundary.
    pub shape: Shape,
}

/// What a file says about where to go.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Area {
    /// Stay inside all of these.
    pub inside: Vec<Boundary>,
    /// Stay outside all of these.
    pub outside: Vec<Boundary>,
    /// Where the vehicle starts and ends, if the file says so.
    pub home: Option<GeoPosition>,
}

impl Area {
    /// Reads an area from a file, in the format that its name says.
    ///
    /// # Errors
    /// If the file cannot be read, or does not hold an area.
    pub fn read(path: &Path) -> Result<Self, IoError> {
        let format = Format::of(path).ok_or_else(|| {
            IoError::content(path)(
                "areas are read from .geojson, .json, .kml and .plan files".into(),
            )
        })?;
        let bytes = bounded::read(path, MOST_BYTES)?;
        Self::parse(format, &bytes).map_err(IoError::content(path))
    }

    /// Reads an area from bytes.
    ///
    /// # Errors
    /// What is wrong with them, and where.
    pub fn parse(format: Format, bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| format!("byte {} is not UTF-8 text", error.valid_up_to()))?;
        let text = text.trim_start_matches('\u{feff}');
        let area = match format {
            Format::GeoJson => geojson::parse(text),
            Format::Kml => kml::parse(text),
            Format::Plan => plan::parse(text),
        }?;
        area.checked()
    }

    fn checked(self) -> Result<Self, String> {
        if self.inside.is_empty() {
            return Err("it holds no polygon to stay inside of".into());
        }
        let mut vertices = 0;
        for Boundary { place, shape } in self.inside.iter().chain(&self.outside) {
            let points = match shape {
                Shape::Ring(ring) => ring.as_slice(),
                Shape::Circle { center, radius_m } => {
                    if !(*radius_m > 0.0 && *radius_m < 1e6) {
                        return Err(format!(
                            "{place}: the radius is {radius_m} m; a positive number below 1000 km is needed"
                        ));
                    }
                    std::slice::from_ref(center)
                }
            };
            vertices += points.len();
            if let Some(index) = points.iter().position(|p| !on_earth(*p)) {
                let GeoPosition { lat_deg, lon_deg } = points[index];
                return Err(format!(
                    "{place}, vertex {index}: longitude {lon_deg}, latitude {lat_deg} is no place in degrees"
                ));
            }
        }
        if vertices > MOST_VERTICES {
            return Err(format!(
                "its boundaries have {vertices} vertices; at most {MOST_VERTICES} are taken: simplify them"
            ));
        }
        match self.home {
            Some(home) if !on_earth(home) => Err(format!(
                "its home, longitude {}, latitude {}, is no place in degrees",
                home.lon_deg, home.lat_deg
            )),
            _ => Ok(self),
        }
    }

    /// The mean of all corners: somewhere near, to choose a projection for.
    pub fn middle(&self) -> GeoPosition {
        let corners = self.inside.iter().flat_map(|b| match &b.shape {
            Shape::Ring(ring) => ring.clone(),
            Shape::Circle { center, .. } => vec![*center],
        });
        let (mut lat, mut lon, mut count) = (0.0, 0.0, 0.0);
        for corner in corners {
            (lat, lon, count) = (lat + corner.lat_deg, lon + corner.lon_deg, count + 1.0);
        }
        let count = f64::max(count, 1.0);
        GeoPosition::new(lat / count, lon / count)
    }
}

fn on_earth(at: GeoPosition) -> bool {
    (-180.0..=180.0).contains(&at.lon_deg) && (-90.0..=90.0).contains(&at.lat_deg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_what_is_not_on_earth_and_says_where() {
        let text = br#"{"type":"Polygon","coordinates":[[[11,48],[12,48],[11.5,148]]]}"#;
        let message = Area::parse(Format::GeoJson, text).unwrap_err();
        assert_eq!(
            message,
            "the polygon's outer ring, vertex 2: longitude 11.5, latitude 148 is no place in degrees"
        );
    }

    #[test]
    fn hostile_nesting_and_sizes_are_refused() {
        let deep = "[".repeat(1_000_000);
        assert!(Area::parse(Format::GeoJson, deep.as_bytes()).is_err());
        assert!(Area::parse(Format::Plan, deep.as_bytes()).is_err());
        let deep = "<a>".repeat(1_000_000);
        assert!(Area::parse(Format::Kml, deep.as_bytes()).is_err());
        let entities = r#"<!DOCTYPE k [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><kml>&b;</kml>"#;
        assert!(Area::parse(Format::Kml, entities.as_bytes()).is_err());
        let ring: Vec<String> = (0..5000).map(|i| format!("[{}e-4,1]", i % 99)).collect();
        let text = format!(
            r#"{{"type":"Polygon","coordinates":[[{}]]}}"#,
            ring.join(",")
        );
        let message = Area::parse(Format::GeoJson, text.as_bytes()).unwrap_err();
        assert!(message.contains("5000 vertices"), "{message}");
    }

    const SAMPLES: [(Format, &str); 3] = [
        (
            Format::GeoJson,
            r#"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[1,2],[3,4],[5,6]],[[1,2],[3,4],[5,6]]]}}"#,
        ),
        (
            Format::Kml,
            "<kml><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>1,2 3,4 5,6</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>",
        ),
        (
            Format::Plan,
            r#"{"fileType":"Plan","geoFence":{"circles":[{"circle":{"center":[1,2],"radius":3},"inclusion":true}],"polygons":[{"inclusion":false,"polygon":[[1,2],[3,4],[5,6]]}]},"mission":{"plannedHomePosition":[1,2,3],"items":[]}}"#,
        ),
    ];

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(
            which in 0..3usize,
            at in any::<prop::sample::Index>(),
            cut in any::<prop::sample::Index>(),
            junk in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let (format, text) = SAMPLES[which];
            let mut bytes = text.as_bytes().to_vec();
            let start = at.index(bytes.len());
            let end = start + cut.index(bytes.len() - start);
            bytes.splice(start..end, junk.clone());
            for bytes in [bytes, junk] {
                if let Ok(area) = Area::parse(format, &bytes) {
                    let _ = area.in_metres(|p| Ok(p.lon_lat().map(|degrees| degrees * 1e5)));
                }
            }
        }
    }
}
