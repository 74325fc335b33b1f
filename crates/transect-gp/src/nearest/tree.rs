//! Which points are near a place: a k-d tree (Bentley 1975), laid out in one array.
//!
//! Of every part of the array the middle element splits the others by one coordinate after the other. Our own: the
//! crates for it bring along more than these lines, and none takes a filter.

use super::Rows;

/// Parts of the array that are looked through one by one.
const LEAF: usize = 12;

/// Points by place.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    /// Coordinates, in the order of the tree.
    places: Rows,
    /// Numbers of the points, in the order of the tree.
    numbers: Vec<u32>,
}

/// A point that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    /// Squared distance.
    pub(super) squared: f64,
    /// Its number.
    pub(super) number: u32,
}

impl Found {
    /// Of equally far points the lower number comes first: what is found does not depend on the tree.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let by_distance = self.squared.total_cmp(&other.squared);
        by_distance.then(self.number.cmp(&other.number))
    }
}

impl Tree {
    /// A tree of the points `numbers` of `all`.
    pub(super) fn new(all: &Rows, mut numbers: Vec<u32>) -> Self {
        arrange(all, &mut numbers, 0);
        let mut places = Rows::new(all.width());
        numbers
            .iter()
            .for_each(|i| places.push(all.row(*i as usize)));
        Self { places, numbers }
    }

    /// How many points it has.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.places.bytes() + self.numbers.capacity() * size_of::<u32>()
    }

    /// Writes the `count` points nearest to a place that pass the filter into `found`, the nearest first.
    pub(super) fn nearest(
        &self,
        at: &[f64],
        count: usize,
        accept: &mut impl FnMut(Found) -> bool,
        found: &mut Vec<Found>,
    ) {
        found.clear();
        if count == 0 {
            return;
        }
        let mut nearest = Nearest {
            at,
            count,
            accept,
            found,
            reach: f64::INFINITY,
        };
        self.search((0, self.numbers.len()), 0, &mut nearest);
        nearest.prune();
        found.sort_unstable_by(Found::order);
    }

    fn search<A: FnMut(Found) -> bool>(
        &self,
        (from, to): (usize, usize),
        axis: usize,
        nearest: &mut Nearest<'_, A>,
    ) {
        if to - from <= LEAF {
            (from..to).for_each(|i| nearest.look_at(self.places.row(i), self.numbers[i]));
            return;
        }
        let middle = from + (to - from) / 2;
        let place = self.places.row(middle);
        let beyond = nearest.at[axis] - place[axis];
        let (lower, upper) = ((from, middle), (middle + 1, to));
        let (near, far) = if beyond < 0.0 {
            (lower, upper)
        } else {
            (upper, lower)
        };
        let next = (axis + 1) % nearest.at.len();
        self.search(near, next, nearest);
        if beyond * beyond <= nearest.reach {
            nearest.look_at(place, self.numbers[middle]);
            self.search(far, next, nearest);
        }
    }
}

/// A search under way. More than `count` points are gathered before the farthest are dropped: cheaper than keeping them in order.
struct Nearest<'a, A> {
    at: &'a [f64],
    count: usize,
    accept: &'a mut A,
    found: &'a mut Vec<Found>,
    /// Squared distance beyond which nothing is wanted.
    reach: f64,
}

impl<A: FnMut(Found) -> bool> Nearest<'_, A> {
    #[inline(always)]
    fn look_at(&mut self, place: &[f64], number: u32) {
        let one = Found {
            squared: squared(place, self.at),
            number,
        };
        if one.squared <= self.reach && (self.accept)(one) {
            self.found.push(one);
            // The first time, so that the search has an end early; later, when half as many again are there.
            let is_due = if self.reach == f64::INFINITY {
                self.found.len() >= self.count
            } else {
                self.found.len() >= self.count + self.count.div_ceil(2)
            };
            if is_due {
                self.prune();
            }
        }
    }

    /// Keeps the nearest `count`.
    fn prune(&mut self) {
        if self.found.len() < self.count {
            return;
        }
        let (_, last, _) = (self.found).select_nth_unstable_by(self.count - 1, Found::order);
        self.reach = last.squared;
        self.found.truncate(self.count);
    }
}

fn arrange(all: &Rows, part: &mut [u32], axis: usize) {
    if part.len() < 2 {
        return;
    }
    let middle = part.len() / 2;
    let at = |i: &u32| all.row(*i as usize)[axis];
    let (lower, _, upper) =
        part.select_nth_unstable_by(middle, |a, b| at(a).total_cmp(&at(b)).then(a.cmp(b)));
    let next = (axis + 1) % all.width();
    arrange(all, lower, next);
    arrange(all, upper, next);
}

pub(super) fn squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Coarse coordinates, so that many points tie.
        #[test]
        fn finds_what_looking_at_all_finds(
            places in prop::collection::vec(prop::array::uniform2((-8_i32..8).prop_map(f64::from)), 0..80),
            at in prop::array::uniform2(-10.0..10.0_f64),
            count in 0_usize..90,
            odd in any::<bool>(),
        ) {
            let mut rows = Rows::new(2);
            places.iter().for_each(|place| rows.push(place));
            let tree = Tree::new(&rows, (0..places.len() as u32).collect());
            let mut all: Vec<Found> = (0..places.len())
                .map(|i| Found { squared: squared(&places[i], &at), number: i as u32 })
                .filter(|found| !odd || found.number % 2 == 1)
                .collect();
            all.sort_by(|a, b| a.squared.total_cmp(&b.squared).then(a.number.cmp(&b.number)));
            all.truncate(count);
            let mut found = Vec::new();
            tree.nearest(&at, count, &mut |one| !odd || one.number % 2 == 1, &mut found);
            prop_assert_eq!(found, all);
        }
    }
}
