//! Everything that goes wrong on the water, over the real sockets: the operator is told, nothing wrong is
//! believed, and the boat goes on when it can.
#![allow(missing_docs)]

mod support;

use support::{HOME, Rig, SPEED_MPS, depth_m, fault};
use transect_field::autopilot::{Helm, HelmEvent, Mode, Parting, Phase, PositionTrouble, Takeover};
use transect_field::bench::{BenchSettings, FaultKind};
use transect_field::join::Rejection;
use transect_field::sonar::Sounder;

/// Soundings are 2 cm of sonar and 2 cm of GPS noise away from the truth; the bed's slope is small.
const NOISE_M: f64 = 0.12;

fn position_lost(wanted: PositionTrouble) -> impl Fn(&HelmEvent) -> bool {
    move |event| matches!(event, HelmEvent::PositionLost { trouble } if *trouble == wanted)
}

#[test]
fn a_good_day() {
    let mut rig = Rig::new(&[]);
    rig.drive_north(30.0);
    rig.until(120.0, Rig::arrived);
    rig.run(10.0);
    let record = rig.boat.record();
    assert_eq!(record.targets.len(), 1, "a place is sent once");
    assert!(record.heartbeat_gap_s <= 1.1, "{}", record.heartbeat_gap_s);
    assert!(record.position.distance_m(HOME.moved(30.0, 0.0)) < 2.0);
    let told_mps = record.told_speed_mps.unwrap();
    assert!((told_mps - SPEED_MPS).abs() < 1e-6, "{told_mps}");
    assert!(!rig.has(|event| matches!(event, HelmEvent::SpeedRefused { .. })));
    assert_eq!(rig.helm.state().battery_percent, Some(99));
    assert!(
        rig.helm
            .state()
            .home
            .is_some_and(|home| home.distance_m(HOME) < 0.1)
    );
    // Twice a second while there are fixes; none is rejected then.
    assert!(rig.soundings().len() > 80, "{}", rig.soundings().len());
    assert!(rig.worst_error_m() < NOISE_M, "{}", rig.worst_error_m());
    let late = rig
        .rejections()
        .into_iter()
        .filter(|(at_s, _)| *at_s > 10.0)
        .count();
    assert_eq!(late, 0);

    rig.helm.return_home();
    rig.until(120.0, |rig| {
        rig.boat.record().position.distance_m(HOME) < 1.0
    });
    assert_eq!(rig.helm.state().phase, Phase::Returning);
    rig.helm.release(Parting::Disarm);
    rig.until(20.0, |rig| {
        rig.helm.state().phase == Phase::Standby && !rig.boat.record().armed
    });
    assert_eq!(rig.boat.record().mode, Mode::HOLD);
}

/// ArduPilot's simulator has a WP_RADIUS of 3 m where ours is 2 m.
#[test]
fn an_autopilot_that_stops_short_has_arrived() {
    let mut rig = Rig::with(BenchSettings {
        home: HOME,
        waypoint_radius_m: 3.0,
        ..BenchSettings::default()
    });
    rig.drive_north(30.0);
    rig.until(120.0, Rig::arrived);
    rig.run(60.0);
    let stopped_m = rig.boat.record().position.distance_m(HOME.moved(30.0, 0.0));
    assert!(stopped_m > 2.5 && stopped_m < 3.0, "{stopped_m}");
    assert_eq!(rig.boat.record().targets.len(), 1, "it is left there");
    rig.helm.go_to(HOME.moved(10.0, 0.0));
    rig.until(120.0, |rig| {
        rig.count(|event| matches!(event, HelmEvent::Arrived { .. })) == 2
    });
    let told =
        rig.count(|event| matches!(event, HelmEvent::StopsShort { radius_m } if (2.5..3.1).contains(radius_m)));
    assert_eq!(told, 1);
}

#[test]
fn holding_stays_where_the_boat_is_and_is_sent_once() {
    let mut rig = Rig::new(&[]);
    rig.drive_north(50.0);
    rig.run(20.0);
    let there = rig.boat.record().position;
    rig.helm.hold();
    rig.run(30.0);
    assert!(rig.boat.record().position.distance_m(there) < 1.5);
    assert_eq!(rig.boat.record().targets.len(), 2);
    assert!(!rig.arrived());
    rig.helm.go_to(HOME.moved(25.0, 0.0));
    rig.until(60.0, Rig::arrived);
}

#[test]
fn the_link_is_lost_for_a_while() {
    for for_s in [5.0, 60.0] {
        let mut rig = Rig::new(&fault(FaultKind::LinkLost, 20.0, for_s));
        rig.drive_north(60.0);
        rig.until(200.0, Rig::arrived);
        if for_s > 6.0 {
            let lost_s = rig
                .when(|e| matches!(e, HelmEvent::LinkLost { .. }))
                .unwrap();
            assert!((24.0..27.0).contains(&lost_s), "{lost_s}");
        }
        // The autopilot drove on meanwhile: there was nothing to send again.
        assert_eq!(rig.boat.record().targets.len(), 1, "{:#?}", rig.told());
        assert!(rig.worst_error_m() < NOISE_M);
        let unplaced = |(at_s, why): &(f64, Rejection)| *at_s > 21.0 && *why == Rejection::NoFix;
        assert!(
            rig.rejections().iter().any(unplaced),
            "the sonar went on without places"
        );
    }
}

#[test]
fn the_link_is_lost_for_good() {
    let mut rig = Rig::new(&fault(FaultKind::LinkLost, 20.0, f64::INFINITY));
    rig.drive_north(60.0);
    rig.run(120.0);
    assert_eq!(rig.helm.state().phase, Phase::NoLink);
    assert_eq!(rig.count(|e| matches!(e, HelmEvent::LinkLost { .. })), 1);
    assert!(
        rig.helm
            .state()
            .link_age_s
            .is_some_and(|age_s| age_s > 90.0)
    );
}

#[test]
fn the_fix_is_lost() {
    let mut rig = Rig::new(&fault(FaultKind::NoGpsFix, 20.0, 15.0));
    rig.drive_north(40.0);
    rig.until(200.0, Rig::arrived);
    let lost_s = rig.when(position_lost(PositionTrouble::NoFix)).unwrap();
    let lost_again = rig
        .events
        .iter()
        .rfind(|(_, e)| position_lost(PositionTrouble::NoFix)(e));
    assert!(
        lost_again.is_some_and(|(at_s, _)| (20.0..22.0).contains(at_s)),
        "{lost_s}"
    );
    assert!(rig.worst_error_m() < NOISE_M);
    let trouble = PositionTrouble::NoFix;
    assert!(
        rig.rejections()
            .iter()
            .any(|(_, why)| *why == Rejection::Position { trouble })
    );
}

#[test]
fn the_position_jumps() {
    let mut rig = Rig::new(&fault(FaultKind::PositionJump(50.0), 25.0, 10.0));
    rig.drive_north(40.0);
    rig.until(200.0, Rig::arrived);
    let jumped_s = rig.when(position_lost(PositionTrouble::Jumped)).unwrap();
    assert!((25.0..25.5).contains(&jumped_s), "{jumped_s}");
    assert!(rig.has(|e| *e == HelmEvent::PositionGood));
    assert!(rig.worst_error_m() < NOISE_M, "{}", rig.worst_error_m());
}

#[test]
fn the_position_is_frozen() {
    let mut rig = Rig::new(&fault(FaultKind::GpsFrozen, 25.0, 20.0));
    rig.drive_north(60.0);
    rig.until(200.0, Rig::arrived);
    let frozen_s = rig.when(position_lost(PositionTrouble::Frozen)).unwrap();
    assert!((29.0..32.0).contains(&frozen_s), "{frozen_s}");
    assert!(rig.worst_error_m() < NOISE_M, "{}", rig.worst_error_m());
}

#[test]
fn a_boat_whose_position_misleads_it_stops_when_told_to_hold() {
    let mut rig = Rig::new(&fault(FaultKind::GpsFrozen, 25.0, 20.0));
    rig.drive_north(60.0);
    rig.until(60.0, |rig| rig.has(position_lost(PositionTrouble::Frozen)));
    rig.helm.hold();
    rig.run(3.0);
    let stopped_at = rig.boat.record().position;
    assert_eq!(rig.boat.record().mode, Mode::HOLD);
    rig.until(60.0, |rig| rig.helm.state().phase == Phase::Ready);
    assert!(rig.boat.record().position.distance_m(stopped_at) < 0.1);
    rig.helm.go_to(HOME.moved(40.0, 0.0));
    rig.until(100.0, Rig::arrived);
    assert!(
        !rig.has(|e| matches!(e, HelmEvent::TakenOver { .. })),
        "{:#?}",
        rig.told()
    );
    assert_eq!(rig.boat.record().targets.len(), 2);
}

#[test]
fn the_sonar_is_silent() {
    let mut rig = Rig::new(&fault(FaultKind::SonarSilent, 20.0, 15.0));
    rig.drive_north(40.0);
    rig.run(30.0 - rig.now_s);
    assert!(rig.sonar.age_s(rig.now_s).is_some_and(|age_s| age_s > 9.0));
    rig.until(100.0, Rig::arrived);
    assert!(
        rig.soundings()
            .last()
            .is_some_and(|sounding| sounding.time_s > 40.0)
    );
}

#[test]
fn the_sonar_is_stuck() {
    let mut rig = Rig::new(&fault(FaultKind::SonarStuck, 20.0, f64::INFINITY));
    rig.drive_north(60.0);
    rig.until(200.0, Rig::arrived);
    let stuck = |(_, why): &&(f64, Rejection)| matches!(why, Rejection::Stuck { .. });
    let rejections = rig.rejections();
    let first_s = rejections
        .iter()
        .find(stuck)
        .map(|(at_s, _)| *at_s)
        .unwrap();
    // Fifteen equal readings, two a second, the first of them true: seven seconds after the last one.
    assert!((26.4..27.6).contains(&first_s), "{first_s}");
    assert!(
        rig.soundings()
            .iter()
            .all(|sounding| sounding.time_s < first_s)
    );
}

#[test]
fn the_sonar_spikes() {
    let mut rig = Rig::new(&fault(FaultKind::SonarSpikes, 15.0, f64::INFINITY));
    rig.drive_north(60.0);
    rig.until(200.0, Rig::arrived);
    let spikes = rig
        .rejections()
        .iter()
        .filter(|(_, why)| matches!(why, Rejection::Jump { .. }))
        .count();
    assert!(spikes > 30, "{spikes}");
    // What is close to the readings before it is believed: 3 m, and a little for the slope.
    assert!(rig.worst_error_m() < 3.5, "{}", rig.worst_error_m());
    assert!(rig.soundings().len() > 100);
}

#[test]
fn the_sonar_is_unsure() {
    let mut rig = Rig::new(&fault(FaultKind::SonarUnsure, 20.0, 10.0));
    rig.drive_north(30.0);
    rig.until(100.0, Rig::arrived);
    let unsure = rig
        .rejections()
        .into_iter()
        .filter(|(_, why)| matches!(why, Rejection::Confidence { .. }));
    assert!((18..=21).contains(&unsure.count()));
    assert!(
        rig.soundings()
            .iter()
            .all(|s| !(20.2..29.8).contains(&s.time_s))
    );
}

#[test]
fn garbage_comes_on_every_port() {
    let mut rig = Rig::new(&fault(FaultKind::Garbage, 0.0, f64::INFINITY));
    rig.drive_north(30.0);
    rig.until(150.0, Rig::arrived);
    assert_eq!(rig.helm.state().system_id, Some(1));
    assert!(rig.worst_error_m() < NOISE_M, "{}", rig.worst_error_m());
    assert!(rig.soundings().len() > 60, "{}", rig.soundings().len());
}

#[test]
fn a_second_vehicle_speaks_on_the_line() {
    let mut rig = Rig::new(&fault(FaultKind::SecondSystem(42), 5.0, f64::INFINITY));
    rig.drive_north(30.0);
    rig.until(100.0, Rig::arrived);
    assert_eq!(
        rig.count(|e| matches!(e, HelmEvent::StrangerIgnored { system_id: 42, .. })),
        1
    );
    assert_eq!(rig.helm.state().battery_percent, Some(99));
    assert!(!rig.has(|e| matches!(e, HelmEvent::TakenOver { .. })));
    assert!(rig.worst_error_m() < NOISE_M);
}

#[test]
fn the_autopilots_clock_goes_back() {
    let mut rig = Rig::new(&fault(FaultKind::ClockBack(40.0), 20.0, f64::INFINITY));
    rig.drive_north(30.0);
    rig.until(100.0, Rig::arrived);
    assert_eq!(rig.count(|e| *e == HelmEvent::Rebooted), 1);
    let soundings = rig.soundings();
    assert!(
        soundings
            .windows(2)
            .all(|pair| pair[0].time_s < pair[1].time_s)
    );
    assert!(rig.worst_error_m() < NOISE_M);
}

#[test]
fn our_own_clock_goes_back() {
    let mut rig = Rig::new(&[]);
    rig.drive_north(30.0);
    rig.run(10.0);
    rig.now_s -= 5.0;
    rig.until(100.0, Rig::arrived);
    assert!(
        rig.soundings()
            .windows(2)
            .all(|pair| pair[0].time_s <= pair[1].time_s)
    );
    assert!(rig.worst_error_m() < NOISE_M);
}

#[test]
fn arming_is_refused_and_the_reason_is_told() {
    let mut rig = Rig::new(&fault(FaultKind::ArmingRefused, 0.0, 18.0));
    rig.drive_north(20.0);
    let refusals: Vec<&str> = rig
        .events
        .iter()
        .filter_map(|(_, event)| match event {
            HelmEvent::ArmingRefused { reason, .. } => Some(reason.as_str()),
            _ => None,
        })
        .collect();
    assert!(refusals.len() >= 3, "{refusals:?}");
    assert!(
        refusals
            .iter()
            .all(|r| *r == "failed: Arm: Hardware safety switch"),
        "{refusals:?}"
    );
    rig.until(100.0, Rig::arrived);
}

#[test]
fn the_operator_takes_over_and_gives_back() {
    let mut rig = Rig::new(&fault(FaultKind::OperatorMode(Mode::MANUAL), 20.0, 20.0));
    rig.drive_north(40.0);
    rig.run(35.0 - rig.now_s);
    let by = Takeover::Mode(Mode::MANUAL);
    assert_eq!(rig.helm.state().phase, Phase::Paused { by });
    let paused_at = rig.boat.record().position;
    rig.helm.go_to(HOME.moved(45.0, 0.0));
    rig.run(4.0);
    assert_eq!(
        rig.boat.record().targets.len(),
        1,
        "nothing is sent meanwhile"
    );
    assert!(rig.boat.record().position.distance_m(paused_at) < 0.1);
    rig.until(100.0, Rig::arrived);
    assert!(rig.has(|e| *e == HelmEvent::GivenBack));
    assert_eq!(rig.boat.record().targets.len(), 2);
    assert!(rig.boat.record().position.distance_m(HOME.moved(45.0, 0.0)) < 2.1);
}

#[test]
fn a_boat_that_the_operator_drives_is_not_disarmed() {
    let mut rig = Rig::new(&fault(
        FaultKind::OperatorMode(Mode::MANUAL),
        20.0,
        f64::INFINITY,
    ));
    rig.drive_north(40.0);
    rig.run(25.0 - rig.now_s);
    rig.helm.release(Parting::Disarm);
    rig.run(20.0);
    assert!(rig.boat.record().armed);
    assert_eq!(rig.boat.record().mode, Mode::MANUAL);
}

#[test]
fn the_same_seed_gives_the_same_day() {
    let day = |seed| {
        let faults = [
            fault(FaultKind::Garbage, 5.0, 20.0),
            fault(FaultKind::SonarSpikes, 15.0, 10.0),
        ]
        .concat();
        let mut rig = Rig::with(BenchSettings {
            home: HOME,
            faults,
            seed,
            ..BenchSettings::default()
        });
        rig.drive_north(30.0);
        rig.until(150.0, Rig::arrived);
        (rig.events, rig.joined)
    };
    assert!(day(1) == day(1));
    assert!(day(1).1 != day(2).1);
}

#[test]
fn the_bed_of_these_tests_tells_the_place() {
    assert!((depth_m(HOME.moved(50.0, 0.0)) - depth_m(HOME) - 5.0).abs() < 1e-3);
}
