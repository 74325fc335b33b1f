//! The fence, the budget and the way home, on a boat that slides, drifts and runs out, over the real sockets.
#![allow(missing_docs)]

#[path = "support/trip.rs"]
mod trip;

use std::io::{Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::time::Duration;

use transect::budget::Budget;
use transect_field::GeoPosition;
use transect_field::bench::{BenchSettings, Fault, FaultKind};
use transect_field::link::LinkAddress;
use transect_field::skipper::{Conclusion, Entry, HomeReason, Order, Report, Want};
use transect_survey::field::ReceiverSettings;
use trip::{Trip, document};

/// Drives to and fro between two sides of the lake, coming straight at the fence each time.
fn to_and_fro(trip: &mut Trip, legs: usize) {
    trip.until(60.0, |trip| trip.has(|report| *report == Report::Ready));
    for leg in 0..legs {
        let side = if leg % 2 == 0 { 55.9 } else { -55.9 };
        let (over, goal) = (trip.legs_over(), trip.at(side, 0.0));
        trip.skipper.order(Order::Go(goal));
        trip.until(400.0, |trip| trip.legs_over() > over);
    }
}

/// The closest to the fence in the first legs and later, m, for a boat that is said to turn this fast and slides.
fn closest_m(turn_rate_radps: f64) -> (f64, f64) {
    let mut told = document();
    told.boat.speed_mps = 1.0;
    told.boat.turn_rate_radps = turn_rate_radps;
    told.vehicle.goal_radius_m = 1.0;
    told.fence.margin_m = 4.0;
    let bench = BenchSettings {
        coast_s: 4.0,
        turn_rate_radps: 0.5,
        ..BenchSettings::default()
    };
    let mut trip = Trip::new(bench, told);
    to_and_fro(&mut trip, 2);
    let (first_m, learnt_s) = (trip.clearance_m(0.0), trip.now_s);
    to_and_fro(&mut trip, 4);
    // The turn that ends the second leg was begun before anything was learnt from it.
    (first_m, trip.clearance_m(learnt_s + 20.0))
}

#[test]
fn turns_at_the_fence_leave_the_margin_alone() {
    let (first_m, later_m) = closest_m(0.5);
    assert!(
        first_m > 4.0 - 0.1 && later_m > 4.0 - 0.1,
        "{first_m} {later_m}"
    );
}

#[test]
fn a_boat_that_needs_more_room_than_was_said_gets_it() {
    let (first_m, later_m) = closest_m(5.0);
    assert!(
        first_m < 4.0 - 0.5,
        "there was something to learn: {first_m}"
    );
    assert!(later_m > 4.0 - 0.1, "{later_m}");
}

#[test]
fn a_boat_for_which_nothing_is_affordable_comes_home_and_says_which_budget_ended() {
    let budget = |time_s: f64, distance_m: Option<f64>| Budget {
        time_s: Some(time_s),
        distance_m,
        soundings: None,
    };
    for (budget, percent, reason) in [
        (budget(260.0, None), 100.0, HomeReason::Time),
        (budget(3000.0, Some(100.0)), 100.0, HomeReason::Distance),
        (budget(3000.0, None), 25.0, HomeReason::Battery),
    ] {
        for want in [Want::Hold, Want::Lawnmower] {
            let mut told = document();
            told.budget = budget;
            told.fallback.without_plan = want;
            told.boat.battery_percent_per_m = Some(0.05);
            let bench = BenchSettings {
                battery_percent: percent,
                battery_percent_per_m: 0.05,
                ..BenchSettings::default()
            };
            let mut trip = Trip::new(bench, told);
            trip.until(60.0, |trip| trip.has(|report| *report == Report::Ready));
            // A planner that knows nothing of budgets: always the far corner.
            let mut over = usize::MAX;
            let begun_s = trip.now_s;
            while !trip.has(|report| matches!(report, Report::Recalled(_))) {
                if trip.legs_over() != over {
                    over = trip.legs_over();
                    trip.skipper.order(Order::Go(trip.at(50.0, 50.0)));
                }
                trip.tick();
                assert!(trip.now_s < begun_s + 900.0, "{:#?}", trip.entries.lines());
            }
            assert!(
                trip.has(|report| *report == Report::Recalled(reason)),
                "{reason:?} {:#?}",
                trip.entries.lines()
            );
            // It does not sit and count soundings on one spot.
            let idle = trip
                .entries
                .lines()
                .iter()
                .filter(|line| line.contains("holding in place"))
                .count();
            assert!(idle <= 3, "{:#?}", trip.entries.lines());
            trip.until(200.0, |trip| trip.conclusion().is_some());
            assert_eq!(trip.conclusion(), Some(Conclusion::Home));
            assert!(trip.way_home_m() < 3.0);
        }
    }
}

#[test]
fn a_silent_link_is_not_blamed_on_the_receiver() {
    let cut = Fault {
        at_s: 20.0,
        for_s: Some(40.0),
        kind: FaultKind::LinkLost,
    };
    let bench = BenchSettings {
        faults: vec![cut],
        ..BenchSettings::default()
    };
    let mut trip = Trip::new(bench, document());
    trip.under_way(50.0, 0.0);
    trip.run(70.0 - trip.now_s);
    assert!(trip.entries.say("link lost"));
    assert!(trip.entries.say("not reported its position lately"));
    let blamed = |(at_s, entry): &(f64, Entry)| *at_s > 5.0 && entry.to_string().contains("3D fix");
    assert!(
        !trip.entries.all().iter().any(blamed),
        "{:#?}",
        trip.entries.lines()
    );
    assert!(
        trip.entries.say("depths have no place"),
        "{:#?}",
        trip.entries.lines()
    );
}

/// A link that is silent from 20 to 60 s, and a receiver of our own that says all the time where the boat truly is: `send` gets its
/// sentences.
fn with_receiver(receiver: ReceiverSettings, send: &mut dyn FnMut(&str)) {
    let cut = Fault {
        at_s: 20.0,
        for_s: Some(40.0),
        kind: FaultKind::LinkLost,
    };
    let bench = BenchSettings {
        faults: vec![cut],
        ..BenchSettings::default()
    };
    let mut told = document();
    told.receiver = Some(receiver);
    let mut trip = Trip::new(bench, told);
    trip.under_way(50.0, 0.0);
    while trip.now_s < 70.0 {
        trip.run(0.5);
        let GeoPosition { lat_deg, lon_deg } = trip.record().position;
        let minutes =
            |degrees: f64| format!("{:02}{:08.5}", degrees.trunc(), 60.0 * degrees.fract());
        let day_s = format!("1200{:05.2}", trip.now_s % 60.0);
        let content = format!(
            "GPGGA,{day_s},{},N,0{},W,1,08,0.9,300.0,M,-30.0,M,,",
            minutes(lat_deg),
            minutes(-lon_deg)
        );
        let sum = content.bytes().fold(0, |sum, byte| sum ^ byte);
        send(&format!("${content}*{sum:02X}\r\n"));
    }
    assert!(
        trip.entries.say("soundings go on"),
        "{:#?}",
        trip.entries.lines()
    );
    let during: Vec<_> = trip
        .entries
        .all()
        .into_iter()
        .filter_map(|(at_s, entry)| match entry {
            Entry::Sounding { sounding, .. } if (25.0..50.0).contains(&at_s) => Some(sounding),
            _ => None,
        })
        .collect();
    assert!(during.len() > 15, "{}", during.len());
    // The boat went on to the north; the places follow it.
    let first = during.first().unwrap().position;
    assert!(during.iter().any(|s| s.position.y > first.y + 8.0));
}

#[test]
fn soundings_go_on_through_a_silent_link_where_there_is_a_receiver_of_our_own() {
    let port = UdpSocket::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let receiver = UdpSocket::bind("127.0.0.1:0").unwrap();
    let link = LinkAddress::UdpIn(port.to_string());
    with_receiver(ReceiverSettings::Nmea { link }, &mut |sentence| {
        receiver.send_to(sentence.as_bytes(), port).unwrap();
    });
}

/// gpsd says who it is, and passes sentences on once it was asked for them.
#[test]
fn or_one_behind_gpsd() {
    let gpsd = TcpListener::bind("127.0.0.1:0").unwrap();
    let link = LinkAddress::Tcp(gpsd.local_addr().unwrap().to_string());
    let (mut client, mut asked) = (None, String::new());
    with_receiver(ReceiverSettings::Gpsd { link }, &mut |sentence| {
        let stream = client.get_or_insert_with(|| {
            let (mut stream, _) = gpsd.accept().unwrap();
            stream.set_nonblocking(true).unwrap();
            // Simulated time does not wait for small packets to be gathered.
            stream.set_nodelay(true).unwrap();
            stream
                .write_all(b"{\"class\":\"VERSION\",\"release\":\"3.25\"}\r\n")
                .unwrap();
            stream
        });
        let mut buffer = [0; 256];
        let count = stream.read(&mut buffer).unwrap_or(0);
        asked.push_str(&String::from_utf8_lossy(&buffer[..count]));
        if asked.contains("?WATCH={\"enable\":true,\"nmea\":true}") {
            stream.write_all(sentence.as_bytes()).unwrap();
        } else {
            // The connection is opened in real time.
            std::thread::sleep(Duration::from_millis(10));
        }
    });
}
