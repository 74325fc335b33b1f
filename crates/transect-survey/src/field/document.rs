//! The field document: everything that a mission on the water is told.

use std::path::PathBuf;

use crate::choice::{TerrainChoice, absolute};
use crate::document::{DocumentError, Part, Source, commented};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transect::budget::{Budget, Spent};
use transect::fence::Reserve;
use transect::geometry::Position;
use transect::planner::Travel;
use transect::settings::{
    KernelChoice, MissionSettings, PatienceSettings, PilotSettings, PilotShape, PlannerSettings,
    SensorSettings, TrainingSettings,
};
use transect::terrain::Lookup;
use transect::vehicle::BoatSettings;

use super::VoyageError;
use super::coverage::StopSettings;
use transect_field::FieldError;
use transect_field::GeoPosition;
use transect_field::autopilot::{AutopilotSettings, Parting};
use transect_field::bench::BenchSettings;
use transect_field::join::SoundingSettings;
use transect_field::link::LinkAddress;
use transect_field::skipper::{FallbackSettings, Limits};

const HEADING: &str = "A mission for `transect field`. Every setting has its default here, but area, sonar and budget must \
                       be set.\nLengths are metres, times seconds. A link is udp:HOST:PORT, udpin:HOST:PORT (listens here), \
                       tcp:HOST:PORT, serial:DEVICE:BAUD or file:PATH.";
/// Readings per point of the curve that are enough to begin with: on average a leg of it brings a few.
const ENOUGH_PER_POINT: usize = 2;
/// The share of the readings of the lines that is enough to begin with: some legs may have been left out, some readings lost.
const ENOUGH_OF_LINES: f64 = 0.8;

/// From an arrival to the next turn of the rudder, s: a report, a poll, a message.
const REACTION_S: f64 = 0.5;

/// Which sonar, and where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "source", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SonarSettings {
    /// A Blue Robotics Ping1D.
    Ping {
        /// Where it is.
        link: LinkAddress,
        /// Time between two pings, s.
        #[serde(default = "SonarSettings::usual_interval")]
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

impl SonarSettings {
    /// Time between two pings when nobody says, s.
    pub const USUAL_INTERVAL_S: f64 = 0.5;

    fn usual_interval() -> f64 {
        Self::USUAL_INTERVAL_S
    }
}

/// A receiver of our own, and where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "source", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ReceiverSettings {
    /// One that speaks NMEA 0183 (`GGA`, `RMC`).
    Nmea {
        /// Where it is.
        link: LinkAddress,
    },
    /// One behind gpsd.
    Gpsd {
        /// Where gpsd is, as in tcp:127.0.0.1:2947.
        link: LinkAddress,
    },
}

impl ReceiverSettings {
    fn example() -> Self {
        Self::Gpsd {
            link: LinkAddress::Tcp("127.0.0.1:2947".to_owned()),
        }
    }
}

/// Where to survey. The `[area]` table.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AreaSettings {
    /// A GeoJSON, KML or QGroundControl plan file, relative to this document. Only rehearsals can do without: they survey
    /// the whole terrain then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "lake.geojson")]
    pub file: Option<PathBuf>,
    /// Where the vehicle comes home to; the plan's home when left out, and without that where it is when it becomes ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = GeoPosition::new(36.6002, -84.1999))]
    pub home: Option<GeoPosition>,
}

/// The `[fence]` table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FenceSettings {
    /// The boat keeps this distance from the boundary, m. Legs keep more, by the room that it needs to turn.
    pub margin_m: f64,
}

impl Default for FenceSettings {
    fn default() -> Self {
        Self { margin_m: 3.0 }
    }
}

/// The `[boat]` table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BoatLimits {
    /// The speed it is told to go at, m/s: what ways home are reckoned with.
    pub speed_mps: f64,
    /// How fast it turns, rad/s. The room for turns at the fence is reckoned with it; a boat that is seen to need more gets more.
    pub turn_rate_radps: f64,
    /// Soundings that the model gets, Hz; those in between are left out.
    pub sampling_rate_hz: f64,
    /// What a metre takes from the battery, %; measured under way when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = 0.02)]
    pub battery_percent_per_m: Option<f64>,
    /// How it is left at home, once it is at rest: "disarm", "hold" (armed, motors off) or "loiter" (armed, keeps its place;
    /// "hold" where the autopilot cannot).
    pub at_home: Parting,
}

impl Default for BoatLimits {
    fn default() -> Self {
        Self {
            speed_mps: 0.7,
            turn_rate_radps: 1.0,
            sampling_rate_hz: 1.0,
            battery_percent_per_m: None,
            at_home: Parting::Disarm,
        }
    }
}

/// The `[pilot]` table: a vehicle on the water always drives.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FieldPilot {
    /// Where it goes: "lines" over the whole area, or a "curve" around it.
    pub shape: PilotShape,
    /// The share of the budget that lines have, in (0, 1]; the way to the first of them included.
    pub share: f64,
    /// Points on the curve.
    pub soundings: usize,
}

impl Default for FieldPilot {
    fn default() -> Self {
        let PilotSettings { shape, share, .. } = PilotSettings::default();
        Self {
            shape,
            share,
            soundings: 25,
        }
    }
}

/// The whole document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldDocument {
    /// Decides all random numbers.
    #[serde(default)]
    pub seed: u64,
    /// Where to survey.
    #[serde(default)]
    pub area: AreaSettings,
    /// How the vehicle is reached and judged.
    #[serde(default)]
    pub vehicle: AutopilotSettings,
    /// What the boat can do.
    #[serde(default)]
    pub boat: BoatLimits,
    /// Which sonar: { source = "ping", link = ..., interval_s = 0.5 }, { source = "nmea", link = ... } or
    /// { source = "autopilot" }.
    pub sonar: SonarSettings,
    /// A receiver of our own beside the autopilot's: { source = "nmea", link = ... } or { source = "gpsd", link = ... }. It places
    /// soundings while the autopilot is silent; without one they have no place then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = ReceiverSettings::example())]
    pub receiver: Option<ReceiverSettings>,
    /// Where the sonar is and what is believed.
    #[serde(default)]
    pub sounding: SoundingSettings,
    /// How far to stay from the boundary.
    #[serde(default)]
    pub fence: FenceSettings,
    /// What the mission may spend, the way home included; one limit or several.
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
    pub pilot: FieldPilot,
    /// How the next place is chosen.
    #[serde(default)]
    pub planner: PlannerSettings,
    /// The model's kernel.
    #[serde(default)]
    pub kernel: KernelChoice,
    /// Kernels of further models that learn from the same readings; predictions of all are pooled. None for a model of
    /// one kernel.
    #[serde(default = "companions")]
    pub companions: Vec<KernelChoice>,
    /// How the model learns.
    #[serde(default)]
    pub training: TrainingSettings,
    /// How much may go wrong in a row.
    #[serde(default)]
    pub patience: PatienceSettings,
    /// The bed of the lake that is rehearsed on (`--simulate`). Heights, with the water at 0; one that rises above is
    /// flooded. It lies where it says, or around the middle of the area, larger if need be.
    #[serde(default)]
    pub terrain: TerrainChoice,
    /// The boat that is rehearsed with (`--simulate`).
    #[serde(default)]
    pub bench: BenchSettings,
}

fn companions() -> Vec<KernelChoice> {
    MissionSettings::default().companions
}

impl Default for FieldDocument {
    /// A rehearsal on the built-in quarry lake.
    fn default() -> Self {
        Self {
            seed: 0,
            area: AreaSettings::default(),
            vehicle: AutopilotSettings::default(),
            boat: BoatLimits::default(),
            sonar: SonarSettings::Ping {
                link: LinkAddress::Udp("192.168.2.2:9090".to_owned()),
                interval_s: SonarSettings::USUAL_INTERVAL_S,
            },
            receiver: None,
            sounding: SoundingSettings::default(),
            fence: FenceSettings::default(),
            budget: MissionSettings::default().budget,
            reserve: Reserve::default(),
            fallback: FallbackSettings::default(),
            stop: StopSettings::default(),
            pilot: FieldPilot::default(),
            planner: PlannerSettings::default(),
            kernel: KernelChoice::default(),
            companions: companions(),
            training: TrainingSettings::default(),
            patience: PatienceSettings::default(),
            terrain: TerrainChoice::default(),
            bench: BenchSettings::default(),
        }
    }
}

impl FieldDocument {
    /// Reads and checks a document.
    ///
    /// # Errors
    /// If a key is not known or a value cannot be; the error says where it stands.
    pub fn from_source(source: &Source) -> Result<Self, DocumentError> {
        source.check_keys(&[Source::keys::<Self>()])?;
        let mut document: Self = source.part()?;
        document.validate().map_err(|error| match &error {
            VoyageError::Mission(error) => source.refuse_setting(error),
            VoyageError::Driver(FieldError::Setting { name, .. }) => {
                source.refuse(name, error.to_string())
            }
            VoyageError::Jumps { .. } => source.refuse("planner.name", error.to_string()),
            _ => source.refuse("", error.to_string()),
        })?;
        let file = document.area.file;
        document.area.file = file.map(|file| absolute(source.folder(), &file));
        document.terrain = document.terrain.based_in(source.folder());
        Ok(document)
    }

    /// The document as text, with every setting explained. Reading it gives the same document.
    ///
    /// # Errors
    /// If a number is too large for TOML.
    pub fn to_text(&self) -> Result<String, VoyageError> {
        let part = Part::of(self).map_err(|error| VoyageError::Document(error.to_string()))?;
        Ok(commented(HEADING, &[part]))
    }

    /// Refuses what is out of range, by name.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<(), VoyageError> {
        self.vehicle.validate()?;
        self.sounding.validate()?;
        self.fallback.validate()?;
        self.stop.validate()?;
        self.reserve.validate()?;
        self.bench.validate()?;
        let BoatLimits {
            speed_mps,
            turn_rate_radps,
            sampling_rate_hz,
            battery_percent_per_m,
            at_home: _,
        } = self.boat;
        for (name, value) in [
            ("boat.speed_mps", Some(speed_mps)),
            ("boat.turn_rate_radps", Some(turn_rate_radps)),
            ("boat.sampling_rate_hz", Some(sampling_rate_hz)),
            ("boat.battery_percent_per_m", battery_percent_per_m),
        ] {
            if let Some(value) = value.filter(|v| !(*v > 0.0 && v.is_finite())) {
                let expected = "a positive, finite number is needed";
                return Err(FieldError::Setting {
                    name,
                    value,
                    expected,
                }
                .into());
            }
        }
        if matches!(self.planner.name.as_str(), "random" | "active") {
            return Err(VoyageError::Jumps {
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
                shape: self.pilot.shape,
                share: self.pilot.share,
                soundings: self.pilot.soundings,
                travel: Travel::Drive,
                unless_known: Some(self.enough_to_begin_with()),
            },
            // Legs are driven at the speed that the vehicle was set to.
            planner: PlannerSettings {
                pace: false,
                ..self.planner.clone()
            },
            kernel: self.kernel.clone(),
            companions: self.companions.clone(),
            training: self.training,
            sensor: SensorSettings {
                noise_std: self.bench.sonar_noise_m,
                lookup: Lookup::Bilinear,
            },
            boat: BoatSettings {
                max_speed_mps: self.boat.speed_mps,
                sampling_rate_hz: self.boat.sampling_rate_hz,
                goal_tolerance_m: self.vehicle.goal_radius_m,
                ..BoatSettings::default()
            },
            patience: self.patience,
            ..MissionSettings::default()
        }
    }

    /// The mission's settings for a vehicle that comes home to this place, m. Its planner keeps what the way there takes, and looks for
    /// no more where the map is as good as asked.
    pub fn mission_from(&self, home: Position) -> MissionSettings {
        let mut settings = self.mission();
        settings.home = Some(home);
        settings.planner.enough_std = settings.planner.enough_std.or(self.stop.std_below_m);
        settings
    }

    /// Soundings that a mission which was cut off needs no pilot survey with any more.
    fn enough_to_begin_with(&self) -> usize {
        let FieldPilot {
            shape,
            share,
            soundings,
        } = self.pilot;
        match shape {
            PilotShape::Curve => ENOUGH_PER_POINT * soundings,
            PilotShape::Lines => {
                let BoatLimits {
                    speed_mps,
                    sampling_rate_hz,
                    ..
                } = self.boat;
                let period_s = 1.0 / sampling_rate_hz;
                let whole_s = self.budget.left_s(&Spent::default(), speed_mps, period_s);
                (ENOUGH_OF_LINES * share * whole_s / period_s) as usize
            }
        }
    }

    /// The room that the boat needs to turn away from a boundary that it comes straight at, m: its turning circle, and the
    /// way until it begins to turn, `v / w + v t`.
    pub fn turning_m(&self) -> f64 {
        self.boat.speed_mps * (1.0 / self.boat.turn_rate_radps + REACTION_S)
    }

    /// What a skipper is told.
    pub fn limits(&self) -> Limits {
        Limits {
            budget: self.budget,
            reserve: self.reserve,
            speed_mps: self.boat.speed_mps,
            battery_percent_per_m: self.boat.battery_percent_per_m,
            sampling_rate_hz: self.boat.sampling_rate_hz,
            at_home: self.boat.at_home,
        }
    }
}
