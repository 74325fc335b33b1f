//! Whatever arrives, nothing panics: messages with right checksums and wrong contents, into the drivers themselves.
//!
//! Ten minutes for one of them:
//!
//! ```text
//! PROPTEST_CASES=1000000000 timeout 600 cargo test --release -p transect-field --test noise -- helm
//! ```
#![allow(missing_docs)]

use std::net::UdpSocket;

use mavlink::dialects::ardupilotmega::MavMessage;
use mavlink::{MAVLinkV2MessageRaw, MavHeader, Message, calculate_crc};
use proptest::prelude::*;
use transect_field::Fix;
use transect_field::autopilot::{Autopilot, AutopilotSettings, Helm, HelmEvent};
use transect_field::bench::{BenchBoat, BenchSettings};
use transect_field::join::{Joiner, SoundingSettings};
use transect_field::link::{Link, LinkAddress};
use transect_field::sonar::ping::frame::Frame;
use transect_field::sonar::{DepthReading, Nmea, Ping1d, Sounder};

/// The messages that the drivers and the bench boat act on.
const HEARD: [u32; 16] = [
    0, 1, 24, 33, 46, 76, 77, 86, 87, 132, 147, 193, 242, 253, 30, 11_038,
];

/// A frame of the second version around any payload, with the right checksum.
fn framed(id: u32, payload: &[u8]) -> Vec<u8> {
    let [low, middle, high, _] = id.to_le_bytes();
    let length = u8::try_from(payload.len()).unwrap();
    let mut frame = vec![0xFD, length, 0, 0, 0, 1, 1, low, middle, high];
    frame.extend(payload);
    let crc = calculate_crc(&frame[1..], MavMessage::extra_crc(id));
    frame.extend(crc.to_le_bytes());
    frame
}

/// A device's socket, and the address that a driver reaches it by.
fn device() -> (UdpSocket, LinkAddress) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = LinkAddress::Udp(socket.local_addr().unwrap().to_string());
    (socket, address)
}

/// Any payload, or one of the extreme numbers all over.
fn payload() -> impl Strategy<Value = Vec<u8>> {
    let any_bytes = proptest::collection::vec(any::<u8>(), 1..120);
    let extreme = (
        0_usize..120,
        prop_oneof![Just(0x00), Just(0x7F), Just(0x80), Just(0xFF)],
    )
        .prop_map(|(length, byte)| vec![byte; length.max(1)]);
    prop_oneof![3 => any_bytes, 1 => extreme]
}

/// Now and then some bytes are changed, at places counted round and round: the checksum is wrong then, and what follows is
/// read from the middle.
fn damage() -> impl Strategy<Value = Vec<(usize, u8)>> {
    let some = proptest::collection::vec((any::<usize>(), any::<u8>()), 1..6);
    prop_oneof![2 => Just(Vec::new()), 1 => some]
}

fn damaged(mut bytes: Vec<u8>, damage: &[(usize, u8)]) -> Vec<u8> {
    for &(at, byte) in damage {
        let length = bytes.len();
        bytes[at % length] = byte;
    }
    bytes
}

/// Puts together what came, as a mission does.
fn join(fixes: Vec<Fix>, readings: Vec<DepthReading>) {
    let mut joiner = Joiner::new(SoundingSettings::default()).unwrap();
    fixes.into_iter().for_each(|fix| joiner.fix(fix));
    readings
        .into_iter()
        .for_each(|reading| joiner.reading(reading));
    joiner.poll(100.0);
}

proptest! {
    #[test]
    fn the_helm_bears_any_content(
        messages in proptest::collection::vec((0..HEARD.len(), payload()), 1..30),
        damage in damage(),
    ) {
        let (radio, link) = device();
        let settings = AutopilotSettings { link, ..AutopilotSettings::default() };
        let mut helm = Autopilot::open(settings).unwrap();
        let mut joiner = Joiner::new(SoundingSettings::default()).unwrap();
        helm.poll(0.0);
        // Its first heartbeat tells where it is.
        let (_, from) = radio.recv_from(&mut [0; 512]).unwrap();
        let mut hello = MAVLinkV2MessageRaw::new();
        let heartbeat = MavMessage::default_message_from_id(0).unwrap();
        hello.serialize_message(MavHeader { system_id: 1, component_id: 1, sequence: 0 }, &heartbeat);
        radio.send_to(hello.raw_bytes(), from).unwrap();
        helm.engage();
        let mut readings = Vec::new();
        for (tick, (index, payload)) in messages.iter().enumerate() {
            radio.send_to(&damaged(framed(HEARD[*index], payload), &damage), from).unwrap();
            let now_s = tick as f64;
            for event in helm.poll(now_s) {
                prop_assert!(!event.to_string().contains('\n'));
                if let HelmEvent::Fix(fix) = event {
                    joiner.fix(fix);
                    helm.go_to(fix.position.moved(1.0, 1.0));
                }
            }
            helm.take_depths(&mut readings);
            readings.drain(..).for_each(|reading| joiner.reading(reading));
            joiner.poll(now_s);
        }
    }

    #[test]
    fn the_bench_boat_bears_any_content(
        messages in proptest::collection::vec((0..HEARD.len(), payload()), 1..30),
    ) {
        let mut boat = BenchBoat::open(BenchSettings::default(), |_| Some(5.0)).unwrap();
        let LinkAddress::Udp(to) = boat.autopilot_address() else { unreachable!() };
        let radio = UdpSocket::bind("127.0.0.1:0").unwrap();
        for (tick, (index, payload)) in messages.iter().enumerate() {
            radio.send_to(&framed(HEARD[*index], payload), &to).unwrap();
            boat.step(tick as f64);
        }
    }

    #[test]
    fn the_ping_driver_bears_any_content(
        frames in proptest::collection::vec((1200_u16..1220, payload()), 1..10),
        damage in damage(),
    ) {
        let (sonar, address) = device();
        let mut ping = Ping1d::new(Link::open(&address).unwrap(), 1.0);
        let mut readings = Vec::new();
        ping.poll(0.0, &mut readings);
        let (_, from) = sonar.recv_from(&mut [0; 64]).unwrap();
        for (id, payload) in frames {
            let frame = Frame { id, payload }.to_bytes();
            sonar.send_to(&damaged(frame, &damage), from).unwrap();
        }
        ping.poll(1.0, &mut readings);
        join(Vec::new(), readings);
    }

    #[test]
    fn the_nmea_driver_bears_any_content(
        sentences in proptest::collection::vec(
            "(GPGGA|GPRMC|GNRMC|SDDPT|SDDBT|IIDPT),([0-9]{1,9}|[0-9.]{0,8}|[NSEWAVMf+-]|\\PC{0,3})(,[0-9.NSEWAVMf+-]{0,11}){0,14}",
            1..10,
        ),
        damage in damage(),
    ) {
        let link = Link::open(&"udpin:127.0.0.1:0".parse().unwrap()).unwrap();
        let to = ("127.0.0.1", link.local_port().unwrap());
        let mut nmea = Nmea::new(link);
        let receiver = UdpSocket::bind("127.0.0.1:0").unwrap();
        for content in sentences {
            let sum = content.bytes().fold(0, |sum, byte| sum ^ byte);
            let sentence = format!("${content}*{sum:02X}\r\n").into_bytes();
            receiver.send_to(&damaged(sentence, &damage), to).unwrap();
        }
        let (mut readings, mut fixes) = (Vec::new(), Vec::new());
        nmea.poll(1.0, &mut readings);
        nmea.take_fixes(&mut fixes);
        join(fixes, readings);
    }
}
