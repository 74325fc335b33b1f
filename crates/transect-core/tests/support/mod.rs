//! Areas and a surface for tests. Not every test uses all of them.
#![allow(dead_code)]

use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;
use transect::geometry::{Polygon, Position, Rect, Workspace};
use transect::terrain::Terrain;

/// A file of the reference data.
pub fn data(path: &str) -> PathBuf {
    let folder = std::env::var_os("TRANSECT_DATA").expect("TRANSECT_DATA is set");
    PathBuf::from(folder).join(path)
}

/// One of the paper's terrains: a square little-endian f64 array in NumPy's format.
pub fn papers_terrain(name: &str) -> Arc<Terrain> {
    let bytes = std::fs::read(data(&format!("terrain/{name}.npy"))).expect("the terrain is there");
    let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let (numbers, _) = bytes[header..].as_chunks::<8>();
    let values: Vec<f64> = numbers.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let side = values.len().isqrt();
    let extent = Rect::new(-11.0, 11.0, -11.0, 11.0).unwrap();
    Arc::new(Terrain::new(values, side, side, extent).unwrap())
}

/// A ring around `centre` whose vertices come in order of angle: simple by construction.
fn star(centre: Position, radii: &[f64]) -> Vec<Position> {
    let slice = std::f64::consts::TAU / radii.len() as f64;
    radii
        .iter()
        .enumerate()
        .map(|(i, radius)| {
            let (sin, cos) = (slice * i as f64).sin_cos();
            Position::new(centre.x + radius * cos, centre.y + radius * sin)
        })
        .collect()
}

pub fn rects() -> impl Strategy<Value = Workspace> {
    (-50.0..50.0, 1.0..40.0, -50.0..50.0, 1.0..40.0)
        .prop_map(|(x, width, y, height)| Rect::new(x, x + width, y, y + height).unwrap().into())
}

/// A star-shaped lake about the origin with up to two star-shaped islands.
pub fn lakes() -> impl Strategy<Value = Polygon> {
    let radii = |low: f64, high: f64, most: usize| prop::collection::vec(low..high, 3..most);
    let island = |at: f64| {
        radii(0.3, 1.4, 7).prop_map(move |radii| star(Position::new(at, -0.5 * at), &radii))
    };
    (
        radii(7.0, 15.0, 14),
        prop::option::of(island(1.6)),
        prop::option::of(island(-1.7)),
    )
        .prop_filter_map("islands inside the lake", |(outer, first, second)| {
            let holes = first.into_iter().chain(second).collect();
            Polygon::new(star(Position::default(), &outer), holes).ok()
        })
}

pub fn workspaces() -> impl Strategy<Value = Workspace> {
    prop_oneof![1 => rects(), 3 => lakes().prop_map(Workspace::from)]
}

/// `count` points inside, from a seed.
pub fn points_inside(workspace: &Workspace, count: usize, seed: u64) -> Vec<Position> {
    let mut uniform = transect::sensor::seeded_uniform(seed);
    workspace
        .sample_uniform(count, &mut |low, high| low + (high - low) * uniform())
        .unwrap()
}

/// Hills and a cliff over [-16, 16]²: easy to map, but not at once.
pub fn surface() -> Arc<Terrain> {
    let side = 160;
    let extent = Rect::new(-16.0, 16.0, -16.0, 16.0).unwrap();
    let height = |i: usize| {
        let at = |k: usize| -16.0 + 32.0 * (k as f64 + 0.5) / side as f64;
        let (x, y) = (at(i % side), at(i / side));
        let cliff = if x + 0.3 * y > 4.0 { 15.0 } else { 0.0 };
        20.0 * (0.35 * x).sin() * (0.3 * y).cos() + cliff
    };
    let heights = (0..side * side).map(height).collect();
    Arc::new(Terrain::new(heights, side, side, extent).unwrap())
}
