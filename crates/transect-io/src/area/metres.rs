//! From boundaries on the map to one polygon in metres.

use super::{Area, Boundary, Shape};
use crate::geo::GeoPosition;
use transect::geometry::{Polygon, Position, common_area};

/// Corners of the polygon that stands for a circle.
const CIRCLE_CORNERS: usize = 64;

impl Area {
    /// The polygon inside all inclusions less the exclusions. `project` turns longitude and latitude
    /// into metres east and north.
    ///
    /// # Errors
    /// If a boundary is not a simple ring, cannot be projected, or if nothing or several pieces are left.
    pub fn in_metres(
        &self,
        project: impl Fn(GeoPosition) -> Result<[f64; 2], String>,
    ) -> Result<Polygon, String> {
        let rings = |boundaries: &[Boundary], inclusion: bool| {
            let ring = |boundary| in_metres(boundary, inclusion, &project);
            boundaries.iter().map(ring).collect::<Result<Vec<_>, _>>()
        };
        let inside = rings(&self.inside, true)?;
        let outside = rings(&self.outside, false)?;
        let mut pieces = common_area(&inside, &outside).map_err(|e| e.to_string())?;
        match (pieces.pop(), pieces.len()) {
            (Some(only), 0) => Ok(only),
            (None, _) => Err("nothing is left inside its boundaries".into()),
            (Some(_), more) => Err(format!(
                "its boundaries leave {} separate pieces of water; one that holds together is needed",
                more + 1
            )),
        }
    }
}

fn in_metres(
    Boundary { place, shape }: &Boundary,
    inclusion: bool,
    project: &impl Fn(GeoPosition) -> Result<[f64; 2], String>,
) -> Result<Polygon, String> {
    let projected = |p: &GeoPosition| project(*p).map(Position::from);
    let corners: Result<Vec<Position>, String> = match shape {
        Shape::Ring(ring) => ring.iter().map(projected).collect(),
        Shape::Circle { center, radius_m } => {
            projected(center).map(|center| circle(center, *radius_m, inclusion))
        }
    };
    corners
        .and_then(|mut corners| {
            // Editors leave double clicks behind.
            corners.dedup();
            Polygon::new(corners, vec![]).map_err(|e| e.to_string())
        })
        .map_err(|reason| format!("{place}: {reason}"))
}

/// On the safe side of a circle: drawn into one to stay in, around one to stay out of.
fn circle(center: Position, radius_m: f64, inclusion: bool) -> Vec<Position> {
    let step_rad = std::f64::consts::TAU / CIRCLE_CORNERS as f64;
    let radius_m = match inclusion {
        true => radius_m,
        false => radius_m / (0.5 * step_rad).cos(),
    };
    (0..CIRCLE_CORNERS)
        .map(|k| (k as f64 * step_rad).sin_cos())
        .map(|(sin, cos)| Position::new(center.x + radius_m * cos, center.y + radius_m * sin))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Area, Format};
    use crate::geo::GeoPosition;
    use std::f64::consts::PI;

    /// Degrees as metres, near enough for shapes.
    fn plane(at: GeoPosition) -> Result<[f64; 2], String> {
        Ok([at.lon_deg * 1000.0, at.lat_deg * 1000.0])
    }

    fn plan(fences: &str) -> Area {
        let text = format!(r#"{{"fileType":"Plan","geoFence":{fences}}}"#);
        Area::parse(Format::Plan, text.as_bytes()).unwrap()
    }

    const SQUARE: &str = r#"{"inclusion":true,"polygon":[[0,0],[0,0.1],[0.1,0.1],[0.1,0]]}"#;

    #[test]
    fn exclusions_may_overlap_each_other_and_the_shore() {
        // A square of 100 m less two overlapping discs of 10 m, one of them half on land.
        let area = plan(&format!(
            r#"{{"polygons":[{SQUARE}],"circles":[
                {{"inclusion":false,"circle":{{"center":[0.05,0.1],"radius":10}}}},
                {{"inclusion":false,"circle":{{"center":[0.05,0.05],"radius":10}}}},
                {{"inclusion":false,"circle":{{"center":[0.05,0.05],"radius":5}}}}]}}"#
        ));
        let polygon = area.in_metres(plane).unwrap();
        let expected = 10_000.0 - 1.5 * PI * 100.0;
        // Discs are replaced by polygons around them, 0.1 % larger.
        assert!(
            (expected - 1.0..expected).contains(&polygon.area()),
            "{}",
            polygon.area()
        );
        assert_eq!(polygon.holes().len(), 1);
    }

    #[test]
    fn inclusions_are_intersected() {
        let circle = r#"{"inclusion":true,"circle":{"center":[0.1,0.1],"radius":20}}"#;
        let area = plan(&format!(
            r#"{{"polygons":[{SQUARE}],"circles":[{circle}]}}"#
        ));
        let quarter = 0.25 * PI * 400.0;
        let found = area.in_metres(plane).unwrap().area();
        assert!(
            (0.995 * quarter..quarter).contains(&found),
            "{found} {quarter}"
        );
    }

    #[test]
    fn several_pieces_or_none_are_refused() {
        let wall = r#"{"inclusion":false,"polygon":[[0.04,-1],[0.06,-1],[0.06,1],[0.04,1]]}"#;
        let area = plan(&format!(r#"{{"polygons":[{SQUARE},{wall}]}}"#));
        assert!(
            area.in_metres(plane)
                .unwrap_err()
                .contains("2 separate pieces")
        );
        let all = r#"{"inclusion":false,"polygon":[[-1,-1],[-1,1],[1,1],[1,-1]]}"#;
        let area = plan(&format!(r#"{{"polygons":[{SQUARE},{all}]}}"#));
        assert!(
            area.in_metres(plane)
                .unwrap_err()
                .contains("nothing is left")
        );
    }

    #[test]
    fn a_ring_that_meets_itself_is_named() {
        let bow = r#"{"type":"Polygon","coordinates":[[[0,0],[1,1],[1,0],[0,1]]]}"#;
        let area = Area::parse(Format::GeoJson, bow.as_bytes()).unwrap();
        let message = area.in_metres(plane).unwrap_err();
        assert!(
            message.starts_with("the polygon's outer ring: the outer ring meets itself"),
            "{message}"
        );
    }
}
