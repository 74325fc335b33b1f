//! A path as a rope with a knot at each of its soundings.
//!
//! Every knot is pulled to the centroid of the cells that it is nearest to, which is where it leaves least to be known of them (Lloyd's method), and then knots are brought back
//! to what the vehicle can do: no farther apart than it goes between two soundings, turning no faster than it turns, inside the
//! workspace. Pulled by all cells at once, the rope spreads over what asks for soundings, closer where the ground is rougher.

use super::Tour;
use crate::geometry::Position;

/// Rounds of pulling.
const ROUNDS: usize = 80;
/// The way to the centroid that a knot goes in a round; half of it in the last one.
const PULL: f64 = 0.6;
/// Rounds of bringing back after each pull, and at the end.
const BROUGHT_BACK: [usize; 2] = [6, 60];
/// Knots do not come closer than this share of a step: the vehicle slows down to turn, and does not stop.
const SHORTEST_STEP: f64 = 0.3;

/// What a rope is made of.
pub(super) struct Rope<'a> {
    pub(super) tour: &'a Tour<'a>,
    /// Knots.
    pub(super) knots: usize,
    /// The longest way between two, m.
    pub(super) step_m: f64,
    /// The largest turn between two, rad.
    pub(super) turn_rad: f64,
}

impl Rope<'_> {
    /// The rope that lies along a way from the start.
    pub(super) fn along(&self, way: &[Position]) -> Vec<Position> {
        let mut places = vec![self.tour.start.position];
        places.extend(way);
        let length_m: f64 = places
            .windows(2)
            .map(|l| l[0].quick_distance_to(l[1]))
            .sum();
        let step_m = self.step_m.min(length_m / self.knots as f64);
        let mut knots = Vec::with_capacity(self.knots);
        if step_m <= 0.0 {
            return knots;
        }
        let mut next_m = step_m;
        for leg in places.windows(2) {
            let leg_m = leg[0].quick_distance_to(leg[1]);
            while next_m <= leg_m && knots.len() < self.knots {
                knots.push(leg[0].towards(leg[1], next_m / leg_m));
                next_m += step_m;
            }
            next_m -= leg_m;
        }
        knots
    }

    /// Pulls the knots to where they are wanted.
    pub(super) fn relax(&self, knots: &mut [Position]) {
        let Tour {
            demand, workspace, ..
        } = *self.tour;
        for round in 0..ROUNDS {
            let pull = PULL * (1.0 - 0.5 * round as f64 / ROUNDS as f64);
            let centroids = demand.centroids(knots, workspace);
            for (knot, centroid) in knots.iter_mut().zip(centroids) {
                if let Some(centroid) = centroid {
                    *knot = knot.towards(centroid, pull);
                }
            }
            self.bring_back(knots, BROUGHT_BACK[0]);
        }
        self.bring_back(knots, BROUGHT_BACK[1]);
    }

    fn bring_back(&self, knots: &mut [Position], rounds: usize) {
        let Tour {
            start,
            home,
            workspace,
            ..
        } = *self.tour;
        let (sin, cos) = start.heading_rad.sin_cos();
        let here = start.position;
        let behind = Position::new(here.x - self.step_m * cos, here.y - self.step_m * sin);
        // With a turn by θ between two legs of equal length their ends are 2 cos(θ/2) of it apart.
        let least = (0.5 * self.turn_rad.min(std::f64::consts::PI)).cos();
        for _ in 0..rounds {
            for k in 0..knots.len() {
                let before = if k == 0 { here } else { knots[k - 1] };
                let distance_m = before.quick_distance_to(knots[k]);
                let wanted_m = distance_m.clamp(SHORTEST_STEP * self.step_m, self.step_m);
                part(knots, (k > 0).then(|| k - 1), before, k, wanted_m);
                let (first, middle) = match k {
                    0 => (behind, here),
                    1 => (here, knots[0]),
                    _ => (knots[k - 2], knots[k - 1]),
                };
                let legs_m = first.quick_distance_to(middle) + middle.quick_distance_to(knots[k]);
                if first.quick_distance_to(knots[k]) < least * legs_m {
                    part(knots, (k > 1).then(|| k - 2), first, k, least * legs_m);
                }
            }
            if let (Some(home), Some(end)) = (home, knots.last_mut()) {
                *end = home;
            }
        }
        for knot in knots {
            if !workspace.contains(*knot) {
                *knot = workspace.nearest(*knot);
            }
        }
    }
}

/// Brings knot `k` to a distance from `other`, which is the knot `index` and gives way by half, or does not move.
fn part(knots: &mut [Position], index: Option<usize>, other: Position, k: usize, wanted_m: f64) {
    let distance_m = other.quick_distance_to(knots[k]);
    if distance_m == wanted_m || distance_m < 1e-9 {
        return;
    }
    let too_far = (distance_m - wanted_m) / distance_m;
    if let Some(index) = index {
        let from = knots[k];
        knots[k] = from.towards(other, 0.5 * too_far);
        knots[index] = other.towards(from, 0.5 * too_far);
    } else {
        knots[k] = knots[k].towards(other, too_far);
    }
}
