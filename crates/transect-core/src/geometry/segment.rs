//! Straight pieces between two points.

use super::Position;

/// Twice the signed area of the triangle a, b, c; positive when it turns left.
pub(super) fn turn(a: Position, b: Position, c: Position) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Where on the line a–b the foot of the perpendicular from `p` lies; 0 at a, 1 at b.
pub(super) fn foot(p: Position, a: Position, b: Position) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let length_squared = dx * dx + dy * dy;
    if length_squared == 0.0 {
        return 0.0;
    }
    ((p.x - a.x) * dx + (p.y - a.y) * dy) / length_squared
}

/// Distance from `p` to the segment a–b, m.
pub(crate) fn distance(p: Position, a: Position, b: Position) -> f64 {
    p.distance_to(a.towards(b, foot(p, a, b).clamp(0.0, 1.0)))
}

/// Smallest distance between the segments a–b and c–d, m.
pub(super) fn gap(a: Position, b: Position, c: Position, d: Position) -> f64 {
    if meet(a, b, c, d) {
        return 0.0;
    }
    // Two segments that do not meet are closest at an end of one of them.
    let from_ends = distance(a, c, d).min(distance(b, c, d));
    from_ends.min(distance(c, a, b)).min(distance(d, a, b))
}

/// Whether the closed segments a–b and c–d have a point in common.
pub(super) fn meet(a: Position, b: Position, c: Position, d: Position) -> bool {
    let sides = |p, q, r, s| {
        let (first, second) = (turn(p, q, r), turn(p, q, s));
        (first > 0.0 && second > 0.0) || (first < 0.0 && second < 0.0)
    };
    let apart = |low: f64, high: f64, other_low: f64, other_high: f64| {
        low.max(high) < other_low.min(other_high) || other_low.max(other_high) < low.min(high)
    };
    !(apart(a.x, b.x, c.x, d.x)
        || apart(a.y, b.y, c.y, d.y)
        || sides(a, b, c, d)
        || sides(c, d, a, b))
}

/// The fraction of a–b at which the lines a–b and c–d cross, if that point is on (or hardly off) c–d.
pub(super) fn crossing(a: Position, b: Position, c: Position, d: Position) -> Option<f64> {
    let (rx, ry) = (b.x - a.x, b.y - a.y);
    let (sx, sy) = (d.x - c.x, d.y - c.y);
    let slant = rx * sy - ry * sx;
    if slant == 0.0 {
        return None;
    }
    let along_ab = ((c.x - a.x) * sy - (c.y - a.y) * sx) / slant;
    let along_cd = ((c.x - a.x) * ry - (c.y - a.y) * rx) / slant;
    (-1e-6..=1.0 + 1e-6).contains(&along_cd).then_some(along_ab)
}
