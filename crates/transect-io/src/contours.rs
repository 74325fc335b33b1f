//! Contour lines of a map, by marching squares (Lorensen and Cline 1987, in the plane).
//!
//! Between the centres of four neighbouring cells, a level enters and leaves through the sides whose ends
//! lie on different sides of it, at the place that linear interpolation gives. Squares with a cell without data
//! have no lines: contours end where the map ends. (Crates for contours close their rings along that edge.)

use crate::crs::Crs;
use crate::geojson;
use crate::raster::Raster;
use serde_json::json;
use std::collections::BTreeMap;
use transect::geometry::Position;

/// More levels than this are taken for a mistake.
const MOST_LEVELS: f64 = 2000.0;
/// Levels when nobody said how many.
const LEVELS: f64 = 10.0;

/// A line along which the map has one value.
#[derive(Debug, Clone, PartialEq)]
pub struct Contour {
    /// The value.
    pub level: f64,
    /// Its places, in the raster's coordinates; the last equals the first where it is closed.
    pub line: Vec<Position>,
}

/// A distance between levels that suits these values: 1, 2 or 5 times a power of ten, for 10 to 25 levels.
#[must_use]
pub fn suitable_interval(raster: &Raster) -> Option<f64> {
    let (low, high) = range(raster)?;
    let wanted = (high - low) / LEVELS;
    let decade = 10_f64.powf(wanted.log10().floor());
    let steps = [5.0, 2.0, 1.0].map(|step| step * decade);
    let interval = steps.into_iter().find(|step| *step <= wanted);
    interval.filter(|step| *step > 0.0 && step.is_finite())
}

/// Lowest and highest value.
fn range(raster: &Raster) -> Option<(f64, f64)> {
    let finite = raster.values().iter().filter(|v| v.is_finite());
    finite.fold(None, |range, v| match range {
        None => Some((*v, *v)),
        Some((low, high)) => Some((v.min(low), v.max(high))),
    })
}

/// The contours at all multiples of `interval`, from low to high.
///
/// # Errors
/// If the interval is not positive, or so small that there would be more than 2000 levels.
pub fn contours(raster: &Raster, interval: f64) -> Result<Vec<Contour>, String> {
    if !(interval > 0.0 && interval.is_finite()) {
        return Err(format!(
            "contours every {interval} cannot be drawn: a positive number is needed"
        ));
    }
    let Some((low, high)) = range(raster) else {
        return Ok(Vec::new());
    };
    let (first, last) = ((low / interval).ceil(), (high / interval).floor());
    if last - first > MOST_LEVELS {
        return Err(format!(
            "contours every {interval} would be {} levels between {low:.3} and {high:.3}; up to \
             {MOST_LEVELS} are drawn: choose a larger interval",
            last - first + 1.0
        ));
    }
    let levels = (0..=(last - first).max(-1.0) as i64).map(|k| (first + k as f64) * interval);
    let levels = levels.filter(|_| last >= first);
    Ok(levels.flat_map(|level| at_level(raster, level)).collect())
}

/// A side of a square: from the centre of cell (row, column) to the next one in its row or below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    row: usize,
    column: usize,
    down: bool,
}

/// All lines of one level.
fn at_level(raster: &Raster, level: f64) -> Vec<Contour> {
    let mut next: BTreeMap<Side, Vec<Side>> = BTreeMap::new();
    for row in 1..raster.rows() {
        for column in 1..raster.columns() {
            for (a, b) in segments(raster, level, row - 1, column - 1) {
                next.entry(a).or_default().push(b);
                next.entry(b).or_default().push(a);
            }
        }
    }
    // Open lines first, from their ends; what is left is closed.
    let ends: Vec<Side> = next
        .iter()
        .filter(|(_, others)| others.len() == 1)
        .map(|(side, _)| *side)
        .collect();
    let all: Vec<Side> = next.keys().copied().collect();
    let mut lines = Vec::new();
    for start in ends.into_iter().chain(all) {
        let sides = follow(start, &mut next);
        let mut line: Vec<Position> = sides.iter().map(|s| crossing(raster, level, *s)).collect();
        line.dedup();
        if line.len() > 1 {
            lines.push(Contour { level, line });
        }
    }
    lines
}

/// Walks from side to side, taking away what is behind, until there is no way on.
fn follow(start: Side, next: &mut BTreeMap<Side, Vec<Side>>) -> Vec<Side> {
    let mut walked = vec![start];
    let mut here = start;
    while let Some(there) = next.get_mut(&here).and_then(Vec::pop) {
        if let Some(back) = next.get_mut(&there)
            && let Some(at) = back.iter().position(|side| *side == here)
        {
            back.swap_remove(at);
        }
        walked.push(there);
        here = there;
    }
    walked
}

/// Pairs of sides that the level joins inside one square.
fn segments(raster: &Raster, level: f64, row: usize, column: usize) -> Vec<(Side, Side)> {
    let corner = |down: usize, right: usize| raster.at(row + down, column + right);
    // Clockwise from the north-west.
    let corners = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
    if corners.iter().any(|v| !v.is_finite()) {
        return Vec::new();
    }
    let side = |down: usize, right: usize, is_down: bool| Side {
        row: row + down,
        column: column + right,
        down: is_down,
    };
    // Side k runs from corner k to the next.
    let sides = [
        side(0, 0, false),
        side(0, 1, true),
        side(1, 0, false),
        side(0, 0, true),
    ];
    let above = corners.map(|v| v >= level);
    let crossed: Vec<usize> = (0..4).filter(|k| above[*k] != above[(k + 1) % 4]).collect();
    match crossed[..] {
        [a, b] => vec![(sides[a], sides[b])],
        // A saddle: its middle decides which opposite corners belong together.
        [_, _, _, _] => {
            let middle = corners.iter().sum::<f64>() / 4.0 >= level;
            match middle == above[0] {
                true => vec![(sides[0], sides[1]), (sides[2], sides[3])],
                false => vec![(sides[3], sides[0]), (sides[1], sides[2])],
            }
        }
        _ => Vec::new(),
    }
}

/// Where the level crosses a side.
fn crossing(raster: &Raster, level: f64, side: Side) -> Position {
    let (row, column) = match side.down {
        true => (side.row + 1, side.column),
        false => (side.row, side.column + 1),
    };
    let (from, to) = (raster.at(side.row, side.column), raster.at(row, column));
    let placement = raster.placement();
    let centre = |row, column| {
        let (x, y) = placement.centre(row, column);
        Position::new(x, y)
    };
    let share = ((level - from) / (to - from)).clamp(0.0, 1.0);
    centre(side.row, side.column).towards(centre(row, column), share)
}

/// Contours as GeoJSON (RFC 7946): in longitude and latitude where the coordinate system is known, otherwise in the
/// map's own metres. Each line is a feature with the property `value`.
#[must_use]
pub fn geojson(contours: &[Contour], crs: Crs) -> String {
    let geometry = |line: &[Position]| {
        let on_earth: Option<Vec<_>> = line.iter().map(|at| crs.lon_lat(*at)).collect();
        on_earth.map_or_else(
            || {
                let metres: Vec<_> = line.iter().map(|at| [at.x, at.y]).collect();
                json!({"type": "LineString", "coordinates": metres})
            },
            |places| geojson::line(&places),
        )
    };
    let feature = |contour: &Contour| {
        json!({
            "type": "Feature",
            "properties": {"value": contour.level},
            "geometry": geometry(&contour.line),
        })
    };
    let features: Vec<String> = contours.iter().map(|c| feature(c).to_string()).collect();
    format!(
        "{{\"type\": \"FeatureCollection\", \"features\": [\n{}\n]}}\n",
        features.join(",\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::Placement;

    fn raster(side: usize, value: impl Fn(f64, f64) -> f64) -> Raster {
        let placement = Placement {
            west: -0.5,
            north: side as f64 - 0.5,
            cell_width: 1.0,
            cell_height: 1.0,
        };
        let cells = (0..side * side).map(|i| {
            let (x, y) = placement.centre(i / side, i % side);
            value(x, y)
        });
        Raster::new(cells.collect(), side, side, placement, Crs::Local).unwrap()
    }

    #[test]
    fn a_plane_has_straight_lines_where_they_belong() {
        let plane = raster(11, |x, y| x + 2.0 * y);
        let lines = contours(&plane, 7.0).unwrap();
        let levels: Vec<f64> = lines.iter().map(|c| c.level).collect();
        assert_eq!(levels, [0.0, 7.0, 14.0, 21.0, 28.0][1..]);
        for contour in &lines {
            for at in &contour.line {
                assert!((at.x + 2.0 * at.y - contour.level).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_cone_has_closed_rings_of_the_right_length() {
        let cone = raster(101, |x, y| (x - 50.0).hypot(y - 50.0));
        let lines = contours(&cone, 10.0).unwrap();
        for radius in [10.0, 20.0, 30.0, 40.0] {
            let ring: Vec<&Contour> = lines.iter().filter(|c| c.level == radius).collect();
            assert_eq!(ring.len(), 1);
            let line = &ring[0].line;
            assert_eq!(line.first(), line.last());
            let length: f64 = line.windows(2).map(|p| p[0].distance_to(p[1])).sum();
            let around = std::f64::consts::TAU * radius;
            assert!((length / around - 1.0).abs() < 0.01, "{length} {around}");
        }
        // The ring of 60 is cut by the map's sides into one line for each corner.
        assert_eq!(lines.iter().filter(|c| c.level == 60.0).count(), 4);
    }

    #[test]
    fn lines_end_at_cells_without_data_and_saddles_do_not_cross() {
        let holes = raster(21, |x, y| match (x, y) {
            (10.0, _) => f64::NAN,
            _ => y,
        });
        assert_eq!(contours(&holes, 5.5).unwrap().len(), 2 * 3);
        let saddle = raster(2, |x, y| if x == y { 1.0 } else { -1.0 });
        let lines = contours(&saddle, 0.9).unwrap();
        // Levels -0.9, 0 and 0.9, two lines each.
        assert_eq!(lines.len(), 6);
    }

    #[test]
    fn flat_and_empty_maps_have_none_and_intervals_must_make_sense() {
        let flat = raster(4, |_, _| 3.0);
        assert_eq!(suitable_interval(&flat), None);
        assert!(contours(&flat, 2.0).unwrap().is_empty());
        let nothing = raster(4, |_, _| f64::NAN);
        assert!(contours(&nothing, 1.0).unwrap().is_empty());
        let slope = raster(11, |x, _| 9.0 * x);
        assert_eq!(suitable_interval(&slope), Some(5.0));
        for wrong in [0.0, -1.0, f64::NAN, 1e-9] {
            assert!(contours(&slope, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn places_on_the_earth_are_longitudes_and_latitudes() {
        let crs = Crs::from_epsg(32643).unwrap();
        let line = vec![
            Position::new(340_749.566_665, 1_935_495.846_596),
            Position::new(340_800.0, 1_935_500.0),
        ];
        let text = geojson(&[Contour { level: 5.0, line }], crs);
        let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
        let feature = &parsed["features"][0];
        assert_eq!(feature["properties"]["value"], 5.0);
        // By `cs2cs` of PROJ.
        assert_eq!(feature["geometry"]["coordinates"][0], json!([73.5, 17.5]));
    }
}
