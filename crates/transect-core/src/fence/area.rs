//! An area and a margin.

use crate::Error;
use crate::geometry::{Polygon, Position, Workspace};

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
            return Err(Error::Setting {
                name: "fence.margin_m",
                value: margin_m,
                accepted: "a finite number, 0 or more, is needed",
            });
        }
        let safe = match margin_m > 0.0 {
            true => Workspace::from(inset(&area, margin_m, near)?),
            false => Workspace::from(area.clone()),
        };
        Ok(Self {
            area,
            margin_m,
            safe,
        })
    }

    /// The area itself.
    pub fn area(&self) -> &Polygon {
        &self.area
    }

    /// The distance to keep from its boundary, m.
    pub fn margin_m(&self) -> f64 {
        self.margin_m
    }

    /// Where surveys are planned: at least the margin from the boundary.
    pub fn safe(&self) -> &Workspace {
        &self.safe
    }

    /// A vehicle may be sent straight from `from` to `to`: no point of the leg is closer to the boundary
    /// than the margin. From within the margin, where wind may have put it, it may not come any closer than it is.
    /// From outside nothing is allowed.
    pub fn allows(&self, from: Position, to: Position) -> bool {
        let start_m = self.area.clearance(from);
        let kept_m = start_m.min(self.margin_m);
        // Distances to the start itself are computed in two ways; they may differ by rounding.
        let rounding_m = 1e-9 * (1.0 + start_m.abs());
        start_m >= 0.0
            && self.area.clearance(to) >= self.margin_m
            && self.area.clearance_of_segment(from, to) >= kept_m - rounding_m
    }
}

fn inset(area: &Polygon, margin_m: f64, near: Position) -> Result<Polygon, Error> {
    let mut refusal = Error::NoRoomInside { margin_m };
    for deeper in DEEPER {
        match area.inset(deeper * margin_m) {
            Ok(pieces) => {
                let away_m = |piece: &Polygon| piece.nearest(near).distance_to(near);
                return pieces
                    .into_iter()
                    .min_by(|a, b| away_m(a).total_cmp(&away_m(b)))
                    .ok_or(Error::NoRoomInside { margin_m });
            }
            Err(error) => refusal = error,
        }
    }
    Err(refusal)
}
