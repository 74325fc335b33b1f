//! Marker shapes of about equal visual weight.

use super::{Path, Segment};

/// The shape of a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// A disc.
    Circle,
    /// A square.
    Square,
    /// A triangle standing on its base.
    Triangle,
    /// A square standing on a corner.
    Diamond,
    /// A star with five points.
    Star,
}

impl Marker {
    /// The outline about the origin for a disc of the given radius, other shapes scaled to look as large.
    pub(super) fn outline(self, radius: f64) -> Path {
        match self {
            Marker::Circle => circle(radius),
            Marker::Square => corners(4, radius * 1.25, radius * 1.25, 45.0),
            Marker::Triangle => corners(3, radius * 1.4, radius * 1.4, 90.0),
            Marker::Diamond => corners(4, radius * 1.35, radius * 1.35, 90.0),
            Marker::Star => corners(10, radius * 1.6, radius * 0.65, 90.0),
        }
    }
}

/// `n` corners, alternately at two distances, the first at `first_degrees` counted upwards from the right.
fn corners(n: usize, even: f64, odd: f64, first_degrees: f64) -> Path {
    let points: Vec<[f64; 2]> = (0..n)
        .map(|i| {
            let (sin, cos) = (first_degrees + 360.0 * i as f64 / n as f64)
                .to_radians()
                .sin_cos();
            let r = if i % 2 == 0 { even } else { odd };
            [r * cos, -r * sin]
        })
        .collect();
    Path::polygon(&points)
}

fn circle(r: f64) -> Path {
    // Handle length of the usual four-curve circle, off by less than 0.03 % of the radius.
    let k = 0.552_284_75 * r;
    Path {
        segments: vec![
            Segment::Move([r, 0.0]),
            Segment::Cubic([r, k], [k, r], [0.0, r]),
            Segment::Cubic([-k, r], [-r, k], [-r, 0.0]),
            Segment::Cubic([-r, -k], [-k, -r], [0.0, -r]),
            Segment::Cubic([k, -r], [r, -k], [r, 0.0]),
            Segment::Close,
        ],
    }
}
