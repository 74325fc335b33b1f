//! Places as close together as the ground asks.

use super::Tour;
use crate::geometry::Position;

/// Rounds in which places move to the centroids of what they are nearest to.
const ROUNDS: usize = 15;

/// This many places, beside what is measured: each where most is asked for given those before it, then all moved to their centroids.
pub(super) fn places(tour: &Tour<'_>, count: usize) -> Vec<Position> {
    let cells = &tour.demand.cells;
    let mut away_m: Vec<f64> = cells.iter().map(|cell| cell.measured_m).collect();
    let roots: Vec<f64> = cells.iter().map(|cell| cell.weight.sqrt()).collect();
    let mut places = Vec::with_capacity(count);
    for _ in 0..count {
        let mut most = (f64::NEG_INFINITY, None);
        for ((cell, root), away_m) in cells.iter().zip(&roots).zip(&away_m) {
            let asked = root * away_m * away_m;
            if asked >= most.0 {
                most = (asked, Some(cell.place));
            }
        }
        let Some(place) = most.1 else {
            break;
        };
        places.push(place);
        for (away_m, cell) in away_m.iter_mut().zip(cells) {
            *away_m = away_m.min(cell.place.quick_distance_to(place));
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
