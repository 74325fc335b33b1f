//! Which points are near a place: a k-d tree (Bentley 1975), laid out in one array.
//!
//! Of every part of the array the middle element splits the others by one coordinate after the other. Our own: the
//! crates for it bring along more than these lines, and none takes a filter.

use super::Rows;

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
    fn before(&self, other: &Self) -> bool {
        (self.squared, self.number) < (other.squared, other.number)
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
        if count > 0 {
            self.search((0, self.numbers.len()), 0, at, count, accept, found);
        }
    }

    fn search(
        &self,
        (from, to): (usize, usize),
        axis: usize,
        at: &[f64],
        count: usize,
        accept: &mut impl FnMut(Found) -> bool,
        found: &mut Vec<Found>,
    ) {
        if from >= to {
            return;
        }
        let middle = from + (to - from) / 2;
        let place = self.places.row(middle);
        let one = Found {
            squared: squared(place, at),
            number: self.numbers[middle],
        };
        let is_full = found.len() == count;
        if (!is_full || found.last().is_some_and(|last| one.before(last))) && accept(one) {
            if is_full {
                found.pop();
            }
            let position = found.partition_point(|other| other.before(&one));
            found.insert(position, one);
        }
        let beyond = at[axis] - place[axis];
        let (lower, upper) = ((from, middle), (middle + 1, to));
        let (near, far) = if beyond < 0.0 {
            (lower, upper)
        } else {
            (upper, lower)
        };
        let next = (axis + 1) % at.len();
        self.search(near, next, at, count, accept, found);
        let reach = found.last().map_or(f64::INFINITY, |last| last.squared);
        if found.len() < count || beyond * beyond <= reach {
            self.search(far, next, at, count, accept, found);
        }
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
