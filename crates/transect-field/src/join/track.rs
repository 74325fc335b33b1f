//! Where the boat was at a time between two fixes.

use std::collections::VecDeque;

use super::Rejection;
use crate::autopilot::PositionTrouble;
use crate::{Fix, GeoPosition};

/// Fixes kept: more than two minutes at five a second.
const MOST_FIXES: usize = 1000;
/// Noise of a position that is no jump, m.
const JUMP_SLACK_M: f64 = 3.0;
/// No survey boat is faster, m/s.
const FASTEST_MPS: f64 = 20.0;
/// A boat this fast does not report one place twice, m/s.
const MOVING_MPS: f64 = 0.3;

/// Where the boat was at some time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) antenna: GeoPosition,
    pub(super) heading_deg: Option<f64>,
}

/// The last fixes, oldest first, and since when they can be trusted or not.
#[derive(Debug, Default)]
pub(super) struct Track {
    fixes: VecDeque<Fix>,
    trust: VecDeque<(f64, Option<PositionTrouble>)>,
}

impl Track {
    pub(super) fn push(&mut self, fix: Fix) {
        // Time must not go back, or the search below would be wrong.
        if self
            .fixes
            .back()
            .is_some_and(|last| fix.time_s < last.time_s)
        {
            return;
        }
        self.fixes.push_back(fix);
        if self.fixes.len() > MOST_FIXES {
            self.fixes.pop_front();
        }
    }

    /// From `time_s` on, positions have this trouble, or none.
    pub(super) fn trust(&mut self, time_s: f64, trouble: Option<PositionTrouble>) {
        self.trust.push_back((time_s, trouble));
        if self.trust.len() > MOST_FIXES {
            self.trust.pop_front();
        }
    }

    /// Something is known about the time after `time_s`.
    pub(super) fn reaches(&self, time_s: f64) -> bool {
        self.fixes.back().is_some_and(|last| last.time_s >= time_s)
    }

    pub(super) fn at(&self, time_s: f64, max_gap_s: f64) -> Result<Place, Rejection> {
        let later = self.fixes.partition_point(|fix| fix.time_s < time_s);
        let after = self.fixes.get(later).ok_or(Rejection::NoFix)?;
        let before = match later.checked_sub(1).and_then(|index| self.fixes.get(index)) {
            Some(before) => before,
            // Exactly at the first fix.
            None if after.time_s == time_s => after,
            None => return Err(Rejection::NoFix),
        };
        let distrusted = |at_s: f64| {
            let known = self.trust.partition_point(|&(since_s, _)| since_s <= at_s);
            self.trust.get(known.checked_sub(1)?)?.1
        };
        if let Some(trouble) = distrusted(time_s).or_else(|| distrusted(after.time_s)) {
            return Err(Rejection::Position { trouble });
        }
        let gap_s = after.time_s - before.time_s;
        if gap_s > max_gap_s {
            return Err(Rejection::FixGap { gap_s });
        }
        let way_m = before.position.distance_m(after.position);
        if way_m > FASTEST_MPS * gap_s + JUMP_SLACK_M {
            let trouble = PositionTrouble::Jumped;
            return Err(Rejection::Position { trouble });
        }
        let moving = |fix: &Fix| fix.speed_mps.is_some_and(|speed| speed > MOVING_MPS);
        if gap_s > 0.0 && way_m == 0.0 && moving(before) && moving(after) {
            let trouble = PositionTrouble::Frozen;
            return Err(Rejection::Position { trouble });
        }
        let share = if gap_s > 0.0 {
            (time_s - before.time_s) / gap_s
        } else {
            1.0
        };
        Ok(Place {
            antenna: before.position.towards(after.position, share),
            heading_deg: match (before.heading_deg, after.heading_deg) {
                (Some(from), Some(to)) => Some(turned(from, to, share)),
                (from, to) => to.or(from),
            },
        })
    }
}

/// The heading a share of the short way round from one to the other, degrees.
fn turned(from_deg: f64, to_deg: f64, share: f64) -> f64 {
    let turn_deg = (to_deg - from_deg + 180.0).rem_euclid(360.0) - 180.0;
    (from_deg + share * turn_deg).rem_euclid(360.0)
}

#[cfg(test)]
mod tests {
    use super::{Track, turned};
    use crate::join::Rejection;
    use crate::{Fix, GeoPosition};

    #[test]
    fn a_place_between_two_fixes_is_in_proportion() {
        let home = GeoPosition::new(36.6, -84.2);
        let mut track = Track::default();
        for (time_s, east_m, heading_deg) in [(10.0, 0.0, 350.0), (12.0, 4.0, 10.0)] {
            track.push(Fix {
                time_s,
                position: home.moved(0.0, east_m),
                heading_deg: Some(heading_deg),
                speed_mps: Some(2.0),
            });
        }
        let place = track.at(10.5, 5.0).unwrap();
        assert!((home.offset_to(place.antenna).1 - 1.0).abs() < 1e-6);
        assert!((place.heading_deg.unwrap() - 355.0).abs() < 1e-9);
        assert_eq!(track.at(9.0, 5.0), Err(Rejection::NoFix));
        assert_eq!(track.at(12.5, 5.0), Err(Rejection::NoFix));
        assert_eq!(track.at(11.0, 1.0), Err(Rejection::FixGap { gap_s: 2.0 }));
    }

    #[test]
    fn headings_turn_the_short_way() {
        assert!((turned(350.0, 10.0, 0.5) - 0.0).abs() < 1e-9);
        assert!((turned(10.0, 350.0, 0.75) - 355.0).abs() < 1e-9);
    }
}
