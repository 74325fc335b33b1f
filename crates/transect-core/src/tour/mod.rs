//! A tour of what is not known: the path that takes most from the variance of the whole map in the time that is left.
//!
//! What is known is a joint covariance C of the surface on a lattice of some 1,000 places. A sounding at j takes
//! `Σ_i C_ij² / (C_jj + noise)` from the variance of the map, and leaves `C - c_j c_jᵀ / (C_jj + noise)`. The worth of a path
//! is what all soundings along it take together.
//!
//! 1. [`choose`]: the places that take most, one after the other.
//! 2. [`order`]: a short way through as many of them as there is time for; turns cost what the travel model says.
//! 3. [`refine`]: corners are moved, left out and put in wherever that gains more worth than the same time brings elsewhere;
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
use crate::travel::{Track, Travel};
use crate::vehicle::Pose;

/// What a tour is planned for.
#[derive(Debug)]
pub struct Tour<'a> {
    /// What is known.
    pub field: &'a Field,
    /// Where the vehicle may go.
    pub workspace: &'a Workspace,
    /// What a way costs.
    pub travel: &'a Travel,
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
        for first in [fresh, last.to_vec()] {
            if first.is_empty() {
                continue;
            }
            let corners = refine::refine(self, first);
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
