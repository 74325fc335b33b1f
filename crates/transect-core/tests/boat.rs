//! The boat against the paper's program, and inside its fence.

mod support;

use std::f64::consts::{FRAC_PI_2, PI};

use proptest::prelude::*;
use support::{points_inside, workspaces};
use transect::geometry::{Polygon, Position, Rect, Workspace};
use transect::vehicle::{Boat, BoatSettings, Pose, SamplingClock, Vehicle};

fn pose(x: f64, y: f64, heading_rad: f64) -> Pose {
    Pose {
        position: Position::new(x, y),
        heading_rad,
    }
}

/// One row of a track: step, x, y, heading.
type Row = (u64, f64, f64, f64);

/// Drives through the goals and compares with tracks of pypolo's USV (control 10 Hz, sampling 1 Hz,
/// tolerance 0.1 m). Gives the steps of arrivals and the sampled positions.
fn follow(
    start: Pose,
    max_speed_mps: f64,
    goals: &[[f64; 2]],
    steps: u64,
    track: &[Row],
) -> (Vec<u64>, Vec<(u64, Position)>) {
    let settings = BoatSettings {
        max_speed_mps,
        ..BoatSettings::paper()
    };
    let mut boat = Boat::new(start, settings).unwrap();
    let mut goals = goals.iter().copied();
    let (mut arrivals, mut samples) = (Vec::new(), Vec::new());
    for step in 1..=steps {
        if boat.goal().is_none() {
            boat.set_goal(goals.next().unwrap().into()).unwrap();
        }
        let report = boat.step();
        if report.arrived {
            arrivals.push(step);
        }
        if report.sample_due {
            samples.push((step, boat.state().position));
        }
        if let Some(row) = track.iter().find(|row| row.0 == step) {
            let Pose {
                position,
                heading_rad,
            } = boat.state();
            assert!((position.x - row.1).abs() < 1e-12, "x at step {step}");
            assert!((position.y - row.2).abs() < 1e-12, "y at step {step}");
            assert!(
                (heading_rad - row.3).abs() < 1e-12,
                "heading at step {step}"
            );
        }
    }
    (arrivals, samples)
}

#[test]
fn follows_the_papers_boat_through_four_goals() {
    let (arrivals, samples) = follow(
        pose(0.0, 0.0, FRAC_PI_2),
        1.0,
        &[[5.0, 3.0], [-4.0, 6.0], [-4.5, -7.25], [8.0, -8.0]],
        300,
        &[
            (
                30,
                2.300446122378773,
                1.7224007526357004,
                0.44503276690717014,
            ),
            (60, 4.58775985278474, 2.805321771640821, 0.4412360665208728),
            (
                90,
                4.079438643026744,
                3.6515684111438755,
                2.7388002888200442,
            ),
            (120, 1.21284996455316, 4.530628742082517, 2.8665889903657393),
            (150, -1.667767992970692, 5.34267752145272, 2.866875201479033),
            (
                180,
                -3.7522496635363103,
                5.9301734743895365,
                2.8668763839035005,
            ),
            (
                210,
                -4.470297181700923,
                4.434853948964329,
                -1.6039672983226103,
            ),
            (
                240,
                -4.4903933105897735,
                1.4350232138750139,
                -1.5719573642842115,
            ),
            (
                270,
                -4.493732084946346,
                -1.5649645332266153,
                -1.5718989704556467,
            ),
            (
                300,
                -4.497035106471519,
                -4.560793663170339,
                -1.5718988429025464,
            ),
        ],
    );
    assert_eq!(arrivals, [76, 191]);
    assert!(samples.iter().map(|s| s.0).eq((1..=27).map(|k| 11 * k)));
    for (sample, (x, y)) in samples.iter().zip([
        (0.6173695026067525, 0.8482755544825391),
        (1.5818880783421099, 1.3749394809707782),
        (2.5695987264138647, 1.8505840598417562),
    ]) {
        assert!(sample.1.distance_to(Position::new(x, y)) < 1e-12);
    }
}

#[test]
fn backs_up_as_the_papers_boat_does() {
    let (arrivals, _) = follow(
        pose(0.0, 0.0, FRAC_PI_2),
        1.0,
        &[[0.0, -2.0], [0.3, -2.2]],
        60,
        &[
            (
                10,
                0.20207498973704047,
                -0.522364164175953,
                -1.2614690467157315,
            ),
            (
                20,
                0.23032208419016642,
                -1.3001552716490854,
                -1.7716534994127149,
            ),
            (
                30,
                0.10807923208733948,
                -1.739347078660003,
                -1.9226020568153277,
            ),
            (
                40,
                0.041024794033118164,
                -1.9089985869648582,
                -1.9783398508086103,
            ),
            (
                50,
                0.09428213304516955,
                -2.108887569238444,
                -0.7603028487550328,
            ),
            (
                60,
                0.21714738601683567,
                -2.1849523537815823,
                -0.30692752397546685,
            ),
        ],
    );
    assert_eq!(arrivals, [41, 60]);
}

#[test]
fn follows_the_papers_boat_at_another_speed() {
    follow(
        pose(-9.5, 9.9, FRAC_PI_2),
        0.7,
        &[[-3.25, -9.75], [9.0, 9.0]],
        300,
        &[
            (
                50,
                -8.270878310136615,
                6.896851641508844,
                -1.277812129919416,
            ),
            (
                150,
                -6.249528013007413,
                0.19505017021361248,
                -1.2778629914871007,
            ),
            (
                300,
                -3.3713365440055183,
                -9.347704034640659,
                -1.2778629914871191,
            ),
        ],
    );
}

#[test]
fn default_limits_hold_and_the_clock_is_exact() {
    let mut boat = Boat::new(pose(0.0, 0.0, 0.0), BoatSettings::default()).unwrap();
    boat.set_goal(Position::new(-10.0, 0.5)).unwrap();
    let mut previous = boat.state();
    for step in 1..=400 {
        let report = boat.step();
        let now = boat.state();
        let turned = (now.heading_rad - previous.heading_rad + 3.0 * PI) % (2.0 * PI) - PI;
        assert!(turned.abs() <= 0.1 + 1e-12, "turn rate at {step}");
        let forward = (now.position.x - previous.position.x) * previous.heading_rad.cos()
            + (now.position.y - previous.position.y) * previous.heading_rad.sin();
        assert!((-1e-15..=0.1 + 1e-12).contains(&forward), "speed at {step}");
        if step <= 10 {
            // It takes more than a second to turn until the goal is ahead: no way is made before.
            assert_eq!(now.position, Position::new(0.0, 0.0));
        }
        assert_eq!(report.sample_due, step % 10 == 0);
        previous = now;
        if report.arrived {
            assert_eq!(boat.elapsed_s(), step as f64 / 10.0);
            assert!(boat.travelled_m() >= 9.8);
            return;
        }
    }
    panic!("the goal was not reached");
}

#[test]
fn a_fast_boat_with_slow_control_arrives() {
    let settings = BoatSettings {
        max_speed_mps: 30.0,
        control_rate_hz: 2.0,
        sampling_rate_hz: 0.5,
        ..BoatSettings::default()
    };
    let mut boat = Boat::new(pose(0.0, 0.0, 0.0), settings).unwrap();
    boat.set_goal(Position::new(101.0, 3.0)).unwrap();
    assert!((0..500).any(|_| boat.step().arrived));
}

#[test]
fn refuses_to_start_or_go_nowhere_or_outside() {
    let unit = || Workspace::from(Rect::new(0.0, 1.0, 0.0, 1.0).unwrap());
    let settings = BoatSettings::default();
    assert!(Boat::new(pose(f64::NAN, 0.0, 0.0), settings).is_err());
    assert!(Boat::new(pose(0.0, 0.0, f64::INFINITY), settings).is_err());
    assert!(
        Boat::new(pose(2.0, 0.0, 0.0), settings)
            .unwrap()
            .fenced(unit())
            .is_err()
    );
    let mut boat = Boat::new(pose(0.0, 0.0, 0.0), settings)
        .unwrap()
        .fenced(unit())
        .unwrap();
    assert!(boat.set_goal(Position::new(0.5, f64::NAN)).is_err());
    assert!(boat.set_goal(Position::new(0.5, 1.5)).is_err());
    assert_eq!(boat.goal(), None);
}

#[test]
fn follows_the_very_edge_of_its_workspace() {
    let rect = Rect::new(0.0, 5.0, 0.0, 5.0).unwrap();
    let fence = Workspace::from(rect);
    let mut boat = Boat::new(pose(0.0, 0.0, PI), BoatSettings::default())
        .unwrap()
        .fenced(fence.clone())
        .unwrap();
    for corner in [[5.0, 0.0], [5.0, 5.0], [0.0, 5.0], [0.0, 0.0], [5.0, 5.0]] {
        boat.set_goal(corner.into()).unwrap();
        let arrived = (0..400).any(|_| {
            let report = boat.step();
            assert!(fence.contains(boat.state().position));
            assert!(!report.stuck);
            report.arrived
        });
        assert!(arrived, "{corner:?}");
    }
}

#[test]
fn says_so_when_an_island_is_in_the_way() {
    let square = |low: f64, high: f64| {
        [[low, low], [high, low], [high, high], [low, high]]
            .map(Position::from)
            .to_vec()
    };
    let lake = Polygon::new(square(0.0, 10.0), vec![square(4.0, 6.0)]).unwrap();
    let mut boat = Boat::new(pose(1.0, 5.0, FRAC_PI_2), BoatSettings::default())
        .unwrap()
        .fenced(lake.into())
        .unwrap();
    boat.set_goal(Position::new(9.0, 5.0)).unwrap();
    let stuck = (0..200).position(|_| boat.step().stuck);
    assert!(stuck.is_some());
    let here = boat.state().position;
    assert!(
        here.x <= 4.0 + 1e-9 && here.x > 3.85,
        "at the island's shore, not at {here}"
    );
    // Another goal sets it free.
    boat.set_goal(Position::new(3.0, 9.0)).unwrap();
    assert!((0..200).any(|_| boat.step().arrived));
}

fn any_settings() -> impl Strategy<Value = BoatSettings> {
    (
        0.3..3.0,
        prop::option::of(0.2..3.0),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(
            |(max_speed_mps, max_turn_rate_radps, allow_reverse, exact)| BoatSettings {
                max_speed_mps,
                max_turn_rate_radps,
                allow_reverse,
                sampling_clock: if exact {
                    SamplingClock::Exact
                } else {
                    SamplingClock::Paper
                },
                ..BoatSettings::default()
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Goals in sight are reached, goals out of sight are reached or reported, the track stays inside.
    #[test]
    fn a_fenced_boat_never_leaves_and_reaches_goals_in_sight(
        workspace in workspaces(),
        seed: u64,
        heading in -PI..PI,
        settings in any_settings(),
    ) {
        let points = points_inside(&workspace, 6, seed);
        let start = Pose { position: points[0], heading_rad: heading };
        let mut boat = Boat::new(start, settings).unwrap().fenced(workspace.clone()).unwrap();
        for &goal in &points[1..] {
            let in_sight = workspace.contains_segment(boat.state().position, goal);
            boat.set_goal(goal).unwrap();
            let mut steps = 0;
            loop {
                let before = boat.state().position;
                let report = boat.step();
                let now = boat.state().position;
                prop_assert!(workspace.clearance(now) >= -1e-9, "left the workspace at {}", now);
                for i in 1..4 {
                    let between = before.towards(now, i as f64 / 4.0);
                    prop_assert!(workspace.clearance(between) >= -2e-9, "cut a corner at {}", between);
                }
                if report.arrived {
                    break;
                }
                prop_assert!(!(report.stuck && in_sight), "stuck at {} before {}", now, goal);
                if report.stuck {
                    break;
                }
                steps += 1;
                prop_assert!(steps < 10_000, "neither arrived nor stuck at {}", now);
            }
        }
    }
}
