//! Who has the boat, and what it hears last: the operator's word counts, over the real sockets.
#![allow(missing_docs)]

#[path = "support/trip.rs"]
mod trip;

use transect_field::autopilot::{Mode, Parting};
use transect_field::bench::{BenchSettings, Fault, FaultKind, Heard};
use transect_field::skipper::{Conclusion, Order, Report};
use trip::{Trip, document};

/// A hull that needs some metres to stop.
fn heavy(faults: Vec<Fault>) -> BenchSettings {
    BenchSettings {
        coast_s: 3.0,
        faults,
        ..BenchSettings::default()
    }
}

fn fault(kind: FaultKind, at_s: f64, for_s: f64) -> Fault {
    let for_s = for_s.is_finite().then_some(for_s);
    Fault { at_s, for_s, kind }
}

#[test]
fn a_second_interrupt_leaves_a_boat_that_is_stopped_and_disarmed() {
    let mut trip = Trip::new(heavy(vec![]), document());
    trip.under_way(50.0, 0.0);
    trip.run(10.0);
    trip.interrupt();
    trip.run(0.3);
    trip.interrupt();
    trip.until(30.0, |trip| trip.conclusion().is_some());
    let heard = trip.record().heard;
    trip.run(22.0);
    let record = trip.record();
    assert_eq!(trip.conclusion(), Some(Conclusion::Stopped), "{heard:?}");
    assert_eq!(
        (record.mode, record.armed),
        (Mode::HOLD, false),
        "{heard:?}"
    );
    assert!(record.speed_mps < 0.01, "{}", record.speed_mps);
    let last: Vec<Heard> = heard.iter().rev().take(2).map(|heard| heard.1).collect();
    assert_eq!(last, [Heard::Disarm, Heard::Mode(Mode::HOLD)]);
    assert!(
        trip.entries.say("stopped and disarmed"),
        "{:#?}",
        trip.entries.lines()
    );
}

#[test]
fn an_interrupt_before_arming_does_not_leave_the_boat_in_guided_mode() {
    for interrupts in [1, 2] {
        let refusing = fault(FaultKind::ArmingRefused, 0.0, f64::INFINITY);
        let mut trip = Trip::new(heavy(vec![refusing]), document());
        trip.until(30.0, |trip| trip.record().mode == Mode::GUIDED);
        trip.run(1.0);
        for _ in 0..interrupts {
            trip.interrupt();
        }
        trip.until(30.0, |trip| trip.conclusion().is_some());
        trip.run(10.0);
        let record = trip.record();
        assert_eq!((record.mode, record.armed), (Mode::HOLD, false));
    }
}

#[test]
fn a_boat_that_never_becomes_ready_is_not_left_in_guided_mode() {
    let refusing = fault(FaultKind::ArmingRefused, 0.0, f64::INFINITY);
    let mut told = document();
    told.fallback.ready_within_s = 40.0;
    let mut trip = Trip::new(heavy(vec![refusing]), told);
    trip.until(90.0, |trip| trip.conclusion().is_some());
    assert_eq!(trip.conclusion(), Some(Conclusion::NotReady));
    assert_eq!(trip.record().mode, Mode::HOLD);
    assert!(trip.entries.say("Arm: Hardware safety switch"));
}

#[test]
fn a_stop_that_nobody_confirms_is_said_to_be_unconfirmed() {
    let cut = fault(FaultKind::LinkLost, 20.0, f64::INFINITY);
    let mut trip = Trip::new(heavy(vec![cut]), document());
    trip.under_way(50.0, 0.0);
    trip.run(22.0 - trip.now_s);
    trip.interrupt();
    trip.interrupt();
    trip.until(60.0, |trip| trip.conclusion().is_some());
    assert_eq!(trip.conclusion(), Some(Conclusion::Unconfirmed));
    assert!(
        trip.entries.say("did not confirm"),
        "{:#?}",
        trip.entries.lines()
    );
}

/// The trial: link cut, the operator takes over 20 s later, and the link comes back after 40 s.
#[test]
fn a_mode_that_was_chosen_during_a_silence_is_left_alone() {
    for mode in [Mode::MANUAL, Mode::HOLD, Mode::LOITER] {
        let faults = vec![
            fault(FaultKind::LinkLost, 20.0, 40.0),
            fault(FaultKind::OperatorMode(mode), 40.0, 60.0),
        ];
        let mut trip = Trip::new(heavy(faults), document());
        trip.under_way(50.0, 0.0);
        trip.run(95.0 - trip.now_s);
        let record = trip.record();
        assert_eq!(record.mode, mode, "{:?}", record.heard);
        assert_eq!(record.overruled(), [], "{:#?}", trip.entries.lines());
        assert!(
            trip.entries.say(&format!("chose {mode}")),
            "{:#?}",
            trip.entries.lines()
        );
        // What is next is where it was going, not where it was held.
        let status = trip.skipper.status();
        let next = status.goal_place.unwrap();
        let wanted = trip.plane.degrees(trip.at(50.0, 0.0)).unwrap();
        assert!(next.distance_m(wanted) < 0.1, "{next}");
        // Given back at 100 s, it goes on.
        trip.until(60.0, |trip| trip.record().speed_mps > 0.5);
        assert_eq!(trip.record().overruled(), []);
    }
}

#[test]
fn a_failsafe_that_stopped_the_boat_during_a_silence_is_left_alone() {
    let bench = BenchSettings {
        failsafe_after_s: Some(5.0),
        ..heavy(vec![fault(FaultKind::LinkLost, 20.0, 40.0)])
    };
    let mut trip = Trip::new(bench, document());
    trip.under_way(50.0, 0.0);
    trip.run(100.0 - trip.now_s);
    let record = trip.record();
    assert!(
        record
            .heard
            .contains(&(record.heard.last().unwrap().0, Heard::Failsafe(Mode::HOLD)))
    );
    assert_eq!(record.overruled(), [], "{:#?}", trip.entries.lines());
    assert_eq!(record.mode, Mode::HOLD);
}

/// One who asks for home, or for a stop, does not take the boat from the operator at the radio.
#[test]
fn interrupts_leave_a_boat_that_the_operator_drives_alone() {
    for interrupts in [1, 2] {
        let faults = vec![
            fault(FaultKind::LinkLost, 20.0, 20.0),
            fault(FaultKind::OperatorMode(Mode::MANUAL), 30.0, f64::INFINITY),
        ];
        let mut told = document();
        told.fallback.taken_over_s = 60.0;
        let mut trip = Trip::new(heavy(faults), told);
        trip.under_way(50.0, 0.0);
        trip.run(36.0 - trip.now_s);
        for _ in 0..interrupts {
            trip.interrupt();
        }
        trip.until(120.0, |trip| trip.conclusion().is_some());
        trip.run(10.0);
        let record = trip.record();
        assert_eq!(trip.conclusion(), Some(Conclusion::TakenOver));
        assert_eq!((record.mode, record.armed), (Mode::MANUAL, true));
        assert_eq!(record.overruled(), []);
    }
}

#[test]
fn a_boat_comes_to_rest_before_it_is_disarmed_at_home() {
    let bench = BenchSettings {
        waypoint_radius_m: 3.0,
        ..heavy(vec![])
    };
    let mut trip = Trip::new(bench, document());
    trip.under_way(40.0, 0.0);
    trip.run(40.0);
    trip.interrupt();
    trip.until(200.0, |trip| trip.conclusion().is_some());
    let record = trip.record();
    assert_eq!(trip.conclusion(), Some(Conclusion::Home));
    assert_eq!((record.mode, record.armed), (Mode::HOLD, false));
    let speed_mps = record.disarmed_at_mps.unwrap();
    assert!(speed_mps < 0.25, "disarmed at {speed_mps} m/s");
    assert!(trip.way_home_m() < 4.0, "{}", trip.way_home_m());
}

#[test]
fn a_boat_is_left_at_home_as_it_was_set() {
    for (at_home, mode, armed) in [
        (Parting::Disarm, Mode::HOLD, false),
        (Parting::Hold, Mode::HOLD, true),
        (Parting::Loiter, Mode::LOITER, true),
    ] {
        let bench = BenchSettings {
            current_east_mps: 0.2,
            ..heavy(vec![])
        };
        let mut told = document();
        told.boat.at_home = at_home;
        let mut trip = Trip::new(bench, told);
        trip.under_way(30.0, 0.0);
        trip.run(20.0);
        trip.interrupt();
        trip.until(200.0, |trip| trip.conclusion().is_some());
        assert_eq!(trip.conclusion(), Some(Conclusion::Home));
        trip.run(155.0);
        let record = trip.record();
        assert_eq!((record.mode, record.armed), (mode, armed));
        // A current of 0.2 m/s takes a boat without motors 31 m away.
        let stays = at_home == Parting::Loiter;
        assert_eq!(trip.way_home_m() < 5.0, stays, "{}", trip.way_home_m());
    }
}

/// A program that was killed has left the boat under way; the next one is interrupted before it has heard of it.
#[test]
fn a_boat_that_was_left_under_way_is_brought_home_or_stopped() {
    for interrupts in [1, 2] {
        let mut first = Trip::new(heavy(vec![]), document());
        first.under_way(50.0, 0.0);
        first.run(10.0);
        // The boat goes on with another program at the helm.
        let mut trip = first.taken_up(document());
        for _ in 0..interrupts {
            trip.interrupt();
        }
        trip.until(200.0, |trip| trip.conclusion().is_some());
        let record = trip.record();
        assert_eq!((record.mode, record.armed), (Mode::HOLD, false));
        let (conclusion, near) = match interrupts {
            1 => (Conclusion::Home, true),
            _ => (Conclusion::Stopped, false),
        };
        assert_eq!(
            trip.conclusion(),
            Some(conclusion),
            "{:#?}",
            trip.entries.lines()
        );
        assert_eq!(trip.way_home_m() < 5.0, near, "{}", trip.way_home_m());
    }
}

/// The boat was stopped by us for want of a position; then the line was cut, and the operator chose the same mode.
#[test]
fn a_hold_that_the_operator_may_have_chosen_during_a_silence_is_left_alone() {
    let faults = vec![
        fault(FaultKind::GpsFrozen, 20.0, 25.0),
        fault(FaultKind::LinkLost, 35.0, 40.0),
        fault(FaultKind::OperatorMode(Mode::HOLD), 50.0, 60.0),
    ];
    let mut trip = Trip::new(heavy(faults), document());
    trip.under_way(50.0, 0.0);
    trip.run(34.0 - trip.now_s);
    assert_eq!(trip.record().mode, Mode::HOLD, "stopped by us");
    trip.run(105.0 - trip.now_s);
    assert_eq!(trip.record().overruled(), [], "{:#?}", trip.entries.lines());
    assert_eq!(trip.record().mode, Mode::HOLD);
    trip.until(60.0, |trip| trip.record().speed_mps > 0.5);
}

/// The operator is quicker than the first heartbeat in guided mode.
#[test]
fn an_operator_who_takes_the_boat_at_once_is_not_asked_for_it_again() {
    for tenths in 0..30 {
        let at_s = 2.0 + 0.1 * f64::from(tenths);
        let taken = fault(FaultKind::OperatorMode(Mode::MANUAL), at_s, 40.0);
        let mut trip = Trip::new(heavy(vec![taken]), document());
        trip.run(at_s + 30.0);
        let record = trip.record();
        assert_eq!(
            record.overruled(),
            [],
            "{at_s} {:?} {:#?}",
            record.heard,
            trip.entries.lines()
        );
    }
}

#[test]
fn a_boat_that_is_paused_waits_and_goes_on_afterwards() {
    let bench = BenchSettings {
        current_east_mps: 0.2,
        ..heavy(vec![])
    };
    let mut trip = Trip::new(bench, document());
    trip.under_way(50.0, 0.0);
    trip.run(10.0);
    trip.operator.pause(true);
    trip.run(15.0);
    let (before, soundings) = (trip.record(), trip.soundings());
    // Neither a mission that is done with its plan moves it meanwhile ...
    trip.skipper.order(Order::Go(trip.at(0.0, 50.0)));
    trip.run(60.0);
    let record = trip.record();
    assert_eq!((record.mode, record.armed), (Mode::GUIDED, true));
    let moved_m = record.position.distance_m(before.position);
    assert!(moved_m < 4.0, "{moved_m} m: {:#?}", trip.entries.lines());
    // ... nor do soundings of one place fill the map.
    assert_eq!(trip.soundings(), soundings);
    let status = trip.skipper.status();
    assert!(
        status.paused && status.doing.contains("paused"),
        "{}",
        status.doing
    );
    trip.operator.pause(false);
    let goal = trip.plane.degrees(trip.at(0.0, 50.0)).unwrap();
    trip.until(200.0, |trip| trip.record().position.distance_m(goal) < 3.0);
    assert!(trip.soundings() > soundings + 20);
}

#[test]
fn a_pause_before_arming_keeps_the_motors_off() {
    let mut told = document();
    told.fallback.ready_within_s = 40.0;
    let mut trip = Trip::new(heavy(vec![]), told);
    trip.operator.pause(true);
    trip.run(90.0);
    assert_eq!(trip.record().heard, []);
    assert_eq!(trip.conclusion(), None, "nobody has lost patience");
    trip.operator.pause(false);
    trip.until(30.0, |trip| trip.has(|report| *report == Report::Ready));
}

/// Home, a stop, the end of the budget and the operator at the radio all count for more than a pause.
#[test]
fn a_pause_gives_way_to_whatever_is_stronger() {
    let paused = |faults, time_s| {
        let mut told = document();
        told.budget.time_s = Some(time_s);
        let mut trip = Trip::new(heavy(faults), told);
        trip.under_way(50.0, 0.0);
        trip.run(25.0);
        trip.operator.pause(true);
        trip.run(20.0);
        trip
    };
    for (interrupts, conclusion) in [(1, Conclusion::Home), (2, Conclusion::Stopped)] {
        let mut trip = paused(vec![], 3000.0);
        for _ in 0..interrupts {
            trip.interrupt();
        }
        trip.until(200.0, |trip| trip.conclusion().is_some());
        assert_eq!(trip.conclusion(), Some(conclusion));
        assert_eq!(trip.record().mode, Mode::HOLD);
        assert!(!trip.record().armed);
    }
    // Nobody ends this pause.
    let mut trip = paused(vec![], 300.0);
    trip.until(400.0, |trip| trip.conclusion().is_some());
    assert_eq!(trip.conclusion(), Some(Conclusion::Home));
    assert!(trip.way_home_m() < 4.0, "{}", trip.way_home_m());
    let manual = fault(FaultKind::OperatorMode(Mode::MANUAL), 60.0, 30.0);
    let mut trip = paused(vec![manual], 3000.0);
    trip.run(80.0 - trip.now_s);
    trip.operator.pause(false);
    trip.run(5.0);
    assert_eq!(trip.record().mode, Mode::MANUAL);
    assert_eq!(trip.record().overruled(), []);
}

/// Its motors were stopped for want of a position during the pause; with one again it keeps its place.
#[test]
fn a_boat_that_is_paused_does_not_drift_away_once_it_knows_where_it_is() {
    let bench = BenchSettings {
        current_east_mps: 0.2,
        ..heavy(vec![fault(FaultKind::NoGpsFix, 50.0, 20.0)])
    };
    let mut trip = Trip::new(bench, document());
    trip.under_way(50.0, 0.0);
    trip.run(40.0 - trip.now_s);
    trip.operator.pause(true);
    trip.run(95.0 - trip.now_s);
    let before = trip.record().position;
    trip.run(100.0);
    let moved_m = trip.record().position.distance_m(before);
    assert!(moved_m < 4.0, "{moved_m} m: {:#?}", trip.entries.lines());
}

/// The boat is stopped for want of a position, and the mission sends it elsewhere before that shows: the stop is still ours.
#[test]
fn a_stop_of_our_own_is_not_taken_for_somebody_elses() {
    for tenths in 0..25 {
        let mut trip = Trip::new(
            heavy(vec![fault(FaultKind::NoGpsFix, 20.0, 12.0)]),
            document(),
        );
        trip.under_way(50.0, 0.0);
        trip.run(20.0 + 0.1 * f64::from(tenths) - trip.now_s);
        trip.skipper.order(Order::Go(trip.at(0.0, 50.0)));
        trip.run(45.0 - trip.now_s);
        assert!(
            !trip.entries.say("chose HOLD") && trip.record().speed_mps > 0.3,
            "{tenths} {:#?}",
            trip.entries.lines()
        );
    }
}
