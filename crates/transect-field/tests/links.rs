//! Links over the real thing, and what comes through them.
#![allow(missing_docs)]

mod support;

use std::io::{Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::time::{Duration, Instant};

use transect_field::autopilot::{Autopilot, AutopilotSettings, Helm, Phase};
use transect_field::bench::{BenchBoat, BenchSettings};
use transect_field::clock::Clock;
use transect_field::join::{Joined, Joiner, SoundingSettings};
use transect_field::link::{Link, LinkStatus};
use transect_field::sonar::{DepthSource, Nmea, Sounder};

/// Polls for up to five real seconds.
fn wait(mut done: impl FnMut(f64) -> bool) {
    let start = Instant::now();
    while !done(start.elapsed().as_secs_f64()) {
        assert!(start.elapsed() < Duration::from_secs(5), "never happened");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn tcp_connects_again_after_the_other_side_went_away() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp:{}", server.local_addr().unwrap())
        .parse()
        .unwrap();
    let mut link = Link::open(&address).unwrap();
    let mut bytes = Vec::new();
    for greeting in [&b"first"[..], b"second"] {
        let peer = std::thread::scope(|scope| {
            let accepted = scope.spawn(|| server.accept().unwrap().0);
            wait(|now_s| {
                link.receive(now_s, &mut bytes);
                *link.status() == LinkStatus::Open
            });
            accepted.join().unwrap()
        });
        let mut peer = peer;
        peer.write_all(greeting).unwrap();
        bytes.clear();
        wait(|now_s| {
            link.receive(now_s, &mut bytes);
            bytes == greeting
        });
        link.send(0.0, b"answer");
        let mut answer = [0; 6];
        peer.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"answer");
        drop(peer);
        wait(|now_s| {
            link.receive(now_s, &mut bytes);
            matches!(link.status(), LinkStatus::Waiting { .. })
        });
    }
}

#[test]
fn a_host_that_is_not_there_is_tried_again_and_never_blocks() {
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut link = Link::open(&format!("tcp:127.0.0.1:{port}").parse().unwrap()).unwrap();
    let mut refusals = 0;
    let mut bytes = Vec::new();
    let mut now_s = 0.0;
    let start = Instant::now();
    while refusals < 3 && start.elapsed() < Duration::from_secs(5) {
        now_s += 0.01;
        let before = matches!(link.status(), LinkStatus::Waiting { .. });
        link.receive(now_s, &mut bytes);
        refusals += u32::from(!before && matches!(link.status(), LinkStatus::Waiting { .. }));
        std::thread::sleep(Duration::from_micros(200));
    }
    assert_eq!(refusals, 3, "{link:?}");
    // Waits of 0.5 and 1 s lie between three refusals.
    assert!(now_s > 1.5, "{now_s}");
}

#[test]
fn a_serial_line_that_is_not_there_is_tried_again() {
    let device = std::env::temp_dir().join(format!("transect-no-such-line-{}", std::process::id()));
    let address = format!("serial:{}:115200", device.display())
        .parse()
        .unwrap();
    let mut link = Link::open(&address).unwrap();
    let mut bytes = Vec::new();
    wait(|now_s| {
        link.receive(now_s, &mut bytes);
        matches!(link.status(), LinkStatus::Waiting { reason, .. } if !reason.is_empty())
    });
}

#[test]
fn a_stray_datagram_does_not_steal_the_line() {
    let mut link = Link::open(&"udpin:127.0.0.1:0".parse().unwrap()).unwrap();
    let to = ("127.0.0.1", link.local_port().unwrap());
    let [vehicle, stray] = [(); 2].map(|()| UdpSocket::bind("127.0.0.1:0").unwrap());
    vehicle
        .set_read_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    let mut bytes = Vec::new();
    for socket in [&vehicle, &stray] {
        socket.send_to(b"x", to).unwrap();
    }
    wait(|now_s| {
        link.receive(now_s, &mut bytes);
        bytes.len() == 2
    });
    link.send(0.0, b"to the vehicle");
    let mut heard = [0; 64];
    let count = vehicle.recv(&mut heard).unwrap();
    assert_eq!(&heard[..count], b"to the vehicle");
}

#[test]
fn a_log_joins_depths_with_the_places_of_its_own_times() {
    // As pynmea2 writes it: a boat that goes north by 0.001 minutes a second; depths half-way are not timed.
    let log = concat!(
        "$GPGGA,120000,3636.000,N,08412.000,W,1,08,0.9,300.0,M,-30.0,M,,*70\r\n",
        "$SDDPT,5.0,0.2*50\r\n",
        "garbage $SDDPT,9.9,0.2*00\r\n",
        "$GPGGA,120001,3636.001,N,08412.000,W,1,08,0.9,300.0,M,-30.0,M,,*70\r\n",
        "$SDDBT,16.7,f,5.1,M,2.8,F*38\r\n",
        "$SDDPT,5.1,0.2*51\r\n",
        "$GPGGA,120002,3636.002,N,08412.000,W,1,08,0.9,300.0,M,-30.0,M,,*70\r\n",
    );
    let path = std::env::temp_dir().join(format!("transect-log-{}.nmea", std::process::id()));
    std::fs::write(&path, log).unwrap();
    let mut device =
        Nmea::new(Link::open(&format!("file:{}", path.display()).parse().unwrap()).unwrap());
    let mut readings = Vec::new();
    while *device.link_status() != LinkStatus::Ended {
        device.poll(100.0, &mut readings);
    }
    std::fs::remove_file(&path).unwrap();
    let sources: Vec<DepthSource> = readings.iter().map(|reading| reading.source).collect();
    assert_eq!(sources, [DepthSource::NmeaDpt; 2]);
    let mut joiner = Joiner::new(SoundingSettings::default()).unwrap();
    let mut fixes = Vec::new();
    device.take_fixes(&mut fixes);
    fixes.into_iter().for_each(|fix| joiner.fix(fix));
    readings
        .into_iter()
        .for_each(|reading| joiner.reading(reading));
    let places: Vec<(f64, f64)> = joiner
        .poll(103.0)
        .into_iter()
        .map(|joined| match joined {
            Joined::Sounding(s) => ((s.position.lat_deg - 36.6) * 60_000.0, s.depth_m),
            Joined::Rejected { rejection, .. } => panic!("{rejection}"),
        })
        .collect();
    let expected = [(0.0, 5.0), (1.0, 5.1)];
    for (found, wanted) in places.iter().zip(expected) {
        assert!(
            (found.0 - wanted.0).abs() < 1e-3 && found.1 == wanted.1,
            "{places:?}"
        );
    }
    assert_eq!(places.len(), 2);
}

#[test]
fn a_boat_on_its_own_thread_runs_faster_than_real() {
    let clock = Clock::faster(20.0);
    let home = support::HOME;
    let settings = BenchSettings {
        home,
        ..BenchSettings::default()
    };
    let boat = BenchBoat::open(settings, |_| Some(6.0))
        .unwrap()
        .run(clock.clone());
    let mut helm = Autopilot::open(AutopilotSettings {
        link: boat.autopilot_address(),
        ..AutopilotSettings::default()
    })
    .unwrap();
    helm.engage();
    helm.go_to(home.moved(10.0, 0.0));
    let start = Instant::now();
    let mut arrived = false;
    while !arrived && start.elapsed() < Duration::from_secs(30) {
        helm.poll(clock.now_s());
        arrived = helm
            .state()
            .target_distance_m
            .is_some_and(|distance_m| distance_m < 2.0);
        clock.sleep(0.1);
    }
    assert!(
        arrived && helm.state().phase == Phase::Ready,
        "{:?}",
        helm.state()
    );
    assert!(clock.now_s() > 12.0, "10 m take more than 12 s at 0.7 m/s");
}
