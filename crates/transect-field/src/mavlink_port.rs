//! MAVLink messages over a link.

use std::collections::VecDeque;

use mavlink::dialects::ardupilotmega::MavMessage;
use mavlink::error::MessageReadError;
use mavlink::{MAVLinkV2MessageRaw, MavHeader, MavlinkReader};

use crate::link::Link;

/// Who sent a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sender {
    pub(crate) system: u8,
    pub(crate) component: u8,
}

/// Reads and writes messages of either version; writes the second.
pub(crate) struct MavlinkPort {
    link: Link,
    reader: MavlinkReader<VecDeque<u8>>,
    arrived: Vec<u8>,
    sequence: u8,
}

impl MavlinkPort {
    pub(crate) fn new(link: Link) -> Self {
        Self {
            link,
            reader: MavlinkReader::new(VecDeque::new()),
            arrived: Vec::new(),
            sequence: 0,
        }
    }

    /// The whole messages that have arrived. Bytes that make none are skipped.
    pub(crate) fn receive(&mut self, now_s: f64) -> Vec<(Sender, MavMessage)> {
        self.arrived.clear();
        self.link.receive(now_s, &mut self.arrived);
        self.reader.get_mut().extend(&self.arrived);
        let mut messages = Vec::new();
        loop {
            match self.reader.read_any_message::<MavMessage>() {
                Ok((header, message)) => {
                    // Ids above 255 belong to an extension that no vehicle here uses.
                    if let Ok(system) = u8::try_from(header.system_id) {
                        let component = header.component_id;
                        messages.push((Sender { system, component }, message));
                    }
                }
                // The frame was whole, but its content is not in the dialect.
                Err(MessageReadError::Parse(_)) => {}
                Err(MessageReadError::Io(_)) => return messages,
            }
        }
    }

    pub(crate) fn send(&mut self, now_s: f64, sender: Sender, message: &MavMessage) {
        let header = MavHeader {
            system_id: sender.system.into(),
            component_id: sender.component,
            sequence: self.sequence,
        };
        self.sequence = self.sequence.wrapping_add(1);
        let mut frame = MAVLinkV2MessageRaw::new();
        frame.serialize_message(header, message);
        self.link.send(now_s, frame.raw_bytes());
    }

    /// Bytes as they are: for a bench boat's bad days.
    pub(crate) fn send_raw(&mut self, now_s: f64, bytes: &[u8]) {
        self.link.send(now_s, bytes);
    }

    pub(crate) fn link(&self) -> &Link {
        &self.link
    }
}

#[cfg(test)]
mod tests {
    use super::MavlinkPort;
    use crate::link::Link;
    use proptest::prelude::*;
    use std::net::UdpSocket;

    proptest! {
        #[test]
        fn bytes_from_the_radio_never_panic(
            mut datagrams in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 1..400), 1..8)
        ) {
            let mut port = MavlinkPort::new(Link::open(&"udpin:127.0.0.1:0".parse().unwrap()).unwrap());
            let radio = UdpSocket::bind("127.0.0.1:0").unwrap();
            radio.connect(("127.0.0.1", port.link().local_port().unwrap())).unwrap();
            for (i, datagram) in datagrams.iter_mut().enumerate() {
                // Markers of both versions, so that lengths and flags are believed.
                datagram[0] = [0xFD, 0xFE][i % 2];
                radio.send(datagram).unwrap();
                port.receive(0.0);
            }
        }
    }
}
