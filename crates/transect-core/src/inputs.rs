//! How places become rows of model inputs.
//!
//! Models know points with coordinates; this is the one place that says which: x and y, in metres.

use transect_gp::{GpError, Points};

use crate::Sounding;
use crate::geometry::Position;

/// Coordinates of a place.
pub const DIMENSIONS: usize = 2;

/// One row for each place.
///
/// # Errors
/// If a coordinate is not finite.
pub fn places(places: &[Position]) -> Result<Points, GpError> {
    let rows: Vec<[f64; DIMENSIONS]> = places.iter().map(|&place| place.into()).collect();
    Points::from_rows(&rows)
}

/// A grid of places, x running fastest. Models evaluate it much faster than the same places one by one.
///
/// # Errors
/// If a coordinate is not finite.
pub fn grid(x: &[f64], y: &[f64]) -> Result<Points, GpError> {
    Points::grid(&[x, y])
}

/// Rows and values of some soundings.
///
/// # Errors
/// If a coordinate is not finite.
pub fn soundings(soundings: &[Sounding]) -> Result<(Points, Vec<f64>), GpError> {
    let positions: Vec<Position> = soundings.iter().map(|sounding| sounding.position).collect();
    let values = soundings.iter().map(|sounding| sounding.value).collect();
    Ok((places(&positions)?, values))
}
