//! The last word before a waypoint is sent.

use std::fmt;

use super::{Fence, Homeward};
use crate::Error;
use crate::geometry::Position;

/// Why a leg is refused.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    /// A coordinate is not a number.
    NotANumber,
    /// The leg leaves the fence or comes too close to its boundary.
    OutsideFence {
        /// The closest it comes, m; negative outside.
        clearance_m: f64,
        /// What is asked, m: the margin and the room for turns.
        margin_m: f64,
    },
    /// No way inside the fence leads home from the goal.
    NoWayHome,
    /// The leg and the way home from its end are longer than what is left.
    TooFar {
        /// Leg and way home, m.
        way_m: f64,
        /// What is left, reserves kept, m.
        reach_m: f64,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber => f.write_str("the position is not a number"),
            Self::OutsideFence {
                clearance_m,
                margin_m,
            } => write!(
                f,
                "the leg comes within {clearance_m:.1} m of the fence; {margin_m:.1} m are to be kept"
            ),
            Self::NoWayHome => f.write_str("no way inside the fence leads home from there"),
            Self::TooFar { way_m, reach_m } => write!(
                f,
                "there and home are {way_m:.0} m, and what is left is good for {reach_m:.0} m"
            ),
        }
    }
}

/// Refuses legs that leave the fence, or after which the vehicle could not come home.
///
/// ```
/// use transect::fence::{Fence, Guard, Refusal};
/// use transect::geometry::{Polygon, Position};
/// let at = Position::new;
/// let lake = Polygon::new(vec![at(0.0, 0.0), at(100.0, 0.0), at(100.0, 50.0), at(0.0, 50.0)], vec![])?;
/// let guard = Guard::new(Fence::new(lake, 3.0, at(5.0, 5.0))?, at(5.0, 5.0));
/// let (here, there) = (at(5.0, 5.0), at(85.0, 5.0));
/// assert_eq!(guard.check(here, there, 161.0), Ok(()));
/// assert_eq!(guard.check(here, there, 159.0), Err(Refusal::TooFar { way_m: 160.0, reach_m: 159.0 }));
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Guard {
    fence: Fence,
    /// The fence of the ways home: home does not move when a vehicle needs more room.
    home_fence: Fence,
    homeward: Homeward,
    /// Home as it was asked for.
    home: Position,
}

impl Guard {
    /// Guards this fence, with the way to this home.
    pub fn new(fence: Fence, home: Position) -> Self {
        let homeward = Homeward::new(&fence, home);
        Self {
            home_fence: fence.clone(),
            fence,
            homeward,
            home,
        }
    }

    /// The same for a vehicle that needs this much room to turn, m. Home moves inside that, too.
    ///
    /// # Errors
    /// If the room is negative or not finite, or there is none left inside.
    pub fn with_turning(&self, turning_m: f64) -> Result<Self, Error> {
        let fence = self.fence.clone().with_turning(turning_m, self.home)?;
        Ok(Self::new(fence, self.home))
    }

    /// The same for a vehicle that has turned out to need this much room to turn, m. Ways home stay as they are.
    ///
    /// # Errors
    /// If the room is negative or not finite, or there is none left inside.
    pub fn with_more_room(&self, turning_m: f64) -> Result<Self, Error> {
        let fence = self.fence.clone().with_turning(turning_m, self.home)?;
        Ok(Self {
            fence,
            ..self.clone()
        })
    }

    /// The fence.
    pub fn fence(&self) -> &Fence {
        &self.fence
    }

    /// The ways home.
    pub fn homeward(&self) -> &Homeward {
        &self.homeward
    }

    /// Whether a vehicle at `from` that has `reach_m` left may be sent straight to `goal`.
    ///
    /// # Errors
    /// Why it may not.
    pub fn check(&self, from: Position, goal: Position, reach_m: f64) -> Result<(), Refusal> {
        inside(&self.fence, from, goal)?;
        let home_m = self.homeward.length_m(goal).ok_or(Refusal::NoWayHome)?;
        let way_m = from.distance_to(goal) + home_m;
        match way_m <= reach_m {
            true => Ok(()),
            false => Err(Refusal::TooFar { way_m, reach_m }),
        }
    }

    /// Whether the straight leg keeps its distance from the boundary, whatever is left: on the way home.
    ///
    /// # Errors
    /// Why it does not.
    pub fn stays_inside(&self, from: Position, goal: Position) -> Result<(), Refusal> {
        inside(&self.home_fence, from, goal)
    }

    /// A vehicle at `from` must turn back now: the way home needs all that is left.
    pub fn must_turn_back(&self, from: Position, reach_m: f64) -> bool {
        self.homeward
            .length_m(from)
            .is_none_or(|home_m| home_m >= reach_m)
    }
}

fn inside(fence: &Fence, from: Position, goal: Position) -> Result<(), Refusal> {
    if !from.is_finite() || !goal.is_finite() {
        return Err(Refusal::NotANumber);
    }
    if !fence.allows(from, goal) {
        return Err(Refusal::OutsideFence {
            clearance_m: fence.area().clearance_of_segment(from, goal),
            margin_m: fence.kept_m(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Guard;
    use crate::fence::Fence;
    use crate::geometry::{Polygon, Position};

    #[test]
    fn a_vehicle_that_needs_more_room_keeps_its_home() {
        let at = Position::new;
        let lake = vec![at(0.0, 0.0), at(100.0, 0.0), at(100.0, 50.0), at(0.0, 50.0)];
        let lake = Polygon::new(lake, vec![]).unwrap();
        let home = at(1.0, 25.0);
        let fence = Fence::new(lake, 3.0, home).unwrap();
        let guard = Guard::new(fence, home).with_turning(1.0).unwrap();
        // Insets are a little deeper than asked for, so that no rounded corner comes closer.
        let home = guard.homeward().home();
        assert!(home.distance_to(at(4.0, 25.0)) < 0.1, "{home}");
        let roomy = guard.with_more_room(6.0).unwrap();
        assert_eq!(roomy.homeward().home(), home);
        // Nine metres are kept on the survey, four on the way home.
        let (middle, side) = (at(50.0, 25.0), at(50.0, 45.0));
        assert!(guard.check(middle, side, 1e3).is_ok());
        assert!(roomy.check(middle, side, 1e3).is_err());
        assert!(roomy.check(middle, at(50.0, 41.0), 1e3).is_ok());
        assert!(roomy.stays_inside(middle, home).is_ok());
    }
}
