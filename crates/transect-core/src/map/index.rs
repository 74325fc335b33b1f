//! Which soundings are near a place: a k-d tree (Bentley 1975), laid out in one array.
//!
//! Of every part of the array the middle element splits the others by x or y, in turn. Our own: the crates
//! for it bring along more than these lines.

use std::collections::BinaryHeap;

/// Soundings by place.
pub(super) struct Index<'a> {
    places: &'a [[f64; 2]],
    /// Numbers of the soundings, as the tree has them.
    order: Vec<usize>,
}

impl<'a> Index<'a> {
    /// An index of finite places.
    pub(super) fn new(places: &'a [[f64; 2]]) -> Self {
        let mut order: Vec<usize> = (0..places.len()).collect();
        arrange(places, &mut order, 0);
        Self { places, order }
    }

    /// Distance to the nearest sounding, m.
    pub(super) fn distance(&self, at: [f64; 2]) -> f64 {
        let nearest = self.nearest(at, 1);
        let place = nearest.first().map(|number| self.places[*number]);
        place.map_or(f64::INFINITY, |place| squared(place, at).sqrt())
    }

    /// Numbers of the `count` soundings nearest to a place, the nearest first; of equally far ones the
    /// lowest number first.
    pub(super) fn nearest(&self, at: [f64; 2], count: usize) -> Vec<usize> {
        let mut found = BinaryHeap::with_capacity(count + 1);
        if count > 0 {
            self.search(&self.order, 0, at, count, &mut found);
        }
        let sorted = found.into_sorted_vec();
        sorted.into_iter().map(|(_, number)| number).collect()
    }

    /// `found` holds the best so far, the farthest on top. Distances are not negative, so that their bits
    /// are in the order of their values.
    fn search(
        &self,
        part: &[usize],
        axis: usize,
        at: [f64; 2],
        count: usize,
        found: &mut BinaryHeap<(u64, usize)>,
    ) {
        let middle = part.len() / 2;
        let Some(number) = part.get(middle) else {
            return;
        };
        let place = self.places[*number];
        found.push((squared(place, at).to_bits(), *number));
        if found.len() > count {
            found.pop();
        }
        let beyond = at[axis] - place[axis];
        let (lower, upper) = (&part[..middle], &part[middle + 1..]);
        let (near, far) = match beyond < 0.0 {
            true => (lower, upper),
            false => (upper, lower),
        };
        self.search(near, 1 - axis, at, count, found);
        let farthest = found.peek().map_or(u64::MAX, |(bits, _)| *bits);
        if found.len() < count || (beyond * beyond).to_bits() <= farthest {
            self.search(far, 1 - axis, at, count, found);
        }
    }
}

fn arrange(places: &[[f64; 2]], part: &mut [usize], axis: usize) {
    if part.len() < 2 {
        return;
    }
    let middle = part.len() / 2;
    let (lower, _, upper) = part.select_nth_unstable_by(middle, |a, b| {
        let by_place = places[*a][axis].total_cmp(&places[*b][axis]);
        by_place.then(a.cmp(b))
    });
    arrange(places, lower, 1 - axis);
    arrange(places, upper, 1 - axis);
}

fn squared(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Coarse coordinates, so that many places tie along an axis.
        #[test]
        fn finds_what_looking_at_all_finds(
            places in prop::collection::vec(prop::array::uniform2((-8_i32..8).prop_map(f64::from)), 0..80),
            at in prop::array::uniform2(-10.0..10.0_f64),
            count in 0_usize..90,
        ) {
            let index = Index::new(&places);
            let mut all: Vec<usize> = (0..places.len()).collect();
            all.sort_by(|a, b| squared(places[*a], at).total_cmp(&squared(places[*b], at)).then(a.cmp(b)));
            all.truncate(count);
            prop_assert_eq!(index.nearest(at, count), all);
        }
    }
}
