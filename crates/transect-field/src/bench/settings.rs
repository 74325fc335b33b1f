//! Where a bench boat starts and how it moves.

use serde::{Deserialize, Serialize};
use transect::vehicle::BoatSettings;

use super::Fault;
use crate::GeoPosition;
use crate::join::SoundingSettings;

/// Where a bench boat starts, how it moves, and what goes wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BenchSettings {
    /// Where it starts; its home.
    pub home: GeoPosition,
    /// Largest speed, m/s.
    pub speed_mps: f64,
    /// Largest turn rate, rad/s.
    pub turn_rate_radps: f64,
    /// Time from power on to a GPS fix, s.
    pub fix_after_s: f64,
    /// Charge of the battery at the start, percent.
    pub battery_percent: f64,
    /// Charge used per metre, percent.
    pub battery_percent_per_m: f64,
    /// Standard deviation of reported positions, m.
    pub gps_noise_m: f64,
    /// Standard deviation of the sonar's distances, m.
    pub sonar_noise_m: f64,
    /// Its MAVLink system id.
    pub system_id: u8,
    /// Of its noises.
    pub seed: u64,
    /// Where its sonar is and what that reckons with; only the offsets and corrections are used.
    pub sounding: SoundingSettings,
    /// What goes wrong.
    pub faults: Vec<Fault>,
}

impl Default for BenchSettings {
    /// The boat of the paper's field experiment, on the shore of a lake in Tennessee.
    fn default() -> Self {
        Self {
            home: GeoPosition::new(36.6, -84.2),
            speed_mps: 0.7,
            turn_rate_radps: 1.0,
            fix_after_s: 2.0,
            battery_percent: 100.0,
            battery_percent_per_m: 0.005,
            gps_noise_m: 0.02,
            sonar_noise_m: 0.02,
            system_id: 1,
            seed: 0,
            sounding: SoundingSettings::default(),
            faults: Vec::new(),
        }
    }
}

impl BenchSettings {
    /// The hull behind it.
    pub(super) fn hull(&self) -> BoatSettings {
        BoatSettings {
            max_speed_mps: self.speed_mps,
            max_turn_rate_radps: Some(self.turn_rate_radps),
            goal_tolerance_m: 0.5,
            ..BoatSettings::default()
        }
    }
}
