//! Where to go when nobody says where.

use transect::Error;
use transect::fence::Guard;
use transect::geometry::{Position, Workspace};
use transect::lawnmower::Lawnmower;

/// A lawnmower survey that is taken up where it was left.
#[derive(Debug, Clone)]
pub(super) struct Fallback {
    waypoints: Vec<Position>,
    next: usize,
}

impl Fallback {
    /// Lines this far apart, m.
    pub(super) fn new(safe: &Workspace, spacing_m: f64) -> Result<Self, Error> {
        let track = Lawnmower::with_spacing(safe, spacing_m)?;
        // Ends of lines lie on the boundary; rounding must not put them outside.
        let inside = |p: &Position| safe.nearest(*p);
        Ok(Self {
            waypoints: track.waypoints().iter().map(inside).collect(),
            next: 0,
        })
    }

    /// The next place that a guard lets a vehicle with `reach_m` left go to from `here`, around corners where
    /// needed; each place is looked at once.
    pub(super) fn next(&mut self, guard: &Guard, here: Position, reach_m: f64) -> Option<Position> {
        let safe = guard.fence().safe();
        let from = safe.nearest(here);
        for _ in 0..self.waypoints.len() {
            let goal = self.waypoints[self.next % self.waypoints.len()];
            let corner = safe.route(from, goal).and_then(|way| way.first().copied());
            let reached_by_this = corner.is_none_or(|corner| corner == goal);
            let allowed = corner.filter(|&corner| {
                here.distance_to(corner) > 0.1 && guard.check(here, corner, reach_m).is_ok()
            });
            if reached_by_this || allowed.is_none() {
                self.next += 1;
            }
            if allowed.is_some() {
                return allowed;
            }
        }
        None
    }
}
