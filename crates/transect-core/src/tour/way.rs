//! What a piece of a way costs, without laying out its track.

use crate::geometry::Position;
use crate::travel::TravelModel;

/// Time of the straight leg from `a` to `b`, s.
pub(super) fn leg_s(travel: &TravelModel, a: Position, b: Position) -> f64 {
    travel.leg_s(a, b)
}

/// Time that the corner at `b` adds to the legs from `a` and to `c`, s; negative where the arc saves more than turning costs.
pub(super) fn corner_s(travel: &TravelModel, a: Position, b: Position, c: Position) -> f64 {
    let (ux, uy) = (b.x - a.x, b.y - a.y);
    let (vx, vy) = (c.x - b.x, c.y - b.y);
    let (u, v) = (a.quick_distance_to(b), b.quick_distance_to(c));
    if u < 1e-9 || v < 1e-9 {
        return 0.0;
    }
    let cosine = ((ux * vx + uy * vy) / (u * v)).clamp(-1.0, 1.0);
    travel.corner_s(cosine.acos(), 0.5 * u, 0.5 * v)
}

/// Time of a way through `places`, s; the first and the last are passed on from and to nowhere.
pub(super) fn way_s(travel: &TravelModel, places: &[Position]) -> f64 {
    let legs: f64 = places.windows(2).map(|p| leg_s(travel, p[0], p[1])).sum();
    let corners: f64 = places
        .windows(3)
        .map(|p| corner_s(travel, p[0], p[1], p[2]))
        .sum();
    legs + corners
}

/// A place behind the vehicle, so that the first turn counts as a corner.
pub(super) fn behind(start: crate::vehicle::Pose, distance_m: f64) -> Position {
    let (sin, cos) = start.heading_rad.sin_cos();
    Position::new(
        start.position.x - distance_m * cos,
        start.position.y - distance_m * sin,
    )
}
