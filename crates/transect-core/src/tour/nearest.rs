//! Which of many places is nearest.

use super::Lattice;
use crate::geometry::{Position, Rect};

/// Places sorted into buckets.
pub(super) struct Nearest<'a> {
    buckets: Lattice,
    /// Where the places of each bucket begin in `order`; one more for the end.
    begin: Vec<usize>,
    /// The places, bucket by bucket.
    order: Vec<usize>,
    places: &'a [Position],
}

impl<'a> Nearest<'a> {
    /// About one bucket for each place, but no more than `most`.
    pub(super) fn of(places: &'a [Position], bounds: Rect, most: usize) -> Self {
        let buckets = Lattice::over(bounds, places.len().clamp(1, most));
        let bucket = |place: &Position| {
            let [column, row] = index(&buckets, *place);
            row * buckets.columns() + column
        };
        let mut begin = vec![0; buckets.len() + 1];
        for place in places {
            begin[bucket(place) + 1] += 1;
        }
        for i in 0..buckets.len() {
            begin[i + 1] += begin[i];
        }
        let mut next = begin.clone();
        let mut order = vec![0; places.len()];
        for (i, place) in places.iter().enumerate() {
            let at = &mut next[bucket(place)];
            order[*at] = i;
            *at += 1;
        }
        Self {
            buckets,
            begin,
            order,
            places,
        }
    }

    /// The place nearest to `here`, and its distance, m; none if none is closer than `within_m`.
    pub(super) fn find(&self, here: Position, within_m: f64) -> Option<(usize, f64)> {
        let [width, height] = self.buckets.cell_m();
        let (columns, rows) = (self.buckets.columns(), self.buckets.rows());
        let [column, row] = index(&self.buckets, here);
        let mut found = None;
        let mut closest_m = within_m;
        for ring in 0..columns.max(rows) {
            // What is in this ring is at least this far away.
            if ring > 1 && (ring - 1) as f64 * width.min(height) > closest_m {
                break;
            }
            for y in row.saturating_sub(ring)..=(row + ring).min(rows - 1) {
                let whole = y + ring == row || y == row + ring;
                let mut look = |x: usize| {
                    let bucket = y * columns + x;
                    for &i in &self.order[self.begin[bucket]..self.begin[bucket + 1]] {
                        let distance_m = here.quick_distance_to(self.places[i]);
                        if distance_m < closest_m {
                            closest_m = distance_m;
                            found = Some((i, distance_m));
                        }
                    }
                };
                if whole {
                    (column.saturating_sub(ring)..=(column + ring).min(columns - 1)).for_each(look);
                } else {
                    if column >= ring {
                        look(column - ring);
                    }
                    if column + ring < columns {
                        look(column + ring);
                    }
                }
            }
        }
        found
    }
}

/// Column and row of the cell that a place is in, or of the one nearest to it.
fn index(lattice: &Lattice, place: Position) -> [usize; 2] {
    let bounds = lattice.bounds();
    let [width, height] = lattice.cell_m();
    // Casts keep within the range of the type; what is not a number becomes 0.
    let index =
        |from_m: f64, side_m: f64, count: usize| ((from_m / side_m) as usize).min(count - 1);
    [
        index(place.x - bounds.xmin(), width, lattice.columns()),
        index(place.y - bounds.ymin(), height, lattice.rows()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_nearest(
            places in prop::collection::vec((-2.0..12.0f64, -1.0..6.0f64), 0..40),
            (x, y) in (-3.0..13.0f64, -2.0..7.0f64),
            within_m in 0.1..20.0f64,
        ) {
            let places: Vec<Position> = places.into_iter().map(|(x, y)| Position::new(x, y)).collect();
            let here = Position::new(x, y);
            let bounds = Rect::new(0.0, 10.0, 0.0, 5.0).unwrap();
            let found = Nearest::of(&places, bounds, 30).find(here, within_m).map(|(_, m)| m);
            let distances = places.iter().map(|p| here.quick_distance_to(*p));
            let expected = distances.filter(|m| *m < within_m).reduce(f64::min);
            prop_assert_eq!(found, expected);
        }
    }
}
