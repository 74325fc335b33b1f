//! The shortest way home, from anywhere.
//!
//! A shortest way inside a polygon bends at a few places only. Their ways home are found once (Dijkstra,
//! from home outwards); from anywhere else the way leads to home itself or to the bend in sight that is best.

use super::Fence;
use crate::geometry::{Position, Workspace};

/// The ways home inside a fence.
#[derive(Debug, Clone)]
pub struct Homeward {
    safe: Workspace,
    /// Home, then the bends.
    places: Vec<Position>,
    /// Way home from each place, m.
    way_m: Vec<f64>,
    /// The place after each on the way home.
    next: Vec<usize>,
}

impl Homeward {
    /// The ways to `home`, or to the place inside the margin that is closest to it.
    pub fn new(fence: &Fence, home: Position) -> Self {
        let safe = fence.safe().clone();
        let mut places = vec![safe.nearest(home)];
        places.extend(safe.bends());
        let count = places.len();
        let (mut way_m, mut next) = (vec![f64::INFINITY; count], vec![0; count]);
        let mut open: Vec<usize> = (0..count).collect();
        way_m[0] = 0.0;
        while let Some(nearest) =
            (0..open.len()).min_by(|&a, &b| way_m[open[a]].total_cmp(&way_m[open[b]]))
        {
            let here = open.swap_remove(nearest);
            if way_m[here].is_infinite() {
                break;
            }
            for &there in &open {
                let through_m = way_m[here] + places[here].distance_to(places[there]);
                if through_m < way_m[there] && safe.contains_segment(places[there], places[here]) {
                    (way_m[there], next[there]) = (through_m, here);
                }
            }
        }
        Self {
            safe,
            places,
            way_m,
            next,
        }
    }

    /// Where the ways lead.
    pub fn home(&self) -> Position {
        self.places[0]
    }

    /// Length of the way home, m; none when there is no way.
    pub fn length_m(&self, from: Position) -> Option<f64> {
        let (start, place) = self.first(from)?;
        Some(from.distance_to(start) + start.distance_to(self.places[place]) + self.way_m[place])
    }

    /// The corners of the way home, home included; none when there is no way. From within the margin it
    /// first leads out of it.
    pub fn way(&self, from: Position) -> Option<Vec<Position>> {
        let (start, mut place) = self.first(from)?;
        let mut way = Vec::new();
        if start != from {
            way.push(start);
        }
        while place != 0 {
            way.push(self.places[place]);
            place = self.next[place];
        }
        way.push(self.home());
        Some(way)
    }

    /// The nearest safe place, and the place in sight of it that is on the shortest way.
    fn first(&self, from: Position) -> Option<(Position, usize)> {
        let start = self.safe.nearest(from);
        let whole_m = |&i: &usize| start.distance_to(self.places[i]) + self.way_m[i];
        let mut order: Vec<usize> = (0..self.places.len())
            .filter(|i| whole_m(i).is_finite())
            .collect();
        order.sort_by(|a, b| whole_m(a).total_cmp(&whole_m(b)));
        let in_sight = |&i: &usize| self.safe.contains_segment(start, self.places[i]);
        Some((start, order.into_iter().find(in_sight)?))
    }
}
