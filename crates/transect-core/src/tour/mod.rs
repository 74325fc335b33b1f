//! The path that leaves least to be known of the whole map, in the time that is left.
//!
//! On ground of the roughness σ² the variance of the map at a distance d from the nearest sounding is about `σ² √d`. What a path is worth is what its
//! soundings take from the mean of that over the whole area; see `demand` for where σ² comes from, and how soundings are best spread.
//!
//! 1. `spread`: places as close together as the roughness asks, those that are measured already counted in;
//! 2. `order`: a short way through as many of them as there is time for; turns cost what the travel model says;
//! 3. `rope`: the path becomes a rope with a knot at each sounding, which all cells pull at until each knot is in the middle of what it is nearest to;
//!    what was left of the tour before is such a rope too, and the better one of both is taken.
//!
//! Nothing here draws random numbers or looks at a clock: the same question has the same answer, and the work is bounded.

mod demand;
mod lattice;
mod nearest;
mod order;
mod rope;
mod simplify;
mod spread;
mod way;

pub use demand::Demand;
pub use lattice::Lattice;

use crate::geometry::{Position, Workspace};
use crate::travel::TravelModel;
use crate::vehicle::Pose;
use rope::Rope;
use simplify::{Keep, simplified};

/// Knots of a rope at most; where there are more soundings, a knot stands for several.
const MOST_KNOTS: usize = 450;
/// The same where soundings are taken at the knots.
const MOST_KNOTS_PACED: usize = 900;
/// Knots are no closer together than this share of the distance between the lines that the whole way would make: where there is way for a few lines, knots
/// that are too many pull at each other, and the rope curls up.
const CLOSEST: f64 = 0.3;
/// Knots of a rope at least.
const FEWEST_KNOTS: usize = 8;
/// Attempts to find how many places there is time for.
const ATTEMPTS: usize = 4;
/// A way of which there is time for less than this share has far too many places.
const FAR_OFF: f64 = 0.7;
/// The share of a step that corners may be off the rope.
const STRAIGHT: f64 = 0.05;
/// A new tour must leave less than this share of what the old one leaves: boats that turn round for nothing look lost.
const BETTER: f64 = 0.99;

/// What a tour is planned for.
#[derive(Debug)]
pub struct Tour<'a> {
    /// What the area asks for.
    pub demand: &'a Demand,
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
    /// How far apart parallel lines would be that are as long as the way of the whole mission, m.
    pub spacing_m: f64,
    /// Whether soundings are pulled to where they leave least to be known.
    pub refine: bool,
    /// Whether the vehicle takes its time, so that soundings are taken at the knots; it goes at full speed otherwise.
    pub pace: bool,
}

/// A planned tour.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Planned {
    /// The corners of the path, in order, the end included; empty when there is nothing to be gained, or no time.
    pub corners: Vec<Position>,
    /// When to be at each corner at the earliest, s; empty at full speed.
    pub times_s: Vec<f64>,
    /// Where soundings are wanted, in order.
    pub knots: Vec<Position>,
    /// Time from one knot to the next, s: the time between soundings, or several times that where there are very many.
    pub knot_s: f64,
    /// What it is expected to take from the mean variance of the map.
    pub worth: f64,
}

impl Planned {
    /// Leaves a corner out.
    pub(crate) fn leave_out(&mut self, corner: usize) {
        self.corners.remove(corner);
        if corner < self.times_s.len() {
            self.times_s.remove(corner);
        }
    }
}

impl Tour<'_> {
    /// The best tour found. `last` is what is left of the tour before: its corners, or its knots.
    pub fn plan(&self, last: &[Position]) -> Planned {
        let soundings = (self.left_s / self.period_s + 1e-9) as usize;
        if soundings == 0 || self.demand.cells.is_empty() {
            return Planned::default();
        }
        let most = if self.pace {
            MOST_KNOTS_PACED
        } else {
            MOST_KNOTS
        };
        let sounding_m = self.travel.speed_mps() * self.period_s;
        let each = (soundings.div_ceil(most))
            .max((CLOSEST * self.spacing_m / sounding_m) as usize)
            .min(soundings.div_ceil(FEWEST_KNOTS));
        let rope = Rope {
            tour: self,
            knots: soundings / each,
            step_m: sounding_m * each as f64,
            turn_rad: self.travel.turn_rate_radps() * self.period_s * each as f64,
        };
        let laid = |way: &[Position]| {
            let mut knots = if self.pace && way.len() == rope.knots {
                way.to_vec()
            } else {
                rope.along(way)
            };
            if self.refine {
                rope.relax(&mut knots);
            }
            let left = self.demand.left(&knots, self.workspace);
            (
                if knots.is_empty() {
                    f64::INFINITY
                } else {
                    left
                },
                knots,
            )
        };
        let (old, new) = rayon::join(|| laid(last), || laid(&self.fresh(&rope)));
        let (left, knots) = if new.0 < BETTER * old.0 { new } else { old };
        let worth = self.demand.left(&[], self.workspace) - left;
        // A tour that changes nothing is none.
        if knots.is_empty() || worth <= 0.0 {
            return Planned::default();
        }
        let keep = if self.pace { Keep::Times } else { Keep::Line };
        let kept = simplified(self.start.position, &knots, STRAIGHT * rope.step_m, keep);
        let knot_s = self.period_s * each as f64;
        let times_s = kept.iter().map(|&k| (k + 1) as f64 * knot_s);
        Planned {
            corners: kept.iter().map(|&k| knots[k]).collect(),
            times_s: if self.pace {
                times_s.collect()
            } else {
                Vec::new()
            },
            knots,
            knot_s,
            worth,
        }
    }

    /// A way through well spread places, as many as there is time for.
    fn fresh(&self, rope: &Rope<'_>) -> Vec<Position> {
        let whole_m = rope.step_m * rope.knots as f64;
        let (mut few, mut many) = (0, rope.knots + 1);
        let mut guess = (0.8 * rope.knots as f64).ceil() as usize;
        let mut found = Vec::new();
        for _ in 0..ATTEMPTS {
            let mut way = order::ordered(self, &spread::places(self, guess));
            way.extend(self.home);
            let length_m = length_m(self.start.position, &way);
            // One that is too long will do if there is no other: the rope is as long as the time.
            if length_m <= whole_m || few == 0 {
                found = way;
            }
            if length_m <= whole_m {
                few = guess;
            } else {
                many = guess;
            }
            if many - few <= 1 + rope.knots / 40 {
                break;
            }
            // The way through n places of an area is about as long as √n says; when nearly right, a smaller step does not miss it.
            let share = whole_m / length_m.max(1e-9);
            let step = if share < FAR_OFF {
                share * share
            } else {
                share
            };
            let by_length = guess as f64 * step;
            guess = (by_length as usize).clamp(few + 1, many - 1);
        }
        found
    }
}

fn length_m(start: Position, way: &[Position]) -> f64 {
    let mut here = start;
    let mut length_m = 0.0;
    for &place in way {
        length_m += here.distance_to(place);
        here = place;
    }
    length_m
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rect;
    use crate::travel::Track;

    fn area() -> Workspace {
        Workspace::from(Rect::new(0.0, 20.0, 0.0, 20.0).unwrap())
    }

    /// Ground that is eight times as rough to the right, with two lines of soundings across it.
    fn demand(workspace: &Workspace) -> Demand {
        let lattice = Lattice::over(workspace.bounds(), 400);
        let measured: Vec<Position> = (0..40)
            .map(|i| Position::new(f64::from(i % 20) + 0.5, if i < 20 { 5.0 } else { 15.0 }))
            .collect();
        let variance = |place: Position| {
            let distances = measured.iter().map(|m| place.distance_to(*m));
            distances.fold(f64::INFINITY, f64::min).sqrt() * if place.x > 10.0 { 8.0 } else { 1.0 }
        };
        let variances: Vec<f64> = (0..lattice.len())
            .map(|i| variance(lattice.place(i)))
            .collect();
        Demand::new(
            workspace,
            Demand::CELLS,
            &measured,
            (&lattice, &variances),
            0.0,
        )
    }

    fn question<'a>(
        demand: &'a Demand,
        workspace: &'a Workspace,
        travel: &'a TravelModel,
        left_s: f64,
    ) -> Tour<'a> {
        Tour {
            demand,
            workspace,
            travel,
            start: Pose {
                position: Position::new(0.5, 0.5),
                heading_rad: 0.0,
            },
            home: None,
            left_s,
            period_s: 1.0,
            spacing_m: workspace.area() / left_s,
            refine: true,
            pace: false,
        }
    }

    #[test]
    fn a_tour_keeps_its_time_and_goes_where_the_ground_is_rough() {
        let workspace = area();
        let demand = demand(&workspace);
        let travel = TravelModel::new(1.0, 1.0).unwrap();
        let mut worth = 0.0;
        for left_s in [5.0, 20.0, 80.0, 320.0] {
            let tour = question(&demand, &workspace, &travel, left_s);
            let planned = tour.plan(&[]);
            let track = Track::new(&travel, tour.start, &planned.corners);
            let time_s = track.time_s();
            assert!(
                time_s > 0.8 * left_s && time_s < 1.05 * left_s + 1.0,
                "{time_s} of {left_s} s"
            );
            assert!(planned.worth > worth, "more time, more worth");
            worth = planned.worth;
            assert!(planned.corners.iter().all(|p| workspace.contains(*p)));
            assert_eq!(
                tour.plan(&[]),
                planned,
                "the same question, the same answer"
            );
        }
        let tour = question(&demand, &workspace, &travel, 200.0);
        let places = Track::new(&travel, tour.start, &tour.plan(&[]).corners).soundings(1.0, 1.0);
        let right = places.iter().filter(|p| p.x > 10.0).count();
        assert!(
            right > 2 * (places.len() - right),
            "{right} of {}",
            places.len()
        );
    }

    /// Brute force: the mean over the cells of what the nearest sounding leaves.
    #[test]
    fn the_worth_is_what_is_taken_from_the_mean_variance() {
        let workspace = area();
        let demand = demand(&workspace);
        let places = [
            Position::new(3.0, 10.0),
            Position::new(12.0, 9.0),
            Position::new(18.0, 1.0),
        ];
        let mut ratios = 0.0;
        for cell in &demand.cells {
            let nearest = places.iter().map(|p| cell.place.distance_to(*p));
            let nearest = nearest.fold(cell.measured_m, f64::min);
            ratios += cell.roughness * (cell.measured_m.sqrt() - nearest.sqrt());
        }
        let expected = ratios / demand.cells.len() as f64;
        let unit = demand.left(&[], &workspace) / mean(&demand);
        let taken = demand.left(&[], &workspace) - demand.left(&places, &workspace);
        assert!((taken / (unit * expected) - 1.0).abs() < 1e-9);
    }

    fn mean(demand: &Demand) -> f64 {
        let left = demand
            .cells
            .iter()
            .map(|cell| cell.roughness * cell.measured_m.sqrt());
        left.sum::<f64>() / demand.cells.len() as f64
    }

    #[test]
    fn knots_are_such_as_a_boat_can_follow() {
        let workspace = area();
        let demand = demand(&workspace);
        let travel = TravelModel::new(1.0, 0.7).unwrap();
        let tour = question(&demand, &workspace, &travel, 120.0);
        let rope = Rope {
            tour: &tour,
            knots: 120,
            step_m: 1.0,
            turn_rad: 0.7,
        };
        let mut knots = rope.along(&tour.fresh(&rope));
        let before = demand.left(&knots, &workspace);
        rope.relax(&mut knots);
        assert!(demand.left(&knots, &workspace) < before, "pulling helps");
        let mut steep = 0;
        for legs in knots.windows(3) {
            let (a, b) = (legs[0].distance_to(legs[1]), legs[1].distance_to(legs[2]));
            assert!(a < 1.1, "a step of {a} m");
            let least = (0.5f64 * 0.7).cos() * (a + b);
            steep += usize::from(legs[0].distance_to(legs[2]) < 0.9 * least);
        }
        assert!(steep <= 3, "{steep} turns are too tight");
    }

    #[test]
    fn the_way_home_is_in_the_time() {
        let workspace = area();
        let demand = demand(&workspace);
        let travel = TravelModel::new(1.0, 1.0).unwrap();
        let home = Position::new(0.5, 19.5);
        let tour = Tour {
            home: Some(home),
            ..question(&demand, &workspace, &travel, 60.0)
        };
        let corners = tour.plan(&[]).corners;
        assert_eq!(corners.last(), Some(&home));
        let time_s = travel.time_s(tour.start, &corners);
        assert!(time_s <= 1.05 * 60.0, "{time_s} s");
    }

    #[test]
    fn nothing_is_planned_without_time_or_demand() {
        let workspace = area();
        let travel = TravelModel::new(1.0, 1.0).unwrap();
        let some = demand(&workspace);
        let tour = question(&some, &workspace, &travel, 0.5);
        assert_eq!(tour.plan(&[]), Planned::default());
        let lattice = Lattice::over(workspace.bounds(), 400);
        let nothing = Demand::new(&workspace, Demand::CELLS, &[], (&lattice, &[0.0; 400]), 0.0);
        let tour = question(&nothing, &workspace, &travel, 60.0);
        assert_eq!(tour.plan(&[]), Planned::default());
    }

    /// All orders of six places, each with its time.
    #[test]
    fn few_places_are_ordered_as_well_as_can_be() {
        let workspace = area();
        let demand = demand(&workspace);
        let travel = TravelModel::new(1.0, 1.0).unwrap();
        let tour = question(&demand, &workspace, &travel, 60.0);
        let places = [
            [1.0, 7.0],
            [7.0, 1.0],
            [4.0, 4.0],
            [7.0, 7.0],
            [2.0, 3.0],
            [6.0, 3.0],
        ]
        .map(Position::from);
        let mut best_s = f64::INFINITY;
        let mut order: Vec<usize> = (0..6).collect();
        permute(&mut order, 0, &mut |order| {
            let corners: Vec<Position> = order.iter().map(|&i| places[i]).collect();
            best_s = best_s.min(travel.time_s(tour.start, &corners));
        });
        let found_s = travel.time_s(tour.start, &order::ordered(&tour, &places));
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
}
