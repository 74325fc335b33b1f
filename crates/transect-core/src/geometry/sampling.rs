//! Uniform random points in an area.

use super::{Polygon, Position, Rect};
use crate::Error;
use crate::geometry::GeometryError;

type Draw<'a> = &'a mut dyn FnMut(f64, f64) -> f64;

/// All x, then all y.
pub(super) fn in_rect(rect: &Rect, count: usize, draw: Draw) -> Result<Vec<Position>, Error> {
    let xs: Vec<f64> = (0..count).map(|_| draw(rect.xmin(), rect.xmax())).collect();
    let points: Vec<Position> = xs
        .into_iter()
        .map(|x| Position::new(x, draw(rect.ymin(), rect.ymax())))
        .collect();
    let found = points.iter().filter(|&&p| rect.contains(p)).count();
    if found < count {
        return Err(GeometryError::SamplingGaveUp {
            wanted: count,
            found,
            tries: count as u64,
        }
        .into());
    }
    Ok(points)
}

/// Rejection from the bounding box.
pub(super) fn in_polygon(
    polygon: &Polygon,
    count: usize,
    draw: Draw,
) -> Result<Vec<Position>, Error> {
    let bounds = polygon.bounds();
    // A fair source misses a share f of the box 64/f times in a row with probability e^-64.
    let tries_per_point = (64.0 * bounds.area() / polygon.area()).min(1e7).ceil() as u64;
    let mut points = Vec::with_capacity(count);
    let mut tries = 0;
    while points.len() < count {
        let next = (0..tries_per_point).find_map(|_| {
            tries += 1;
            let x = draw(bounds.xmin(), bounds.xmax());
            let p = Position::new(x, draw(bounds.ymin(), bounds.ymax()));
            polygon.contains(p).then_some(p)
        });
        match next {
            Some(p) => points.push(p),
            None => {
                return Err(GeometryError::SamplingGaveUp {
                    wanted: count,
                    found: points.len(),
                    tries,
                }
                .into());
            }
        }
    }
    Ok(points)
}
