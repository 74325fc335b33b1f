//! A tour of what is not known: the path that takes most from the variance of the whole map in the time that is left.
//!
//! What is known is a joint covariance C of the surface on a lattice of some 1,000 places. A sounding at j takes
//! `Σ_i C_ij² / (C_jj + noise)` from the variance of the map, and leaves `C - c_j c_jᵀ / (C_jj + noise)`. The worth of a path
//! is what all soundings along it take together.
//!
//! 1. `choose`: the places that take most, one after the other.
//! 2. `order`: a short way through as many of them as there is time for; turns cost what the travel model says.
//! 3. `refine`: corners are moved, left out and put in wherever that gains more worth than the same time brings elsewhere;
//!    everything that is measured on the way counts.
//!
//! Nothing here draws random numbers or looks at a clock: the same question has the same answer.

mod choose;
mod field;
mod order;
mod refine;
mod way;

pub use field::{Field, Lattice};

use crate::geometry::{Position, Workspace};
use crate::travel::{Track, TravelModel};
use crate::vehicle::Pose;

/// What a tour is planned for.
#[derive(Debug)]
pub struct Tour<'a> {
    /// What is known.
    pub field: &'a Field,
    /// Where the vehicle may go.
    pub workspace: &'a Workspace,
    /// What a way costs.
    pub travel: &'a TravelModel,
    /// Where the tour begins.
    pub start: Pose,
    /// Where it ends; anywhere if nowhere is given.
    pub home: Option<Position>,
    /// Time for it, s, the way home included.
    pub left_s: f64,
    /// Time between soundings, s.
    pub period_s: f64,
    /// Rounds of refinement.
    pub rounds: usize,
}

/// A planned tour.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Planned {
    /// The corners of the path, in order, the end included; empty when nothing can be reached in time.
    pub corners: Vec<Position>,
    /// What the soundings along it are expected to take from the variance of the map, summed over the lattice.
    pub worth: f64,
}

impl Tour<'_> {
    /// The best tour found. `last` is what is left of the tour before, as a start for refinement; the better of both is taken.
    pub fn plan(&self, last: &[Position]) -> Planned {
        let mut best = Planned::default();
        let fresh = self.fresh();
        let straight = self.straight();
        for (first, rounds) in [
            (&straight[..], 0),
            (&straight[..], self.rounds),
            (&fresh[..], self.rounds),
            (&fresh[..], 0),
            (last, self.rounds),
        ] {
            if first.is_empty() {
                continue;
            }
            let corners = refine::refine(self, first.to_vec(), rounds);
            let planned = Planned {
                worth: self.worth(&corners),
                corners,
            };
            if planned.worth > best.worth && !planned.corners.is_empty() {
                best = planned;
            }
        }
        best
    }

    /// A way through the places that take most, as many as there is time for; more if they cannot be counted well.
    fn fresh(&self) -> Vec<Position> {
        let most = (self.left_s / self.period_s).ceil() as usize;
        let places = choose::places(self.field, most.min(self.field.lattice().len()));
        let (mut few, mut many) = (0, places.len());
        let mut found = Vec::new();
        let mut guess = (0.75 * places.len() as f64).ceil() as usize;
        for _ in 0..4 {
            if many - few <= 1 + places.len() / 30 && !found.is_empty() {
                break;
            }
            let corners = order::ordered(self, &places[..guess]);
            let time_s = self.time_s(&corners);
            if time_s <= self.left_s {
                few = guess;
                found = corners;
            } else {
                many = guess;
                // The refinement takes out what is too much; it needs something to begin with.
                if found.is_empty() {
                    found = corners;
                }
            }
            let by_time = guess as f64 * self.left_s / time_s.max(1.0);
            guess = (by_time as usize)
                .clamp(few + 1, many.max(few + 1))
                .min(places.len());
            if guess == few || guess == many {
                break;
            }
        }
        found
    }

    /// The straight leg that the most is to be learnt along, of those there is time for: when little is left, the best places are too far.
    fn straight(&self) -> Vec<Position> {
        let lattice = self.field.lattice();
        let step_m = self.travel.speed_mps() * self.period_s;
        let from = self.start.position;
        let mut best = (0.0, None);
        for cell in (0..lattice.len()).filter(|&cell| self.field.counts(cell)) {
            let to = lattice.place(cell);
            let soundings = (from.distance_to(to) / step_m).floor() as usize;
            let along = |k: usize| from.towards(to, k as f64 * step_m / from.distance_to(to));
            let worth: f32 = (1..=soundings)
                .filter_map(|k| lattice.cell(along(k)))
                .map(|cell| self.field.gain(cell))
                .sum();
            if worth > best.0
                && self.time_s(&[to]) <= self.left_s
                && self.workspace.contains_segment(from, to)
            {
                best = (worth, Some(to));
            }
        }
        best.1.into_iter().collect()
    }

    /// Time of a path, s, with the way home.
    fn time_s(&self, corners: &[Position]) -> f64 {
        let mut way = corners.to_vec();
        way.extend(self.home);
        self.travel.time_s(self.start, &way)
    }

    /// What the soundings along a path take from the variance of the map.
    pub fn worth(&self, corners: &[Position]) -> f64 {
        let mut way = corners.to_vec();
        way.extend(self.home);
        let track = Track::new(self.travel, self.start, &way);
        let mut left = self.field.clone();
        let places = track.soundings(self.period_s, self.period_s);
        let within = (self.left_s / self.period_s) as usize + 1;
        let mut worth = 0.0;
        for place in places.into_iter().take(within) {
            if let Some(j) = self.field.lattice().cell(place) {
                worth += f64::from(left.gain(j));
                left.take(j);
            }
        }
        worth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rect;

    /// Covariance `exp(-d)` on a lattice over 8 × 8 m, four times as large in variance to the right.
    fn field() -> (Field, Vec<f64>) {
        let lattice = Lattice::over(Rect::new(0.0, 8.0, 0.0, 8.0).unwrap(), 64);
        let cells: Vec<usize> = (0..lattice.len()).collect();
        let std = |p: Position| if p.x > 4.0 { 2.0 } else { 1.0 };
        let mut covariance = Vec::new();
        for &i in &cells {
            for &j in &cells {
                let (a, b) = (lattice.place(i), lattice.place(j));
                covariance.push(std(a) * std(b) * (-a.distance_to(b)).exp());
            }
        }
        (Field::new(lattice, &cells, &covariance, 0.1), covariance)
    }

    fn question<'a>(
        field: &'a Field,
        workspace: &'a Workspace,
        travel: &'a TravelModel,
        left_s: f64,
    ) -> Tour<'a> {
        Tour {
            field,
            workspace,
            travel,
            start: Pose {
                position: Position::new(0.5, 0.5),
                heading_rad: 0.0,
            },
            home: None,
            left_s,
            period_s: 1.0,
            rounds: 2,
        }
    }

    /// Brute force: `tr(C_S (C_SS + noise)⁻¹ C_Sᵀ)` for two soundings, in units of the mean variance.
    #[test]
    fn gains_are_those_of_the_definition() {
        let (field, covariance) = field();
        let n = 64;
        let mean = (0..n).map(|i| covariance[i * n + i]).sum::<f64>() / n as f64;
        let (a, b) = (9, 18);
        let c = |i: usize, j: usize| covariance[i * n + j];
        let (aa, bb, ab) = (c(a, a) + 0.1, c(b, b) + 0.1, c(a, b));
        let determinant = aa * bb - ab * ab;
        let mut expected = 0.0;
        for i in 0..n {
            let (u, v) = (c(i, a), c(i, b));
            expected += (u * u * bb - 2.0 * u * v * ab + v * v * aa) / determinant;
        }
        let mut left = field.clone();
        let mut got = f64::from(left.gain(a));
        left.take(a);
        got += f64::from(left.gain(b));
        left.take(b);
        assert!(
            (got * mean / expected - 1.0).abs() < 1e-3,
            "{got} {expected}"
        );
        let taken = field.variance() - left.variance();
        assert!((taken / got - 1.0).abs() < 1e-3, "{taken} {got}");
    }

    #[test]
    fn a_tour_fits_its_time_and_goes_where_the_variance_is() {
        let (field, _) = field();
        let workspace = Workspace::from(Rect::new(0.0, 8.0, 0.0, 8.0).unwrap());
        let travel = TravelModel::new(1.0, 1.0).unwrap();
        let mut worth = 0.0;
        for left_s in [3.0, 10.0, 30.0, 60.0] {
            let tour = question(&field, &workspace, &travel, left_s);
            let planned = tour.plan(&[]);
            assert!(!planned.corners.is_empty(), "{left_s} s");
            let track = Track::new(&travel, tour.start, &planned.corners);
            assert!(track.time_s() <= left_s, "{} of {left_s} s", track.time_s());
            assert!(planned.worth > worth, "more time, more worth");
            worth = planned.worth;
            assert_eq!(tour.plan(&[]), planned);
        }
        let tour = question(&field, &workspace, &travel, 40.0);
        let track = Track::new(&travel, tour.start, &tour.plan(&[]).corners);
        let places = track.soundings(1.0, 1.0);
        let right = places.iter().filter(|p| p.x > 4.0).count();
        assert!(2 * right > places.len(), "{right} of {}", places.len());
    }

    #[test]
    fn the_way_home_is_in_the_time() {
        let (field, _) = field();
        let workspace = Workspace::from(Rect::new(0.0, 8.0, 0.0, 8.0).unwrap());
        let travel = TravelModel::new(1.0, 1.0).unwrap();
        let home = Position::new(0.5, 7.5);
        let tour = Tour {
            home: Some(home),
            ..question(&field, &workspace, &travel, 25.0)
        };
        let mut way = tour.plan(&[]).corners;
        assert!(!way.is_empty());
        way.push(home);
        assert!(travel.time_s(tour.start, &way) <= 25.0);
    }

    #[test]
    fn nothing_is_planned_without_time_or_variance() {
        let (field, covariance) = field();
        let workspace = Workspace::from(Rect::new(0.0, 8.0, 0.0, 8.0).unwrap());
        let travel = TravelModel::new(1.0, 1.0).unwrap();
        assert!(
            question(&field, &workspace, &travel, 0.0)
                .plan(&[])
                .corners
                .is_empty()
        );
        let lattice = field.lattice().clone();
        let cells: Vec<usize> = (0..64).collect();
        let nothing = Field::new(lattice, &cells, &vec![0.0; covariance.len()], 0.1);
        assert!(
            question(&nothing, &workspace, &travel, 60.0)
                .plan(&[])
                .corners
                .is_empty()
        );
    }

    /// All orders of six places, each with its time.
    #[test]
    fn few_places_are_ordered_as_well_as_can_be() {
        let (field, _) = field();
        let workspace = Workspace::from(Rect::new(0.0, 8.0, 0.0, 8.0).unwrap());
        let travel = TravelModel::new(1.0, 1.0).unwrap();
        let tour = question(&field, &workspace, &travel, 60.0);
        let places: Vec<Position> = [
            [1.0, 7.0],
            [7.0, 1.0],
            [4.0, 4.0],
            [7.0, 7.0],
            [2.0, 3.0],
            [6.0, 3.0],
        ]
        .into_iter()
        .map(Position::from)
        .collect();
        let mut best_s = f64::INFINITY;
        let mut order: Vec<usize> = (0..6).collect();
        permute(&mut order, 0, &mut |order| {
            let corners: Vec<Position> = order.iter().map(|&i| places[i]).collect();
            best_s = best_s.min(tour.time_s(&corners));
        });
        let found_s = tour.time_s(&order::ordered(&tour, &places));
        assert!(
            found_s <= 1.02 * best_s,
            "{found_s} s, {best_s} s are possible"
        );
    }

    fn permute(order: &mut Vec<usize>, from: usize, visit: &mut dyn FnMut(&[usize])) {
        if from == order.len() {
            return visit(order);
        }
        for i in from..order.len() {
            order.swap(from, i);
            permute(order, from + 1, visit);
            order.swap(from, i);
        }
    }

    #[test]
    fn refinement_does_not_lose() {
        let (field, _) = field();
        let workspace = Workspace::from(Rect::new(0.0, 8.0, 0.0, 8.0).unwrap());
        let travel = TravelModel::new(1.0, 1.0).unwrap();
        let plain = Tour {
            rounds: 0,
            ..question(&field, &workspace, &travel, 45.0)
        };
        let refined = Tour {
            rounds: 4,
            ..question(&field, &workspace, &travel, 45.0)
        };
        let (before, after) = (plain.plan(&[]).worth, refined.plan(&[]).worth);
        assert!(after >= 0.98 * before, "{before} {after}");
    }
}
