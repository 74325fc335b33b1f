//! What a bench boat was asked to do.

use crate::GeoPosition;
use crate::autopilot::Mode;

/// The boat's heartbeats are this far apart, s, and a poll.
const HEARTBEAT_S: f64 = 1.15;

/// What changed what a bench boat does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Heard {
    /// The program commanded this mode, and it was taken up.
    Mode(Mode),
    /// The program armed it.
    Arm,
    /// The program disarmed it.
    Disarm,
    /// The program sent it somewhere.
    Target(GeoPosition),
    /// The operator's switch was turned to this mode.
    Operator(Mode),
    /// Its own failsafe chose this mode.
    Failsafe(Mode),
}

/// What a bench boat was asked to do and did: the truth, for those who check a mission.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchRecord {
    /// Every target message it got, with the time, s, whether it obeyed or not.
    pub targets: Vec<(f64, GeoPosition)>,
    /// What it obeyed, in order, with the time, s.
    pub heard: Vec<(f64, Heard)>,
    /// The speed it was told to go at, m/s. It goes at that of its settings.
    pub told_speed_mps: Option<f64>,
    /// Where it truly is.
    pub position: GeoPosition,
    /// Its true speed over ground, m/s.
    pub speed_mps: f64,
    /// Its true speed at the moment it was last disarmed, m/s.
    pub disarmed_at_mps: Option<f64>,
    /// Where its bow points, degrees clockwise from north.
    pub heading_deg: f64,
    /// How far it has come over ground, m.
    pub distance_m: f64,
    /// Its mode.
    pub mode: Mode,
    /// Its motors may turn.
    pub armed: bool,
    /// Charge left, percent.
    pub battery_percent: f64,
    /// The largest time between two of the program's heartbeats, s.
    pub heartbeat_gap_s: f64,
}

impl BenchRecord {
    /// Commands of the program that took the boat from somebody else: a mode or a place that it obeyed after an operator or a
    /// failsafe had chosen a mode, and before the operator chose guided again. What was chosen before the program first had the
    /// boat does not count: it was started to take it. Nor does what comes before the boat's next heartbeat has told of the choice.
    pub fn overruled(&self) -> Vec<(f64, Heard)> {
        let (mut begun, mut foreign, mut told_s) = (false, false, 0.0);
        let mut overruled = Vec::new();
        for &(at_s, heard) in &self.heard {
            match heard {
                Heard::Operator(mode) | Heard::Failsafe(mode) => {
                    foreign = begun && mode != Mode::GUIDED;
                    told_s = at_s + HEARTBEAT_S;
                }
                _ if foreign && at_s <= told_s => {}
                _ if foreign => overruled.push((at_s, heard)),
                _ => begun = true,
            }
        }
        overruled
    }
}
