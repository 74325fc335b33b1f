//! Shores and other outlines for maps: any number of polygons with holes, from GeoJSON, KML, GeoPackage or Shapefile.
//!
//! A place is inside if a line from it to far away crosses an odd number of rings. So holes are out, and so is an island
//! that is drawn as a polygon of its own within the lake's.

use super::{Area, Format, Shape, geojson, gpkg, kml, shapefile};
use crate::bounded;
use crate::crs::Crs;
use crate::error::IoError;
use crate::geo::GeoPosition;
use std::path::Path;
use transect::geometry::{Polygon, Position};

/// Larger files are refused.
const MOST_BYTES: u64 = 64 << 20;
/// More vertices are refused: every cell is checked against them.
const MOST_VERTICES: usize = 200_000;

/// Closed lines, in the coordinates of a map once they are [placed](Regions::place).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Regions {
    /// Corners of each ring in order; the first is not repeated.
    pub rings: Vec<Vec<[f64; 2]>>,
    /// What the corners are.
    pub crs: Crs,
}

impl Regions {
    /// Reads outlines from a file, in the format that its name says.
    ///
    /// # Errors
    /// If the file cannot be read, or holds no polygon.
    pub fn read(path: &Path) -> Result<Self, IoError> {
        let bytes = bounded::read(path, MOST_BYTES)?;
        let beside = bounded::read(&path.with_extension("prj"), 1 << 20).unwrap_or_default();
        let prj = String::from_utf8_lossy(&beside);
        Self::of_bytes(path, &bytes, &prj).map_err(IoError::content(path))
    }

    /// Reads outlines from the bytes of a file of this name.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, String> {
        Self::of_bytes(Path::new(name), bytes, "")
    }

    fn of_bytes(path: &Path, bytes: &[u8], prj: &str) -> Result<Self, String> {
        let ending = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_ascii_lowercase();
        let regions = match ending.as_str() {
            "geojson" | "json" => text(bytes).and_then(geojson::regions),
            "kml" => text(bytes).and_then(kml::regions),
            "plan" => Area::parse(Format::Plan, bytes).map(|area| of_plan(&area)),
            "gpkg" => gpkg::regions(bytes),
            "shp" => shapefile::regions(bytes, prj),
            _ => {
                Err("areas are read from .geojson, .json, .kml, .gpkg, .shp and .plan files".into())
            }
        };
        regions.and_then(Self::checked)
    }

    pub(super) fn checked(mut self) -> Result<Self, String> {
        for ring in &mut self.rings {
            ring.dedup();
            while ring.len() > 1 && ring.first() == ring.last() {
                ring.pop();
            }
        }
        self.rings.retain(|ring| ring.len() > 2);
        let vertices: usize = self.rings.iter().map(Vec::len).sum();
        if vertices == 0 {
            return Err("it holds no polygon".into());
        }
        if vertices > MOST_VERTICES {
            return Err(format!(
                "its outlines have {vertices} vertices; at most {MOST_VERTICES} are taken: simplify them"
            ));
        }
        if let Some([x, y]) = self
            .rings
            .iter()
            .flatten()
            .find(|p| !p.iter().all(|c| c.is_finite()))
        {
            return Err(format!("({x}, {y}) is no place"));
        }
        Ok(self)
    }

    /// The same outlines in another system.
    ///
    /// # Errors
    /// If their places on the earth, or the other system's, are not known.
    pub fn place(&self, target: Crs) -> Result<Self, String> {
        if self.crs == target {
            return Ok(self.clone());
        }
        let projected = |at: &[f64; 2]| {
            let place = self.crs.lon_lat(Position::new(at[0], at[1]));
            let there = place.and_then(|place: GeoPosition| target.position(place));
            there.map(|at| [at.x, at.y]).ok_or_else(|| {
                format!(
                    "its outline is in {} and the map in {target}; ({}, {}) cannot be placed there: say what the \
                     soundings' coordinates are with --crs",
                    self.crs, at[0], at[1]
                )
            })
        };
        let rings = self
            .rings
            .iter()
            .map(|ring| ring.iter().map(projected).collect());
        Ok(Self {
            rings: rings.collect::<Result<_, String>>()?,
            crs: target,
        })
    }

    /// Whether a place is inside.
    #[must_use]
    pub fn contains(&self, at: [f64; 2]) -> bool {
        self.rings
            .iter()
            .filter(|ring| ring_contains(ring, at))
            .count()
            % 2
            == 1
    }

    /// Area, m² (in metres of a system).
    #[must_use]
    pub fn area(&self) -> f64 {
        let sizes = self.rings.iter().map(|ring| {
            let depth = self
                .rings
                .iter()
                .filter(|other| *other != ring && ring_contains(other, ring[0]))
                .count();
            let sign = if depth % 2 == 0 { 1.0 } else { -1.0 };
            sign * ring_area(ring)
        });
        sizes.sum()
    }

    /// Places along all rings, `step` apart or a little less.
    #[must_use]
    pub fn shore(&self, step: f64) -> Vec<[f64; 2]> {
        let mut places = Vec::new();
        for ring in &self.rings {
            for (k, a) in ring.iter().enumerate() {
                let b = ring[(k + 1) % ring.len()];
                let length = (b[0] - a[0]).hypot(b[1] - a[1]);
                let pieces = (length / step).ceil().max(1.0);
                for piece in 0..pieces as usize {
                    let share = piece as f64 / pieces;
                    places.push([0, 1].map(|axis| a[axis] + share * (b[axis] - a[axis])));
                }
            }
        }
        places
    }

    /// Length of all rings.
    #[must_use]
    pub fn perimeter(&self) -> f64 {
        let sides = self.rings.iter().flat_map(|ring| {
            (0..ring.len()).map(|k| {
                let (a, b) = (ring[k], ring[(k + 1) % ring.len()]);
                (b[0] - a[0]).hypot(b[1] - a[1])
            })
        });
        sides.sum()
    }

    /// The rings as polygons: outer ones, each with the holes right inside it.
    #[must_use]
    pub fn polygons(&self) -> Vec<Vec<Vec<[f64; 2]>>> {
        let around = |ring: &Vec<[f64; 2]>| -> Vec<usize> {
            let all = 0..self.rings.len();
            all.filter(|k| self.rings[*k] != *ring && ring_contains(&self.rings[*k], ring[0]))
                .collect()
        };
        let depths: Vec<Vec<usize>> = self.rings.iter().map(around).collect();
        let outer = (0..self.rings.len()).filter(|k| depths[*k].len().is_multiple_of(2));
        outer
            .map(|k| {
                let is_hole =
                    |j: &usize| depths[*j].contains(&k) && depths[*j].len() == depths[k].len() + 1;
                let holes = (0..self.rings.len())
                    .filter(is_hole)
                    .map(|j| self.rings[j].clone());
                std::iter::once(self.rings[k].clone())
                    .chain(holes)
                    .collect()
            })
            .collect()
    }

    /// The largest ring with what is cut out of it, as an area to plan in.
    ///
    /// # Errors
    /// If the rings meet themselves or each other.
    pub fn polygon(&self) -> Result<Polygon, String> {
        let largest = self
            .rings
            .iter()
            .max_by(|a, b| ring_area(a).total_cmp(&ring_area(b)));
        let outer = largest.ok_or("it holds no polygon")?;
        let inside = |ring: &&Vec<[f64; 2]>| *ring != outer && ring_contains(outer, ring[0]);
        let ring =
            |ring: &Vec<[f64; 2]>| ring.iter().copied().map(Position::from).collect::<Vec<_>>();
        let holes = self.rings.iter().filter(inside).map(ring).collect();
        Polygon::new(ring(outer), holes).map_err(|error| error.to_string())
    }
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| format!("byte {} is not UTF-8 text", error.valid_up_to()))?;
    Ok(text.trim_start_matches('\u{feff}'))
}

fn of_plan(area: &Area) -> Regions {
    let rings = area
        .inside
        .iter()
        .chain(&area.outside)
        .filter_map(|boundary| match &boundary.shape {
            Shape::Ring(ring) => Some(ring.iter().map(|at| at.lon_lat()).collect()),
            Shape::Circle { .. } => None,
        });
    Regions {
        rings: rings.collect(),
        crs: Crs::WGS84,
    }
}

fn ring_contains(ring: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let mut inside = false;
    let mut before = ring.len() - 1;
    for k in 0..ring.len() {
        let ([ax, ay], [bx, by]) = (ring[k], ring[before]);
        if (ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax) {
            inside = !inside;
        }
        before = k;
    }
    inside
}

fn ring_area(ring: &[[f64; 2]]) -> f64 {
    let [ox, oy] = ring[0];
    let twice: f64 = (0..ring.len())
        .map(|k| {
            let (a, b) = (ring[k], ring[(k + 1) % ring.len()]);
            (a[0] - ox) * (b[1] - oy) - (b[0] - ox) * (a[1] - oy)
        })
        .sum();
    0.5 * twice.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_and_islands_are_out() {
        let square = |low: f64, high: f64| vec![[low, low], [high, low], [high, high], [low, high]];
        let regions = Regions {
            rings: vec![square(0.0, 10.0), square(4.0, 6.0)],
            crs: Crs::Local,
        };
        assert!(
            regions.contains([1.0, 1.0])
                && !regions.contains([5.0, 5.0])
                && !regions.contains([11.0, 5.0])
        );
        assert!((regions.area() - 96.0).abs() < 1e-12);
        assert!((regions.perimeter() - 48.0).abs() < 1e-12);
        let shore = regions.shore(1.0);
        assert_eq!(shore.len(), 48);
        assert_eq!(regions.polygon().unwrap().holes().len(), 1);
    }
}
