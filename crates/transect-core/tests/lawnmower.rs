//! Back-and-forth surveys.

mod support;

use proptest::prelude::*;
use support::{points_inside, rects, workspaces};
use transect::geometry::{Polygon, Position, Rect, Workspace};
use transect::lawnmower::{Lawnmower, Leg};

fn square(low: f64, high: f64) -> Vec<Position> {
    [[low, low], [high, low], [high, high], [low, high]]
        .map(Position::from)
        .to_vec()
}

#[test]
fn a_rectangle_is_swept_line_by_line() {
    let tall = Workspace::from(Rect::new(0.0, 4.0, 0.0, 10.0).unwrap());
    let survey = Lawnmower::with_spacing(&tall, 2.5).unwrap();
    // Two lines along the longer side, 2 m apart: 2.5 m does not divide the width.
    let expected = [[1.0, 0.0], [1.0, 10.0], [3.0, 10.0], [3.0, 0.0]].map(Position::from);
    assert_eq!(survey.waypoints(), expected);
    assert_eq!(survey.legs(), [Leg::Line, Leg::Link, Leg::Line]);
    assert_eq!((survey.spacing_m(), survey.length_m()), (2.0, 22.0));
}

#[test]
fn legs_across_an_island_are_marked() {
    let lake = Polygon::new(square(0.0, 10.0), vec![square(4.0, 6.0)])
        .unwrap()
        .into();
    let survey = Lawnmower::with_spacing(&lake, 2.0).unwrap();
    let blocked: Vec<usize> = (0..survey.legs().len())
        .filter(|&i| survey.legs()[i] == Leg::Blocked)
        .collect();
    assert_eq!(
        blocked.len(),
        1,
        "only the middle line, y = 5, meets the island"
    );
    let (from, to) = (
        survey.waypoints()[blocked[0]],
        survey.waypoints()[blocked[0] + 1],
    );
    assert_eq!(
        (from, to),
        (Position::new(4.0, 5.0), Position::new(6.0, 5.0))
    );
}

#[test]
fn refuses_what_cannot_be_surveyed() {
    let unit = Workspace::from(Rect::new(0.0, 1.0, 0.0, 1.0).unwrap());
    for bad in [0.0, -1.0, f64::NAN, 1e-9] {
        assert!(Lawnmower::with_spacing(&unit, bad).is_err(), "{bad}");
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        assert!(Lawnmower::with_length(&unit, bad).is_err(), "{bad}");
    }
    assert_eq!(
        Lawnmower::with_spacing(&unit, f64::INFINITY)
            .unwrap()
            .length_m(),
        1.0
    );
}

proptest! {
    #[test]
    fn legs_are_what_they_say(workspace in workspaces(), spacing in 0.2..5.0) {
        let survey = Lawnmower::with_spacing(&workspace, spacing).unwrap();
        prop_assert_eq!(survey.legs().len() + 1, survey.waypoints().len());
        prop_assert!(survey.spacing_m() <= spacing);
        for (ends, leg) in survey.waypoints().windows(2).zip(survey.legs()) {
            let inside = workspace.contains_segment(ends[0], ends[1]);
            prop_assert_eq!(inside, *leg != Leg::Blocked, "{} {} {:?}", ends[0], ends[1], leg);
        }
    }

    #[test]
    fn nothing_in_a_rectangle_is_missed(workspace in rects(), spacing in 0.2..5.0, seed: u64) {
        let survey = Lawnmower::with_spacing(&workspace, spacing).unwrap();
        for p in points_inside(&workspace, 20, seed) {
            let nearest = survey
                .waypoints()
                .chunks(2)
                .map(|ends| {
                    let along_x = ends[0].y == ends[1].y;
                    if along_x { (p.y - ends[0].y).abs() } else { (p.x - ends[0].x).abs() }
                })
                .fold(f64::INFINITY, f64::min);
            prop_assert!(nearest <= spacing / 2.0 + 1e-9);
        }
    }

    #[test]
    fn the_length_asked_for_is_the_length_sailed(workspace in workspaces(), length in 1.0..2000.0) {
        let survey = Lawnmower::with_length(&workspace, length).unwrap();
        let sailed: f64 = survey.waypoints().windows(2).map(|w| w[0].distance_to(w[1])).sum();
        prop_assert!((sailed / length - 1.0).abs() < 0.01, "{sailed} for {length}");
        prop_assert!(survey.waypoints().iter().all(|&p| workspace.contains(p)));
        prop_assert_eq!(survey.legs().len() + 1, survey.waypoints().len());
    }
}
