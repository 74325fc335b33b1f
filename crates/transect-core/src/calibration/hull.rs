//! Which places lie beyond the outermost readings.

use transect_gp::Points;

/// Directions of which two are opposite each: 32, about 11 degrees apart. Whole numbers, so that every machine finds the same.
const DIRECTIONS: [[f64; 2]; 16] = [
    [1.0, 0.0],
    [5.0, 1.0],
    [12.0, 5.0],
    [3.0, 2.0],
    [1.0, 1.0],
    [2.0, 3.0],
    [5.0, 12.0],
    [1.0, 5.0],
    [0.0, 1.0],
    [-1.0, 5.0],
    [-5.0, 12.0],
    [-2.0, 3.0],
    [-1.0, 1.0],
    [-3.0, 2.0],
    [-12.0, 5.0],
    [-5.0, 1.0],
];

/// The polygon that bounds some places in 32 directions: little larger than their convex hull.
pub(super) struct Hull {
    /// Least and greatest of the places along each direction; none of places that are not in a plane.
    ranges: Vec<[f64; 2]>,
}

impl Hull {
    pub(super) fn of(places: &Points) -> Self {
        let range = |direction: &[f64; 2]| {
            let along = (0..places.len()).map(|i| along(places, i, direction));
            along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], a| {
                [low.min(a), high.max(a)]
            })
        };
        let ranges = match places.dim() {
            2 => DIRECTIONS.iter().map(range).collect(),
            _ => Vec::new(),
        };
        Self { ranges }
    }

    /// Whether place `i` of some is outside.
    pub(super) fn is_beyond(&self, places: &Points, i: usize) -> bool {
        let mut pairs = DIRECTIONS.iter().zip(&self.ranges);
        pairs.any(|(direction, [low, high])| {
            let along = along(places, i, direction);
            along < *low || along > *high
        })
    }
}

fn along(places: &Points, i: usize, [x, y]: &[f64; 2]) -> f64 {
    x * places.column(0)[i] + y * places.column(1)[i]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_has_an_inside_and_an_outside() {
        let angles = (0..200).map(|i| std::f64::consts::TAU * f64::from(i) / 200.0);
        let circle: Vec<[f64; 2]> = angles
            .map(|a| [3.0 + 2.0 * a.cos(), 2.0 * a.sin()])
            .collect();
        let hull = Hull::of(&Points::from_rows(&circle).unwrap());
        for angle in (0..90).map(f64::from) {
            let at = |radius: f64| [3.0 + radius * angle.cos(), radius * angle.sin()];
            // A polygon of 32 sides, at most 12.7 degrees apart, around a circle reaches 0.6 % beyond it.
            let two = Points::from_rows(&[at(1.99), at(2.02)]).unwrap();
            assert_eq!(
                (hull.is_beyond(&two, 0), hull.is_beyond(&two, 1)),
                (false, true)
            );
        }
        let line = Points::line(&[0.0, 1.0]).unwrap();
        assert!(!Hull::of(&line).is_beyond(&Points::line(&[7.0]).unwrap(), 0));
    }
}
