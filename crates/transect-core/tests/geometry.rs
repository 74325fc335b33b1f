//! Areas, checked against other ways to compute the same thing.

mod support;

use proptest::prelude::*;
use support::{lakes, points_inside, workspaces};
use transect::geometry::{Polygon, Position, Rect, Workspace};

/// How often a ring winds around `p`: the sum of the angles its edges subtend.
fn winds_around(ring: &[Position], p: Position) -> bool {
    let total: f64 = (0..ring.len())
        .map(|i| (ring[i], ring[(i + 1) % ring.len()]))
        .map(|(a, b)| {
            let (ax, ay, bx, by) = (a.x - p.x, a.y - p.y, b.x - p.x, b.y - p.y);
            (ax * by - ay * bx).atan2(ax * bx + ay * by)
        })
        .sum();
    total.abs() > std::f64::consts::PI
}

fn inside_by_angles(lake: &Polygon, p: Position) -> bool {
    winds_around(lake.outer(), p) && !lake.holes().iter().any(|hole| winds_around(hole, p))
}

fn along(a: Position, b: Position, steps: usize) -> impl Iterator<Item = Position> {
    (0..=steps).map(move |i| a.towards(b, i as f64 / steps as f64))
}

fn anywhere() -> impl Strategy<Value = Position> {
    (-16.0..16.0, -16.0..16.0).prop_map(|(x, y)| Position::new(x, y))
}

proptest! {
    #[test]
    fn contains_agrees_with_winding_angles(lake in lakes(), p in anywhere()) {
        prop_assume!(lake.clearance(p).abs() > 1e-6);
        prop_assert_eq!(lake.contains(p), inside_by_angles(&lake, p));
        prop_assert_eq!(lake.clearance(p) > 0.0, inside_by_angles(&lake, p));
    }

    #[test]
    fn clearance_is_the_distance_to_the_nearest_boundary_point(lake in lakes(), p in anywhere()) {
        let rings = std::iter::once(lake.outer()).chain(lake.holes().iter().map(Vec::as_slice));
        let mut nearest = f64::INFINITY;
        for ring in rings {
            for i in 0..ring.len() {
                for q in along(ring[i], ring[(i + 1) % ring.len()], 400) {
                    nearest = nearest.min(p.distance_to(q));
                }
            }
        }
        // The longest edge is below 30 m: sampled points are at most 0.0375 m from the nearest one.
        let clearance = lake.clearance(p).abs();
        prop_assert!(clearance <= nearest + 1e-9 && nearest <= clearance + 0.04);
    }

    #[test]
    fn a_leg_is_inside_exactly_when_its_points_are(lake in lakes(), a in anywhere(), b in anywhere()) {
        let lowest = along(a, b, 500)
            .map(|p| if inside_by_angles(&lake, p) { lake.clearance(p).abs() } else { -lake.clearance(p).abs() })
            .fold(f64::INFINITY, f64::min);
        if lake.contains_segment(a, b) {
            prop_assert!(lowest >= -1e-8, "{lowest}");
        } else {
            // A sliver between two samples may be missed, never one as deep as their distance.
            prop_assert!(lowest <= a.distance_to(b) / 500.0, "{lowest}");
        }
        prop_assert_eq!(lake.contains_segment(a, b), lake.contains_segment(b, a));
    }

    #[test]
    fn area_is_the_share_of_a_grid_inside(lake in lakes()) {
        let bounds = lake.bounds();
        let n = 120;
        let hits = (0..n * n)
            .filter(|i| {
                let x = bounds.xmin() + bounds.width() * ((i % n) as f64 + 0.5) / n as f64;
                let y = bounds.ymin() + bounds.height() * ((i / n) as f64 + 0.5) / n as f64;
                inside_by_angles(&lake, Position::new(x, y))
            })
            .count();
        let share = hits as f64 / (n * n) as f64;
        prop_assert!((lake.area() / bounds.area() - share).abs() < 0.02);
    }

    #[test]
    fn uniform_points_are_inside(workspace in workspaces(), seed: u64) {
        let points = points_inside(&workspace, 50, seed);
        prop_assert_eq!(points.len(), 50);
        prop_assert!(points.iter().all(|&p| workspace.clearance(p) >= 0.0));
    }

    #[test]
    fn polygons_survive_a_document(lake in lakes()) {
        let text = serde_json::to_string(&Workspace::from(lake.clone())).unwrap();
        prop_assert_eq!(serde_json::from_str::<Workspace>(&text).unwrap(), Workspace::from(lake));
    }
}

#[test]
fn a_rectangle_draws_all_x_before_all_y() {
    let rect = Workspace::from(Rect::new(0.0, 1.0, 5.0, 6.0).unwrap());
    let mut ranges = Vec::new();
    let points = rect
        .sample_uniform(3, &mut |low, high| {
            ranges.push(low);
            high
        })
        .unwrap();
    assert_eq!(ranges, [0.0, 0.0, 0.0, 5.0, 5.0, 5.0]);
    assert_eq!(points, [Position::new(1.0, 6.0); 3]);
}

#[test]
fn a_source_that_never_hits_is_an_error() {
    let corner = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(Position::from);
    let triangle = Workspace::from(Polygon::new(corner.to_vec(), vec![]).unwrap());
    assert!(triangle.sample_uniform(1, &mut |_, high| high).is_err());
    let unit = Workspace::from(Rect::new(0.0, 1.0, 0.0, 1.0).unwrap());
    assert!(unit.sample_uniform(1, &mut |_, _| f64::NAN).is_err());
}

#[test]
fn map_coordinates_keep_their_precision() {
    // A 10 m square at UTM-like coordinates.
    let (x, y) = (5e5, 5.2e6);
    let corners = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
    let ring = corners
        .map(|[dx, dy]| Position::new(x + dx, y + dy))
        .to_vec();
    let square = Polygon::new(ring, vec![]).unwrap();
    assert_eq!(square.area(), 100.0);
    assert_eq!(square.clearance(Position::new(x + 2.5, y + 5.0)), 2.5);
    assert!(!square.contains(Position::new(x - 1e-3, y + 5.0)));
}
