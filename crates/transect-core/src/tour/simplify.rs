//! A line with fewer corners (Douglas and Peucker, 1973).

use crate::geometry::{Position, segment};

/// The corners of a line from `start` through `points`, of which none is farther than `tolerance_m` from the line through the corners; the last one is kept.
pub(super) fn simplified(start: Position, points: &[Position], tolerance_m: f64) -> Vec<Position> {
    let mut all = vec![start];
    all.extend(points);
    let end = all.len() - 1;
    let mut kept = vec![false; all.len()];
    kept[end] = true;
    let mut open = vec![(0, end)];
    while let Some((from, to)) = open.pop() {
        let off_m = |i: usize| segment::distance(all[i], all[from], all[to]);
        let farthest = (from + 1..to).max_by(|&a, &b| off_m(a).total_cmp(&off_m(b)));
        if let Some(corner) = farthest.filter(|&i| off_m(i) > tolerance_m) {
            kept[corner] = true;
            open.extend([(from, corner), (corner, to)]);
        }
    }
    (1..all.len())
        .filter(|&i| kept[i])
        .map(|i| all[i])
        .collect()
}
