//! The places that take most from the variance of the map, one after the other.

use super::Field;
use crate::geometry::Position;

/// Up to `most` places, the best first; each is chosen given all before it.
pub(super) fn places(field: &Field, most: usize) -> Vec<Position> {
    let mut left = field.clone();
    let mut places = Vec::with_capacity(most);
    for _ in 0..most {
        let best = (0..left.lattice().len()).max_by(|&a, &b| left.gain(a).total_cmp(&left.gain(b)));
        match best {
            Some(best) if left.gain(best) > 0.0 => {
                places.push(left.lattice().place(best));
                left.take(best);
            }
            _ => break,
        }
    }
    places
}
