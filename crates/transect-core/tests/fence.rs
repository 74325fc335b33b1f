//! What a guard promises, on random lakes with islands, against plain sampling of the leg.

use proptest::prelude::*;
use transect::fence::{Fence, Guard, Refusal};
use transect::geometry::{Polygon, Position, common_area};

/// Corners at random distances around a middle.
fn star(middle: Position, radii_m: &[f64]) -> Polygon {
    let step_rad = std::f64::consts::TAU / radii_m.len() as f64;
    let corner = |(i, radius_m): (usize, &f64)| {
        let (sin, cos) = (i as f64 * step_rad).sin_cos();
        Position::new(middle.x + radius_m * cos, middle.y + radius_m * sin)
    };
    Polygon::new(radii_m.iter().enumerate().map(corner).collect(), vec![]).unwrap()
}

/// A lake some 100 m across, with up to three islands that may touch each other or the shore.
fn lake() -> impl Strategy<Value = Polygon> {
    let shore = prop::collection::vec(30.0..60.0, 5..12);
    let island = (
        -40.0..40.0,
        -40.0..40.0,
        prop::collection::vec(3.0..10.0, 4..8),
    );
    (shore, prop::collection::vec(island, 0..4)).prop_filter_map(
        "in one piece",
        |(shore, islands)| {
            let outside: Vec<Polygon> = islands
                .iter()
                .map(|(x, y, radii)| star(Position::new(*x, *y), radii))
                .collect();
            let pieces = common_area(&[star(Position::default(), &shore)], &outside).ok()?;
            pieces
                .into_iter()
                .max_by(|a, b| a.area().total_cmp(&b.area()))
        },
    )
}

fn place() -> impl Strategy<Value = Position> {
    (-65.0..65.0, -65.0..65.0).prop_map(|(x, y)| Position::new(x, y))
}

/// The smallest clearance at 400 places of a leg.
fn sampled_clearance_m(lake: &Polygon, from: Position, to: Position) -> f64 {
    (0..=400)
        .map(|i| lake.clearance(from.towards(to, f64::from(i) / 400.0)))
        .fold(f64::INFINITY, f64::min)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn an_allowed_leg_keeps_its_distance(lake in lake(), margin_m in 0.0..6.0, from in place(), to in place()) {
        let Ok(fence) = Fence::new(lake.clone(), margin_m, from) else { return Ok(()) };
        let sampled_m = sampled_clearance_m(&lake, from, to);
        if fence.allows(from, to) {
            prop_assert!(sampled_m >= lake.clearance(from).min(margin_m) - 1e-6, "{sampled_m}");
            prop_assert!(lake.clearance(to) >= margin_m);
        } else if lake.clearance(from) >= margin_m {
            // Samples are up to 0.5 m apart: the leg comes no closer than that between them.
            prop_assert!(sampled_m < margin_m + 0.5, "refused at {sampled_m}");
        }
    }

    #[test]
    fn plans_inside_the_margin_are_never_refused(lake in lake(), margin_m in 0.5..4.0, seed in any::<u64>()) {
        let Ok(fence) = Fence::new(lake, margin_m, Position::default()) else { return Ok(()) };
        let mut draw = transect::sensor::seeded_uniform(seed);
        let places = fence.safe().sample_uniform(40, &mut |low, high| low + (high - low) * draw()).unwrap();
        for legs in places.windows(2) {
            if fence.safe().contains_segment(legs[0], legs[1]) {
                prop_assert!(fence.allows(legs[0], legs[1]), "{} {}", legs[0], legs[1]);
            }
        }
    }

    #[test]
    fn the_way_home_stays_inside_and_is_as_long_as_it_says(
        lake in lake(), margin_m in 0.5..4.0, home in place(), from in place()
    ) {
        let Ok(fence) = Fence::new(lake, margin_m, home) else { return Ok(()) };
        let guard = Guard::new(fence, home);
        let homeward = guard.homeward();
        let from = guard.fence().safe().nearest(from);
        let way = homeward.way(from);
        prop_assert!(way.is_some(), "one piece, so there is a way");
        let (mut at, mut length_m) = (from, 0.0);
        for corner in way.unwrap() {
            prop_assert_eq!(guard.stays_inside(at, corner), Ok(()), "{} {}", at, corner);
            length_m += at.distance_to(corner);
            at = corner;
        }
        prop_assert_eq!(at, homeward.home());
        let told_m = homeward.length_m(from).unwrap();
        prop_assert!((told_m - length_m).abs() < 1e-9 * (1.0 + length_m));
        prop_assert!(told_m >= from.distance_to(homeward.home()) - 1e-9);
    }

    #[test]
    fn after_an_approved_leg_there_is_enough_left_for_the_way_home(
        lake in lake(), home in place(), from in place(), to in place(), reach_m in 0.0..300.0
    ) {
        let Ok(fence) = Fence::new(lake, 1.0, home) else { return Ok(()) };
        let guard = Guard::new(fence, home);
        let from = guard.fence().safe().nearest(from);
        let left_m = reach_m - from.distance_to(to);
        match guard.check(from, to, reach_m) {
            Ok(()) => prop_assert!(guard.homeward().length_m(to).unwrap() <= left_m + 1e-9),
            Err(Refusal::TooFar { .. }) => prop_assert!(guard.must_turn_back(to, left_m)),
            Err(_) => {}
        }
    }
}

#[test]
fn what_is_not_a_number_is_refused() {
    let lake = star(Position::default(), &[50.0; 8]);
    let guard = Guard::new(
        Fence::new(lake, 2.0, Position::default()).unwrap(),
        Position::default(),
    );
    let (here, nowhere) = (Position::default(), Position::new(f64::NAN, 0.0));
    assert_eq!(guard.check(here, nowhere, 1e9), Err(Refusal::NotANumber));
    assert_eq!(guard.check(nowhere, here, 1e9), Err(Refusal::NotANumber));
    assert!(
        guard
            .check(here, Position::new(10.0, 0.0), f64::NAN)
            .is_err()
    );
}

#[test]
fn a_boat_that_drifted_into_the_margin_may_only_leave_it() {
    let lake = Polygon::new(
        [[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]]
            .map(Position::from)
            .to_vec(),
        vec![],
    )
    .unwrap();
    let fence = Fence::new(lake, 5.0, Position::new(50.0, 50.0)).unwrap();
    let drifted = Position::new(50.0, 2.0);
    assert!(fence.allows(drifted, Position::new(60.0, 20.0)));
    assert!(!fence.allows(drifted, Position::new(60.0, 3.0)));
    assert!(!fence.allows(Position::new(50.0, -1.0), Position::new(50.0, 20.0)));
}
