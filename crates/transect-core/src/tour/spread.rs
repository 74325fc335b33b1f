//! Places as close together as the ground asks.

use super::Tour;
use crate::geometry::Position;

/// Rounds in which places move to the centroids of what they are nearest to.
const ROUNDS: usize = 15;

/// This many places, beside what is measured: each where most is asked for given those before it, then all moved to their centroids.
pub(super) fn places(tour: &Tour<'_>, count: usize) -> Vec<Position> {
    let cells = &tour.demand.cells;
    let mut away_m: Vec<f64> = cells.iter().map(|cell| cell.measured_m).collect();
    let mut places = Vec::with_capacity(count);
    for _ in 0..count {
        let asked = |i: usize| cells[i].weight.sqrt() * away_m[i] * away_m[i];
        let most = (0..cells.len()).max_by(|&a, &b| asked(a).total_cmp(&asked(b)));
        let Some(place) = most.map(|i| cells[i].place) else {
            break;
        };
        places.push(place);
        for (away_m, cell) in away_m.iter_mut().zip(cells) {
            *away_m = away_m.min(cell.place.distance_to(place));
        }
    }
    for _ in 0..ROUNDS {
        let centroids = tour.demand.centroids(&places, tour.workspace);
        for (place, centroid) in places.iter_mut().zip(centroids) {
            *place = centroid.unwrap_or(*place);
        }
    }
    // Centroids of bays and of rings around islands can be outside.
    for place in &mut places {
        if !tour.workspace.contains(*place) {
            *place = tour.workspace.nearest(*place);
        }
    }
    places
}
