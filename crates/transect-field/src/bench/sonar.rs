//! The sonar's side of the line: answers requests with the depth below it.

use transect::gp::random::{Randomness, Stream};

use super::fault::Trouble;
use super::vehicle::garbage;
use super::{BenchSettings, FaultKind};
use crate::join::SoundingSettings;
use crate::link::{Link, LinkAddress};
use crate::sonar::ping::frame::{Frame, FrameReader};
use crate::sonar::ping::{DISTANCE, DISTANCE_SIMPLE, GENERAL_REQUEST};
use crate::{FieldError, GeoPosition};

/// Random streams of a boat's parts differ by this.
const SEED_OFFSET: u64 = 1 << 32;
/// A sure device says this, percent.
const SURE: u16 = 98;

/// Depth below the reference level at a place, m; `None` where there is no bed to be heard.
pub(super) type DepthAt = Box<dyn Fn(GeoPosition) -> Option<f64> + Send>;

/// A Ping1D on the bench.
pub(super) struct Sonar {
    link: Link,
    reader: FrameReader,
    depth_at: DepthAt,
    sounding: SoundingSettings,
    noise: Stream,
    noise_m: f64,
    pings: u32,
    last_mm: u32,
}

impl Sonar {
    pub(super) fn open(settings: &BenchSettings, depth_at: DepthAt) -> Result<Self, FieldError> {
        Ok(Self {
            link: Link::open(&LinkAddress::UdpIn("127.0.0.1:0".to_owned()))?,
            reader: FrameReader::default(),
            depth_at,
            sounding: settings.sounding,
            noise: Stream::new(settings.seed.wrapping_add(SEED_OFFSET)),
            noise_m: settings.sonar_noise_m,
            pings: 0,
            last_mm: 0,
        })
    }

    pub(super) fn port(&self) -> u16 {
        self.link.local_port().unwrap_or_default()
    }

    /// Answers what was asked, at the antenna's place and heading.
    pub(super) fn step(
        &mut self,
        now_s: f64,
        at: GeoPosition,
        heading_deg: f64,
        trouble: &Trouble,
    ) {
        let mut bytes = Vec::new();
        self.link.receive(now_s, &mut bytes);
        if trouble.has(FaultKind::Garbage) {
            let noise = garbage(&mut self.noise);
            self.link.send(now_s, &noise);
        }
        for request in self.reader.read(&bytes) {
            let asked = (request.id == GENERAL_REQUEST)
                .then(|| request.u16_at(0))
                .flatten();
            if let Some(id @ (DISTANCE | DISTANCE_SIMPLE)) = asked
                && !trouble.has(FaultKind::SonarSilent)
            {
                let answer = self.ping(id, at, heading_deg, trouble);
                self.link.send(now_s, &answer.to_bytes());
            }
        }
    }

    fn ping(&mut self, id: u16, at: GeoPosition, heading_deg: f64, trouble: &Trouble) -> Frame {
        self.pings = self.pings.wrapping_add(1);
        let there = self
            .sounding
            .transducer_at(at, Some(heading_deg))
            .unwrap_or(at);
        let heard = (self.depth_at)(there).map(|depth_m| self.sounding.said_m(depth_m));
        let noisy_m = self.noise.normal(heard.unwrap_or(0.0), self.noise_m);
        let spike_m = self.noise.uniform(0.0, 50.0);
        if !trouble.has(FaultKind::SonarStuck) {
            let spiking = trouble.has(FaultKind::SonarSpikes) && self.pings.is_multiple_of(3);
            let said_m = if spiking { spike_m } else { noisy_m };
            self.last_mm = (1e3 * said_m.max(0.0)).round() as u32;
        }
        let unsure = heard.is_none() || trouble.has(FaultKind::SonarUnsure);
        let percent = if unsure { 0 } else { SURE };
        let mut payload = self.last_mm.to_le_bytes().to_vec();
        if id == DISTANCE_SIMPLE {
            payload.push(percent as u8);
        } else {
            payload.extend(percent.to_le_bytes());
            payload.extend(100_u16.to_le_bytes()); // pulse, µs
            payload.extend(self.pings.to_le_bytes());
            payload.extend(0_u32.to_le_bytes()); // scan start, mm
            payload.extend(100_000_u32.to_le_bytes()); // scan length, mm
            payload.extend(0_u32.to_le_bytes()); // gain
        }
        Frame { id, payload }
    }
}
