//! A path: places that the vehicle drives through without stopping.
//!
//! The autopilot is sent the next place before it reaches the one before, so that it never slows down to stop there:
//!
//! ```text
//!          switch                     within the radius that counts as reached, and
//!  ──────────>|· · · ·o goal          what the vehicle drives in the time ahead
//!              \
//!               \────────────> next
//! ```
//!
//! The path is driven by the skipper alone: however late a mission is with its next answer, the vehicle goes on.

use transect::fence::Refusal;
use transect::geometry::Position;
use transect::mission::LegState;

use super::fallback::{SAME_PLACE_M, really_reached};
use super::{Doing, Leg, Report, Skipper, Why};

/// The next place is sent this long before the one before would be reached, s.
const AHEAD_S: f64 = 2.0;

impl Skipper {
    /// Drives through these places one after the other, without stopping at any but the last, in place of any other path. Ends
    /// where a leg is not allowed, or where what is left would not do for the way home.
    pub fn follow(&mut self, path: &[Position]) {
        if self.is_homeward() {
            return;
        }
        self.ordered = true;
        let Some(here) = self.here.map(|pose| pose.position) else {
            // Nothing is sent from nowhere; the mission asks again.
            return self.leg_over(LegState::Stuck);
        };
        let under_way = match self.doing {
            Doing::Leg(leg) if leg.why == Why::Planned && !self.interrupted => Some(leg),
            _ => None,
        };
        // A place that it is heading for already is not sent again: the autopilot would begin its approach anew.
        let on_course = under_way
            .zip(path.first())
            .is_some_and(|(leg, first)| leg.goal.distance_to(*first) < SAME_PLACE_M);
        let (refusal, allowed) = self.allowed(here, path);
        self.path = allowed.into();
        match self.path.pop_front() {
            Some(_) if on_course => {}
            Some(goal) => {
                self.too_far = 0;
                self.head_for(here, goal, Why::Planned);
            }
            // It is there already.
            None if refusal.is_none() => self.leg_over(LegState::Arrived),
            None => {
                self.too_far += u32::from(matches!(refusal, Some(Refusal::TooFar { .. })));
                self.do_without_plan(here);
            }
        }
    }

    /// Drives through these places after those of the path that is being followed.
    pub fn append(&mut self, path: &[Position]) {
        let leg = match self.doing {
            Doing::Leg(leg) if leg.why == Why::Planned => leg,
            _ => return self.follow(path),
        };
        let mut whole = vec![leg.goal];
        whole.extend(&self.path);
        whole.extend(path);
        self.follow(&whole);
    }

    /// The places that are still to come, the one that the vehicle is heading for first.
    pub fn path(&self) -> Vec<Position> {
        match self.doing {
            Doing::Leg(leg) => std::iter::once(leg.goal)
                .chain(self.path.iter().copied())
                .collect(),
            _ => Vec::new(),
        }
    }

    fn is_homeward(&self) -> bool {
        self.homeward.is_some() || matches!(self.doing, Doing::Over(_))
    }

    /// As much of a path as may be driven from here, and why not all of it.
    fn allowed(&mut self, here: Position, path: &[Position]) -> (Option<Refusal>, Vec<Position>) {
        let (mut from, mut reach_m) = (here, self.reach_m());
        let mut allowed = Vec::new();
        for &goal in path {
            // The room for turns may have grown since it was planned.
            let goal = if goal.is_finite() {
                self.guard.fence().safe().nearest(goal)
            } else {
                goal
            };
            let goal = match allowed.is_empty() {
                true => really_reached(&self.guard, here, goal, self.goal_radius_m()),
                false => goal,
            };
            if from.distance_to(goal) < SAME_PLACE_M {
                continue;
            }
            if let Err(refusal) = self.guard.check(from, goal, reach_m) {
                self.refuse(goal, refusal);
                return (Some(refusal), allowed);
            }
            reach_m -= from.distance_to(goal);
            from = goal;
            allowed.push(goal);
        }
        (None, allowed)
    }

    /// Heads for the next place of a path when the one before is near enough. Says whether it did.
    pub(super) fn pass(&mut self, here: Position, leg: Leg) -> bool {
        let near_m = self.goal_radius_m() + AHEAD_S * self.limits.speed_mps;
        let Some(&next) = self.path.front() else {
            return false;
        };
        // A corner that would be cut too short is driven out.
        let near = here.distance_to(leg.goal) <= near_m;
        let allowed = || self.guard.check(here, next, self.reach_m()).is_ok();
        near && allowed() && self.next_of_path(leg.goal)
    }

    /// Heads for the next place of a path that is allowed from here. Says whether there is one.
    pub(super) fn next_of_path(&mut self, passed: Position) -> bool {
        let Some(here) = self.here.map(|pose| pose.position) else {
            return false;
        };
        self.measured_turn();
        while let Some(next) = self.path.pop_front() {
            let next = self.guard.fence().safe().nearest(next);
            match self.guard.check(here, next, self.reach_m()) {
                Ok(()) => {
                    let left = self.path.len() + 1;
                    self.tell(Report::Passed { goal: passed, left });
                    self.head_for(here, next, Why::Planned);
                    return true;
                }
                Err(refusal) => {
                    if let Some(corner) = self.way_around(here, next) {
                        self.path.push_front(next);
                        let left = self.path.len() + 1;
                        self.tell(Report::Passed { goal: passed, left });
                        self.head_for(here, corner, Why::Planned);
                        return true;
                    }
                    self.refuse(next, refusal);
                }
            }
        }
        false
    }

    /// A corner that leads on to a place which is not in sight from here: a vehicle is near its places, not at them, and an island
    /// may lie in between.
    fn way_around(&self, here: Position, next: Position) -> Option<Position> {
        let safe = self.guard.fence().safe();
        let corner = *safe.route(safe.nearest(here), next)?.first()?;
        let corner = really_reached(&self.guard, here, corner, self.goal_radius_m());
        let leads_on = here.distance_to(corner) > self.goal_radius_m()
            && corner.distance_to(next) > SAME_PLACE_M;
        (leads_on && self.guard.check(here, corner, self.reach_m()).is_ok()).then_some(corner)
    }
}
