//! Where a survey may go: the plane, in metres.
//!
//! - [`Position`]: a point
//! - [`Rect`]: an axis-aligned rectangle
//! - [`Polygon`]: a simple ring with holes
//! - [`common_area`]: what is inside some polygons and outside others
//! - [`Workspace`]: either of the two, as missions use it
//!
//! Areas are closed: their boundary belongs to them. A point that misses the boundary by no more than
//! rounding (a nanometre, or a few units in the last place of large coordinates) counts as on it, so that
//! legs that follow an edge are legs inside.

mod error;
mod overlay;
mod polygon;
mod position;
mod rect;
mod ring;
mod route;
mod sampling;
pub(crate) mod segment;
#[cfg(test)]
mod shapes;
mod workspace;

pub use error::{GeometryError, RingName};
pub use overlay::common_area;
pub use polygon::Polygon;
pub use position::Position;
pub use rect::Rect;
pub use workspace::Workspace;

/// How far outside a boundary rounding alone may put a point, m.
fn rounding_m(largest_coordinate: f64) -> f64 {
    (8.0 * f64::EPSILON * largest_coordinate).max(1e-9)
}
