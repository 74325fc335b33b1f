//! An echo sounder, a GPS receiver, or both on one line.

use super::lines::Lines;
use super::sentence::{Said, read};
use crate::Fix;
use crate::link::{Link, LinkAddress, LinkStatus};
use crate::sonar::{DepthReading, DepthSource, Sounder};

/// Fixes are kept until taken, but no more than this: nobody may be interested.
const MOST_KEPT: usize = 10_000;
/// Below this speed the course says nothing about the heading, m/s.
const COURSE_IS_HEADING_MPS: f64 = 0.3;
/// Speed and course hold for this long: they come in a sentence of their own, s.
const MOTION_HOLDS_S: f64 = 2.5;
const DAY_S: f64 = 86_400.0;

/// A device that speaks NMEA 0183.
///
/// Depths come from `DPT` and `DBT`; where both are sent, `DPT` counts. Positions come from `GGA` and `RMC`. What arrives
/// live is stamped on arrival. A log is stamped with its own times of day, counted from its first one, so that depths
/// join the positions they were taken with however fast it is read.
pub struct Nmea {
    link: Link,
    lines: Lines,
    arrived: Vec<u8>,
    fixes: Vec<Fix>,
    now_s: f64,
    last_s: Option<f64>,
    dpt_heard: bool,
    last_day_s: Option<f64>,
    motion: Option<Motion>,
    /// Only for logs.
    log: Option<LogClock>,
    /// What must be said after every opening before anything comes, and whether it was.
    greeting: Option<&'static [u8]>,
    greeted: bool,
}

/// Asks gpsd for the sentences of its receivers.
const WATCH: &[u8] = b"?WATCH={\"enable\":true,\"nmea\":true}\n";

/// Speed and course over ground.
#[derive(Debug, Clone, Copy)]
struct Motion {
    time_s: f64,
    speed_mps: f64,
    course_deg: Option<f64>,
}

/// Time as a log tells it.
#[derive(Debug, Default)]
struct LogClock {
    time_s: Option<f64>,
    day_s: f64,
}

impl LogClock {
    /// The time of a sentence, s on the caller's clock.
    fn at(&mut self, now_s: f64, day_s: Option<f64>) -> f64 {
        let Some(day_s) = day_s else {
            return self.time_s.unwrap_or(now_s);
        };
        let time_s = match self.time_s {
            None => now_s,
            // Over midnight, and never backwards.
            Some(time_s) => {
                let step_s = (day_s - self.day_s).rem_euclid(DAY_S);
                time_s + if step_s < 0.5 * DAY_S { step_s } else { 0.0 }
            }
        };
        self.time_s = Some(time_s);
        self.day_s = day_s;
        time_s
    }
}

impl Nmea {
    /// A device on a link.
    pub fn new(link: Link) -> Self {
        let log = matches!(link.address(), LinkAddress::File(_)).then(LogClock::default);
        Self {
            link,
            lines: Lines::default(),
            arrived: Vec::new(),
            fixes: Vec::new(),
            now_s: 0.0,
            last_s: None,
            dpt_heard: false,
            last_day_s: None,
            motion: None,
            log,
            greeting: None,
            greeted: false,
        }
    }

    /// A receiver behind gpsd, which passes on its sentences when asked.
    pub fn behind_gpsd(link: Link) -> Self {
        Self {
            greeting: Some(WATCH),
            ..Self::new(link)
        }
    }

    /// How the link itself stands; [`LinkStatus::Ended`] when a log has been read.
    pub fn link_status(&self) -> &LinkStatus {
        self.link.status()
    }

    fn time_s(&mut self, day_s: Option<f64>) -> f64 {
        match &mut self.log {
            Some(log) => log.at(self.now_s, day_s),
            None => self.now_s,
        }
    }

    fn take(&mut self, said: Said, into: &mut Vec<DepthReading>) {
        match said {
            Said::Depth(source, depth_m) => {
                let time_s = self.time_s(None);
                self.last_s = Some(self.now_s);
                self.dpt_heard |= source == DepthSource::NmeaDpt;
                if self.dpt_heard && source == DepthSource::NmeaDbt {
                    return;
                }
                into.push(DepthReading {
                    time_s,
                    depth_m,
                    confidence: None,
                    source,
                });
            }
            Said::Place {
                day_s,
                position,
                speed_mps,
                course_deg,
            } => {
                let time_s = self.time_s(day_s);
                if let Some(speed_mps) = speed_mps {
                    self.motion = Some(Motion {
                        time_s,
                        speed_mps,
                        course_deg,
                    });
                }
                // GGA and RMC tell the same fix; the first one counts.
                let same = day_s.is_some() && day_s == self.last_day_s;
                self.last_day_s = day_s;
                if same || self.fixes.len() >= MOST_KEPT {
                    return;
                }
                let motion = self.motion.filter(|m| time_s - m.time_s < MOTION_HOLDS_S);
                let under_way = motion.filter(|m| m.speed_mps > COURSE_IS_HEADING_MPS);
                self.fixes.push(Fix {
                    time_s,
                    position,
                    heading_deg: under_way.and_then(|m| m.course_deg),
                    speed_mps: motion.map(|m| m.speed_mps),
                });
            }
            Said::NoPlace => {}
        }
    }
}

impl Sounder for Nmea {
    fn poll(&mut self, now_s: f64, into: &mut Vec<DepthReading>) {
        self.now_s = self.now_s.max(now_s);
        self.arrived.clear();
        self.link.receive(self.now_s, &mut self.arrived);
        let open = *self.link.status() == LinkStatus::Open;
        if let (Some(greeting), true, false) = (self.greeting, open, self.greeted) {
            self.link.send(self.now_s, greeting);
        }
        self.greeted = open;
        for line in self.lines.read(&self.arrived) {
            if let Some(said) = read(&line) {
                self.take(said, into);
            }
        }
    }

    fn age_s(&self, now_s: f64) -> Option<f64> {
        self.last_s.map(|last_s| now_s.max(self.now_s) - last_s)
    }

    fn take_fixes(&mut self, into: &mut Vec<Fix>) {
        into.append(&mut self.fixes);
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, LogClock, read};
    use proptest::prelude::*;

    #[test]
    fn a_log_goes_on_over_midnight_and_never_back() {
        let mut log = LogClock::default();
        let times: Vec<f64> = [Some(86_398.0), None, Some(86_399.5), Some(1.0), Some(0.5)]
            .into_iter()
            .map(|day_s| log.at(100.0, day_s))
            .collect();
        assert_eq!(times, [100.0, 100.0, 101.5, 103.0, 103.0]);
    }

    /// `$..*hh` with the right sum, so that the content is read.
    fn sentence(content: &str) -> String {
        let sum = content.bytes().fold(0, |sum, byte| sum ^ byte);
        format!("${content}*{sum:02X}\r\n")
    }

    proptest! {
        #[test]
        fn bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            for line in Lines::default().read(&[&b"$"[..], &bytes, b"\r\n"].concat()) {
                read(&line);
            }
        }

        #[test]
        fn content_never_panics(
            kind in "GPGGA|GPRMC|SDDPT|SDDBT|GPZDA",
            fields in proptest::collection::vec("[0-9.,:NSEWAVMFf+-]{0,12}|[ -~]{0,6}|", 0..16),
        ) {
            let text = sentence(&format!("{kind},{}", fields.join(",")));
            for line in Lines::default().read(text.as_bytes()) {
                read(&line);
            }
        }
    }
}
