//! A short way through places: nearest neighbour, then 2-opt and or-opt with the cost of turns.
//!
//! Reversing a piece of the way is taken to cost the same: with a current that is nearly so, since every leg that gains meets one that
//! loses. The time of the whole is judged by its track in any case.

use super::Tour;
use super::way::{behind, corner_s, leg_s, way_s};
use crate::geometry::Position;

/// Passes over all pairs; each stops early when nothing is gained.
const MOST_PASSES: usize = 12;
/// What counts as a gain, s.
const NOTICEABLE_S: f64 = 1e-6;
/// A leg that leaves the workspace costs this many times its length: the way around is not known here.
const BLOCKED: f64 = 5.0;
/// The longest piece that or-opt moves.
const LONGEST_PIECE: usize = 3;

/// The places in a good order, from where the tour starts.
pub(super) fn ordered(tour: &Tour<'_>, places: &[Position]) -> Vec<Position> {
    let mut way = Way::through(tour, places);
    for _ in 0..MOST_PASSES {
        let reversed = way.two_opt();
        let moved = way.or_opt();
        if !reversed && !moved {
            break;
        }
    }
    let end = way.end;
    way.places[2..end].to_vec()
}

struct Way<'a> {
    tour: &'a Tour<'a>,
    /// A place behind the vehicle, the vehicle, the places, and home if there is one.
    places: Vec<Position>,
    /// One past the last place that may be moved.
    end: usize,
    /// A move whose legs are longer by more than this cannot pay by its turns, m.
    slack_m: f64,
}

impl<'a> Way<'a> {
    fn through(tour: &'a Tour<'a>, places: &[Position]) -> Self {
        let radius_m = tour.travel.turning_radius_m();
        let mut way = vec![behind(tour.start, 4.0 * radius_m), tour.start.position];
        let mut open = places.to_vec();
        while !open.is_empty() {
            let here = way[way.len() - 1];
            let distance = |p: &Position| here.quick_distance_to(*p);
            let nearest =
                (0..open.len()).min_by(|&a, &b| distance(&open[a]).total_cmp(&distance(&open[b])));
            way.push(open.swap_remove(nearest.unwrap_or(0)));
        }
        let end = way.len();
        way.extend(tour.home);
        Self {
            tour,
            places: way,
            end,
            slack_m: 2.0 * radius_m,
        }
    }

    fn leg_s(&self, a: Position, b: Position) -> f64 {
        let time_s = leg_s(self.tour.travel, a, b);
        if self.tour.workspace.contains_segment(a, b) {
            time_s
        } else {
            BLOCKED * time_s
        }
    }

    /// The leg from b to c with the turns at both its ends.
    fn joint_s(&self, a: Position, b: Position, c: Option<&Position>, d: Option<&Position>) -> f64 {
        let Some(&c) = c else { return 0.0 };
        let after = d.map_or(0.0, |&d| corner_s(self.tour.travel, b, c, d));
        self.leg_s(b, c) + corner_s(self.tour.travel, a, b, c) + after
    }

    fn two_opt(&mut self) -> bool {
        let mut gained = false;
        for i in 2..self.end {
            for j in i + 1..self.end {
                let p = &self.places;
                let next = p.get(j + 1);
                let before_m = p[i - 1].quick_distance_to(p[i])
                    + next.map_or(0.0, |n| p[j].quick_distance_to(*n));
                let after_m = p[i - 1].quick_distance_to(p[j])
                    + next.map_or(0.0, |n| p[i].quick_distance_to(*n));
                if after_m > before_m + self.slack_m {
                    continue;
                }
                let old = self.joint_s(p[i - 2], p[i - 1], p.get(i), p.get(i + 1))
                    + self.joint_s(p[j - 1], p[j], next, p.get(j + 2));
                let new = self.joint_s(p[i - 2], p[i - 1], p.get(j), p.get(j - 1))
                    + self.joint_s(p[i + 1], p[i], next, p.get(j + 2));
                if new < old - NOTICEABLE_S {
                    self.places[i..=j].reverse();
                    gained = true;
                }
            }
        }
        gained
    }

    fn or_opt(&mut self) -> bool {
        let mut gained = false;
        for length in 1..=LONGEST_PIECE {
            let mut i = 2;
            while i + length <= self.end {
                gained |= self.move_piece(i, i + length - 1);
                i += 1;
            }
        }
        gained
    }

    /// Moves the places `i..=j` to where they cost least, either way round; says whether that is elsewhere.
    fn move_piece(&mut self, i: usize, j: usize) -> bool {
        let p = &self.places;
        let travel = self.tour.travel;
        let to = (j + 3).min(p.len());
        let with_s = way_s(travel, &p[i - 2..to]) + self.blocked_s(&p[i - 1..(j + 2).min(p.len())]);
        let mut bridge = vec![p[i - 2], p[i - 1]];
        bridge.extend(&p[j + 1..to]);
        let saved_s =
            with_s - way_s(travel, &bridge) - self.blocked_s(&bridge[1..bridge.len().min(3)]);
        let saved_m = p[i - 1].quick_distance_to(p[i])
            + p.get(j + 1).map_or(0.0, |n| {
                p[j].quick_distance_to(*n) - p[i - 1].quick_distance_to(*n)
            });
        let mut best = (NOTICEABLE_S, 0, false);
        let mut detour = Vec::with_capacity(8);
        for k in 1..self.end {
            // The places around the gap must not be those around the piece.
            if k + 3 >= i && k <= j + 2 {
                continue;
            }
            for reversed in [false, true] {
                let (first, last) = if reversed { (p[j], p[i]) } else { (p[i], p[j]) };
                let added_m = p[k].quick_distance_to(first)
                    + p.get(k + 1).map_or(0.0, |n| {
                        last.quick_distance_to(*n) - p[k].quick_distance_to(*n)
                    });
                if added_m > saved_m + self.slack_m {
                    continue;
                }
                let after = &p[k + 1..(k + 3).min(p.len())];
                detour.clear();
                detour.extend([p[k - 1], p[k]]);
                detour.extend(after);
                let without_s = way_s(travel, &detour);
                detour.truncate(2);
                if reversed {
                    detour.extend(p[i..=j].iter().rev());
                } else {
                    detour.extend(&p[i..=j]);
                }
                detour.extend(after);
                let last_leg = detour.len().min(2 + (j - i + 1) + 1);
                let added_s =
                    way_s(travel, &detour) + self.blocked_s(&detour[1..last_leg]) - without_s;
                if saved_s - added_s > best.0 {
                    best = (saved_s - added_s, k, reversed);
                }
            }
        }
        let (gain, k, reversed) = best;
        if gain <= NOTICEABLE_S {
            return false;
        }
        if reversed {
            self.places[i..=j].reverse();
        }
        if k > j {
            self.places[i..=k].rotate_left(j - i + 1);
        } else {
            self.places[k + 1..=j].rotate_right(j - i + 1);
        }
        true
    }

    /// What legs that leave the workspace cost beyond their straight time, s.
    fn blocked_s(&self, places: &[Position]) -> f64 {
        let legs = places.windows(2);
        legs.map(|l| self.leg_s(l[0], l[1]) - leg_s(self.tour.travel, l[0], l[1]))
            .sum()
    }
}
