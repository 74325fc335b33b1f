//! Where to go when nobody says where.

use transect::Error;
use transect::fence::Guard;
use transect::geometry::{Position, Workspace};
use transect::lawnmower::Lawnmower;

/// A goal that is too close is overshot to so many times the radius, as far as allowed.
const OVERSHOOTS: [f64; 4] = [2.0, 1.5, 1.2, 1.05];
/// Two places this close are one, m.
pub(super) const SAME_PLACE_M: f64 = 0.05;

/// A goal within the radius would count as reached before the vehicle moves, and one behind a corner would never come in
/// sight: such a goal is overshot, where that is allowed.
pub(super) fn really_reached(
    guard: &Guard,
    here: Position,
    goal: Position,
    radius_m: f64,
) -> Position {
    let away_m = here.distance_to(goal);
    if away_m > radius_m || away_m < SAME_PLACE_M {
        return goal;
    }
    OVERSHOOTS
        .into_iter()
        .map(|times| here.towards(goal, times * radius_m / away_m))
        .find(|&beyond| guard.stays_inside(here, beyond).is_ok())
        .unwrap_or(goal)
}

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

    /// Keeps its places inside what has become smaller.
    pub(super) fn pull_inside(&mut self, safe: &Workspace) {
        for waypoint in &mut self.waypoints {
            *waypoint = safe.nearest(*waypoint);
        }
    }

    /// The next place that a guard lets a vehicle with `reach_m` left go to from `here`, around corners where
    /// needed; each place is looked at once. What is within `radius_m` of the vehicle is overshot, or left out.
    pub(super) fn next(
        &mut self,
        guard: &Guard,
        here: Position,
        reach_m: f64,
        radius_m: f64,
    ) -> Option<Position> {
        let safe = guard.fence().safe();
        let from = safe.nearest(here);
        for _ in 0..self.waypoints.len() {
            let goal = self.waypoints[self.next % self.waypoints.len()];
            let corner = safe.route(from, goal).and_then(|way| way.first().copied());
            let reached_by_this = corner.is_none_or(|corner| corner == goal);
            let allowed = corner
                .map(|corner| really_reached(guard, here, corner, radius_m))
                .filter(|&corner| {
                    here.distance_to(corner) > radius_m
                        && guard.check(here, corner, reach_m).is_ok()
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
