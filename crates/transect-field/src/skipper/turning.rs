//! The room that turns take at the fence, as it is seen.
//!
//! Legs keep the margin and the room for turns from the boundary. What a vehicle uses of it tells how much room it needs: a
//! hull may slide, a current may push. A vehicle that uses more than it has gets more, from the next leg on.

use transect::geometry::Position;

use super::Skipper;

/// What receivers and reports may be off by, m.
const UNSURE_M: f64 = 0.3;
/// The room is this much larger than what was seen to be needed.
const SPARE: f64 = 1.2;

impl Skipper {
    /// A leg begins here.
    pub(super) fn watch_boundary_from(&mut self, from: Position) {
        let start_m = self.guard.fence().area().clearance(from);
        // One that begins too close says nothing about turns: wind, an operator or the turn before has put it there.
        let usual = start_m >= self.guard.fence().kept_m() - UNSURE_M;
        self.closest_m = usual.then_some(start_m);
    }

    /// The vehicle is here on its leg.
    pub(super) fn watch_boundary(&mut self, here: Position) {
        if let Some(closest_m) = &mut self.closest_m {
            *closest_m = closest_m.min(self.guard.fence().area().clearance(here));
        }
    }

    /// A leg is over. Makes more room where the vehicle has used more than it had.
    pub(super) fn measured_turn(&mut self) {
        let (fence, Some(closest_m)) = (self.guard.fence(), self.closest_m.take()) else {
            return;
        };
        let used_m = fence.kept_m() - closest_m;
        if used_m <= fence.turning_m() + UNSURE_M {
            return;
        }
        let margin_m = fence.margin_m();
        let Ok(guard) = self.guard.with_more_room(SPARE * used_m) else {
            return self.note(format!(
                "turns take {used_m:.1} m at the fence, and there is no room inside for more"
            ));
        };
        self.guard = guard;
        self.fallback.pull_inside(self.guard.fence().safe());
        self.note(format!(
            "turns take {used_m:.1} m at the fence: legs keep {:.1} m from it from now on, for a margin of {margin_m:.1} m",
            self.guard.fence().kept_m()
        ));
    }
}
