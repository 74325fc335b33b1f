//! A simple polygon with holes.

use serde::{Deserialize, Serialize};

use super::{GeometryError, RingName};
use super::{Position, Rect, ring, segment};
use crate::Error;

/// A simple outer ring less the open interiors of its holes. Vertices may turn either way.
///
/// ```
/// use transect::geometry::{Polygon, Position};
/// let square = |low: f64, high: f64| {
///     [[low, low], [high, low], [high, high], [low, high]].map(Position::from).to_vec()
/// };
/// let lake = Polygon::new(square(0.0, 10.0), vec![square(4.0, 6.0)])?; // an island in the middle
/// assert_eq!(lake.area(), 96.0);
/// assert!(!lake.contains_segment(Position::new(1.0, 5.0), Position::new(9.0, 5.0)));
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "Rings", into = "Rings")]
pub struct Polygon {
    rings: Rings,
    bounds: Rect,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Rings {
    outer: Vec<Position>,
    #[serde(default)]
    holes: Vec<Vec<Position>>,
}

impl TryFrom<Rings> for Polygon {
    type Error = Error;

    fn try_from(rings: Rings) -> Result<Self, Error> {
        Self::new(rings.outer, rings.holes)
    }
}

impl From<Polygon> for Rings {
    fn from(polygon: Polygon) -> Self {
        polygon.rings
    }
}

impl Polygon {
    /// A polygon from its rings. The closing vertex may be repeated, as in GeoJSON. Refused are rings
    /// that meet themselves, and holes that are not strictly inside the outer ring or meet another hole.
    pub fn new(outer: Vec<Position>, holes: Vec<Vec<Position>>) -> Result<Self, Error> {
        let outer = ring::checked(outer, RingName::Outer)?;
        let holes = holes
            .into_iter()
            .enumerate()
            .map(|(index, hole)| ring::checked(hole, RingName::Hole(index)))
            .collect::<Result<Vec<_>, _>>()?;
        for (hole, vertices) in holes.iter().enumerate() {
            let outside = vertices.iter().position(|&p| !ring::surrounds(&outer, p));
            if let Some(vertex) = outside.or_else(|| ring::first_edge_meeting(vertices, &outer)) {
                return Err(GeometryError::HoleOutside { hole, vertex }.into());
            }
            let overlapping = holes[..hole].iter().position(|earlier| {
                ring::first_edge_meeting(vertices, earlier).is_some()
                    || ring::surrounds(earlier, vertices[0])
                    || ring::surrounds(vertices, earlier[0])
            });
            if let Some(first) = overlapping {
                return Err(GeometryError::HolesOverlap {
                    first,
                    second: hole,
                }
                .into());
            }
        }
        let bounds = bounds_of(&outer)?;
        let rings = Rings { outer, holes };
        Ok(Self { rings, bounds })
    }

    /// The outer ring, without a closing vertex.
    pub fn outer(&self) -> &[Position] {
        &self.rings.outer
    }

    /// The holes, without closing vertices.
    pub fn holes(&self) -> &[Vec<Position>] {
        &self.rings.holes
    }

    /// The smallest rectangle around the polygon.
    pub fn bounds(&self) -> Rect {
        self.bounds
    }

    /// Area without the holes, m².
    pub fn area(&self) -> f64 {
        let holes: f64 = self
            .holes()
            .iter()
            .map(|hole| ring::signed_area(hole).abs())
            .sum();
        ring::signed_area(self.outer()).abs() - holes
    }

    /// Whether `p` is inside or on the boundary.
    pub fn contains(&self, p: Position) -> bool {
        self.bounds.contains(p)
            && (self.is_interior(p) || self.distance_to_boundary(p) <= self.rounding_m())
    }

    /// Whether the whole straight leg from `a` to `b` is inside or on the boundary.
    pub fn contains_segment(&self, a: Position, b: Position) -> bool {
        if !self.contains(a) || !self.contains(b) {
            return false;
        }
        let length = a.distance_to(b);
        let slack = self.rounding_m();
        if length <= slack {
            return true;
        }
        // Between two neighbouring places where the leg meets the boundary it is wholly on one side.
        let mut meetings = vec![0.0, 1.0];
        for (c, d) in self.edges() {
            meetings.extend(segment::crossing(a, b, c, d));
            if segment::turn(a, b, c).abs() <= 8.0 * slack * length {
                meetings.push(segment::foot(c, a, b));
            }
        }
        meetings.retain(|t| (0.0..=1.0).contains(t));
        meetings.sort_by(f64::total_cmp);
        meetings
            .windows(2)
            .filter(|pair| (pair[1] - pair[0]) * length > slack)
            .all(|pair| self.contains(a.towards(b, 0.5 * (pair[0] + pair[1]))))
    }

    /// Distance to the nearest boundary, of the outer ring or a hole, m; negative outside and in holes.
    pub fn clearance(&self, p: Position) -> f64 {
        let distance = self.distance_to_boundary(p);
        if self.is_interior(p) {
            distance
        } else {
            -distance
        }
    }

    /// Smallest distance between the straight leg from `a` to `b` and the boundary, m; zero or negative where
    /// the leg touches it or is not wholly inside.
    pub fn clearance_of_segment(&self, a: Position, b: Position) -> f64 {
        let ends = self.clearance(a).min(self.clearance(b));
        if ends.is_nan() || ends <= 0.0 {
            return ends;
        }
        self.edges()
            .map(|(c, d)| segment::gap(a, b, c, d))
            .fold(f64::INFINITY, f64::min)
    }

    /// The place inside or on the boundary that is closest to `p`.
    pub fn nearest(&self, p: Position) -> Position {
        if !p.is_finite() || self.contains(p) {
            return p;
        }
        let feet = self
            .edges()
            .map(|(a, b)| a.towards(b, segment::foot(p, a, b).clamp(0.0, 1.0)));
        feet.min_by(|a, b| p.distance_to(*a).total_cmp(&p.distance_to(*b)))
            .unwrap_or(p)
    }

    /// All edges, of the outer ring and the holes.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (Position, Position)> + '_ {
        self.rings().flat_map(ring::edges)
    }

    fn rings(&self) -> impl Iterator<Item = &[Position]> {
        std::iter::once(self.outer()).chain(self.holes().iter().map(Vec::as_slice))
    }

    fn is_interior(&self, p: Position) -> bool {
        ring::surrounds(self.outer(), p) && !self.holes().iter().any(|h| ring::surrounds(h, p))
    }

    fn distance_to_boundary(&self, p: Position) -> f64 {
        if !p.is_finite() {
            return f64::NAN;
        }
        self.rings()
            .map(|r| ring::distance(r, p))
            .fold(f64::INFINITY, f64::min)
    }

    fn rounding_m(&self) -> f64 {
        self.bounds.rounding_m()
    }
}

fn bounds_of(ring: &[Position]) -> Result<Rect, Error> {
    let least = |of: fn(&Position) -> f64| ring.iter().map(of).fold(f64::INFINITY, f64::min);
    let most = |of: fn(&Position) -> f64| ring.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    Rect::new(least(|p| p.x), most(|p| p.x), least(|p| p.y), most(|p| p.y))
}

#[cfg(test)]
mod tests {
    use super::super::shapes::{ring_of, square};
    use super::*;

    fn refusal(outer: Vec<Position>, holes: Vec<Vec<Position>>) -> Error {
        Polygon::new(outer, holes).unwrap_err()
    }

    #[test]
    fn refuses_broken_rings_and_names_the_vertex() {
        let ring = RingName::Outer;
        assert_eq!(
            refusal(ring_of(&[[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]), vec![]),
            Error::Geometry(GeometryError::TooFewVertices { ring, count: 2 })
        );
        assert!(matches!(
            refusal(ring_of(&[[0.0, 0.0], [1.0, 0.0], [f64::NAN, 1.0]]), vec![]),
            Error::Geometry(GeometryError::NonFiniteVertex { vertex: 2, .. })
        ));
        assert_eq!(
            refusal(
                ring_of(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
                vec![]
            ),
            Error::Geometry(GeometryError::RepeatedVertex { ring, vertex: 2 })
        );
        assert_eq!(
            refusal(ring_of(&[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]]), vec![]),
            Error::Geometry(GeometryError::ZeroArea { ring })
        );
        let bow_tie = ring_of(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]);
        assert_eq!(
            refusal(bow_tie, vec![]),
            Error::Geometry(GeometryError::SelfIntersection {
                ring,
                first: 0,
                second: 2
            })
        );
        let spike = ring_of(&[[0.0, 0.0], [4.0, 0.0], [2.0, 0.0], [2.0, 2.0]]);
        assert_eq!(
            refusal(spike, vec![]),
            Error::Geometry(GeometryError::SelfIntersection {
                ring,
                first: 0,
                second: 1
            })
        );
    }

    #[test]
    fn refuses_holes_that_are_not_inside_or_overlap() {
        let outer = || square(0.0, 10.0);
        assert_eq!(
            refusal(outer(), vec![square(1.0, 2.0), square(8.0, 12.0)]),
            Error::Geometry(GeometryError::HoleOutside { hole: 1, vertex: 1 })
        );
        assert!(matches!(
            refusal(outer(), vec![square(-1.0, 11.0)]),
            Error::Geometry(GeometryError::HoleOutside { hole: 0, .. })
        ));
        for other in [square(3.0, 5.0), square(2.5, 3.5), square(1.0, 9.0)] {
            assert_eq!(
                refusal(outer(), vec![square(2.0, 4.0), other]),
                Error::Geometry(GeometryError::HolesOverlap {
                    first: 0,
                    second: 1
                })
            );
        }
    }

    #[test]
    fn a_leg_may_follow_or_graze_the_boundary_but_not_leave() {
        let lake = Polygon::new(square(0.0, 10.0), vec![square(4.0, 6.0)]).unwrap();
        let leg = |a: [f64; 2], b: [f64; 2]| lake.contains_segment(a.into(), b.into());
        assert!(leg([0.0, 0.0], [10.0, 0.0])); // along the shore
        assert!(leg([0.0, 4.0], [10.0, 4.0])); // along the island
        assert!(leg([2.0, 4.0], [4.0, 6.0])); // touching nothing
        assert!(leg([3.0, 5.0], [5.0, 7.0])); // grazing the island's corner (4, 6)
        assert!(!leg([3.9, 4.0], [6.0, 6.1])); // cutting its corner
        assert!(!leg([4.0, 4.0], [6.0, 6.0])); // its diagonal: both ends are on the boundary
        assert!(!leg([5.0, 5.0], [5.0, 5.0])); // on the island
        assert!(!leg([5.0, 1.0], [5.0, 11.0]));
        let slanted = Polygon::new(
            ring_of(&[[0.0, 0.0], [3.0, 0.7], [2.9, 2.3], [0.1, 1.9]]),
            vec![],
        )
        .unwrap();
        for (a, b) in slanted.edges() {
            assert!(slanted.contains_segment(a, b), "its own edge {a} {b}");
            assert!(slanted.contains_segment(a.towards(b, 0.3), a.towards(b, 0.7)));
        }
    }

    #[test]
    fn documents_are_checked() {
        let lake: Polygon = serde_json::from_str(r#"{"outer":[[0,0],[4,0],[4,4],[0,0]]}"#).unwrap();
        assert_eq!((lake.outer().len(), lake.area()), (3, 8.0));
        let error = serde_json::from_str::<Polygon>(r#"{"outer":[[0,0],[4,0]]}"#).unwrap_err();
        assert!(error.to_string().contains("2 vertices"), "{error}");
    }
}
