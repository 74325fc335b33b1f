//! What a bench boat was asked to do.

use crate::GeoPosition;
use crate::autopilot::Mode;

/// What a bench boat was asked to do and did: the truth, for those who check a mission.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchRecord {
    /// Every target message it got, with the time, s, whether it obeyed or not.
    pub targets: Vec<(f64, GeoPosition)>,
    /// The speed it was told to go at, m/s. It goes at that of its settings.
    pub told_speed_mps: Option<f64>,
    /// Where it truly is.
    pub position: GeoPosition,
    /// Where its bow points, degrees clockwise from north.
    pub heading_deg: f64,
    /// How far it has come, m.
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
