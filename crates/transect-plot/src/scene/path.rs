//! Outlines made of straight lines and cubic curves.

use super::Rect;

/// One step of an outline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Segment {
    /// Begins a new part.
    Move([f64; 2]),
    /// A straight line.
    Line([f64; 2]),
    /// A cubic Bézier curve: two handles and the end.
    Cubic([f64; 2], [f64; 2], [f64; 2]),
    /// Back to the beginning of the part.
    Close,
}

/// An outline.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Path {
    /// The steps.
    pub segments: Vec<Segment>,
}

impl Path {
    /// A line through the points. Points that are not finite break it in parts.
    pub fn polyline(points: &[[f64; 2]]) -> Self {
        let mut path = Path::default();
        let mut pen_down = false;
        for p in points {
            if !(p[0].is_finite() && p[1].is_finite()) {
                pen_down = false;
                continue;
            }
            path.segments.push(if pen_down {
                Segment::Line(*p)
            } else {
                Segment::Move(*p)
            });
            pen_down = true;
        }
        path
    }

    /// A closed polygon.
    pub fn polygon(points: &[[f64; 2]]) -> Self {
        let mut path = Path::polyline(points);
        if !path.segments.is_empty() {
            path.segments.push(Segment::Close);
        }
        path
    }

    /// A rectangle.
    pub fn rect(r: Rect) -> Self {
        Path::polygon(&[
            [r.x, r.y],
            [r.right(), r.y],
            [r.right(), r.bottom()],
            [r.x, r.bottom()],
        ])
    }

    /// Adds the steps of another outline.
    pub fn append(&mut self, other: Path) {
        self.segments.extend(other.segments);
    }

    /// The outline with every point sent through `f`.
    pub fn mapped(&self, f: impl Fn([f64; 2]) -> [f64; 2]) -> Self {
        let segments = self
            .segments
            .iter()
            .map(|s| match *s {
                Segment::Move(p) => Segment::Move(f(p)),
                Segment::Line(p) => Segment::Line(f(p)),
                Segment::Cubic(a, b, p) => Segment::Cubic(f(a), f(b), f(p)),
                Segment::Close => Segment::Close,
            })
            .collect();
        Path { segments }
    }
}
