//! The field document: everything that a mission on the water is told.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use transect::budget::Budget;
use transect::fence::Reserve;
use transect::settings::{
    EvaluationSettings, KernelChoice, MissionSettings, PatienceSettings, PilotSettings,
    PlannerSettings, TrainingSettings, Travel,
};
use transect::vehicle::BoatSettings;
use transect_io::IoError;

use super::coverage::StopSettings;
use crate::autopilot::AutopilotSettings;
use crate::join::SoundingSettings;
use crate::link::LinkAddress;
use crate::skipper::{FallbackSettings, Limits};
use crate::{FieldError, GeoPosition};

/// Which sonar, and where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "source", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SonarSettings {
    /// A Blue Robotics Ping1D.
    Ping {
        /// Where it is.
        link: LinkAddress,
        /// Time between two pings, s.
        #[serde(default = "half_a_second")]
        interval_s: f64,
    },
    /// An NMEA 0183 echo sounder (`DBT`, `DPT`).
    Nmea {
        /// Where it is.
        link: LinkAddress,
    },
    /// The autopilot's own: MAVLink `WATER_DEPTH` or `DISTANCE_SENSOR`.
    Autopilot {},
}

fn half_a_second() -> f64 {
    0.5
}

/// Where to survey. The `[area]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AreaSettings {
    /// A GeoJSON, KML or QGroundControl plan file, relative to the document.
    pub file: PathBuf,
    /// Where the vehicle comes home to; the plan's home when left out, and without that where it is when it becomes ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<GeoPosition>,
}

/// The `[fence]` table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FenceSettings {
    /// Every leg keeps this distance from the boundary, m.
    pub margin_m: f64,
}

impl Default for FenceSettings {
    fn default() -> Self {
        Self { margin_m: 3.0 }
    }
}

/// The `[boat]` table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BoatLimits {
    /// Its speed in guided mode, m/s: what ways home are reckoned with.
    pub speed_mps: f64,
    /// Soundings that the model gets, Hz; those in between are left out.
    pub sampling_rate_hz: f64,
    /// What a metre takes from the battery, %; measured under way when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub battery_percent_per_m: Option<f64>,
}

impl Default for BoatLimits {
    fn default() -> Self {
        Self {
            speed_mps: 0.7,
            sampling_rate_hz: 1.0,
            battery_percent_per_m: None,
        }
    }
}

/// The whole document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldDocument {
    /// Decides all random numbers.
    #[serde(default)]
    pub seed: u64,
    /// Where to survey.
    pub area: AreaSettings,
    /// How the vehicle is reached and judged.
    #[serde(default)]
    pub vehicle: AutopilotSettings,
    /// What the boat can do.
    #[serde(default)]
    pub boat: BoatLimits,
    /// Which sonar.
    pub sonar: SonarSettings,
    /// Where the sonar is and what is believed.
    #[serde(default)]
    pub sounding: SoundingSettings,
    /// How far to stay from the boundary.
    #[serde(default)]
    pub fence: FenceSettings,
    /// What the mission may spend, the way home included.
    #[serde(default)]
    pub budget: Budget,
    /// What must be left at home.
    #[serde(default)]
    pub reserve: Reserve,
    /// What to do when things do not go to plan.
    #[serde(default)]
    pub fallback: FallbackSettings,
    /// When the map is good enough.
    #[serde(default)]
    pub stop: StopSettings,
    /// The survey before there is a model.
    #[serde(default)]
    pub pilot: PilotCount,
    /// How the next place is chosen.
    #[serde(default)]
    pub planner: PlannerSettings,
    /// The model's kernel.
    #[serde(default)]
    pub kernel: KernelChoice,
    /// How the model learns.
    #[serde(default)]
    pub training: TrainingSettings,
    /// How much may go wrong in a row.
    #[serde(default)]
    pub patience: PatienceSettings,
}

/// The `[pilot]` table: a vehicle on the water always drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PilotCount {
    /// Points on the curve around the area.
    pub soundings: usize,
}

impl Default for PilotCount {
    fn default() -> Self {
        Self { soundings: 25 }
    }
}

impl FieldDocument {
    /// Reads and checks a TOML document.
    ///
    /// # Errors
    /// What is wrong, with the line, or the setting that is out of range.
    pub fn read(path: &Path) -> Result<Self, FieldError> {
        let text = std::fs::read_to_string(path).map_err(IoError::system(path))?;
        let document: Self = toml::from_str(&text).map_err(|error| FieldError::Document {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        document.validate()?;
        Ok(document)
    }

    /// Refuses what is out of range, by name.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<(), FieldError> {
        self.vehicle.validate()?;
        self.sounding.validate()?;
        self.fallback.validate()?;
        self.stop.validate()?;
        self.reserve.validate()?;
        let BoatLimits {
            speed_mps,
            sampling_rate_hz,
            battery_percent_per_m,
        } = self.boat;
        for (name, value) in [
            ("boat.speed_mps", Some(speed_mps)),
            ("boat.sampling_rate_hz", Some(sampling_rate_hz)),
            ("boat.battery_percent_per_m", battery_percent_per_m),
        ] {
            if let Some(value) = value.filter(|v| !(*v > 0.0 && v.is_finite())) {
                let expected = "a positive, finite number is needed";
                return Err(FieldError::Setting {
                    name,
                    value,
                    expected,
                });
            }
        }
        if matches!(self.planner.name.as_str(), "random" | "active") {
            return Err(FieldError::Jumps {
                planner: self.planner.name.clone(),
            });
        }
        self.mission().validate()?;
        Ok(())
    }

    /// The mission's settings.
    pub fn mission(&self) -> MissionSettings {
        MissionSettings {
            seed: self.seed,
            budget: self.budget,
            pilot: PilotSettings {
                soundings: self.pilot.soundings,
                travel: Travel::Drive,
            },
            planner: self.planner.clone(),
            kernel: self.kernel.clone(),
            training: self.training,
            boat: BoatSettings {
                max_speed_mps: self.boat.speed_mps,
                sampling_rate_hz: self.boat.sampling_rate_hz,
                goal_tolerance_m: self.vehicle.goal_radius_m,
                ..BoatSettings::default()
            },
            evaluation: EvaluationSettings::default(),
            patience: self.patience,
            ..MissionSettings::default()
        }
    }

    /// What a skipper is told.
    pub fn limits(&self) -> Limits {
        Limits {
            budget: self.budget,
            reserve: self.reserve,
            speed_mps: self.boat.speed_mps,
            battery_percent_per_m: self.boat.battery_percent_per_m,
            goal_radius_m: self.vehicle.goal_radius_m,
            sampling_rate_hz: self.boat.sampling_rate_hz,
        }
    }
}
