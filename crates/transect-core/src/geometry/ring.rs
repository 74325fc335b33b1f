//! A closed chain of vertices; the last is joined to the first.

use super::{GeometryError, RingName};
use super::{Position, segment};
use crate::Error;

/// The edges of a ring, in order; edge i starts at vertex i.
pub(super) fn edges(ring: &[Position]) -> impl Iterator<Item = (Position, Position)> + '_ {
    let ends = ring.iter().cycle().skip(1);
    ring.iter().copied().zip(ends.copied())
}

/// Area by the shoelace formula, m²; positive when counter-clockwise.
pub(super) fn signed_area(ring: &[Position]) -> f64 {
    // Relative to the first vertex, so that large map coordinates do not cancel.
    let origin = ring[0];
    0.5 * edges(ring)
        .map(|(a, b)| segment::turn(origin, a, b))
        .sum::<f64>()
}

/// Even-odd rule: a ray to the right crosses the ring an odd number of times. Points on the ring may
/// come out either way.
pub(super) fn surrounds(ring: &[Position], p: Position) -> bool {
    edges(ring)
        .filter(|(a, b)| (a.y <= p.y) != (b.y <= p.y))
        .filter(|&(a, b)| (segment::turn(a, b, p) > 0.0) == (b.y > a.y))
        .count()
        % 2
        == 1
}

/// Distance to the nearest point of the ring, m.
pub(super) fn distance(ring: &[Position], p: Position) -> f64 {
    edges(ring)
        .map(|(a, b)| segment::distance(p, a, b))
        .fold(f64::INFINITY, f64::min)
}

/// The first edge of `ring` that meets `other`.
pub(super) fn first_edge_meeting(ring: &[Position], other: &[Position]) -> Option<usize> {
    edges(ring).position(|(a, b)| edges(other).any(|(c, d)| segment::meet(a, b, c, d)))
}

/// Takes off a repeated closing vertex and checks that the ring is a simple one.
pub(super) fn checked(mut ring: Vec<Position>, name: RingName) -> Result<Vec<Position>, Error> {
    if ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    if let Some(vertex) = ring.iter().position(|p| !p.is_finite()) {
        let at = ring[vertex];
        return Err(GeometryError::NonFiniteVertex {
            ring: name,
            vertex,
            at,
        }
        .into());
    }
    if ring.len() < 3 {
        return Err(GeometryError::TooFewVertices {
            ring: name,
            count: ring.len(),
        }
        .into());
    }
    if let Some(edge) = edges(&ring).position(|(a, b)| a == b) {
        let vertex = (edge + 1) % ring.len();
        return Err(GeometryError::RepeatedVertex { ring: name, vertex }.into());
    }
    if lies_on_one_line(&ring) {
        return Err(GeometryError::ZeroArea { ring: name }.into());
    }
    match first_self_intersection(&ring) {
        Some((first, second)) => Err(Error::Geometry(GeometryError::SelfIntersection {
            ring: name,
            first,
            second,
        })),
        None => Ok(ring),
    }
}

fn lies_on_one_line(ring: &[Position]) -> bool {
    let start = ring[0];
    let farthest = ring.iter().copied().fold(start, |far, p| {
        if start.distance_to(p) > start.distance_to(far) {
            p
        } else {
            far
        }
    });
    let length = start.distance_to(farthest);
    ring.iter()
        .all(|&p| segment::turn(start, farthest, p).abs() <= 1e-12 * length * length)
}

fn first_self_intersection(ring: &[Position]) -> Option<(usize, usize)> {
    let n = ring.len();
    let vertex = |i: usize| ring[i % n];
    for i in 0..n {
        let (a, b, c) = (vertex(i), vertex(i + 1), vertex(i + 2));
        // Neighbours share a vertex by right; they must not fold back onto one another.
        let folds_back = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) < 0.0;
        if segment::turn(a, b, c) == 0.0 && folds_back {
            return Some((i, (i + 1) % n));
        }
        for j in i + 2..n {
            let neighbours_around_the_end = i == 0 && j == n - 1;
            if !neighbours_around_the_end && segment::meet(a, b, vertex(j), vertex(j + 1)) {
                return Some((i, j));
            }
        }
    }
    None
}
