//! A line with fewer corners (Douglas and Peucker, 1973).

use crate::geometry::{Position, segment};

/// What must stay as it is when corners are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// The line alone.
    Line,
    /// When each point is passed by someone who takes the same time from each point to the next.
    Times,
}

/// The corners of a line from `start` through `points`, by number, of which none is farther than `tolerance_m` from the line through the corners, or from where one is on it at that
/// time; the last one is kept.
pub(super) fn simplified(
    start: Position,
    points: &[Position],
    tolerance_m: f64,
    keep: Keep,
) -> Vec<usize> {
    let mut all = vec![start];
    all.extend(points);
    let end = all.len() - 1;
    let mut kept = vec![false; all.len()];
    kept[end] = true;
    let mut open = vec![(0, end)];
    while let Some((from, to)) = open.pop() {
        let off_m = |i: usize| match keep {
            Keep::Line => segment::distance(all[i], all[from], all[to]),
            Keep::Times => {
                let share = (i - from) as f64 / (to - from) as f64;
                all[i].distance_to(all[from].towards(all[to], share))
            }
        };
        let farthest = (from + 1..to).max_by(|&a, &b| off_m(a).total_cmp(&off_m(b)));
        if let Some(corner) = farthest.filter(|&i| off_m(i) > tolerance_m) {
            kept[corner] = true;
            open.extend([(from, corner), (corner, to)]);
        }
    }
    (0..points.len()).filter(|&i| kept[i + 1]).collect()
}
