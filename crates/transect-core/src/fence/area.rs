//! An area and a margin.

use crate::Error;
use crate::geometry::GeometryError;
use crate::geometry::{Polygon, Position, Workspace};
use crate::settings::SettingError;

/// An inset that is not a simple polygon (boundaries that touch in one point) is tried again, this much deeper.
const DEEPER: [f64; 4] = [1.0, 1.003, 1.01, 1.03];

/// An area whose boundary a vehicle keeps away from.
///
/// ```
/// use transect::fence::Fence;
/// use transect::geometry::{Polygon, Position};
/// let at = Position::new;
/// let lake = Polygon::new(vec![at(0.0, 0.0), at(100.0, 0.0), at(100.0, 50.0), at(0.0, 50.0)], vec![])?;
/// let fence = Fence::new(lake, 3.0, at(50.0, 25.0))?;
/// assert!(fence.allows(at(10.0, 10.0), at(90.0, 4.0)));
/// assert!(!fence.allows(at(10.0, 10.0), at(90.0, 2.0)));
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Fence {
    area: Polygon,
    margin_m: f64,
    turning_m: f64,
    safe: Workspace,
}

impl Fence {
    /// A fence around `area`. Where the margin cuts the area into pieces, the one that `near` is in (or
    /// closest to) is surveyed.
    ///
    /// # Errors
    /// If the margin is negative or not finite, or leaves no room.
    pub fn new(area: Polygon, margin_m: f64, near: Position) -> Result<Self, Error> {
        if !(margin_m >= 0.0 && margin_m.is_finite()) {
            return Err(SettingError::OutOfRange {
                name: "fence.margin_m",
                value: margin_m,
                accepted: "a finite number, 0 or more, is needed",
            }
            .into());
        }
        let safe = inset(&area, margin_m, near)?;
        Ok(Self {
            area,
            margin_m,
            turning_m: 0.0,
            safe,
        })
    }

    /// The same with this much more room, m, for a vehicle that does not turn on the spot: legs keep it beside the margin.
    ///
    /// # Errors
    /// If the room is negative or not finite, or there is none left inside.
    pub fn with_turning(self, turning_m: f64, near: Position) -> Result<Self, Error> {
        if !(turning_m >= 0.0 && turning_m.is_finite()) {
            return Err(SettingError::OutOfRange {
                name: "turning room",
                value: turning_m,
                accepted: "a finite number, 0 or more, is needed",
            }
            .into());
        }
        let safe = inset(&self.area, self.margin_m + turning_m, near)?;
        Ok(Self {
            turning_m,
            safe,
            ..self
        })
    }

    /// The area itself.
    pub fn area(&self) -> &Polygon {
        &self.area
    }

    /// The distance that a vehicle keeps from its boundary, m.
    pub fn margin_m(&self) -> f64 {
        self.margin_m
    }

    /// The room for turns, m.
    pub fn turning_m(&self) -> f64 {
        self.turning_m
    }

    /// The distance that legs keep from the boundary, m: the margin and the room for turns.
    pub fn kept_m(&self) -> f64 {
        self.margin_m + self.turning_m
    }

    /// Where surveys are planned: at least the margin and the room for turns from the boundary.
    pub fn safe(&self) -> &Workspace {
        &self.safe
    }

    /// A vehicle may be sent straight from `from` to `to`: no point of the leg is closer to the boundary
    /// than the margin and the room for turns. From a place that is closer, where wind or a turn may have put it, it may not come
    /// any closer than it is.
    /// From outside nothing is allowed.
    pub fn allows(&self, from: Position, to: Position) -> bool {
        let start_m = self.area.clearance(from);
        let kept_m = start_m.min(self.kept_m());
        // Distances to the start itself are computed in two ways; they may differ by rounding.
        let rounding_m = 1e-9 * (1.0 + start_m.abs());
        start_m >= 0.0
            && self.area.clearance(to) >= self.kept_m()
            && self.area.clearance_of_segment(from, to) >= kept_m - rounding_m
    }
}

fn inset(area: &Polygon, margin_m: f64, near: Position) -> Result<Workspace, Error> {
    if margin_m == 0.0 {
        return Ok(Workspace::from(area.clone()));
    }
    let mut refusal = Error::Geometry(GeometryError::NoRoomInside { margin_m });
    for deeper in DEEPER {
        match area.inset(deeper * margin_m) {
            Ok(pieces) => {
                let away_m = |piece: &Polygon| piece.nearest(near).distance_to(near);
                return pieces
                    .into_iter()
                    .min_by(|a, b| away_m(a).total_cmp(&away_m(b)))
                    .map(Workspace::from)
                    .ok_or(Error::Geometry(GeometryError::NoRoomInside { margin_m }));
            }
            Err(error) => refusal = error,
        }
    }
    Err(refusal)
}
