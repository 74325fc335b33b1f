//! Where a bench boat starts and how it moves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transect::vehicle::BoatSettings;

use super::Fault;
use crate::join::SoundingSettings;
use crate::{FieldError, GeoPosition};

/// Where a bench boat starts, how it moves, and what goes wrong. The `[bench]` table of a field document; what the rest of
/// the document says of the boat is not repeated there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BenchSettings {
    /// Where it starts; its home.
    #[serde(skip)]
    pub home: GeoPosition,
    /// Largest speed, m/s.
    #[serde(skip)]
    pub speed_mps: f64,
    /// Largest turn rate, rad/s.
    pub turn_rate_radps: f64,
    /// Its autopilot counts a place as reached within this distance, and stops there, m: ArduPilot's WP_RADIUS.
    pub waypoint_radius_m: f64,
    /// How slowly it stops and starts, s: without motors its speed through the water falls to a third in this time.
    pub coast_s: f64,
    /// The current that it drifts with, to the north, m/s.
    pub current_north_mps: f64,
    /// The current that it drifts with, to the east, m/s.
    pub current_east_mps: f64,
    /// Its own failsafe stops it after this silence of the program, s: ArduPilot's FS_GCS_ENABLE with FS_ACTION hold. None
    /// when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = 5.0)]
    pub failsafe_after_s: Option<f64>,
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
    #[serde(skip)]
    pub system_id: u8,
    /// Of its noises.
    #[serde(skip)]
    pub seed: u64,
    /// Where its sonar is and what that reckons with; only the offsets and corrections are used.
    #[serde(skip)]
    pub sounding: SoundingSettings,
    /// What goes wrong, as in [{ at_s = 60.0, for_s = 30.0, kind = "link-lost" }]: link-lost, no-gps-fix, gps-frozen,
    /// sonar-silent, sonar-stuck, sonar-spikes, sonar-unsure, garbage, arming-refused, { position-jump = METRES },
    /// { second-system = ID }, { clock-back = SECONDS } or { operator-mode = NUMBER }; without for_s for good.
    pub faults: Vec<Fault>,
}

impl Default for BenchSettings {
    /// The boat of the paper's field experiment, on the shore of a lake in Tennessee.
    fn default() -> Self {
        Self {
            home: GeoPosition::new(36.6, -84.2),
            speed_mps: 0.7,
            turn_rate_radps: 1.0,
            waypoint_radius_m: 0.5,
            coast_s: 0.0,
            current_north_mps: 0.0,
            current_east_mps: 0.0,
            failsafe_after_s: None,
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
    /// Refuses what no boat can have.
    ///
    /// # Errors
    /// Names the first setting that is out of range.
    pub fn validate(&self) -> Result<(), FieldError> {
        for (name, value) in [
            ("bench.turn_rate_radps", self.turn_rate_radps),
            ("bench.waypoint_radius_m", self.waypoint_radius_m),
            ("bench.coast_s", self.coast_s),
            (
                "bench.failsafe_after_s",
                self.failsafe_after_s.unwrap_or_default(),
            ),
            ("bench.fix_after_s", self.fix_after_s),
            ("bench.battery_percent", self.battery_percent),
            ("bench.battery_percent_per_m", self.battery_percent_per_m),
            ("bench.gps_noise_m", self.gps_noise_m),
            ("bench.sonar_noise_m", self.sonar_noise_m),
        ] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(FieldError::Setting {
                    name,
                    value,
                    expected: "a finite number, 0 or more, is needed",
                });
            }
        }
        for (name, value) in [
            ("bench.current_north_mps", self.current_north_mps),
            ("bench.current_east_mps", self.current_east_mps),
        ] {
            if !value.is_finite() {
                return Err(FieldError::Setting {
                    name,
                    value,
                    expected: "a finite number is needed",
                });
            }
        }
        Ok(())
    }

    /// The hull behind it.
    pub(super) fn hull(&self) -> BoatSettings {
        BoatSettings {
            max_speed_mps: self.speed_mps,
            max_turn_rate_radps: Some(self.turn_rate_radps),
            goal_tolerance_m: self.waypoint_radius_m,
            ..BoatSettings::default()
        }
    }
}
