//! Shapes for tests.

use super::Position;

pub(crate) fn ring_of(vertices: &[[f64; 2]]) -> Vec<Position> {
    vertices.iter().copied().map(Position::from).collect()
}

pub(crate) fn square(low: f64, high: f64) -> Vec<Position> {
    ring_of(&[[low, low], [high, low], [high, high], [low, high]])
}
