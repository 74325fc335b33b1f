//! A boat that does not stop at its goals: paths, over the real sockets.
#![allow(missing_docs)]

#[path = "support/trip.rs"]
mod trip;

use transect::geometry::Position;
use transect_field::bench::BenchSettings;
use transect_field::skipper::{Order, Report};
use trip::{Trip, document};

/// The corners of parallel lines through the middle of the lake, 40 m long and 8 m apart.
fn lines(trip: &Trip) -> Vec<Position> {
    let sides = [(-20.0, 20.0), (20.0, -20.0)];
    let line = |i: usize| {
        let (from, to) = sides[i % 2];
        let east = -32.0 + 8.0 * i as f64;
        [trip.at(from, east), trip.at(to, east)]
    };
    (0..9).flat_map(line).collect()
}

fn heavy() -> BenchSettings {
    BenchSettings {
        coast_s: 1.5,
        ..BenchSettings::default()
    }
}

/// What a survey was like.
struct Survey {
    /// Its true way over its time, m/s, from the first goal on.
    speed_mps: f64,
    /// The goal that the true track keeps furthest away from, m.
    worst_m: f64,
}

/// Surveys the lines. A planner takes `thinking_s` for each answer of `horizon` goals; it is asked when `left` goals are still
/// to be passed, none for one that waits until the boat has stopped.
fn survey(horizon: usize, left: usize, thinking_s: f64) -> Survey {
    let mut trip = Trip::new(heavy(), document());
    trip.until(60.0, |trip| trip.has(|report| *report == Report::Ready));
    let goals = lines(&trip);
    let mut planned = horizon;
    trip.skipper.order(Order::Follow(goals[..planned].to_vec()));
    let (mut answer_s, mut first) = (None, None);
    while planned < goals.len() || !trip.skipper.path().is_empty() {
        let here = trip.plane.metres(trip.record().position).unwrap();
        if first.is_none() && here.distance_to(goals[0]) < 4.0 {
            first = Some((trip.now_s, trip.record().distance_m));
        }
        if trip.skipper.path().len() <= left && planned < goals.len() && answer_s.is_none() {
            answer_s = Some(trip.now_s + thinking_s);
        }
        if answer_s.is_some_and(|at_s| trip.now_s >= at_s) {
            answer_s = None;
            let next = (planned + horizon).min(goals.len());
            trip.skipper
                .order(Order::Append(goals[planned..next].to_vec()));
            planned = next;
        }
        trip.tick();
        assert!(trip.now_s < 3000.0, "{:#?}", trip.entries.lines());
    }
    let away_m = |goal: Position| {
        let away = |&(_, place)| trip.plane.metres(place).unwrap().distance_to(goal);
        trip.track.iter().map(away).fold(f64::INFINITY, f64::min)
    };
    let (first_s, first_m) = first.unwrap();
    Survey {
        speed_mps: (trip.record().distance_m - first_m) / (trip.now_s - first_s),
        worst_m: goals.iter().copied().map(away_m).fold(0.0, f64::max),
    }
}

#[test]
fn a_boat_on_a_path_keeps_its_speed() {
    let full_mps = document().boat.speed_mps;
    for thinking_s in [0.0, 3.0] {
        let Survey { speed_mps, worst_m } = survey(3, 1, thinking_s);
        eprintln!(
            "{thinking_s} s of thinking: {speed_mps:.3} m/s of {full_mps}, goals passed within {worst_m:.2} m"
        );
        assert!(
            speed_mps > 0.85 * full_mps,
            "{speed_mps} with {thinking_s} s"
        );
        assert!(worst_m < 3.5, "{worst_m}");
    }
    // A goal at a time, the boat waits at each for the next answer.
    let waiting_mps = survey(1, 0, 3.0).speed_mps;
    eprintln!("one goal at a time: {waiting_mps:.3} m/s");
    assert!(waiting_mps < survey(3, 1, 3.0).speed_mps);
}

#[test]
fn each_goal_of_a_path_is_sent_once_and_told_once() {
    let mut trip = Trip::new(heavy(), document());
    trip.until(60.0, |trip| trip.has(|report| *report == Report::Ready));
    let goals = lines(&trip)[..5].to_vec();
    trip.skipper.order(Order::Follow(goals[..3].to_vec()));
    trip.run(20.0);
    // The same path again, and longer: what it heads for already is not sent again.
    trip.skipper.order(Order::Follow(goals.clone()));
    trip.until(600.0, |trip| trip.legs_over() > 0);
    let passed: Vec<(Position, usize)> = trip
        .told
        .iter()
        .filter_map(|told| match told.report {
            Report::Passed { goal, left } => Some((goal, left)),
            _ => None,
        })
        .collect();
    let wanted: Vec<(Position, usize)> = goals[..4].iter().copied().zip([4, 3, 2, 1]).collect();
    assert_eq!(passed, wanted);
    let sent = trip.record().targets;
    let held = sent.first().map_or(0, |(_, place)| {
        usize::from(trip.plane.metres(*place).unwrap().distance_to(goals[0]) > 1.0)
    });
    assert_eq!(sent.len() - held, goals.len(), "{sent:?}");
}

#[test]
fn a_path_ends_where_it_would_leave_the_fence() {
    let mut trip = Trip::new(heavy(), document());
    trip.until(60.0, |trip| trip.has(|report| *report == Report::Ready));
    let far = trip.at(500.0, 0.0);
    let path = vec![trip.at(20.0, 0.0), trip.at(20.0, 20.0), far];
    trip.skipper.order(Order::Follow(path));
    trip.until(600.0, |trip| trip.legs_over() > 0);
    // The last goal is pulled inside.
    assert!(trip.clearance_m(0.0) > document().fence.margin_m - 0.1);
    let nowhere = Position::new(f64::NAN, 0.0);
    trip.skipper.order(Order::Follow(vec![
        trip.at(0.0, 0.0),
        nowhere,
        trip.at(0.0, 20.0),
    ]));
    trip.until(600.0, |trip| trip.legs_over() > 1);
    assert!(trip.way_home_m() < 3.0);
    assert!(trip.entries.say("not a number"));
}
