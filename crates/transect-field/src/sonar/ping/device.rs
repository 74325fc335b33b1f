//! A Ping1D sonar, asked for a distance at a steady rate.

use super::frame::{Frame, FrameReader};
use super::{DISTANCE, DISTANCE_SIMPLE, GENERAL_REQUEST};
use crate::link::{Link, LinkStatus};
use crate::sonar::{DepthReading, DepthSource, Sounder};

/// A Ping1D sonar on a link.
pub struct Ping1d {
    link: Link,
    interval_s: f64,
    reader: FrameReader,
    arrived: Vec<u8>,
    now_s: f64,
    request_due_s: f64,
    last_s: Option<f64>,
}

impl Ping1d {
    /// A sonar that is asked every `interval_s`.
    pub fn new(link: Link, interval_s: f64) -> Self {
        Self {
            link,
            interval_s,
            reader: FrameReader::default(),
            arrived: Vec::new(),
            now_s: 0.0,
            request_due_s: 0.0,
            last_s: None,
        }
    }

    /// How the link itself stands.
    pub fn link_status(&self) -> &LinkStatus {
        self.link.status()
    }
}

impl Sounder for Ping1d {
    fn poll(&mut self, now_s: f64, into: &mut Vec<DepthReading>) {
        self.now_s = self.now_s.max(now_s);
        self.arrived.clear();
        self.link.receive(self.now_s, &mut self.arrived);
        for frame in self.reader.read(&self.arrived) {
            if let Some(reading) = reading(self.now_s, &frame) {
                self.last_s = Some(self.now_s);
                into.push(reading);
            }
        }
        if self.now_s >= self.request_due_s {
            // On the beat, unless a beat was missed.
            self.request_due_s = (self.request_due_s + self.interval_s).max(self.now_s);
            let request = Frame {
                id: GENERAL_REQUEST,
                payload: DISTANCE.to_le_bytes().to_vec(),
            };
            self.link.send(self.now_s, &request.to_bytes());
        }
    }

    fn age_s(&self, now_s: f64) -> Option<f64> {
        self.last_s.map(|last_s| now_s.max(self.now_s) - last_s)
    }
}

/// Both kinds of distance message begin alike: millimetres, then percent.
fn reading(now_s: f64, frame: &Frame) -> Option<DepthReading> {
    let percent = match frame.id {
        DISTANCE => f64::from(frame.u16_at(4)?),
        DISTANCE_SIMPLE => f64::from(*frame.payload.get(4)?),
        _ => return None,
    };
    Some(DepthReading {
        time_s: now_s,
        depth_m: f64::from(frame.u32_at(0)?) * 1e-3,
        confidence: Some((percent * 0.01).min(1.0)),
        source: DepthSource::Ping,
    })
}
