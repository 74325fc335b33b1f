//! What can be wrong with an area.

use std::fmt;

use super::Position;

/// Which ring of a polygon an error speaks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RingName {
    /// The outer boundary.
    Outer,
    /// The hole with this index.
    Hole(usize),
}

impl fmt::Display for RingName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outer => write!(f, "outer ring"),
            Self::Hole(index) => write!(f, "hole {index}"),
        }
    }
}

/// Why a rectangle, a polygon or a part of one is refused. Indices count from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// The sides of a rectangle are not finite or not in order.
    #[error(
        "extent x [{xmin}, {xmax}], y [{ymin}, {ymax}] is not a rectangle: finite numbers with min < max are needed"
    )]
    BadExtent {
        /// Left side, m.
        xmin: f64,
        /// Right side, m.
        xmax: f64,
        /// Lower side, m.
        ymin: f64,
        /// Upper side, m.
        ymax: f64,
    },

    /// A ring has fewer than three vertices.
    #[error("{ring} has {count} vertices: at least 3 are needed")]
    TooFewVertices {
        /// The ring.
        ring: RingName,
        /// How many vertices it has, a repeated closing vertex not counted.
        count: usize,
    },

    /// A vertex is NaN or infinite.
    #[error("vertex {vertex} of the {ring} is {at}: coordinates must be finite")]
    NonFiniteVertex {
        /// The ring.
        ring: RingName,
        /// Index of the vertex.
        vertex: usize,
        /// Its coordinates.
        at: Position,
    },

    /// A vertex equals its predecessor.
    #[error("vertex {vertex} of the {ring} repeats the one before it: remove it")]
    RepeatedVertex {
        /// The ring.
        ring: RingName,
        /// Index of the second of the two.
        vertex: usize,
    },

    /// All vertices of a ring lie on one line.
    #[error("the {ring} has no area: its vertices lie on one line")]
    ZeroArea {
        /// The ring.
        ring: RingName,
    },

    /// Two edges of one ring meet where they should not.
    #[error(
        "the {ring} meets itself: the edges that start at vertices {first} and {second} cross or touch"
    )]
    SelfIntersection {
        /// The ring.
        ring: RingName,
        /// Index of the vertex that starts the first edge.
        first: usize,
        /// Index of the vertex that starts the second edge.
        second: usize,
    },

    /// A hole is outside the outer ring, or crosses or touches it.
    #[error(
        "hole {hole} is not inside the outer ring: see its edge from vertex {vertex}; holes must not touch the outer ring"
    )]
    HoleOutside {
        /// Index of the hole.
        hole: usize,
        /// Index of the vertex that starts the offending edge.
        vertex: usize,
    },

    /// Two holes cross, touch or contain one another.
    #[error("holes {first} and {second} overlap or touch: merge them into one")]
    HolesOverlap {
        /// Index of the first hole.
        first: usize,
        /// Index of the second hole.
        second: usize,
    },

    /// Uniform sampling did not find enough points inside the workspace.
    #[error(
        "only {found} of {wanted} random points fell inside the workspace after {tries} tries: \
         the random source does not cover the bounding box, or the workspace is a sliver of it"
    )]
    SamplingGaveUp {
        /// Points asked for.
        wanted: usize,
        /// Points found.
        found: usize,
        /// Points tried.
        tries: u64,
    },

    /// A fence so narrow, or a margin so wide, that nothing is left.
    #[error("no place inside the fence is {margin_m} m from its boundary: choose a smaller margin")]
    NoRoomInside {
        /// The margin, m.
        margin_m: f64,
    },
}
