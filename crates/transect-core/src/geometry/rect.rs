//! An axis-aligned rectangle.

use serde::{Deserialize, Serialize};

use super::{Position, rounding_m};
use crate::Error;
use crate::geometry::GeometryError;

/// An axis-aligned rectangle with finite sides and positive width and height, m.
///
/// ```
/// use transect::geometry::{Position, Rect};
/// let workspace = Rect::new(-10.0, 10.0, -10.0, 10.0)?;
/// assert_eq!(workspace.area(), 400.0);
/// assert_eq!(workspace.clearance(Position::new(0.0, 7.0)), 3.0);
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "Sides", into = "Sides")]
pub struct Rect {
    sides: Sides,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Sides {
    xmin: f64,
    xmax: f64,
    ymin: f64,
    ymax: f64,
}

impl TryFrom<Sides> for Rect {
    type Error = Error;

    fn try_from(s: Sides) -> Result<Self, Error> {
        Self::new(s.xmin, s.xmax, s.ymin, s.ymax)
    }
}

impl From<Rect> for Sides {
    fn from(rect: Rect) -> Self {
        rect.sides
    }
}

impl Rect {
    /// The rectangle [xmin, xmax] × [ymin, ymax], m.
    pub fn new(xmin: f64, xmax: f64, ymin: f64, ymax: f64) -> Result<Self, Error> {
        // The differences must be finite too: they are what everything is computed from.
        let proper = |low: f64, high: f64| low < high && (high - low).is_finite();
        if !proper(xmin, xmax) || !proper(ymin, ymax) {
            return Err(GeometryError::BadExtent {
                xmin,
                xmax,
                ymin,
                ymax,
            }
            .into());
        }
        let sides = Sides {
            xmin,
            xmax,
            ymin,
            ymax,
        };
        Ok(Self { sides })
    }

    /// Left side, m.
    pub fn xmin(&self) -> f64 {
        self.sides.xmin
    }

    /// Right side, m.
    pub fn xmax(&self) -> f64 {
        self.sides.xmax
    }

    /// Lower side, m.
    pub fn ymin(&self) -> f64 {
        self.sides.ymin
    }

    /// Upper side, m.
    pub fn ymax(&self) -> f64 {
        self.sides.ymax
    }

    /// Length along x, m.
    pub fn width(&self) -> f64 {
        self.xmax() - self.xmin()
    }

    /// Length along y, m.
    pub fn height(&self) -> f64 {
        self.ymax() - self.ymin()
    }

    /// Area, m².
    pub fn area(&self) -> f64 {
        self.width() * self.height()
    }

    /// Whether `p` is inside or on the boundary.
    pub fn contains(&self, p: Position) -> bool {
        self.clearance(p) >= -self.rounding_m()
    }

    /// Distance to the boundary, m; negative outside, NaN for a position that is NaN.
    pub fn clearance(&self, p: Position) -> f64 {
        let inside_x = (p.x - self.xmin()).min(self.xmax() - p.x);
        let inside_y = (p.y - self.ymin()).min(self.ymax() - p.y);
        if p.x.is_nan() || p.y.is_nan() {
            f64::NAN
        } else if inside_x >= 0.0 && inside_y >= 0.0 {
            inside_x.min(inside_y)
        } else {
            -inside_x.min(0.0).hypot(inside_y.min(0.0))
        }
    }

    /// The place inside or on the boundary that is closest to `p`.
    pub fn nearest(&self, p: Position) -> Position {
        Position::new(
            p.x.clamp(self.xmin(), self.xmax()),
            p.y.clamp(self.ymin(), self.ymax()),
        )
    }

    /// The slack that [`Rect::contains`] gives to rounding, m.
    pub(super) fn rounding_m(&self) -> f64 {
        rounding_m(
            [self.xmin(), self.xmax(), self.ymin(), self.ymax()]
                .iter()
                .fold(0.0, |largest, side| largest.max(side.abs())),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_not_a_rectangle() {
        for (xmin, xmax) in [
            (1.0, 1.0),
            (2.0, 1.0),
            (f64::NAN, 1.0),
            (0.0, f64::INFINITY),
            (-f64::MAX, f64::MAX),
        ] {
            assert!(Rect::new(xmin, xmax, 0.0, 1.0).is_err(), "{xmin} {xmax}");
            assert!(Rect::new(0.0, 1.0, xmin, xmax).is_err(), "{xmin} {xmax}");
        }
    }

    #[test]
    fn clearance_outside_is_the_distance_to_the_nearest_corner_or_side() {
        let unit = Rect::new(0.0, 1.0, 0.0, 1.0).unwrap();
        assert_eq!(unit.clearance(Position::new(4.0, 5.0)), -5.0);
        assert_eq!(unit.clearance(Position::new(0.5, 3.0)), -2.0);
        assert_eq!(unit.clearance(Position::new(1.0, 0.5)), 0.0);
        assert!(!unit.contains(Position::new(f64::NAN, 0.5)));
    }

    #[test]
    fn documents_cannot_smuggle_in_a_bad_rectangle() {
        let good = r#"{"xmin":0.0,"xmax":2.0,"ymin":0.0,"ymax":1.0}"#;
        let rect: Rect = serde_json::from_str(good).unwrap();
        assert_eq!(serde_json::to_string(&rect).unwrap(), good);
        let bad = good.replace("2.0", "-2.0");
        let error = serde_json::from_str::<Rect>(&bad).unwrap_err();
        assert!(error.to_string().contains("x [0, -2]"), "{error}");
    }
}
