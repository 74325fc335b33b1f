//! The area a survey must stay in.

use serde::{Deserialize, Serialize};

use super::{Polygon, Position, Rect, route, sampling};
use crate::Error;

/// The area a survey must stay in: a rectangle, or a polygon with holes.
///
/// ```
/// use transect::geometry::{Position, Rect, Workspace};
/// let workspace = Workspace::from(Rect::new(0.0, 20.0, 0.0, 10.0)?);
/// assert!(workspace.contains_segment(Position::new(0.0, 0.0), Position::new(20.0, 10.0)));
/// assert_eq!(workspace.clearance(Position::new(23.0, 14.0)), -5.0);
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Workspace {
    /// An axis-aligned rectangle.
    Rect(Rect),
    /// A simple polygon with holes.
    Polygon(Polygon),
}

impl Workspace {
    /// Whether `p` is inside or on the boundary.
    pub fn contains(&self, p: Position) -> bool {
        match self {
            Self::Rect(rect) => rect.contains(p),
            Self::Polygon(polygon) => polygon.contains(p),
        }
    }

    /// Whether the whole straight leg from `a` to `b` is inside or on the boundary.
    pub fn contains_segment(&self, a: Position, b: Position) -> bool {
        match self {
            // A rectangle is convex.
            Self::Rect(rect) => rect.contains(a) && rect.contains(b),
            Self::Polygon(polygon) => polygon.contains_segment(a, b),
        }
    }

    /// The smallest rectangle around the workspace.
    pub fn bounds(&self) -> Rect {
        match self {
            Self::Rect(rect) => *rect,
            Self::Polygon(polygon) => polygon.bounds(),
        }
    }

    /// Distance to the nearest boundary, m; negative outside and in holes.
    pub fn clearance(&self, p: Position) -> f64 {
        match self {
            Self::Rect(rect) => rect.clearance(p),
            Self::Polygon(polygon) => polygon.clearance(p),
        }
    }

    /// The place inside or on the boundary that is closest to `p`.
    pub fn nearest(&self, p: Position) -> Position {
        match self {
            Self::Rect(rect) => rect.nearest(p),
            Self::Polygon(polygon) => polygon.nearest(p),
        }
    }

    /// The corners of a short way from `from` to `to` whose legs are all inside, `to` included; `None`
    /// when there is no such way.
    pub fn route(&self, from: Position, to: Position) -> Option<Vec<Position>> {
        if self.contains_segment(from, to) {
            return Some(vec![to]);
        }
        match self {
            Self::Rect(_) => None,
            Self::Polygon(polygon) => route::around(polygon, from, to),
        }
    }

    /// The places at which a shortest way inside can bend.
    pub(crate) fn bends(&self) -> Vec<Position> {
        match self {
            Self::Rect(_) => Vec::new(),
            Self::Polygon(polygon) => route::bends(polygon),
        }
    }

    /// Area without holes, m².
    pub fn area(&self) -> f64 {
        match self {
            Self::Rect(rect) => rect.area(),
            Self::Polygon(polygon) => polygon.area(),
        }
    }

    /// `count` points, uniform over the workspace. `draw(low, high)` gives a uniform number in that range.
    ///
    /// In a rectangle all x are drawn first, then all y: the order of the paper's random streams. In a
    /// polygon points of the bounding box are drawn, x then y, until enough are inside; that the source
    /// never finds enough is an error, not an endless loop.
    pub fn sample_uniform(
        &self,
        count: usize,
        draw: &mut dyn FnMut(f64, f64) -> f64,
    ) -> Result<Vec<Position>, Error> {
        match self {
            Self::Rect(rect) => sampling::in_rect(rect, count, draw),
            Self::Polygon(polygon) => sampling::in_polygon(polygon, count, draw),
        }
    }
}

impl From<Rect> for Workspace {
    fn from(rect: Rect) -> Self {
        Self::Rect(rect)
    }
}

impl From<Polygon> for Workspace {
    fn from(polygon: Polygon) -> Self {
        Self::Polygon(polygon)
    }
}
