//! Areas from areas: what is common to some and outside others, and what is far enough from the shore.
//!
//! `i_overlay` does the work, in integers of 64 bits: exact topology, coordinates to a nanometre or so.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::float::single::SingleFloatOverlay;
use i_overlay::mesh::float::outline::offset::OutlineOffset;
use i_overlay::mesh::float::style::{LineJoin, OutlineStyle};

use super::{Polygon, Position, ring};
use crate::Error;

/// One outer ring, counter-clockwise, and holes, clockwise.
type Shape = Vec<Vec<[f64; 2]>>;

/// Length of the pieces that arcs are made of, as a share of their radius.
const ARC_STEP: f64 = 0.3;
/// Chords come closer to the centre than their arc: an inset is deeper by this share to make up for it.
const ARC_SLACK: f64 = 0.02;
/// Vertices closer than this are one, m.
const SAME_VERTEX_M: f64 = 1e-6;
/// Pieces smaller than this are rounding, m².
const LEAST_AREA_M2: f64 = 1e-6;

/// The pieces of what is inside all of `inside` and outside all of `outside`.
///
/// # Errors
/// If boundaries touch in single points, so that a piece is not a simple polygon.
///
/// ```
/// use transect::geometry::{Polygon, Position, common_area};
/// let square = |low: f64, high: f64| {
///     let corners = [[low, low], [high, low], [high, high], [low, high]];
///     Polygon::new(corners.map(Position::from).to_vec(), vec![])
/// };
/// let water = common_area(&[square(0.0, 10.0)?, square(5.0, 15.0)?], &[square(6.0, 8.0)?])?;
/// assert!((water[0].area() - 21.0).abs() < 1e-6);
/// # Ok::<(), transect::Error>(())
/// ```
pub fn common_area(inside: &[Polygon], outside: &[Polygon]) -> Result<Vec<Polygon>, Error> {
    let Some((first, others)) = inside.split_first() else {
        return Ok(Vec::new());
    };
    if others.is_empty() && outside.is_empty() {
        return Ok(vec![first.clone()]);
    }
    let mut shapes = vec![shape_of(first)];
    for other in others {
        let other = [shape_of(other)];
        shapes = shapes.overlay_as::<i64>(&other, OverlayRule::Intersect, FillRule::NonZero);
    }
    let outside: Vec<Shape> = outside.iter().map(shape_of).collect();
    if !outside.is_empty() {
        shapes = shapes.overlay_as::<i64>(&outside, OverlayRule::Difference, FillRule::NonZero);
    }
    pieces(shapes)
}

impl Polygon {
    /// The pieces of the polygon that are at least `margin_m` from its boundary. Arcs around corners are
    /// replaced by chords outside of them.
    ///
    /// # Errors
    /// If a piece is not a simple polygon. Another margin helps.
    pub fn inset(&self, margin_m: f64) -> Result<Vec<Self>, Error> {
        let style =
            OutlineStyle::new(-margin_m * (1.0 + ARC_SLACK)).line_join(LineJoin::Round(ARC_STEP));
        pieces(shape_of(self).outline_as::<i64>(&style))
    }
}

fn shape_of(polygon: &Polygon) -> Shape {
    let turned = |ring: &[Position], counter_clockwise: bool| {
        let mut vertices: Vec<[f64; 2]> = ring.iter().map(|p| [p.x, p.y]).collect();
        if (ring::signed_area(ring) > 0.0) != counter_clockwise {
            vertices.reverse();
        }
        vertices
    };
    let holes = polygon.holes().iter().map(|hole| turned(hole, false));
    std::iter::once(turned(polygon.outer(), true))
        .chain(holes)
        .collect()
}

fn pieces(shapes: Vec<Shape>) -> Result<Vec<Polygon>, Error> {
    let mut pieces = Vec::new();
    for shape in shapes {
        let rings = shape.into_iter().map(cleaned);
        let mut rings = rings.filter(|r| r.len() > 2 && ring::signed_area(r).abs() > LEAST_AREA_M2);
        if let Some(outer) = rings.next() {
            pieces.push(Polygon::new(outer, rings.collect())?);
        }
    }
    Ok(pieces)
}

fn cleaned(vertices: Vec<[f64; 2]>) -> Vec<Position> {
    let mut ring: Vec<Position> = vertices.into_iter().map(Position::from).collect();
    ring.dedup_by(|a, b| a.distance_to(*b) < SAME_VERTEX_M);
    while ring.len() > 1 && ring[0].distance_to(ring[ring.len() - 1]) < SAME_VERTEX_M {
        ring.pop();
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::super::shapes::square;
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn an_inset_keeps_its_distance_and_no_more() {
        let lake = Polygon::new(square(0.0, 100.0), vec![square(40.0, 60.0)]).unwrap();
        let inset = lake.inset(2.0).unwrap();
        assert_eq!(inset.len(), 1);
        for ring in
            std::iter::once(inset[0].outer()).chain(inset[0].holes().iter().map(Vec::as_slice))
        {
            for (a, b) in ring::edges(ring) {
                for t in [0.0, 0.25, 0.5, 0.75] {
                    let clearance_m = lake.clearance(a.towards(b, t));
                    assert!((2.0..2.05).contains(&clearance_m), "{clearance_m}");
                }
            }
        }
        // 96 m square less the island grown by 2 m with round corners, each side 2.04 m in truth.
        let d = 2.0 * (1.0 + ARC_SLACK);
        let expected = (100.0 - 2.0 * d).powi(2) - (400.0 + 4.0 * 20.0 * d + PI * d * d);
        assert!(
            (inset[0].area() - expected).abs() < 0.2,
            "{}",
            inset[0].area()
        );
    }

    #[test]
    fn an_inset_can_fall_apart_or_vanish() {
        let hourglass = [
            [0.0, 0.0],
            [20.0, 0.0],
            [11.0, 10.0],
            [20.0, 20.0],
            [0.0, 20.0],
            [9.0, 10.0],
        ];
        let lake = Polygon::new(hourglass.map(Position::from).to_vec(), vec![]).unwrap();
        assert_eq!(lake.inset(0.5).unwrap().len(), 1);
        assert_eq!(lake.inset(2.0).unwrap().len(), 2);
        assert_eq!(lake.inset(9.0).unwrap().len(), 0);
    }

    #[test]
    fn large_map_coordinates_lose_nothing() {
        let at = |p: Position| Position::new(p.x + 690_000.0, p.y + 5_330_000.0);
        let outer = square(0.0, 100.0).into_iter().map(at).collect();
        let hole = square(40.0, 60.0).into_iter().map(at).collect();
        let lake = Polygon::new(outer, vec![]).unwrap();
        let island = Polygon::new(hole, vec![]).unwrap();
        let water = common_area(&[lake], &[island]).unwrap();
        assert!(
            (water[0].area() - 9600.0).abs() < 1e-4,
            "{}",
            water[0].area()
        );
    }
}
